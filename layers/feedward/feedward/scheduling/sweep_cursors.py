"""Cursors of the sweep: how far each shard was sent, as stored in StateTable (rule M1). Pure.

Feeds and frontier rows are swept alike: a due entry has an id, a time and a host.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

Due_co = TypeVar("Due_co", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Cursor:
    """A position in the due index; all entries up to it were sent. Cursors sort in sweep order.

    `due_at` is the epoch second of its slot; `due_id` the feed_id or row_id.
    """

    due_at: int
    due_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepShard:
    """One shard of the due index, and the sweep's position in it. `rev` is 0 before the first sweep.

    `lease_until` is the epoch second at which the lease of the current sweep expires, 0 for none. `busy` maps hosts to
    the epoch second until which messages occupy them (see message_plan.py). `holder` is the sweep that wrote last.
    """

    shard: int
    cursor: Cursor | None = None
    lease_until: int = 0
    rev: int = 0
    busy: Mapping[str, int] = field(default_factory=dict)
    holder: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DuePage(Generic[Due_co]):
    """Due entries in cursor order, and their `places`. No entry before `end` is missing; an empty page has no `end`.

    `is_last`: no entries follow. `unreadable` counts faulty entries, which are skipped.
    """

    due: tuple[Due_co, ...]
    places: tuple[Cursor, ...]
    end: Cursor | None
    is_last: bool
    unreadable: int = 0

    def parts(self, most: int) -> Iterator[DuePage[Due_co]]:
        """Yield the page in parts of at most `most` entries, each to be sent before the cursor moves to its end."""
        starts = range(0, len(self.due), most) or range(1)
        for start in starts:
            places = self.places[start : start + most]
            is_rest = start + most >= len(self.due)
            yield replace(
                self,
                due=self.due[start : start + most],
                places=places,
                end=self.end if is_rest else places[-1],
                unreadable=self.unreadable if is_rest else 0,
            )
