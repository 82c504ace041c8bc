"""After a kill between any two calls, the reconcile pass completes the subscription (rule I7)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.errors import NotFound
from feedward.events.envelope import SUBSCRIPTION_CREATED, SUBSCRIPTION_FAILED, SUBSCRIPTION_READY
from feedward.services.subscribe.subscribe import subscribe, unsubscribe
from feedward.services.sweep.resend_pending import PENDING_S, resend_pending
from tests.fakes.directory import FakeDirectory
from tests.fakes.dynamodb_faults import Died
from tests.unit.services.discover.blog import FEED, HOME, page, site
from tests.unit.services.subscribe.test_subscribe_ends import deliver, events, pending

MOST_CALLS = 60


def state(directory: FakeDirectory) -> Any:
    """The final contents, except for ids and times of the way there."""
    subs = sorted(
        (item["url"], item["status"], item.get("failure"), bool(item.get("feed_id")), "duplicate_of" in item)
        for item in directory.contents.subscriptions()
    )
    return {
        "subscriptions": subs,
        "feeds": sorted(feed["url"] for feed in directory.contents.live().values()),
        "pending": [pending(directory), directory.contents.pending("event")],
        "told": sorted({each["url"] for each in events(directory, SUBSCRIPTION_READY, SUBSCRIPTION_FAILED)}),
        "faults": directory.contents.faults_of_subscriptions(),
    }


def ask(directory: FakeDirectory) -> None:
    subscribe(SELF_HOSTED, HOME, ports=directory)


def ask_twice(directory: FakeDirectory) -> None:
    subscribe(SELF_HOSTED, HOME, ports=directory)
    subscribe(SELF_HOSTED, FEED, ports=directory, tags=["a"])


def chain(directory: FakeDirectory) -> None:
    ask(directory)
    deliver(directory)


def chain_of_two(directory: FakeDirectory) -> None:
    ask_twice(directory)
    deliver(directory)


def later(directory: FakeDirectory) -> None:
    """The later work of the schedule and the queue."""
    for _ in range(3):
        directory.clock.advance(PENDING_S)
        resend_pending(ports=directory)
        deliver(directory)


ACTS: dict[str, tuple[Callable[[], FakeDirectory], Callable[[FakeDirectory], None]]] = {
    "asked": (lambda: FakeDirectory(site()), ask),
    "ready": (lambda: FakeDirectory(site()), chain),
    "failed": (lambda: FakeDirectory({HOME: page()}), chain),
    "a duplicate": (lambda: FakeDirectory(site()), chain_of_two),
}


@pytest.mark.parametrize("makes_last", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("make", "act"), ACTS.values(), ids=ACTS)
def test_killed_between_any_two_calls_it_ends_as_without_a_kill(
    make: Callable[[], FakeDirectory], act: Callable[[FakeDirectory], None], makes_last: bool
) -> None:
    whole = make()
    whole.lifespan.live_on()
    act(whole)
    calls = len(whole.lifespan.calls)
    later(whole)
    assert 2 <= calls < MOST_CALLS
    for call in range(calls):
        directory = make()
        directory.lifespan.end_at(call, makes_last=makes_last)
        with contextlib.suppress(Died):  # how many calls a list takes hangs on its ids
            act(directory)
        directory.lifespan.live_on()
        act(directory) if not directory.contents.subscriptions() else later(directory)
        later(directory)
        finish(directory, whole)
        assert state(directory) == state(whole), f"killed at call {call}"


def finish(directory: FakeDirectory, whole: FakeDirectory) -> None:
    """A caller without an answer asks again."""
    for item in whole.contents.subscriptions():
        subscribe(SELF_HOSTED, item["url"], ports=directory, tags=item["tags"])
    later(directory)


@pytest.mark.parametrize("makes_last", [False, True], ids=["before", "after"])
def test_a_reconcile_pass_that_is_killed_is_followed_by_one_that_ends_it(makes_last: bool) -> None:
    whole = FakeDirectory(site())
    chain(whole)
    later(whole)
    for call in range(12):
        directory = FakeDirectory(site())
        directory.bus.events.fails = 9
        ask(directory)
        directory.bus.events.fails = 0
        directory.clock.advance(PENDING_S)
        directory.lifespan.end_at(call, makes_last=makes_last)
        with contextlib.suppress(Died):
            resend_pending(ports=directory)
        directory.lifespan.live_on()
        later(directory)
        assert state(directory) == state(whole), f"killed at call {call}"
        assert len({each["id"] for each in events(directory, SUBSCRIPTION_CREATED)}) == 1


@pytest.mark.parametrize("makes_last", [False, True], ids=["before", "after"])
def test_a_deletion_that_is_killed_has_happened_or_not(makes_last: bool) -> None:
    for call in range(12):
        directory = FakeDirectory(site())
        chain_of_two(directory)
        first = next(item for item in directory.contents.subscriptions() if "duplicate_of" not in item)
        one = first["sk"].removeprefix("SUB#")
        directory.lifespan.end_at(call, makes_last=makes_last)
        with contextlib.suppress(Died):
            unsubscribe(SELF_HOSTED, one, ports=directory)
        directory.lifespan.live_on()
        with contextlib.suppress(NotFound):
            unsubscribe(SELF_HOSTED, one, ports=directory)
        assert directory.contents.claims("SUBFEED#") == {}
        chain_of_two(directory)
        later(directory)
        assert directory.contents.faults_of_subscriptions() == [], f"killed at call {call}"
        assert {item["status"] for item in directory.contents.subscriptions()} == {"ready"}
