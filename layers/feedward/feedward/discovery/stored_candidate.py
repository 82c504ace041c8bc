"""The stored form of a candidate or page: texts are cut, links are absolute http(s) or dropped (rule R13).

A table item has at most 400 KB; data from fetched documents is limited to a fraction of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from feedward.discovery.candidate import Candidate, ValidationStatus
from feedward.discovery.site import SiteCandidate
from feedward.model import Item
from feedward.urls.parse import join_url, parse_http_url
from feedward.urls.safety import MAX_URL_CHARS

TITLE_CHARS, DESCRIPTION_CHARS, ITEM_TITLE_CHARS, DETAIL_CHARS, NOTE_CHARS = 500, 1000, 300, 300, 200
LANGUAGE_CHARS = 35
ALIASES_KEPT, ITEMS_KEPT, HUBS_KEPT = 10, 3, 5


def stored_candidate(candidate: Candidate, *, url_hash: str, now: int) -> SiteCandidate:
    """Return the stored form of a candidate that was found at `now` (epoch seconds), without its history."""
    base = candidate.final_url or candidate.url
    is_invalid = candidate.status is ValidationStatus.INVALID
    return SiteCandidate(
        url_hash=url_hash,
        candidate_url=candidate.url,
        final_url=kept_url(candidate.final_url),
        source=candidate.source,
        discovered_from=candidate.discovered_from,
        why=candidate.leads[0].why[:NOTE_CHARS],
        kind=candidate.kind,
        score=candidate.score,
        parts=dict(candidate.parts),
        validation_status=candidate.status,
        first_seen_at=now,
        last_error=candidate.outcome if is_invalid else None,
        http_status=candidate.http_status,
        detail=candidate.detail[:DETAIL_CHARS],
        format=candidate.format,
        title=cut(candidate.title, TITLE_CHARS),
        description=cut(candidate.description, DESCRIPTION_CHARS),
        site_url=_link(candidate.site_url, base),
        language=cut(candidate.language, LANGUAGE_CHARS),
        item_count=candidate.item_count,
        items=tuple(_item(item, base) for item in candidate.items[:ITEMS_KEPT]),
        newest_item_at=candidate.newest_item_at,
        aliases=tuple(url for url in candidate.aliases if len(url) <= MAX_URL_CHARS)[:ALIASES_KEPT],
    )


def cut(text: str | None, most: int) -> str | None:
    """Return the first `most` characters, or None for an empty text."""
    return text[:most] if text else None


def kept_url(url: str | None) -> str | None:
    """Return a URL if it is http(s) and not too long, else None: a URL is never cut."""
    return url if url and len(url) <= MAX_URL_CHARS and parse_http_url(url) else None


def _link(written: str | None, base_url: str) -> str | None:
    """Return a feed's link as an absolute URL, or None if it is not http(s)."""
    base = parse_http_url(base_url)
    url = join_url(base, written) if base and written else None
    return kept_url(url.href) if url else None


def _item(item: Item, base_url: str) -> Mapping[str, Any]:
    sample = {
        "id": item.id if item.id and len(item.id) <= MAX_URL_CHARS else None,
        "url": _link(item.url, base_url),
        "title": cut(item.title, ITEM_TITLE_CHARS),
        "published_at": item.published_at,
        "updated_at": item.updated_at,
    }
    return {name: value for name, value in sample.items() if value is not None}


def kept_hubs(urls: Iterable[str]) -> tuple[str, ...]:
    """Return the first hubs whose URLs can be stored."""
    return tuple(url for url in urls if kept_url(url))[:HUBS_KEPT]
