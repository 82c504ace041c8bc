"""The events that a check publishes, which are stored with the change they describe (rules B1, B2, I7). Pure.

Their ids are derived from the feed, its rev and the time: repeating the write gives the same events.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from feedward.events import envelope as events
from feedward.health.cadence import stated_at
from feedward.health.decision import Decision
from feedward.health.due_feed import DueFeed
from feedward.health.recent_items import RecentItem
from feedward.model import OutboxEntry, Outcome
from feedward.ulid import derived_ulid

ITEMS_AT_MOST: Final = 20
# The bus takes 256 KB, a table 400 KB. The largest item is far smaller.
EVENT_BYTES: Final = 200 * 1024
# The events of one check are written in one transaction, which takes 4 MB.
COLLECTED_BYTES: Final = 3 * 1024 * 1024
_TITLE_CHARS: Final = 300


def events_of(
    after: DueFeed, decision: Decision, outcome: Outcome, new_items: Sequence[RecentItem], now: int
) -> tuple[OutboxEntry, ...]:
    """Return the events of one check: `after` is the feed after the check."""
    return tuple(
        OutboxEntry(feed_id=after.feed_id, entry_id=detail["id"], detail_type=detail_type, detail=detail)
        for detail_type, detail in _details(after, decision, outcome, new_items, now)
    )


def _details(
    after: DueFeed, decision: Decision, outcome: Outcome, new_items: Sequence[RecentItem], now: int
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    def common(detail_type: str, *more: str) -> dict[str, Any]:
        event_id = derived_ulid(now, detail_type, after.feed_id, str(after.rev), *more)
        return {"event_id": event_id, "occurred_at": now, "tenant_id": after.owner, "feed_id": after.feed_id}

    if change := decision.state_change:
        about = common(events.FEED_STATE_CHANGED)
        changed = events.feed_state_changed(**about, url=after.url, change=change)
        yield events.FEED_STATE_CHANGED, events.at_revision(changed, after.rev)
    if decision.became_stale:
        latest = decision.health.latest_item_published_at
        about = common(events.FEED_STALE)
        stale = events.feed_stale(**about, url=after.url, latest_item_published_at=latest)
        yield events.FEED_STALE, events.at_revision(stale, after.rev)
    for page, (count, told) in enumerate(_published(new_items, collect=after.collect_items)):
        about = common(events.ITEMS_PUBLISHED, *([str(page)] if page else []))
        detail = events.items_published(
            **about, url=after.url, new=count, items=told, collect_items=after.collect_items
        )
        yield events.ITEMS_PUBLISHED, events.at_revision(detail, after.rev)
    if decision.revival:
        asked = events.RevivalRequested(
            **common(events.REVIVAL_REQUESTED), reason=decision.revival, outcome=outcome.value
        )
        yield events.REVIVAL_REQUESTED, events.revival_requested(asked)


def _published(new_items: Sequence[RecentItem], *, collect: bool) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Yield for each ItemsPublished event the number of new items, and the items that it lists.

    One event lists the newest. If links are collected, no item may be left out, so several events list all of them.
    Only a document with nothing but very long ids and links is cut off at the end.
    """
    if not collect:
        yield from ((len(new_items), part) for part in islice(_parts(new_items), 1))
        return
    bytes_left = COLLECTED_BYTES
    for part in _parts(new_items):
        bytes_left -= _bytes_of(part)
        if bytes_left < 0:
            return
        yield len(part), part


def _parts(new_items: Sequence[RecentItem]) -> Iterator[list[dict[str, Any]]]:
    """Yield the items in parts of at most 20, each small enough for one event."""
    part: list[dict[str, Any]] = []
    size = 0
    for told in map(_told, new_items):
        item_bytes = _bytes_of(told)
        if part and (len(part) == ITEMS_AT_MOST or size + item_bytes > EVENT_BYTES):
            yield part
            part, size = [], 0
        part.append(told)
        size += item_bytes
    if part:
        yield part


def _bytes_of(told: object) -> int:
    """Return the size as the bus counts it; a table counts no more."""
    return len(json.dumps(told))


def _told(each: RecentItem) -> dict[str, Any]:
    item = each.item
    title = item.title[:_TITLE_CHARS] if item.title else None
    return {
        "id": item.id,
        "url": item.url,
        "title": title,
        "published_at": stated_at(item),
        "first_seen_at": each.first_seen_at,
    }
