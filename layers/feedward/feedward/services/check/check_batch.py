"""Checks the feeds of a batch of messages, on the engine of services/work.

Cooldowns, pauses and outage minutes are read once before the first check. The outcomes are added to the outage totals
once after the last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from typing import Final, TypeVar

from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.health.due_feed import DueFeed, HealthMessage, Stops
from feedward.health.next_check import place_after_late, place_after_pause
from feedward.model import Outcome
from feedward.scheduling.slots import Place
from feedward.services.check.answer import CheckAnswer, CheckDisposition, unfetched
from feedward.services.check.check_feed import check_feed
from feedward.services.check.outage_probe import probe_outage
from feedward.services.check.ports import CheckBatchPorts
from feedward.services.work.engine import RESEND_S, Engine, WorkPorts, WorkSettings
from feedward.services.work.poison_tasks import begun_task
from feedward.services.work.polite_fetch import Cooldowns, PoliteFetcher, known_cooldowns
from feedward.stats.counts import counted
from feedward.urls.key import url_hash

# The time limit for the requests of one check. A check starts only if all of it is left, so that our own deadline is
# not recorded as the server's failure.
CHECK_S: Final = 20.0
# The pause between two feeds of one host.
HOST_PAUSE_S: Final = 1.0
# The queue's limit of receives of a message.
RECEIVES: Final = 3
SETTINGS: Final = WorkSettings(name="check", hosts_at_once=50, task_s=CHECK_S, reserve_s=15.0, again_after_s=360)
# The time limit of an optional query.
_LOOK_S: Final = 3.0

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchReport:
    """The result of a batch.

    - failures: for each message in order, the error for which it is received again, or None if it is done
    - answers: of the checks; postponed: feeds not fetched because a host is in its cooldown
    - left, again, waiting: feeds sent as new messages: out of time, failed, or host held by another worker
    - probed: further feeds that the outage probe enqueued
    - unreadable: entries that could not be decoded; undelivered: error codes of optional reads and writes
    - outage_minutes: minutes of these checks that are marked as an outage of our own network so far
    """

    failures: tuple[Exception | None, ...]
    answers: tuple[CheckAnswer, ...] = ()
    postponed: int = 0
    left: int = 0
    again: int = 0
    waiting: int = 0
    unreadable: int = 0
    undelivered: tuple[str, ...] = ()
    probed: int = 0
    outage_minutes: frozenset[int] = frozenset()


def check_batch(messages: Sequence[HealthMessage], *, ports: CheckBatchPorts, within_s: float) -> BatchReport:
    """Check the feeds of the messages within `within_s` seconds, and return a report on each message.

    Errors of stores, queues and the bus are reported, not raised.
    """
    deadline = Deadline.after(within_s, ports.check.clock.monotonic)
    checks = _Checks(ports.within(deadline.before(RESEND_S)))
    engine = _engine(messages, checks, deadline)
    marked, probed = frozenset[int](), 0
    if engine.hosts:
        checks.load_context(engine.hosts, messages)
        checks.save_from_last_receive(messages)
        engine.work()
        marked = checks.add_to_outages()
        checks.count()
        probed = 0 if marked else checks.probe_outage(deadline)
    work = engine.settle()
    return BatchReport(
        failures=tuple(work.failures[place] for place in range(len(messages))),
        answers=checks.answers(),
        postponed=checks.postponed,
        left=work.left,
        again=work.again,
        waiting=work.waiting,
        unreadable=sum(message.unreadable for message in messages),
        undelivered=checks.failures(),
        probed=probed,
        outage_minutes=marked,
    )


def _engine(messages: Sequence[HealthMessage], checks: _Checks, deadline: Deadline) -> Engine[DueFeed, CheckAnswer]:
    ports = checks.ports
    return Engine(
        messages=dict(enumerate(messages)),
        kind=checks,
        settings=SETTINGS,
        ports=WorkPorts(
            queue=ports.queue,
            limiter=ports.limiter,
            requeue=_DueFeeds(ports),
            clock=ports.check.clock,
            sleep=ports.sleep,
        ),
        deadline=deadline,
    )


@dataclass(slots=True)
class _DueFeeds:
    """Implements Requeue. A feed in a message keeps its due time, and the message keeps its timestamp."""

    ports: CheckBatchPorts

    def due_at(self, entry: DueFeed, at: int, *, is_sent: bool) -> DueFeed | None:
        if not is_sent and entry.pushed_at is None:
            self.ports.sweeps.reschedule(entry, at)
        return entry

    def sent_at(self, entry: DueFeed, at: int) -> int:
        return at if entry.sent_at is None else entry.sent_at


@dataclass(slots=True)
class _Checks:
    """Implements Work: the checks of one batch, and their shared state. Threads share it."""

    ports: CheckBatchPorts
    cooldowns: Cooldowns = field(init=False)
    fetcher: PoliteFetcher = field(init=False)
    stops: Stops = field(default_factory=Stops)
    outage_minutes: frozenset[int] = frozenset()
    gone: frozenset[str] = frozenset()
    postponed: int = 0
    _answers: list[CheckAnswer] = field(default_factory=list)
    _failures: list[str] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self.cooldowns = Cooldowns(self.ports.limiter, self.ports.check.clock)
        self.fetcher = PoliteFetcher(self.ports.check.fetcher, self.cooldowns)

    # --- one check -------------------------------------------------------------------------------

    def run(self, entry: DueFeed, *, is_suspect: bool) -> CheckAnswer:
        """Check a feed, unless its slot was checked, since a message may come twice."""
        checked, now = self.ports.checked, self.ports.check.clock.now()
        if not checked.take(entry):
            return self._answered(unfetched(entry, CheckDisposition.DROPPED, now))
        is_checked = False
        try:
            answer = self._run(entry, now, is_suspect=is_suspect)
            is_checked = answer.fetched
            return answer
        finally:
            if not is_checked:
                checked.give_back(entry)

    def _run(self, entry: DueFeed, now: int, *, is_suspect: bool) -> CheckAnswer:
        """Check a feed. Postpone it during its host's cooldown; fail it unfetched if a worker died during its check."""
        if self._is_foreign(entry):
            return self._answered(unfetched(entry, CheckDisposition.FOREIGN, now))
        until = self.cooldowns.until(entry.host)
        if until and not entry.is_late(now):
            return self._postpone(entry, until)
        if not is_suspect:
            answer = self._check(entry)
        else:
            with begun_task(entry.feed_id, begun=self.ports.begun, now=now, at_most=1) as has_killed:
                answer = self._check(entry, has_killed=has_killed)
        if answer.held_back_until is not None:
            return self._postpone(entry, answer.held_back_until)
        if answer.disposition is CheckDisposition.LATE:
            self._move(entry, place_after_late(entry.health, entry.place, now))
        return self._answered(answer)

    def _is_foreign(self, feed: DueFeed) -> bool:
        """Return whether the message's tenant was deleted, or is not that of the stored feed (rule TN5).

        A feed's hash covers its URL and its tenant. Only another hash, or one of an older key version, needs a read.
        """
        if feed.owner in self.gone or url_hash(feed.url, feed.owner or "") == feed.url_hash:
            return feed.owner in self.gone
        stored = self.ports.check.store.due_feed(feed.feed_id)
        return stored is not None and stored.owner != feed.owner

    def _answered(self, answer: CheckAnswer) -> CheckAnswer:
        with self._lock:
            self._answers.append(answer)
        return answer

    def _check(self, feed: DueFeed, *, has_killed: bool = False) -> CheckAnswer:
        return check_feed(
            feed,
            ports=self.ports.check,
            fetcher=self.fetcher,
            outage_minutes=self.outage_minutes,
            paused={feed.feed_id} if self.stops.is_paused(feed) else frozenset(),
            within_s=CHECK_S,
            has_killed=has_killed,
        )

    def pause_s(self, host: str) -> float:
        """Return the rest of the pause since the host's last answer. A cooldown is not waited for."""
        ago_s = self.fetcher.asked_ago_s(host)
        if ago_s is None or self.cooldowns.until(host):
            return 0.0
        return max(HOST_PAUSE_S - ago_s, 0.0)

    def _postpone(self, feed: DueFeed, until: int) -> CheckAnswer:
        """Reschedule the feed to the end of the cooldown. Its health stays: the host answered another request."""
        now = self.ports.check.clock.now()
        self._move(feed, place_after_pause(feed.health, feed.place, until, now))
        with self._lock:
            self.postponed += 1
        return CheckAnswer(feed_id=feed.feed_id, host=feed.host, at=now, disposition=CheckDisposition.POSTPONED)

    def _move(self, feed: DueFeed, place: Place) -> None:
        """Make the feed due by exception, unless its slot is kept: a check requested by a push changes no slot."""
        if place != feed.place and feed.pushed_at is None:
            self.ports.sweeps.reschedule(feed, place.from_s)

    def save_from_last_receive(self, messages: Sequence[HealthMessage]) -> None:
        """Make feeds due by exception if their message would be lost with this worker, unless they are due soon."""
        now = self.ports.check.clock.now()
        for feed in (feed for message in messages if message.receives >= RECEIVES for feed in message.entries):
            self._guarded(partial(self._move, feed, place_after_late(feed.health, feed.place, now)))

    # --- shared context --------------------------------------------------------------------------

    def load_context(self, hosts: frozenset[str], messages: Sequence[HealthMessage]) -> None:
        """Read cooldowns and pauses, our own outage minutes, and which owners of private feeds were deleted.

        If a read fails, the checks run without its data.
        """
        ports, now, in_time = self.ports, self.ports.check.clock.now(), self._in_time()
        self.outage_minutes = self._guarded(lambda: ports.outages.within(in_time).marked(now=now)) or frozenset()
        self.stops = self._guarded(lambda: ports.limiter.within(in_time).stops(hosts, now=now)) or Stops()
        self.cooldowns.known.update(known_cooldowns(self.stops.hosts, hosts))
        owners = {feed.owner for message in messages for feed in message.entries if feed.owner is not None}
        tenants = ports.tenants.within(in_time)
        self.gone = frozenset(each for each in owners if self._guarded(partial(tenants.is_gone, each)))

    def add_to_outages(self) -> frozenset[int]:
        """Add the outcomes to the outage totals, and return those of their minutes that are now marked."""
        checks: list[tuple[int, str, Outcome]] = [
            (answer.at, answer.host, answer.outcome) for answer in self._answers if answer.outcome is not None
        ]
        if not checks:
            return frozenset()
        now = self.ports.check.clock.now()
        return self._guarded(lambda: self.ports.outages.within(self._in_time()).add(checks, now=now)) or frozenset()

    def count(self) -> None:
        """Add the checks of shared feeds to the counts of the hour, with one write (rules G9, TN9)."""
        counts = counted(answer.outcome for answer in self._answers if answer.outcome is not None and answer.is_shared)
        if counts:
            now = self.ports.check.clock.now()
            self._guarded(lambda: self.ports.counts.within(self._in_time()).add(counts, now=now))

    def probe_outage(self, deadline: Deadline) -> int:
        """Enqueue further feeds if a minute is in doubt, and return their number."""
        now = self.ports.check.clock.now()
        in_time = replace(self.ports.within(deadline.at_most(_LOOK_S)), queue=self.ports.queue.within(deadline))
        probe = partial(probe_outage, self._answers, ports=in_time, stops=self.stops, now=now)
        return self._guarded(probe) or 0

    def answers(self) -> tuple[CheckAnswer, ...]:
        """Return the answers of all checks, except postponed ones."""
        return tuple(self._answers)

    def failures(self) -> tuple[str, ...]:
        """Return the error codes of optional reads and writes."""
        return (*self._failures, *self.cooldowns.failures)

    def _in_time(self) -> Deadline:
        return Deadline.after(_LOOK_S, self.ports.check.clock.monotonic)

    def _guarded(self, ask: Callable[[], Found]) -> Found | None:
        """Call `ask`. On an error, record its code and return None."""
        try:
            return ask()
        except FeedwardError as error:
            with self._lock:
                self._failures.append(error.code)
            return None
