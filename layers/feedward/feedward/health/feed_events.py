"""What a check has to tell the bus: the events that are written with what they tell of (design section 8, I7). Pure.

Their ids follow from the feed, its rev and the moment: the same write, made again, owes the same events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from feedward import events
from feedward.health.decision import Decision
from feedward.health.due_feed import DueFeed
from feedward.health.freshness import stated_at
from feedward.health.recent import RecentItem
from feedward.model import Outcome, OwedEvent
from feedward.ulid import derived_ulid

ITEMS_AT_MOST: Final = 20
_TITLE_CHARS: Final = 300


def events_of(
    after: DueFeed, decision: Decision, outcome: Outcome, new_items: Sequence[RecentItem], now: int
) -> tuple[OwedEvent, ...]:
    """Return the events of one check: `after` is the feed as the check leaves it."""
    return tuple(
        OwedEvent(feed_id=after.feed_id, entry_id=detail["id"], detail_type=detail_type, detail=detail)
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
        yield events.FEED_STATE_CHANGED, events.feed_state_changed(**about, url=after.url, change=change)
    if decision.became_stale:
        latest = decision.health.latest_item_published_at
        about = common(events.FEED_STALE)
        yield events.FEED_STALE, events.feed_stale(**about, url=after.url, latest_item_published_at=latest)
    for page, (count, told) in enumerate(_published(new_items, collect=after.collect_items)):
        about = common(events.ITEMS_PUBLISHED, *([str(page)] if page else []))
        detail = events.items_published(
            **about, url=after.url, new=count, items=told, collect_items=after.collect_items
        )
        yield events.ITEMS_PUBLISHED, detail
    if decision.revival:
        asked = events.RevivalRequested(
            **common(events.REVIVAL_REQUESTED), reason=decision.revival, outcome=outcome.value
        )
        yield events.REVIVAL_REQUESTED, events.revival_requested(asked)


def _published(new_items: Sequence[RecentItem], *, collect: bool) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """What each event ItemsPublished tells: how many items are new, and which.

    One tells of the newest. Where their links are collected none may be left out, and all are told, part by part.
    """
    starts = range(0, len(new_items), ITEMS_AT_MOST)
    for start in starts if collect else starts[:1]:
        part = [_told(each) for each in new_items[start : start + ITEMS_AT_MOST]]
        yield len(part) if collect else len(new_items), part


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
