"""A host that wants peace: one answer speaks for all its feeds, until its time is over (HTT-018)."""

from __future__ import annotations

import pytest

from feedward.adapters.dynamodb.feeds.checks import DynamoCheckStore
from feedward.adapters.dynamodb.state.host_pauses import DynamoHostPauses
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.health.actions import resume
from feedward.health.decision import Check
from feedward.health.directory_feed import DirectoryFeed
from feedward.health.due_feed import DueFeed
from feedward.health.host_events import Stops, host_pause_until
from feedward.model import Outcome
from tests.contract.conftest import Bench
from tests.contract.moves import LATER
from tests.contract.test_feed_actions import actions, paused, registered
from tests.contract.test_feed_reader import read
from tests.fakes.feed_store import PATIENT

NOW = 1_790_000_000


@pytest.fixture
def pauses(bench: Bench) -> DynamoHostPauses:
    return DynamoHostPauses(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]


def test_a_paused_host_is_paused_until_its_time_and_no_longer(pauses: DynamoHostPauses) -> None:
    pauses.pause("www.reddit.com", until=NOW + 600, now=NOW)
    asked = ["www.reddit.com", "example.com"]
    assert pauses.stops(asked, now=NOW).hosts == {"www.reddit.com": NOW + 600}
    assert pauses.stops(asked, now=NOW + 599).hosts == {"www.reddit.com": NOW + 600}
    assert pauses.stops(asked, now=NOW + 600).hosts == {}


def test_a_429_pauses_its_host_for_as_long_as_it_says(pauses: DynamoHostPauses) -> None:
    until = host_pause_until(Check(outcome=Outcome.RATE_LIMITED, status=429, retry_after_s=120), NOW)
    assert until is not None
    pauses.pause("www.reddit.com", until=until, now=NOW)
    assert pauses.stops(["www.reddit.com"], now=NOW).hosts == {"www.reddit.com": NOW + 120}


def test_only_hosts_that_are_asked_for_are_named(pauses: DynamoHostPauses) -> None:
    for n in range(40):
        pauses.pause(f"h{n}.example", until=NOW + 600, now=NOW)
    assert pauses.stops(["h3.example", "other.example"], now=NOW).hosts == {"h3.example": NOW + 600}
    assert len(pauses.stops([f"h{n}.example" for n in range(40)], now=NOW).hosts) == 40
    assert pauses.stops([], now=NOW).hosts == {}


@pytest.mark.parametrize("ends", [(600, 60), (60, 600)])
def test_the_later_end_counts_whoever_comes_last(pauses: DynamoHostPauses, ends: tuple[int, int]) -> None:
    for end in ends:
        pauses.pause("example.com", until=NOW + end, now=NOW)
    assert pauses.stops(["example.com"], now=NOW).hosts == {"example.com": NOW + 600}


def test_a_pause_that_is_over_is_not_written_and_one_that_is_goes_by_itself(bench: Bench) -> None:
    pauses = DynamoHostPauses(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]
    pauses.pause("old.example", until=NOW, now=NOW)
    pauses.pause("example.com", until=NOW + 60, now=NOW)
    [row] = bench.faults.scan(TableName=bench.contents.names.state)["Items"]
    assert row["expires_at"] == {"N": str(NOW + 60)}


def test_a_messages_hosts_cost_one_query(fake_bench: Bench) -> None:
    pauses = DynamoHostPauses(Tables(fake_bench.faults, fake_bench.contents.names, PATIENT))  # type: ignore[arg-type]
    fake_bench.faults.calls.clear()
    pauses.stops(["example.com"] * 10, now=NOW)
    assert fake_bench.faults.calls == ["query"]


# --- feeds that a person paused while their messages were under way ---------------------------------


def due(bench: Bench, feed: DirectoryFeed) -> DueFeed:
    """The feed as a message has it."""
    found = DynamoCheckStore(Tables(bench.faults, bench.contents.names, PATIENT)).due_feed(feed.feed_id)  # type: ignore[arg-type]
    assert found is not None
    return found


def stops(bench: Bench) -> Stops:
    return DynamoHostPauses(Tables(bench.faults, bench.contents.names, PATIENT)).stops(  # type: ignore[arg-type]
        ["example.com"], now=LATER
    )


def test_who_looks_for_hosts_learns_of_a_pause_too_for_what_was_looked_up_before(bench: Bench) -> None:
    feed = registered(bench)
    before = due(bench, feed)
    assert not stops(bench).is_paused(before)

    assert paused(bench, feed)

    assert stops(bench).is_paused(before)
    assert stops(bench).hosts == {}


def test_a_feed_that_was_resumed_meanwhile_is_not_taken_for_a_paused_one(bench: Bench) -> None:
    feed = registered(bench)
    paused(bench, feed)
    again = read(bench, "a")
    assert again is not None
    actions(bench).apply(again, resume(again.health, LATER), action="resumed", by="ann", now=LATER)

    assert not stops(bench).is_paused(due(bench, feed))


def test_what_is_remembered_of_a_pause_goes_when_no_message_can_be_under_way_any_more(bench: Bench) -> None:
    paused(bench, registered(bench))
    [row] = bench.faults.scan(TableName=bench.contents.names.state)["Items"]
    assert int(row["expires_at"]["N"]) - LATER == 30 * 60
