"""Reschedules entries of the due index (rules M3, M5).

These are entries whose message was lost, and entries due later than a queue can delay. Each takes one conditional
write; several run in parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.ports import DueStore
from feedward.scheduling.sweep_cursors import Cursor

# The part of the function's time that is reserved for finishing a page that was sent, and its cursor.
RESERVE_S: Final = 8.0
IN_FLIGHT: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Postponed:
    """The result: the entries that are no longer due at their old time, and how many of them this call moved.

    `failures` are error codes; `complete` False: the time was too short for all.
    """

    due_ids: frozenset[str] = frozenset()
    moved: int = 0
    failures: tuple[str, ...] = ()
    complete: bool = True


def postpone(
    places: Iterable[Cursor], to: Callable[[Cursor], int], *, store: DueStore[object], left_s: Callable[[], float]
) -> Postponed:
    """Make the entries at these positions due at `to` (epoch seconds), unless they have changed. Raises nothing."""

    def one(place: Cursor) -> bool | str | None:
        if left_s() < RESERVE_S:
            return None
        try:
            return store.within(Deadline.after(left_s())).postpone(place.due_id, seen=place.due_at, to=to(place))
        except FeedwardError as error:
            return error.code

    with ThreadPoolExecutor(IN_FLIGHT, thread_name_prefix="feedward-postpone") as pool:
        done = [(place, pool.submit(one, place)) for place in places]
        answers = [(place.due_id, future.result()) for place, future in done]
    return Postponed(
        due_ids=frozenset(due_id for due_id, answer in answers if isinstance(answer, bool)),
        moved=sum(answer is True for _, answer in answers),
        failures=tuple(answer for _, answer in answers if isinstance(answer, str)),
        complete=all(answer is not None for _, answer in answers),
    )
