"""After a kill during a revival, the next delivery or sweep completes it: one move, and its event."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from feedward.deadline import NO_DEADLINE
from feedward.health.revival import RevivalOutcome
from feedward.services.relay_outbox import relay_outbox
from tests.fakes.dynamodb_faults import Died
from tests.unit.services.revive.revived import HOME, LATER, NEW, OLD, Lost, feed_page, home

FOUND = {HOME: home("/new.xml"), NEW: feed_page(*LATER)}


def calls() -> int:
    lost = Lost(FOUND)
    lost.directory.lifespan.live_on()
    lost.revive()
    return len(lost.directory.lifespan.calls)


CALLS = calls()


def pay(lost: Lost) -> None:
    """The sweep's work with unsent events."""
    directory = lost.directory
    relay_outbox(lost.feed_id, outbox=directory.outbox, bus=directory.bus, deadline=NO_DEADLINE)


@pytest.mark.parametrize("makes_last", [False, True])
@pytest.mark.parametrize("call", range(CALLS))
def test_a_death_at_any_call(call: int, makes_last: bool) -> None:
    lost = Lost(FOUND)
    lost.directory.lifespan.end_at(call, makes_last=makes_last)
    with contextlib.suppress(Died):
        lost.revive()
    lost.directory.lifespan.live_on()
    revival = lost.revive()
    assert revival.outcome in (RevivalOutcome.RELOCATED, RevivalOutcome.HEALTHY, RevivalOutcome.ASKED_BEFORE)
    pay(lost)
    assert (lost.feed["url"], lost.feed["state"]) == (NEW, "healthy")
    assert lost.history == ["moved", "registered"]
    moved: list[Any] = [detail for detail in lost.directory.bus.details if detail.get("to") == NEW and "from" in detail]
    assert len({detail["id"] for detail in moved if detail["from"] == OLD}) == 1
    assert lost.directory.contents.pending("event") == []


def test_the_count_of_calls_is_that_of_a_whole_revival() -> None:
    assert CALLS > 10
