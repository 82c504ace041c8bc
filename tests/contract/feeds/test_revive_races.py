"""Revivals of one feed at the same time, with checks of it and people's actions: one move, by the last reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.access.key_store import DynamoKeyStore
from feedward.adapters.dynamodb.feeds.checks import DynamoCheckStore
from feedward.adapters.dynamodb.feeds.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves
from feedward.adapters.dynamodb.feeds.outbox import DynamoOutbox
from feedward.adapters.dynamodb.feeds.revivals import DynamoRevivals
from feedward.adapters.dynamodb.sites.site_store import DynamoSiteStore
from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.events.envelope import RevivalRequested
from feedward.health.decision import RevivalReason
from feedward.health.revival import RevivalOutcome
from feedward.services.canonicalize.register import canonicalize_and_register
from feedward.services.revive.revive import revive
from tests.contract.benches.moves import faults, moves, write
from tests.contract.conftest import Bench
from tests.contract.feeds.test_relocation_races import at_once, settled
from tests.fakes.directory import NOW, FakeClock
from tests.fakes.discover_queue import FakeDiscoverQueue
from tests.fakes.event_bus import FakeEventBus
from tests.fakes.fetcher import FakeFetcher
from tests.fakes.health_queue import FakeHealthQueue
from tests.fakes.uncharged import Uncharged
from tests.unit.services.check.checked import status
from tests.unit.services.revive.revived import GONE, HOME, LATER, NEW, OLD, feed_page, home

WAITS = Backoff(attempts=10)


class ReviveBench:
    """services.revive.revive.RevivalDirectory over a bench's tables, and a feed that was lost."""

    rsshub_base = None

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        client: Any = bench.faults
        tables = Tables(client, bench.contents.names, WAITS)
        self.clock = FakeClock()
        self.store = DynamoFeedStore(tables)
        self.sites = DynamoSiteStore(tables)
        self.outbox = DynamoOutbox(tables)
        self.moves = DynamoFeedMoves(tables)
        self.limiter = DynamoHostLimiter(tables)
        self.revivals = DynamoRevivals(tables)
        self.checks = DynamoCheckStore(tables)
        self.charges = Uncharged()
        self.keys = DynamoKeyStore(tables)
        self.queue, self.bus, self.health_queue = FakeDiscoverQueue(), FakeEventBus(), FakeHealthQueue()
        self.fetcher = FakeFetcher({OLD: feed_page()})
        result = canonicalize_and_register(OLD, fetcher=self.fetcher, store=self.store, now=NOW)
        assert result.feed_id
        self.feed_id = result.feed_id
        self.fetcher = FakeFetcher({OLD: status(404), HOME: home("/new.xml"), NEW: feed_page(*LATER)}, answers_404=True)
        write(bench, self.feed_id, **GONE)
        self.clock.advance(3600)

    def asked(self, event_id: str, reason: RevivalReason = RevivalReason.GONE) -> RevivalRequested:
        return RevivalRequested(event_id=event_id, feed_id=self.feed_id, reason=reason, occurred_at=NOW)

    def revive(self, asked: RevivalRequested) -> RevivalOutcome:
        return revive(asked, directory=self).outcome

    @property
    def history(self) -> list[str]:
        return [entry.action for entry in moves(self.bench).entries(self.feed_id)]


@pytest.fixture
def lost(bench: Bench) -> ReviveBench:
    return ReviveBench(bench)


def test_one_request_delivered_to_six_workers_at_once_moves_the_feed_once(lost: ReviveBench) -> None:
    outcomes = at_once([lambda: lost.revive(lost.asked("E1"))] * 6)
    assert RevivalOutcome.RELOCATED in outcomes  # a writer of the same move at the same moment made it, too
    assert set(outcomes) <= {
        RevivalOutcome.RELOCATED,
        RevivalOutcome.HEALTHY,
        RevivalOutcome.ASKED_BEFORE,
        RevivalOutcome.CHANGED,
    }
    assert lost.history == ["moved", "registered"]
    assert lost.bench.contents.feeds()[lost.feed_id]["url"] == NEW
    settled(lost.bench)


def test_requests_of_a_machine_and_of_people_at_once_move_it_once(lost: ReviveBench) -> None:
    people = [replace(lost.asked(f"P{n}", RevivalReason.REQUESTED), requested_by=f"person{n}") for n in range(3)]
    requests = [*people, lost.asked("E1"), lost.asked("E2")]
    jobs: list[Callable[[], object]] = [partial(lost.revive, one) for one in requests]
    assert at_once(jobs).count(RevivalOutcome.RELOCATED) == 1
    assert lost.history.count("moved") == 1
    settled(lost.bench)


def test_checks_of_the_feed_meanwhile_lose_or_are_seen(lost: ReviveBench) -> None:
    """Five writers count failures under the rev that they saw, while two revive."""

    def check() -> bool:
        due = lost.checks.due_feed(lost.feed_id)
        if due is None or due.url != OLD:
            return False
        from feedward.health.decision import FeedUpdate

        failures = due.health.consecutive_failures + 1
        after = replace(due, rev=due.rev + 1, health=replace(due.health, consecutive_failures=failures))
        return lost.checks.write(FeedUpdate(before=due, after=after)) is None

    jobs: list[Callable[[], object]] = [lambda: lost.revive(lost.asked("E1"))] * 2
    at_once([*jobs, *[check] * 5])
    lost.revive(lost.asked("E1"))
    feed = lost.bench.contents.feeds()[lost.feed_id]
    assert (feed["url"], feed["state"], feed["consecutive_failures"]) == (NEW, "healthy", 0)
    assert lost.history == ["moved", "registered"]
    settled(lost.bench)


def test_a_subscription_to_the_new_url_meanwhile_has_the_same_feed(lost: ReviveBench) -> None:
    def register() -> str | None:
        return canonicalize_and_register(NEW, fetcher=lost.fetcher, store=lost.store, now=NOW + 60).feed_id

    jobs: list[Callable[[], object]] = [lambda: lost.revive(lost.asked("E1")), register, register]
    outcome, *_ = at_once(jobs)
    assert outcome in (RevivalOutcome.RELOCATED, RevivalOutcome.MERGED)
    settled(lost.bench)
    assert set(lost.bench.contents.live()) == {lost.feed_id}
    assert lost.bench.contents.feeds()[lost.feed_id]["url"] == NEW


def test_an_undoing_meanwhile_stands(lost: ReviveBench) -> None:
    lost.revive(lost.asked("E1"))
    write(lost.bench, lost.feed_id, **GONE)
    people = lost.asked("E2", RevivalReason.GONE)
    jobs: list[Callable[[], object]] = [
        lambda: lost.moves.undo(lost.feed_id, by="ada", now=NOW + 60),
        lambda: lost.revive(replace(people, occurred_at=NOW + 2 * 86_400)),
    ]
    at_once(jobs)
    assert lost.bench.contents.feeds()[lost.feed_id]["url"] == OLD
    assert faults(lost.bench) == []
