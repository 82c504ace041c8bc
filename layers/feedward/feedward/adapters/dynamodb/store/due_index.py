"""Reading a due index in the order of the sweep's cursor, without a gap (rule M1).

The index is in order of time, but nobody says in which order what is due in one second comes: a page ends between two
seconds, and within a second it is put in order here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.errors import InvalidInput
from feedward.scheduling.cursors import Cursor, DuePage

PAGE_FEEDS: Final = 500
SHARD: Final = "due_shard"

Due = TypeVar("Due")


@dataclass(frozen=True, slots=True, kw_only=True)
class DueIndex(Generic[Due]):
    """An index named `due`: of which table, by which attributes, and what its entries are.

    `sweep` is the partition of StateTable with its cursors. `read` raises InvalidInput for what is faulty.
    """

    table: Callable[[TableNames], str]
    id_attribute: str
    time_attribute: str
    key: Callable[[str], Mapping[str, str]]
    read: Callable[[Item], Due]
    sweep: str

    def place(self, item: Item) -> Cursor:
        """Where the sweep's cursor stands when it is at this entry."""
        return Cursor(due_at=item[self.time_attribute], due_id=item[self.id_attribute])


def due_page(tables: Tables, index: DueIndex[Due], shard: int, after: Cursor | None, until: int) -> DuePage[Due]:
    """Read what is due after the cursor, up to the end of a second that makes it 500, or to `until`."""
    first = after.due_at if after else 0
    if first > until:
        return DuePage(due=(), places=(), end=None, is_last=True)
    items = tables.query(
        index.table(tables.names),
        (SHARD, shard),
        index="due",
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
    """Take entries until they are enough and another second begins; and tell whether these are all."""
    found: list[tuple[Cursor, Item]] = []
    for place, item in placed:
        if len(found) >= PAGE_FEEDS and place.due_at != found[-1][0].due_at:
            return found, False
        found.append((place, item))
    return found, True


def _read(index: DueIndex[Due], item: Item) -> Due | None:
    """One that cannot be read must not keep the others of its shard from being seen to."""
    try:
        return index.read(item)
    except InvalidInput:
        return None
