"""Check the feeds of a batch of messages, on the engine of services/work.

What is good to know of the world is read once before the first check, and what the checks say of the network is added
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
from feedward.health.due_feed import DueFeed, HealthMessage
from feedward.health.host_events import Stops
from feedward.health.next_check import next_check_after_pause
from feedward.model import Outcome
from feedward.scheduling.lateness import is_late
from feedward.services.check.answer import CheckAnswer, CheckDisposition
from feedward.services.check.check_feed import check_feed
from feedward.services.check.outage_probe import probe_outage
from feedward.services.check.ports import CheckBatchPorts
from feedward.services.work.begun import begun_task
from feedward.services.work.engine import RESEND_S, Engine, WorkPorts, WorkSettings
from feedward.services.work.polite_fetch import Cooldowns, PoliteFetcher, known_cooldowns

# The requests of one check. None is cut short, for the server would be blamed for our want of time.
CHECK_S: Final = 20.0
# A host is left alone for so long between two of its feeds.
HOST_PAUSE_S: Final = 1.0
SETTINGS: Final = WorkSettings(name="check", hosts_at_once=50, task_s=CHECK_S, reserve_s=15.0, again_after_s=360)
# One query, for what is good to know and not needed.
_LOOK_S: Final = 3.0

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchReport:
    """What came of a batch.

    - failures: for each message in order, why it has to come again, or None: then it is done with
    - answers: of the checks; postponed: feeds that were not asked, for a host on their way cools down
    - left, again, waiting: feeds that were sent on: for want of time, because they failed, because another worker has
      their host
    - probed: further feeds that were sent to be checked, to tell whether our own network is away
    - unreadable: entries of messages that nobody can read; undelivered: codes of errors that cost nothing but knowledge
    - outage_minutes: of the checks' minutes, those in which our own network was away, as far as is known by then
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
    """Check what the messages hold, within `within_s` seconds, and say what became of each of them.

    Raises nothing that a store, a queue or a bus does.
    """
    clock = ports.check.clock
    deadline = Deadline.after(within_s, clock.monotonic)
    ports = ports.within(deadline.before(RESEND_S))
    checks = _Checks(ports)
    engine: Engine[DueFeed, CheckAnswer] = Engine(
        messages=dict(enumerate(messages)),
        kind=checks,
        settings=SETTINGS,
        ports=WorkPorts(
            queue=ports.queue,
            limiter=ports.limiter,
            requeue=_DueFeeds(ports),
            clock=clock,
            now_ms=ports.now_ms,
            sleep=ports.sleep,
        ),
        deadline=deadline,
    )
    marked, probed = frozenset[int](), 0
    if engine.hosts:
        checks.load_context(engine.hosts)
        engine.work()
        marked = checks.add_to_outages()
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


@dataclass(slots=True)
class _DueFeeds:
    """work.Requeue: a feed stays due where it is; a message that carries it keeps its age."""

    ports: CheckBatchPorts

    def due_at(self, entry: DueFeed, at: int, *, is_sent: bool) -> DueFeed | None:
        if not is_sent:
            self.ports.sweeps.postpone(entry.feed_id, seen=entry.next_check_at, to=at)
        return entry

    def sent_at(self, entry: DueFeed, at: int) -> int:
        return at if entry.sent_at is None else entry.sent_at


@dataclass(slots=True)
class _Checks:
    """work.Work: the checks of one batch, and what they know together. Threads share it."""

    ports: CheckBatchPorts
    cooldowns: Cooldowns = field(init=False)
    fetcher: PoliteFetcher = field(init=False)
    stops: Stops = field(default_factory=Stops)
    outage_minutes: frozenset[int] = frozenset()
    postponed: int = 0
    _answers: list[CheckAnswer] = field(default_factory=list)
    _failures: list[str] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self.cooldowns = Cooldowns(self.ports.limiter, self.ports.check.clock)
        self.fetcher = PoliteFetcher(self.ports.check.fetcher, self.cooldowns)

    # --- one check -------------------------------------------------------------------------------

    def run(self, entry: DueFeed, *, is_suspect: bool) -> CheckAnswer:
        """Check a feed, unless its host cools down or a worker died of it."""
        now = self.ports.check.clock.now()
        until = self.cooldowns.until(entry.host)
        if until and not is_late(entry, now):
            return self._postpone(entry, until)
        if not is_suspect:
            answer = self._check(entry)
        else:
            with begun_task(entry.feed_id, begun=self.ports.begun, now=now, at_most=1) as has_killed:
                answer = self._check(entry, has_killed=has_killed)
        if answer.held_back_until is not None:
            return self._postpone(entry, answer.held_back_until)
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
        """Return what is left of a second since the host answered; a host in a cooldown is not waited for."""
        ago_s = self.fetcher.asked_ago_s(host)
        if ago_s is None or self.cooldowns.until(host):
            return 0.0
        return max(HOST_PAUSE_S - ago_s, 0.0)

    def _postpone(self, feed: DueFeed, until: int) -> CheckAnswer:
        """The host's answer to another request is the answer to this one; nothing is known of the feed itself."""
        now = self.ports.check.clock.now()
        to = next_check_after_pause(feed.health, until, now)
        self.ports.sweeps.postpone(feed.feed_id, seen=feed.next_check_at, to=to)
        with self._lock:
            self.postponed += 1
        return CheckAnswer(feed_id=feed.feed_id, host=feed.host, at=now, disposition=CheckDisposition.POSTPONED)

    # --- what all checks know --------------------------------------------------------------------

    def load_context(self, hosts: frozenset[str]) -> None:
        """Read what is known of the hosts and of our own network. What cannot be read, the checks find out."""
        ports, now, in_time = self.ports, self.ports.check.clock.now(), self._in_time()
        self.outage_minutes = self._guarded(lambda: ports.outages.within(in_time).marked(now=now)) or frozenset()
        self.stops = self._guarded(lambda: ports.limiter.within(in_time).stops(hosts, now=now)) or Stops()
        self.cooldowns.known.update(known_cooldowns(self.stops.hosts, hosts))

    def add_to_outages(self) -> frozenset[int]:
        """Add what the checks say of the network, and return their minutes that are marked now."""
        checks: list[tuple[int, str, Outcome]] = [
            (answer.at, answer.host, answer.outcome) for answer in self._answers if answer.outcome is not None
        ]
        if not checks:
            return frozenset()
        now = self.ports.check.clock.now()
        return self._guarded(lambda: self.ports.outages.within(self._in_time()).add(checks, now=now)) or frozenset()

    def probe_outage(self, deadline: Deadline) -> int:
        """Have further feeds checked where a minute is in doubt; return how many."""
        now = self.ports.check.clock.now()
        in_time = replace(self.ports.within(deadline.at_most(_LOOK_S)), queue=self.ports.queue.within(deadline))
        probe = partial(probe_outage, self._answers, ports=in_time, stops=self.stops, now=now)
        return self._guarded(probe) or 0

    def answers(self) -> tuple[CheckAnswer, ...]:
        """The checks that were made, or refused for the feed's own sake."""
        return tuple(self._answers)

    def failures(self) -> tuple[str, ...]:
        """Codes of the errors that cost nothing but knowledge."""
        return (*self._failures, *self.cooldowns.failures)

    def _in_time(self) -> Deadline:
        return Deadline.after(_LOOK_S, self.ports.check.clock.monotonic)

    def _guarded(self, ask: Callable[[], Found]) -> Found | None:
        """Ask for what may be missing, and note why it is."""
        try:
            return ask()
        except FeedwardError as error:
            with self._lock:
                self._failures.append(error.code)
            return None
