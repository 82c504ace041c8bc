"""A host that wants peace: one answer speaks for all its feeds, until its time is over (HTT-018)."""

from __future__ import annotations

import pytest

from feedward.adapters.dynamodb.host_pauses import DynamoHostPauses
from feedward.health.check import Check
from feedward.health.host_events import host_pause_until
from feedward.model import Outcome
from tests.contract.conftest import Bench
from tests.fakes.feed_store import PATIENT

NOW = 1_790_000_000


@pytest.fixture
def pauses(bench: Bench) -> DynamoHostPauses:
    return DynamoHostPauses(bench.faults, bench.contents.names, PATIENT)  # type: ignore[arg-type]


def test_a_paused_host_is_paused_until_its_time_and_no_longer(pauses: DynamoHostPauses) -> None:
    pauses.pause("www.reddit.com", until=NOW + 600, now=NOW)
    asked = ["www.reddit.com", "example.com"]
    assert pauses.paused(asked, now=NOW) == {"www.reddit.com": NOW + 600}
    assert pauses.paused(asked, now=NOW + 599) == {"www.reddit.com": NOW + 600}
    assert pauses.paused(asked, now=NOW + 600) == {}


def test_a_429_pauses_its_host_for_as_long_as_it_says(pauses: DynamoHostPauses) -> None:
    until = host_pause_until(Check(outcome=Outcome.RATE_LIMITED, status=429, retry_after_s=120), NOW)
    assert until is not None
    pauses.pause("www.reddit.com", until=until, now=NOW)
    assert pauses.paused(["www.reddit.com"], now=NOW) == {"www.reddit.com": NOW + 120}


def test_only_hosts_that_are_asked_for_are_named(pauses: DynamoHostPauses) -> None:
    for n in range(40):
        pauses.pause(f"h{n}.example", until=NOW + 600, now=NOW)
    assert pauses.paused(["h3.example", "other.example"], now=NOW) == {"h3.example": NOW + 600}
    assert len(pauses.paused([f"h{n}.example" for n in range(40)], now=NOW)) == 40
    assert pauses.paused([], now=NOW) == {}


@pytest.mark.parametrize("ends", [(600, 60), (60, 600)])
def test_the_later_end_counts_whoever_comes_last(pauses: DynamoHostPauses, ends: tuple[int, int]) -> None:
    for end in ends:
        pauses.pause("example.com", until=NOW + end, now=NOW)
    assert pauses.paused(["example.com"], now=NOW) == {"example.com": NOW + 600}


def test_a_pause_that_is_over_is_not_written_and_one_that_is_goes_by_itself(bench: Bench) -> None:
    pauses = DynamoHostPauses(bench.faults, bench.contents.names, PATIENT)  # type: ignore[arg-type]
    pauses.pause("old.example", until=NOW, now=NOW)
    pauses.pause("example.com", until=NOW + 60, now=NOW)
    [row] = bench.faults.scan(TableName=bench.contents.names.state)["Items"]
    assert row["expires_at"] == {"N": str(NOW + 60)}


def test_a_messages_hosts_cost_one_query(fake_bench: Bench) -> None:
    pauses = DynamoHostPauses(fake_bench.faults, fake_bench.contents.names, PATIENT)  # type: ignore[arg-type]
    fake_bench.faults.calls.clear()
    pauses.paused(["example.com"] * 10, now=NOW)
    assert fake_bench.faults.calls == ["query"]
