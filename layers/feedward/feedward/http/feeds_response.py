"""A feed of the directory as JSON, with all fields of the specification; its items and its history (design section 7).

Times are epoch seconds, intervals seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from feedward.health.directory_feed import DirectoryFeed
from feedward.health.feed_move import AuditEntry
from feedward.health.outcomes import OUTCOMES
from feedward.health.recent import RecentItem
from feedward.http.api import Reply
from feedward.model import Outcome


class Page(Protocol):
    """A page of feeds."""

    @property
    def feeds(self) -> Sequence[DirectoryFeed]: ...
    @property
    def cursor(self) -> str | None: ...


class Items(Protocol):
    """A feed's last items."""

    @property
    def feed_id(self) -> str: ...
    @property
    def items(self) -> Sequence[RecentItem]: ...


class History(Protocol):
    """A page of a feed's history."""

    @property
    def feed_id(self) -> str: ...
    @property
    def entries(self) -> Sequence[AuditEntry]: ...
    @property
    def cursor(self) -> str | None: ...


def encode_feed(feed: DirectoryFeed, *, now: int) -> dict[str, Any]:
    """The feed as it is at `now`."""
    return {
        "id": feed.feed_id,
        "url": feed.url,
        "is_private": feed.owner is not None,
        "created_at": feed.created_at,
        "collect_items": feed.collect_items,
        **_health(feed, now),
        **_texts(feed),
    }


def encode_feeds(page: Page, *, now: int) -> dict[str, Any]:
    """A page of feeds, and the cursor of the next one."""
    return {"feeds": [encode_feed(feed, now=now) for feed in page.feeds], "cursor": page.cursor}


def encode_accepted(feed: DirectoryFeed, *, now: int) -> Reply:
    """The answer to what a person does to a feed: 202, with the feed as it is then."""
    return Reply(document=encode_feed(feed, now=now), status=202, headers={"Location": f"/v1/feeds/{feed.feed_id}"})


def encode_items(found: Items) -> dict[str, Any]:
    """The last items, newest first, with when each was seen first."""
    return {"feed_id": found.feed_id, "items": [_item(each) for each in found.items]}


def encode_audit(found: History) -> dict[str, Any]:
    """A page of a feed's history, newest first, and the cursor of the next one."""
    return {
        "feed_id": found.feed_id,
        "entries": [_entry(entry) for entry in found.entries],
        "cursor": found.cursor,
    }


def _health(feed: DirectoryFeed, now: int) -> dict[str, Any]:
    health = feed.health
    outcome = health.last_outcome
    return {
        "state": health.state.value,
        "stale": feed.is_stale(now),
        "consecutive_failures": health.consecutive_failures,
        "first_failure_at": health.first_failure_at,
        "unhealthy_since": health.unhealthy_since,
        "last_success_at": health.last_success_at,
        "last_attempt_at": health.last_attempt_at,
        "last_http_status": health.last_http_status,
        "last_outcome": outcome.value if outcome else None,
        "last_error": _error(outcome),
        "last_revival_at": health.last_revival_at,
        "next_check_at": feed.next_check_at,
        "latest_item_published_at": health.latest_item_published_at,
        "avg_update_interval": health.median_gap_s,
    }


def _error(outcome: Outcome | None) -> str | None:
    """Why the last check brought nothing, in words; None where it did."""
    if outcome is None or OUTCOMES[outcome].is_success:
        return None
    return OUTCOMES[outcome].says


def _texts(feed: DirectoryFeed) -> dict[str, Any]:
    texts = feed.texts
    return {
        "title": texts.title,
        "description": texts.description,
        "site_url": texts.site_url,
        "language": texts.language,
        "hub_urls": list(texts.hub_urls),
        "format": texts.format.value if texts.format else None,
        "site_id": feed.site_id,
        "is_canonical": feed.is_canonical,
        "canonical_score": feed.canonical_score,
    }


def _item(each: RecentItem) -> dict[str, Any]:
    item = each.item
    return {
        "id": item.id,
        "url": item.url,
        "title": item.title,
        "published_at": item.published_at,
        "updated_at": item.updated_at,
        "first_seen_at": each.first_seen_at,
    }


def _entry(entry: AuditEntry) -> dict[str, Any]:
    return {
        "id": entry.entry_id,
        "action": entry.action,
        "at": entry.at,
        "by": entry.by,
        "details": dict(entry.details),
    }
