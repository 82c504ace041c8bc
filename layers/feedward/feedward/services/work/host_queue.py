"""The queue of a busy host: its entries reserve later slots and return as new messages (rule M8).

Each entry reserves the host's own pause at the end of the queue. So no two entries are processed at the same time,
however many messages they are in. If the queue is longer than the longest message delay, an entry joins the overflow
behind it: it has no message, and is due when its slot in the overflow starts. Both are slots of the rate limiter.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Generic, Protocol

from feedward.ports import Clock, HostLimiter
from feedward.scheduling.lateness import LEAST_AHEAD_S, LONGEST_DELAY_S
from feedward.scheduling.messages import Entry, WorkMessage
from feedward.services.work.tasks import HostBusy, Task

# The longest wait of a worker for a slot. If a host's pause is longer, each entry gets its own message.
WAIT_S: Final = 5.0
# The farthest slot that an entry reserves.
FARTHEST_S: Final = 24 * 3600
# The pause of hosts for which the kind of work sets none.
LEAST_STEP_S: Final = 1.0


class Requeue(Protocol[Entry]):
    """Reschedules a kind of entry in its due index."""

    def due_at(self, entry: Entry, at: int, *, is_sent: bool) -> Entry | None:
        """Make the entry due at `at` (epoch seconds), and return the stored entry.

        `is_sent`: a message carries the entry, so the write may be skipped if the entry is not due too late. None: the
        entry was changed meanwhile and is handled elsewhere. Raises the errors of the store.
        """
        ...

    def sent_at(self, entry: Entry, at: int) -> int:
        """Return the timestamp of the entry's message, which can be read at `at`. Its lateness counts from there."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class HostQueue(Generic[Entry]):
    """The queues of busy hosts, shared by all workers."""

    limiter: HostLimiter
    requeue: Requeue[Entry]
    clock: Clock

    def messages(self, waiting: Sequence[Task[Entry]], kind: type[WorkMessage[Entry]]) -> Iterator[WorkMessage[Entry]]:
        """Yield the messages with which the waiting entries return. Raises the errors of the stores."""
        ordered = sorted(waiting, key=_busy_host)
        for host, tasks in groupby(ordered, key=_busy_host):
            yield from self._of_host(host, list(tasks), kind)

    def _of_host(
        self, host: str, tasks: Sequence[Task[Entry]], kind: type[WorkMessage[Entry]]
    ) -> Iterator[WorkMessage[Entry]]:
        now, answers = self.clock.now(), [_busy(task) for task in tasks]
        pause_s = max(LEAST_STEP_S, *(each.pause_s for each in answers))
        first_s = self._place(host, min(each.wait_s for each in answers), pause_s * len(tasks))
        sent: list[tuple[Entry, int]] = []
        for place, task in enumerate(tasks):
            delay_s = math.ceil(first_s + place * pause_s)
            is_sent = delay_s <= LONGEST_DELAY_S
            due_at = now + delay_s + (LEAST_AHEAD_S if is_sent else 0)
            entry = self.requeue.due_at(task.entry, due_at, is_sent=is_sent)
            if entry is not None and is_sent:
                sent.append((entry, delay_s))
        # Rows whose redirects led to the busy host are of other hosts: in one message, they would reach it together.
        is_one_host = pause_s <= WAIT_S and all(task.host == host for task in tasks)
        together = [sent] if is_one_host else [[each] for each in sent]
        for entries in filter(None, together):
            delay_s = entries[0][1]
            of_message = tuple(entry for entry, _ in entries)
            sent_at = min(self.requeue.sent_at(entry, now + delay_s) for entry in of_message)
            yield kind(entries=of_message, sent_at=sent_at, delay_s=delay_s, is_alone=True)

    def _place(self, host: str, wait_s: float, needed_s: float) -> float:
        """Return the seconds until the slot of an entry that joins the host's queue, or the overflow behind it."""
        first_s = self._join(f"queue {host}", wait_s, needed_s, LONGEST_DELAY_S)
        if first_s <= LONGEST_DELAY_S:
            return first_s
        return self._join(f"overflow {host}", first_s, needed_s, FARTHEST_S)

    def _join(self, queue: str, wait_s: float, needed_s: float, farthest_s: float) -> float:
        """Reserve `needed_s` at a queue's end, no sooner than in `wait_s`, and return the seconds until their start.

        Nothing is reserved if they start later than in `farthest_s`.
        """
        room_s = farthest_s - wait_s
        if room_s < 0:
            return wait_s
        ahead_ms = self.limiter.take_slot(
            queue,
            now_ms=self.clock.now_ms() + math.ceil(wait_s * 1000),
            pause_ms=math.ceil(needed_s * 1000),
            wait_ms=math.floor(room_s * 1000),
        )
        return wait_s + ahead_ms / 1000


def _busy_host(task: Task[Entry]) -> str:
    return _busy(task).host


def _busy(task: Task[Entry]) -> HostBusy:
    assert task.busy is not None
    return task.busy
