"""Reading the due index in the order of the sweep's cursor, without a gap (design section 3, Sweep).

The index is in order of time, but nobody says in which order the feeds of one second come: a page ends between two
seconds, and within a second it is put in order here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from feedward.adapters.dynamodb.codec import Item
from feedward.adapters.dynamodb.tables import Tables
from feedward.errors import InvalidInput
from feedward.health.due_feed import DueFeed
from feedward.health.sweep_state import Cursor, DuePage

PAGE_FEEDS: Final = 500


def due_page(tables: Tables, shard: int, after: Cursor | None, until: int) -> DuePage:
    """Read what is due after the cursor, up to the end of a second that makes it 500 feeds, or to `until`."""
    first = after.next_check_at if after else 0
    if first > until:
        return DuePage(feeds=(), end=None, is_last=True)
    items = tables.query(
        tables.names.feeds,
        ("due_shard", shard),
        index="due",
        between=("next_check_at", first, until),
        page_items=PAGE_FEEDS,
    )
    found, is_last = _whole_seconds(item for item in items if after is None or _cursor(item) > after)
    found.sort(key=_cursor)
    feeds = tuple(filter(None, map(_read, found)))
    end = _cursor(found[-1]) if found else None
    return DuePage(feeds=feeds, end=end, is_last=is_last, unreadable=len(found) - len(feeds))


def _whole_seconds(items: Iterable[Item]) -> tuple[list[Item], bool]:
    """Take items until they are enough and another second begins; and tell whether these are all."""
    found: list[Item] = []
    for item in items:
        if len(found) >= PAGE_FEEDS and item["next_check_at"] != found[-1]["next_check_at"]:
            return found, False
        found.append(item)
    return found, True


def _cursor(item: Item) -> Cursor:
    return Cursor(next_check_at=item["next_check_at"], feed_id=item["feed_id"])


def _read(item: Item) -> DueFeed | None:
    """One feed that cannot be read must not keep the others of its shard from being checked."""
    try:
        return DueFeed.from_message(item)
    except InvalidInput:
        return None
