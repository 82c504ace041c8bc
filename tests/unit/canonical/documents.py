"""Small feed documents for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from feedward.canonical.options import DEFAULT_OPTIONS, CanonicalizeOptions
from feedward.canonical.result import CanonicalResult
from feedward.ports import Exists
from feedward.services.canonicalize.canonicalize import canonicalize
from tests.fakes.fetcher import FakeFetcher


def atom(
    title: str = "Blog", *, self_url: str | None = None, items: Sequence[str] = ("1",), updated: str = "2024-01-01"
) -> str:
    """An Atom document. Two that differ in `updated` or `self_url` only are one feed in other bytes."""
    declared = f'<link rel="self" href={quoteattr(self_url)}/>' if self_url is not None else ""
    entries = "".join(
        f"<entry><id>urn:e:{item}</id><title>Post {item}</title><updated>2024-01-01T00:00:00Z</updated></entry>"
        for item in items
    )
    return (
        f'<feed xmlns="http://www.w3.org/2005/Atom"><title>{escape(title)}</title><id>urn:f</id>'
        f"<updated>{updated}T00:00:00Z</updated>{declared}{entries}</feed>"
    )


FEED = atom()
OTHER_FEED = atom("Other", items=("8", "9"))
HTML = "<!DOCTYPE html><html><head><title>Home</title></head><body>no feed</body></html>"


def serving(*urls: str, body: str = FEED) -> dict[str, dict[str, Any]]:
    """A network in which each of `urls` answers 200 with `body`."""
    return {url: {"status": 200, "body": body} for url in urls}


def redirect(status: int, location: str) -> dict[str, Any]:
    """A page that redirects."""
    return {"status": status, "headers": {"location": location}}


def run(
    url: str,
    network: Mapping[str, Any],
    options: CanonicalizeOptions = DEFAULT_OPTIONS,
    *,
    exists: Exists | None = None,
    dns: Mapping[str, Sequence[str]] | None = None,
) -> CanonicalResult:
    """Canonicalize over an internet in memory."""
    return canonicalize(url, fetcher=FakeFetcher(network, dns=dns), options=options, exists=exists)
