"""Polling by feedward's own state machine: its real decisions, with simulated check results.

The environment is simulated as built: invocations of up to 50 feeds, each of which reads the marked minutes and adds
its totals to its minute at its end (rule H5); the outage probe of an undecided minute; revival that finds a feed which
moved without a redirect (rule H6); moves that rule F2 adopts. After each decision rule I4 is checked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from bench.health_world.clock import TICK, play
from bench.health_world.failures import Answer
from bench.health_world.invariant import hold_h3, hold_i4
from bench.health_world.rhythms import END, START
from bench.health_world.tally import Tally, tallies_of
from bench.health_world.timetables import InSlots, RecentItems, Timetable
from bench.health_world.world import Address, SimulatedFeed, World
from feedward.health.cadence import median_gap_s
from feedward.health.decision import Check, Decision, Reading
from feedward.health.feed_health import FeedHealth
from feedward.health.moves import Move, MoveObservation, MoveReason, may_adopt, observed
from feedward.health.outage import LEAST_HOSTS, MEMORY_S, MinuteTotals, may_all_be_ours, minute_of, totals_by_minute
from feedward.health.outcomes import OUTCOMES
from feedward.health.revival import host_fails
from feedward.health.state_machine import UNHEALTHY_AFTER_S, relocated
from feedward.model import FeedState, Outcome
from feedward.urls.hosts import registrable_domain

FEEDS_OF_AN_INVOCATION = 50
HOUR = 3600
# Creates the timetable of a feed from its last items and its tally.
MakeTimetable = Callable[[RecentItems, Tally], Timetable]
NETWORK = frozenset(outcome for outcome, row in OUTCOMES.items() if row.network)


@dataclass(slots=True, kw_only=True)
class Happened:
    """The events of the year other than polls: revivals and moves, and the effects of our own outages.

    - held_i4: decisions that were checked against rule I4 and did not break it
    - probed: checks before their time, made to detect an outage of our own network
    - outage_checks: checks during our own outages; outage_checks_counted: those whose failure was counted at first
    - healthy_became_unhealthy: feeds that became unhealthy although they answered, or would have
    - unhealthy_too_soon: those, and feeds that failed themselves, but for less than the 3 days
    """

    held_i4: int = 0
    revivals: int = 0
    revived: int = 0
    moves_adopted: int = 0
    became_unhealthy: int = 0
    healthy_became_unhealthy: int = 0
    unhealthy_too_soon: int = 0
    outage_checks: int = 0
    outage_checks_counted: int = 0
    probed: int = 0
    marked_minutes: set[int] = field(default_factory=set)


class WatchedFeed:
    """One feed as stored in the directory, with data that only the simulation has."""

    __slots__ = ("address", "checked_at", "failing_since", "health", "observation", "recent", "tally", "timetable")

    def __init__(self, feed: SimulatedFeed, address: Address, tally: Tally, make_timetable: MakeTimetable) -> None:
        self.address = address
        self.tally = tally
        self.recent = RecentItems(feed.history)
        self.timetable = make_timetable(self.recent, tally)
        self.checked_at = START
        self.failing_since: int | None = None
        self.observation: MoveObservation | None = None
        self.health = FeedHealth(
            feed_id=feed.id,
            median_gap_s=median_gap_s(self.recent.dates),
            hint_s=feed.hint_s,
            latest_item_published_at=feed.history[-1] if feed.history else None,
            last_success_at=START,
        )

    def note_own(self, own: Answer, now: int) -> None:
        """Record since when the feed itself fails, apart from our network."""
        if OUTCOMES[own.outcome].is_success:
            self.failing_since = None
        elif self.failing_since is None and OUTCOMES[own.outcome].counts_as_failure:
            self.failing_since = now

    def fails_long_enough(self, own: Answer, now: int) -> bool:
        """Whether the feed itself failed long enough to be unhealthy; another rule covers a 410."""
        if own.outcome is Outcome.GONE:
            return True
        return self.failing_since is not None and now - self.failing_since >= UNHEALTHY_AFTER_S

    def take_over(self, decision: Decision, now: int) -> None:
        """Store a decision; the time since the last check counts for the previous state."""
        self.tally.in_state_s[self.health.state] += now - self.checked_at
        self.health, self.checked_at = decision.health, now


class _Minute:
    """The checks of one minute, as in its row of the store."""

    def __init__(self, now: int) -> None:
        self.now = now
        self.has_failures = self.is_in_doubt = False
        self._checks: list[tuple[Sequence[WatchedFeed], Sequence[Answer]]] = []

    def add(self, feeds: Sequence[WatchedFeed], answers: Sequence[Answer]) -> None:
        """Add the decided checks of an invocation."""
        self._checks.append((feeds, answers))
        failed = [watched for watched, answer in zip(feeds, answers, strict=True) if answer.outcome in NETWORK]
        self.has_failures |= bool(failed)
        self.is_in_doubt |= any(may_all_be_ours(watched.health) for watched in failed)

    @property
    def totals(self) -> MinuteTotals:
        """The number of unrelated hosts, and of failed ones among them."""
        checks = chain.from_iterable(zip(*each, strict=True) for each in self._checks)
        seen = ((self.now, watched.address.feed.host, answer.outcome) for watched, answer in checks)
        return totals_by_minute(seen)[minute_of(self.now)]

    @property
    def domains(self) -> Iterable[str]:
        """The checked domains."""
        return {registrable_domain(watched.address.feed.host) for feeds, _ in self._checks for watched in feeds}


class Simulation:
    """A year of feedward over a world; `run` simulates it, then `tallies` and `happened` have the results."""

    def __init__(self, world: World, make_timetable: MakeTimetable = InSlots) -> None:
        self.tallies = tallies_of((feed.rhythm, len(feed.published)) for feed in world.feeds)
        self.happened = Happened()
        self._feeds = [
            WatchedFeed(feed, Address(feed, world.outages), self.tallies[feed.rhythm], make_timetable)
            for feed in world.feeds
        ]
        self._of_host: dict[str, list[WatchedFeed]] = defaultdict(list)
        for watched in self._feeds:
            self._of_host[watched.address.feed.host].append(watched)
        self._outage_minutes: frozenset[int] = frozenset()
        self._due_at: list[int] = []

    def run(self, end: int = END) -> None:
        """Simulate the year, or until an earlier end."""
        self._due_at = [watched.timetable.first_due_at(watched.health) for watched in self._feeds]
        play(self._due_at, self._tick, end=end)
        for watched in self._feeds:
            watched.tally.in_state_s[watched.health.state] += end - watched.checked_at

    def _tick(self, due: Sequence[int], now: int) -> dict[int, int | None]:
        """Check the feeds of a minute, invocation by invocation: none has the results of concurrent ones yet."""
        self._forget_marks(now)
        minute = _Minute(now)
        later: dict[int, int | None] = {}
        for begin in range(0, len(due), FEEDS_OF_AN_INVOCATION):
            later |= self._invoke(due[begin : begin + FEEDS_OF_AN_INVOCATION], minute)
        if minute.is_in_doubt and minute.totals.is_doubtful:
            further = self._probe_outage(minute, later, now)
            self.happened.probed += len(further)
            later |= self._invoke(further, minute)
        for nth, at in later.items():
            self._due_at[nth] = END if at is None else at
        return later

    def _invoke(self, numbers: Sequence[int], minute: _Minute) -> dict[int, int | None]:
        """One invocation: it reads the marks, checks and decides, and adds its network results at its end."""
        feeds = [self._feeds[nth] for nth in numbers]
        answers = [watched.address.visit(minute.now) for watched in feeds]
        later: dict[int, int | None] = {
            nth: self._apply(watched, answer, minute.now)
            for nth, watched, answer in zip(numbers, feeds, answers, strict=True)
        }
        minute.add(feeds, answers)
        if minute.has_failures and minute.totals.is_outage:
            self._outage_minutes |= {minute_of(minute.now)}
            self.happened.marked_minutes.add(minute_of(minute.now))
        return later

    def _probe_outage(self, minute: _Minute, checked: Collection[int], now: int) -> list[int]:
        """The feeds that services/check/outage_probe.py would then check, by the same choice."""
        others = ((nth, self._earliness(nth, now)) for nth in range(len(self._feeds)) if nth not in checked)
        domains = set(minute.domains)
        chosen: list[int] = []
        for _, nth in sorted((early, nth) for nth, early in others if early is not None):
            domain = registrable_domain(self._feeds[nth].address.feed.host)
            if domain in domains or not may_all_be_ours(self._feeds[nth].health):
                continue
            domains.add(domain)
            chosen.append(nth)
            if len(chosen) == LEAST_HOSTS:
                return chosen
        return []

    def _earliness(self, nth: int, now: int) -> float | None:
        due_at = self._due_at[nth]
        return None if due_at >= END else self._feeds[nth].timetable.earliness(now, due_at)

    def _forget_marks(self, now: int) -> None:
        if self._outage_minutes and now % HOUR < TICK:  # each hour is often enough: older marks are rarely read
            oldest = minute_of(now - MEMORY_S)
            self._outage_minutes = frozenset(minute for minute in self._outage_minutes if minute >= oldest)

    def _apply(self, watched: WatchedFeed, answer: Answer, now: int) -> int:
        """Decide about one feed, check rule I4, and follow the decision; return when the feed is due."""
        check = self._check(watched, answer, now)
        decision = watched.timetable.decide(watched.health, check, now)
        if decision.revival and self._host_fails(watched):
            decision = watched.timetable.decide(watched.health, replace(check, host_fails=True), now)
        due = hold_i4(decision, answer, now)
        if not watched.timetable.awaits_check:
            hold_h3(decision, due, now)
        self.happened.held_i4 += 1
        self._watch_outage(watched, answer, decision, now)
        watched.timetable.take_over(watched.health, decision, check, now)
        watched.take_over(decision, now)
        return self._revive(watched, due, now) if decision.revival else due

    def _check(self, watched: WatchedFeed, answer: Answer, now: int) -> Check:
        """Return the result of the check: a new document is read; a permanent redirect is followed."""
        tally, address = watched.tally, watched.address
        tally.polls += 1
        new = address.take_new(now) if OUTCOMES[answer.outcome].is_success else ()
        if new:
            tally.found(new, now)
            watched.recent.add(list(new), now)
        if answer.moved:
            tally.hops += 1
            self._adopt_move(watched, bool(new), now)
        return Check(
            outcome=answer.outcome,
            status=answer.status,
            reason=answer.reason,
            retry_after_s=answer.retry_after_s,
            new_items=len(new),
            reading=_reading(watched) if answer.outcome is Outcome.OK else None,
            outage_minutes=self._outage_minutes,
        )

    def _adopt_move(self, watched: WatchedFeed, has_new: bool, now: int) -> None:
        """Adopt the new URL if rule F2 allows it; proof by content fails if new items appeared meanwhile."""
        move = Move(target=f"https://new.{watched.address.feed.host}/", reason=MoveReason.PERMANENT_REDIRECT)
        watched.observation = observed(watched.observation, move, now)
        if may_adopt(move, same_feed=not has_new, observation=watched.observation):
            watched.address.moved = True
            self.happened.moves_adopted += 1

    def _host_fails(self, watched: WatchedFeed) -> bool:
        others = (other.health for other in self._of_host[watched.address.feed.host] if other is not watched)
        return host_fails((health.state, health.consecutive_failures) for health in others)

    def _revive(self, watched: WatchedFeed, due: int, now: int) -> int:
        """Search for the feed again: a moved feed is found and checked immediately; a deleted one stays as it is."""
        self.happened.revivals += 1
        if watched.address.cut_off or not watched.address.is_elsewhere(now):
            return due
        self.happened.revived += 1
        watched.address.moved = True
        watched.take_over(relocated(watched.health, now), now)
        return now

    def _watch_outage(self, watched: WatchedFeed, answer: Answer, decision: Decision, now: int) -> None:
        """Record the result of a check during our own outage, and why a feed became unhealthy."""
        happened, before, after = self.happened, watched.health, decision.health
        own = watched.address.own_answer(now) if watched.address.cut_off else answer
        watched.note_own(own, now)
        if watched.address.cut_off:
            happened.outage_checks += 1
            happened.outage_checks_counted += after.consecutive_failures > before.consecutive_failures
        if after.state is FeedState.UNHEALTHY and before.state is not FeedState.UNHEALTHY:
            happened.became_unhealthy += 1
            happened.healthy_became_unhealthy += watched.failing_since is None
            happened.unhealthy_too_soon += not watched.fails_long_enough(own, now)


def _reading(watched: WatchedFeed) -> Reading:
    dates = watched.recent.dates
    return Reading(
        median_gap_s=median_gap_s(dates),
        hint_s=watched.address.feed.hint_s,
        latest_item_published_at=dates[0] if dates else None,
    )
