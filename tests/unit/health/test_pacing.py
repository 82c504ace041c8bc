"""Messages hold each feed once, a host's feeds together, and a host's messages come one after the other."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.health.due_feed import DueFeed, HealthMessage
from feedward.health.pacing import STEP_S
from feedward.health.record import FeedHealth
from feedward.scheduling.grouping import grouped
from feedward.scheduling.lateness import LONGEST_DELAY_S
from feedward.scheduling.plan import TICK_S, Plan, planned, remembered

NOW = 1_790_000_000

hosts = st.dictionaries(st.sampled_from([f"h{n}.example" for n in range(12)]), st.integers(0, 45))
busy_hosts = st.dictionaries(st.sampled_from([f"h{n}.example" for n in range(12)]), st.integers(NOW - 100, NOW + 2000))


def feeds_of(counts: dict[str, int]) -> list[DueFeed]:
    """Feeds of these hosts, mixed as they come in an index."""
    feeds = [_feed(host, n) for host, count in counts.items() for n in range(count)]
    return sorted(feeds, key=lambda feed: feed.url_hash)


def _feed(host: str, n: int) -> DueFeed:
    return DueFeed(
        feed_id=f"{host}-{n}",
        url=f"https://{host}/{n}",
        url_hash=f"{n}-{host}",
        host=host,
        rev=1,
        next_check_at=NOW - 9,
        health=FeedHealth(feed_id=f"{host}-{n}"),
    )


def of_host(plan: Plan, host: str) -> list[HealthMessage]:
    return [message for message in plan.messages if any(feed.host == host for feed in message.feeds)]


@given(hosts, busy_hosts)
def test_no_feed_is_lost_or_sent_twice_and_no_message_is_too_large(
    counts: dict[str, int], busy: dict[str, int]
) -> None:
    feeds = feeds_of(counts)
    plan = planned(feeds, busy, NOW)
    assert Counter(feed.feed_id for message in plan.messages for feed in message.feeds) == Counter(
        feed.feed_id for feed in feeds
    )
    assert all(1 <= len(message.feeds) <= 10 for message in plan.messages)


@given(hosts, busy_hosts)
def test_a_hosts_messages_have_growing_delays_within_what_a_queue_takes(
    counts: dict[str, int], busy: dict[str, int]
) -> None:
    plan = planned(feeds_of(counts), busy, NOW)
    for host in counts:
        delays = [message.delay_s for message in of_host(plan, host)]
        assert all(0 <= delay <= LONGEST_DELAY_S <= 900 for delay in delays)
        assert all(before < after for before, after in itertools.pairwise(delays))
    assert all(message.sent_at == NOW + message.delay_s for message in plan.messages)


@given(hosts, busy_hosts)
def test_a_hosts_feeds_are_in_as_few_messages_as_can_be(counts: dict[str, int], busy: dict[str, int]) -> None:
    plan = planned(feeds_of(counts), busy, NOW)
    for host, count in counts.items():
        assert len(of_host(plan, host)) == -(-count // 10)


@given(hosts, busy_hosts)
def test_nobody_waits_for_another_host(counts: dict[str, int], busy: dict[str, int]) -> None:
    plan = planned(feeds_of(counts), busy, NOW)
    for message in plan.messages:
        if message.delay_s:
            assert len({feed.host for feed in message.feeds}) == 1


@given(hosts, busy_hosts)
def test_the_same_feeds_give_the_same_plan(counts: dict[str, int], busy: dict[str, int]) -> None:
    assert planned(feeds_of(counts), busy, NOW) == planned(feeds_of(counts), busy, NOW)


@given(st.lists(hosts, max_size=8))
def test_a_host_is_not_asked_again_before_it_is_free_unless_there_is_no_time_for_it(
    ticks: list[dict[str, int]],
) -> None:
    busy: dict[str, int] = {}
    for n, counts in enumerate(ticks):
        now = NOW + n * TICK_S
        plan = planned(feeds_of(counts), busy, now)
        for host in counts:
            for message in of_host(plan, host)[:1]:
                assert message.sent_at >= min(busy.get(host, 0), now + LONGEST_DELAY_S - TICK_S)
        busy = remembered(plan.busy, now)


def test_small_hosts_fill_messages() -> None:
    plan = planned(feeds_of({f"h{n}.example": 1 + n % 3 for n in range(60)}), {}, NOW)
    assert len(plan.messages) == 12
    assert {message.delay_s for message in plan.messages} == {0}


def test_one_feed_is_one_message_at_once() -> None:
    [message] = planned(feeds_of({"a.example": 1}), {}, NOW).messages
    assert (len(message.feeds), message.delay_s, message.sent_at) == (1, 0, NOW)


def test_nothing_due_is_no_message() -> None:
    assert planned([], {}, NOW) == Plan(messages=(), busy={})


def test_a_large_host_gets_a_step_for_each_message() -> None:
    plan = planned(feeds_of({"a.example": 35}), {}, NOW)
    assert [message.delay_s for message in plan.messages] == [0, STEP_S, 2 * STEP_S, 3 * STEP_S]
    assert plan.busy["a.example"] == NOW + 4 * STEP_S


def test_more_than_fits_is_spread_over_the_time_there_is() -> None:
    delays = [message.delay_s for message in planned(feeds_of({"a.example": 1000}), {}, NOW).messages]
    assert len(delays) == 100
    assert (delays[0], delays[-1]) == (0, LONGEST_DELAY_S)
    assert {after - before for before, after in itertools.pairwise(delays)} == {8, 9}


def test_a_host_that_has_no_time_left_gets_the_last_minute_of_each_sweep() -> None:
    """170 feeds of one host each minute, which is more than one worker at a time can ask for."""
    busy: dict[str, int] = {}
    starts: list[int] = []
    for n in range(40):
        now = NOW + n * TICK_S
        plan = planned(feeds_of({"a.example": 170}), busy, now)
        starts += [message.sent_at for message in plan.messages]
        busy = remembered(plan.busy, now)
    assert starts == sorted(starts), "a later sweep's messages come later"
    assert max(Counter(starts).values()) <= 2


@pytest.mark.parametrize(("until", "is_kept"), [(NOW + TICK_S, False), (NOW + TICK_S + 1, True)])
def test_only_who_is_busy_still_at_the_next_sweep_is_remembered(until: int, is_kept: bool) -> None:
    assert ("a.example" in remembered({"a.example": until}, NOW)) is is_kept


def test_what_is_remembered_is_bounded_and_the_busiest() -> None:
    kept = remembered({f"h{n}": NOW + 100 + n for n in range(500)}, NOW)
    assert set(kept) == {f"h{n}" for n in range(400, 500)}


def test_a_host_that_waits_shares_with_nobody() -> None:
    grouping = grouped(feeds_of({"a.example": 2, "b.example": 2, "c.example": 11}), {"a.example"})
    assert [(group.host, len(group.parts)) for group in grouping.alone] == [("a.example", 1), ("c.example", 2)]
    assert [[feed.host for feed in feeds] for feeds in grouping.shared] == [["b.example", "b.example"]]
