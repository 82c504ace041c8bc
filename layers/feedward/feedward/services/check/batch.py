"""Check the feeds of a batch of messages: one after the other for each host, which rests in between, side by side
between hosts (design 3).

What the time does not suffice for goes on as a new message, and so does what failed beside others that did not: only
then may the old one be acknowledged. A feed that two of the messages hold is checked once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from typing import Final, TypeVar

from feedward.deadline import Deadline
from feedward.errors import FeedwardError, QueueUnavailable
from feedward.health.due_feed import DueFeed
from feedward.health.host_events import Stops
from feedward.health.messages import HealthMessage
from feedward.health.next_check import next_check_after_pause
from feedward.health.pacing import HOST_REST_S
from feedward.model import Outcome
from feedward.services.by_host import Task, by_host, tasks_of, total_failure
from feedward.services.check.answer import CheckAnswer
from feedward.services.check.check_feed import check_feed
from feedward.services.check.outage_probe import look_closer
from feedward.services.check.ports import BatchParts

# Hosts that are asked at the same moment: all of a batch. 50 documents as large as any may be fit into the memory.
IN_FLIGHT: Final = 50
# What one check may take: none is cut short, for the server would be blamed for our want of time.
CHECK_S: Final = 20.0
# What a check that has begun needs beside its requests, and what is written after all of them.
RESERVE_S: Final = 15.0
# When a feed that failed is tried again: as the queue does it with a message.
AGAIN_AFTER_S: Final = 360
# One query, for what is good to know and not needed.
_LOOK_S: Final = 3.0

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchReport:
    """What came of a batch.

    - failures: for each message in order, why it has to come again, or None: then it is done with
    - answers: of the checks; postponed: feeds that were not asked, for their host wants peace
    - left, again: feeds that were sent on: those that there was no time for, and those that failed
    - looked_closer: further feeds that were sent to be checked, to tell whether our own network is away
    - unreadable: entries of messages that nobody can read; left_owed: codes of errors that cost nothing but knowledge
    - outage_minutes: of the checks' minutes, those in which our own network was away, as far as is known by then
    """

    failures: tuple[Exception | None, ...]
    answers: tuple[CheckAnswer, ...] = ()
    postponed: int = 0
    left: int = 0
    again: int = 0
    unreadable: int = 0
    left_owed: tuple[str, ...] = ()
    looked_closer: int = 0
    outage_minutes: frozenset[int] = frozenset()


def check_batch(messages: Sequence[HealthMessage], *, parts: BatchParts, within_s: float) -> BatchReport:
    """Check what the messages hold, within `within_s` seconds, and say what became of each of them.

    Raises nothing that a store, a queue or a bus does.
    """
    return _Batch(messages, parts, within_s).run()


class _Batch:
    """One batch, and what came of it. Threads share it: each host's feeds are one thread's."""

    def __init__(self, messages: Sequence[HealthMessage], parts: BatchParts, within_s: float) -> None:
        self._messages, self._parts, self._clock = messages, parts, parts.check.clock
        self._ends_at = self._clock.monotonic() + within_s
        self._tasks = tasks_of(
            ((place, feed) for place, message in enumerate(messages) for feed in message.feeds),
            key=lambda feed: feed.feed_id,
            host=lambda feed: feed.host,
            newer=_newer,
        )
        self._lock = Lock()
        self._answers: list[CheckAnswer] = []
        self._left_owed: list[str] = []
        self._postponed = self._left = self._again = self._looked_closer = 0
        self._outage_minutes: frozenset[int] = frozenset()
        self._stops = Stops()
        self._paused: dict[str, int] = {}
        self._rested_at: dict[str, float] = {}

    def run(self) -> BatchReport:
        hosts, marked = by_host(self._tasks), frozenset[int]()
        if hosts:
            self._look_around()
            with ThreadPoolExecutor(min(IN_FLIGHT, len(hosts)), thread_name_prefix="feedward-check") as pool:
                list(pool.map(self._check_host, hosts))
            marked = self._add_to_outages()
            self._looked_closer = 0 if marked else self._look_closer()
        failures = tuple(self._settle(index) for index in range(len(self._messages)))
        return BatchReport(
            failures=failures,
            answers=tuple(self._answers),
            postponed=self._postponed,
            left=self._left,
            again=self._again,
            unreadable=sum(message.unreadable for message in self._messages),
            left_owed=tuple(self._left_owed),
            looked_closer=self._looked_closer,
            outage_minutes=marked,
        )

    # --- what is known of the world --------------------------------------------------------------

    def _look_around(self) -> None:
        """Once for all checks. What cannot be read is found out by the checks: marked minutes are taken back later."""
        parts, now = self._parts, self._clock.now()
        hosts = {task.host for task in self._tasks}
        marked = self._guarded(lambda: parts.outages.within(Deadline.after(_LOOK_S)).marked(now=now))
        self._stops = (
            self._guarded(lambda: parts.host_pauses.within(Deadline.after(_LOOK_S)).stops(hosts, now=now)) or Stops()
        )
        self._outage_minutes, self._paused = marked or frozenset(), dict(self._stops.hosts)

    def _add_to_outages(self) -> frozenset[int]:
        checks: list[tuple[int, str, Outcome]] = [
            (answer.at, answer.host, answer.outcome) for answer in self._answers if answer.outcome is not None
        ]
        if not checks:
            return frozenset()
        now = self._clock.now()
        return (
            self._guarded(lambda: self._parts.outages.within(Deadline.after(_LOOK_S)).add(checks, now=now))
            or frozenset()
        )

    def _look_closer(self) -> int:
        now, left_s = self._clock.now(), min(_LOOK_S, self._left_s())
        look = partial(look_closer, self._answers, parts=self._parts, stops=self._stops, now=now, within_s=left_s)
        return self._guarded(look) or 0

    # --- checks ----------------------------------------------------------------------------------

    def _check_host(self, tasks: Sequence[Task[DueFeed]]) -> None:
        for task in tasks:
            if self._left_s() - self._rest_s(task.host) < CHECK_S + RESERVE_S:
                task.is_left = True
                continue
            try:
                self._check(task.entry)
            except Exception as error:  # noqa: BLE001 - a feed that fails fails alone; its message says so
                task.error = error

    def _check(self, feed: DueFeed) -> None:
        now = self._clock.now()
        until = self._paused.get(feed.host, 0)
        if until > now and not feed.is_late(now):
            self._postpone(feed, until, now)
            return
        answer = self._ask(feed)
        with self._lock:
            self._answers.append(answer)
        if answer.host_pause_until is not None:
            self._pause(feed.host, answer.host_pause_until)

    def _ask(self, feed: DueFeed) -> CheckAnswer:
        """Check the feed once its host has rested from the one before."""
        rest_s = self._rest_s(feed.host)
        if rest_s > 0:
            self._parts.sleep(rest_s)
        answer = check_feed(
            feed,
            parts=self._parts.check,
            outage_minutes=self._outage_minutes,
            paused={feed.feed_id} if self._stops.is_paused(feed) else frozenset(),
            within_s=min(CHECK_S, self._left_s()),
        )
        if answer.fetched:
            self._rested_at[feed.host] = self._clock.monotonic() + HOST_REST_S
        return answer

    def _rest_s(self, host: str) -> float:
        """How long the host still has to rest; only its own thread asks it."""
        return max(0.0, self._rested_at.get(host, -math.inf) - self._clock.monotonic())

    def _postpone(self, feed: DueFeed, until: int, now: int) -> None:
        """The host's answer to another feed is the answer to this one; nothing is known of the feed itself."""
        to = next_check_after_pause(feed.health, until, now)
        self._parts.sweeps.postpone(feed.feed_id, seen=feed.next_check_at, to=to)
        with self._lock:
            self._postponed += 1

    def _pause(self, host: str, until: int) -> None:
        self._paused[host] = until
        now = self._clock.now()
        self._guarded(lambda: self._parts.host_pauses.within(Deadline.after(_LOOK_S)).pause(host, until=until, now=now))

    # --- messages --------------------------------------------------------------------------------

    def _settle(self, index: int) -> Exception | None:
        """Send on what is left of a message, and return why it has to come again as it is, if it has to."""
        tasks = [task for task in self._tasks if index in task.messages]
        failure = total_failure(tasks)
        if failure is not None:
            return failure
        now, message = self._clock.now(), self._messages[index]
        # Another message that holds the same feed is seen to first: it has sent it on.
        own = [task for task in tasks if task.messages[0] == index]
        left = tuple(task.entry for task in own if task.is_left)
        again = tuple(task.entry for task in own if task.error is not None)
        error = self._send(
            [
                HealthMessage(feeds=left, sent_at=message.sent_at),
                HealthMessage(feeds=again, sent_at=now + AGAIN_AFTER_S, delay_s=AGAIN_AFTER_S),
            ]
        )
        if error is None:
            self._left += len(left)
            self._again += len(again)
        return error

    def _send(self, messages: Iterable[HealthMessage]) -> Exception | None:
        wanted = [message for message in messages if message.feeds]
        if not wanted:
            return None
        try:
            taken = self._parts.queue.within(Deadline.after(self._left_s())).send_batch(wanted)
        except FeedwardError as error:
            return error
        return None if len(taken) == len(wanted) else QueueUnavailable("the queue did not take what is left")

    # --- time and errors -------------------------------------------------------------------------

    def _guarded(self, ask: Callable[[], Found]) -> Found | None:
        """Ask for what may be missing, and note why it is."""
        try:
            return ask()
        except FeedwardError as error:
            with self._lock:
                self._left_owed.append(error.code)
            return None

    def _left_s(self) -> float:
        return self._ends_at - self._clock.monotonic()


def _newer(one: DueFeed, other: DueFeed) -> DueFeed:
    """The later writing of a feed; it is as long in time as its youngest message."""
    return replace(other, sent_at=max(one.sent_at or 0, other.sent_at or 0)) if other.rev > one.rev else one
