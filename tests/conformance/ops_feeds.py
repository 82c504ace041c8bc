"""Ops of the feeds part: parse_feed, parse_date, same_feed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from feedward.feeds import dates, parse, signature
from feedward.model import Rejection

__all__ = ["parse_date", "parse_feed", "same_feed"]


def parse_feed(path: str, options: dict[str, str]) -> dict[str, Any]:
    found = parse.parse_feed(Path(path).read_bytes(), content_type=options.get("content_type"), url=options.get("url"))
    if isinstance(found, Rejection):
        return {"outcome": "rejected", "reason": found.reason}
    return {
        "outcome": "parsed",
        "format": found.format,
        "title": found.title,
        "site_url": found.site_url,
        "self_url": found.self_url,
        "hub_urls": found.hub_urls,
        "language": found.language,
        "ttl": found.ttl,
        "description": found.description,
        "item_count": len(found.items),
        "items": [
            {
                "id": item.id,
                "url": item.url,
                "title": item.title,
                "published_iso": _iso(item.published_at),
                "updated_iso": _iso(item.updated_at),
            }
            for item in found.items
        ],
    }


def parse_date(text: str) -> str | None:
    return _iso(dates.parse_date(text))


def same_feed(document_a: str, url_a: str, document_b: str, url_b: str) -> bool:
    one, other = _document(document_a, url_a), _document(document_b, url_b)
    return signature.same_feed(one, other) is not None


def _document(text: str, url: str) -> signature.Document:
    body = text.encode()
    feed = parse.parse_feed(body, url=url)
    assert not isinstance(feed, Rejection), feed
    return signature.Document(body=body, feed=feed, url=url)


def _iso(seconds: int | None) -> str | None:
    if seconds is None:
        return None
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ").zfill(20)
