"""Reads a due index in the order of the sweep's cursor, without gaps (rule M1).

The index is sorted by time, but the order of entries of the same second is undefined. So a page ends between two
seconds, and this module sorts the entries of each second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.errors import InvalidInput
from feedward.scheduling.sweep_cursors import Cursor, DuePage

PAGE_FEEDS: Final = 500
SHARD: Final = "due_shard"

Due = TypeVar("Due")


@dataclass(frozen=True, slots=True, kw_only=True)
class DueIndex(Generic[Due]):
    """An index of due entries: its table, its name, its attributes and the type of its entries.

    `sweep` is the partition of StateTable with its cursors. `read` raises InvalidInput for an invalid item.
    """

    table: Callable[[TableNames], str]
    id_attribute: str
    time_attribute: str
    key: Callable[[str], Mapping[str, str]]
    read: Callable[[Item], Due]
    sweep: str
    name: str = "due"
    shard_attribute: str = SHARD

    def place(self, item: Item) -> Cursor:
        """Return the cursor at this entry."""
        return Cursor(due_at=item[self.time_attribute], due_id=item[self.id_attribute])


def due_page(tables: Tables, index: DueIndex[Due], shard: int | str, after: Cursor | None, until: int) -> DuePage[Due]:
    """Return the entries after the cursor up to `until`, or up to the end of the second of the 500th entry."""
    first = after.due_at if after else 0
    if first > until:
        return DuePage(due=(), places=(), end=None, is_last=True)
    items = tables.query(
        index.table(tables.names),
        (index.shard_attribute, shard),
        index=index.name,
        between=(index.time_attribute, first, until),
        page_items=PAGE_FEEDS,
    )
    placed = ((index.place(item), item) for item in items)
    found, is_last = _whole_seconds(each for each in placed if after is None or each[0] > after)
    found.sort(key=lambda each: each[0])
    readable = [(place, due) for place, item in found if (due := _read(index, item)) is not None]
    return DuePage(
        due=tuple(due for _, due in readable),
        places=tuple(place for place, _ in readable),
        end=found[-1][0] if found else None,
        is_last=is_last,
        unreadable=len(found) - len(readable),
    )


def _whole_seconds(placed: Iterable[tuple[Cursor, Item]]) -> tuple[list[tuple[Cursor, Item]], bool]:
    """Return enough entries up to the end of a second, and whether these are all."""
    found: list[tuple[Cursor, Item]] = []
    for place, item in placed:
        if len(found) >= PAGE_FEEDS and place.due_at != found[-1][0].due_at:
            return found, False
        found.append((place, item))
    return found, True


def _read(index: DueIndex[Due], item: Item) -> Due | None:
    """Return the entry, or None if it is invalid: it must not block the other entries of its shard."""
    try:
        return index.read(item)
    except InvalidInput:
        return None
