"""Rows of the frontier and results of their fetches, for tests."""

from __future__ import annotations

from typing import Any

from feedward.frontier.row import FrontierRow
from feedward.model import FetchResult, Hop, Outcome
from feedward.ulid import derived_ulid
from feedward.urls.key import url_hash
from feedward.urls.parse import parse_http_url

NOW = 1_790_000_000


def row_of(url: str, **members: Any) -> FrontierRow:
    """A pending row of this URL, due at NOW."""
    parsed = parse_http_url(url)
    assert parsed is not None
    given: dict[str, Any] = {"row_id": derived_ulid(NOW, url), "next_fetch_at": NOW, **members}
    return FrontierRow(url=url, url_hash=url_hash(url), host=parsed.hostname, **given)


def landed(*chain: str | int, outcome: Outcome = Outcome.OK, status: int = 200, **members: Any) -> FetchResult:
    """The result of a fetch along `chain`: URL, status, URL, status, ..., the last URL."""
    urls, statuses = chain[::2], chain[1::2]
    hops = tuple(Hop(url=str(url), status=int(code)) for url, code in zip(urls, statuses, strict=False))
    body = b"<html>" if outcome is Outcome.OK else b""
    return FetchResult(outcome=outcome, url=str(urls[-1]), status=status, hops=hops, body=body, **members)


def failure(outcome: Outcome, *, url: str = "https://a.example/", **members: Any) -> FetchResult:
    """A fetch with this end."""
    return FetchResult(outcome=outcome, url=url, **members)
