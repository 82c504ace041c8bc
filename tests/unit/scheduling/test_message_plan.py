"""Messages hold each entry once, a host's entries together, and a host's messages come one after the other."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.frontier.messages import row_pace
from feedward.frontier.settings import FrontierSettings
from feedward.scheduling.grouping import grouped
from feedward.scheduling.lateness import LONGEST_DELAY_S
from feedward.scheduling.message_plan import TICK_S, TOO_LARGE_S, Later, Pace, Plan, planned, remembered
from feedward.scheduling.messages import DELAY_AT_MOST_S, ENTRIES_AT_MOST, WorkMessage
from tests.unit.frontier.rows import NOW, row_of
from tests.unit.scheduling.entries import EACH_KIND, FEEDS, ROWS, Kind

HOSTS = [f"h{n}.example" for n in range(12)]

hosts = st.dictionaries(st.sampled_from(HOSTS[:6]), st.integers(0, 25))
busy_hosts = st.dictionaries(st.sampled_from(HOSTS[:6]), st.integers(NOW - 100, NOW + 2000))
pauses = st.sampled_from([0.0, 0.5, 1.0, 3.0, 7.0, 200.0])


def entries_of(kind: Kind, counts: dict[str, int]) -> list[Any]:
    """Entries of these hosts, mixed as they come in an index."""
    entries = [entry for host, count in counts.items() for entry in kind.of_host(host, count)]
    return sorted(entries, key=lambda entry: str(entry.url)[::-1])


def of_host(plan: Plan[Any], host: str) -> list[WorkMessage[Any]]:
    return [message for message in plan.messages if any(entry.host == host for entry in message.entries)]


def delays(plan: Plan[Any]) -> list[int]:
    return [message.delay_s for message in plan.messages]


def later_of(plan: Plan[Any], host: str) -> list[int]:
    """The seconds until the entries of a host that no message can delay are due."""
    return [each.at - NOW for each in plan.later if each.entry.host == host]


def ids(entries: Sequence[Any]) -> list[str]:
    return [entry.entry_id for entry in entries]


# --- every plan -----------------------------------------------------------------------------------------


@EACH_KIND
@given(counts=hosts, busy=busy_hosts)
def test_no_entry_is_lost_or_sent_twice_and_no_message_is_too_large(
    kind: Kind, counts: dict[str, int], busy: dict[str, int]
) -> None:
    entries = entries_of(kind, counts)
    plan = planned(entries, busy, NOW, kind.pace)
    sent = [entry for message in plan.messages for entry in message.entries]
    assert Counter(ids(sent) + [each.entry.entry_id for each in plan.later]) == Counter(ids(entries))
    assert all(1 <= len(message.entries) <= ENTRIES_AT_MOST for message in plan.messages)
    assert all(type(message) is kind.message for message in plan.messages)


@EACH_KIND
@given(counts=hosts, busy=busy_hosts)
def test_a_hosts_messages_have_growing_delays_within_the_limit_of_a_queue(
    kind: Kind, counts: dict[str, int], busy: dict[str, int]
) -> None:
    plan = planned(entries_of(kind, counts), busy, NOW, kind.pace)
    for host in counts:
        theirs = [message.delay_s for message in of_host(plan, host)]
        assert all(0 <= delay <= LONGEST_DELAY_S <= DELAY_AT_MOST_S for delay in theirs)
        assert all(before < after for before, after in itertools.pairwise(theirs))
    assert all(message.sent_at == NOW + message.delay_s for message in plan.messages)


@given(counts=hosts, busy=busy_hosts, pause=pauses)
def test_a_host_has_the_time_for_each_message_before_the_next_one_comes(
    counts: dict[str, int], busy: dict[str, int], pause: float
) -> None:
    pace = Pace(message=ROWS.message, entry_s=pause)
    plan = planned(entries_of(ROWS, counts), busy, NOW, pace)
    for host in counts:
        times = [(message.sent_at, len(message.entries)) for message in of_host(plan, host) if message.is_alone]
        assert all(at >= busy.get(host, 0) for at, _ in times)
        assert all(at + size * pause <= following for (at, size), (following, _) in itertools.pairwise(times))


@EACH_KIND
@given(counts=hosts, busy=busy_hosts)
def test_only_entries_that_no_message_can_delay_are_postponed(
    kind: Kind, counts: dict[str, int], busy: dict[str, int]
) -> None:
    plan = planned(entries_of(kind, counts), busy, NOW, kind.pace)
    assert all(each.at - NOW > LONGEST_DELAY_S for each in plan.later)
    for host in counts:
        theirs = later_of(plan, host)
        assert all(after - before == kind.pace.entry_s for before, after in itertools.pairwise(theirs))
        assert all(message.delay_s < theirs[0] for message in of_host(plan, host) if theirs)


@EACH_KIND
@given(counts=hosts, busy=busy_hosts)
def test_a_hosts_entries_are_in_as_few_messages_as_can_be(
    kind: Kind, counts: dict[str, int], busy: dict[str, int]
) -> None:
    plan = planned(entries_of(kind, counts), busy, NOW, kind.pace)
    for host, count in counts.items():
        assert len(of_host(plan, host)) == -(-(count - len(later_of(plan, host))) // ENTRIES_AT_MOST)


@EACH_KIND
@given(counts=hosts, busy=busy_hosts)
def test_no_entry_waits_for_another_host(kind: Kind, counts: dict[str, int], busy: dict[str, int]) -> None:
    plan = planned(entries_of(kind, counts), busy, NOW, kind.pace)
    for message in plan.messages:
        if message.delay_s:
            assert len({entry.host for entry in message.entries}) == 1


@EACH_KIND
@given(counts=hosts, busy=busy_hosts)
def test_messages_say_that_they_are_alone_where_a_host_has_several_or_waits(
    kind: Kind, counts: dict[str, int], busy: dict[str, int]
) -> None:
    plan = planned(entries_of(kind, counts), busy, NOW, kind.pace)
    for host, count in counts.items():
        is_alone = count > ENTRIES_AT_MOST or busy.get(host, 0) > NOW
        assert {message.is_alone for message in of_host(plan, host)} <= {is_alone}


@EACH_KIND
@given(counts=hosts, busy=busy_hosts)
def test_the_same_entries_give_the_same_plan(kind: Kind, counts: dict[str, int], busy: dict[str, int]) -> None:
    entries = entries_of(kind, counts)
    assert planned(entries, busy, NOW, kind.pace) == planned(entries, busy, NOW, kind.pace)


@EACH_KIND
@given(ticks=st.lists(hosts, max_size=5))
def test_a_host_is_not_asked_again_before_it_is_free(kind: Kind, ticks: list[dict[str, int]]) -> None:
    busy: dict[str, int] = {}
    for n, counts in enumerate(ticks):
        now = NOW + n * TICK_S
        plan = planned(entries_of(kind, counts), busy, now, kind.pace)
        for host in counts:
            assert all(message.sent_at >= busy.get(host, 0) for message in of_host(plan, host))
        busy = remembered(plan.busy, now)


# --- small hosts ----------------------------------------------------------------------------------------


@EACH_KIND
def test_small_hosts_fill_messages(kind: Kind) -> None:
    plan = planned(entries_of(kind, {f"h{n}.example": 1 + n % 3 for n in range(60)}), {}, NOW, kind.pace)
    assert len(plan.messages) == 12
    assert set(delays(plan)) == {0}


@EACH_KIND
def test_entries_of_different_hosts_share_a_message_that_goes_at_once(kind: Kind) -> None:
    [message] = planned(entries_of(kind, dict.fromkeys(HOSTS[:10], 1)), {}, NOW, kind.pace).messages
    assert (len(message.entries), message.delay_s, message.sent_at, message.is_alone) == (10, 0, NOW, False)


@EACH_KIND
def test_one_entry_is_one_message_at_once(kind: Kind) -> None:
    [message] = planned(kind.of_host("a.example", 1), {}, NOW, kind.pace).messages
    assert (len(message.entries), message.delay_s, message.sent_at) == (1, 0, NOW)


@EACH_KIND
def test_nothing_due_is_no_message(kind: Kind) -> None:
    assert planned([], {}, NOW, kind.pace) == Plan(messages=(), busy={})


@EACH_KIND
def test_a_host_that_waits_shares_with_no_other(kind: Kind) -> None:
    grouping = grouped(entries_of(kind, {"a.example": 2, "b.example": 2, "c.example": 11}), {"a.example"})
    alone = {group.host: len(group.parts) for group in grouping.alone}
    assert alone == {"a.example": 1, "c.example": 2}
    assert [[entry.host for entry in entries] for entries in grouping.shared] == [["b.example", "b.example"]]


# --- large hosts ----------------------------------------------------------------------------------------


def test_ten_feeds_of_a_host_take_half_a_minute() -> None:
    plan = planned(FEEDS.of_host("a.example", 35), {}, NOW, FEEDS.pace)
    assert delays(plan) == [0, 30, 60, 90]
    assert plan.busy["a.example"] == NOW + 35 * 3


@pytest.mark.parametrize(("pause", "wanted"), [(1.0, [0, 10, 20]), (3.0, [0, 30, 60]), (0.25, [0, 3, 6])])
def test_rows_of_one_host_follow_each_other_at_the_pause_of_the_frontier(pause: float, wanted: list[int]) -> None:
    plan = planned(ROWS.of_host("a.example", 25), {}, NOW, row_pace(FrontierSettings(host_pause_s=pause)))

    assert delays(plan) == wanted
    assert [message.sent_at - NOW for message in plan.messages] == wanted
    assert [len(message.entries) for message in plan.messages] == [10, 10, 5]


@EACH_KIND
def test_a_plan_goes_on_where_the_one_before_left_the_host(kind: Kind) -> None:
    first = planned(kind.of_host("a.example", 25), {}, NOW, kind.pace)
    second = planned([kind.make("https://a.example/new")], first.busy, NOW + 5, kind.pace)

    assert first.busy["a.example"] == NOW + kind.pace.step_s(25)
    assert delays(second) == [kind.pace.step_s(25) - 5]


@EACH_KIND
def test_a_host_that_is_done_with_is_busy_no_more(kind: Kind) -> None:
    plan = planned(kind.of_host("a.example", 1), {"a.example": NOW - 1, "b.example": NOW}, NOW, kind.pace)

    assert delays(plan) == [0]
    assert "b.example" not in plan.busy


@pytest.mark.parametrize(("kind", "sent"), [(FEEDS, 290), (ROWS, 850)])
def test_ten_thousand_of_one_host_are_sent_as_far_as_messages_can_wait_and_the_others_are_due_at_its_pace(
    kind: Kind, sent: int
) -> None:
    plan = planned(kind.of_host("a.example", 10_000), {}, NOW, kind.pace)

    assert sum(len(message.entries) for message in plan.messages) == sent
    assert (delays(plan)[0], max(delays(plan))) == (0, LONGEST_DELAY_S)
    assert later_of(plan, "a.example") == [kind.pace.step_s(sent) + kind.pace.step_s(n) for n in range(10_000 - sent)]


def test_a_host_with_more_feeds_each_minute_than_it_can_be_asked_for_is_never_asked_for_two_messages_at_once() -> None:
    busy: dict[str, int] = {}
    starts: list[int] = []
    for n in range(40):
        now = NOW + n * TICK_S
        plan = planned(FEEDS.of_host("a.example", 170), busy, now, FEEDS.pace)
        starts += [message.sent_at for message in plan.messages]
        assert plan.busy["a.example"] <= now + LONGEST_DELAY_S + FEEDS.pace.step_s(ENTRIES_AT_MOST)
        busy = remembered(plan.busy, now)
    assert all(later - before >= 30 for before, later in itertools.pairwise(starts))
    assert starts[-1] - starts[0] == 30 * (len(starts) - 1), "and no time of it is left unused"


@EACH_KIND
def test_one_busy_host_holds_up_no_other(kind: Kind) -> None:
    entries = [*kind.of_host("a.example", 2_000), *kind.of_host("b.example", 3)]
    plan = planned(entries, {}, NOW, kind.pace)

    [shared] = of_host(plan, "b.example")
    assert shared.delay_s == 0


def test_rows_with_much_to_say_are_more_messages_and_one_that_fits_in_none_is_out_of_the_way() -> None:
    heavy = [
        replace(row, runs=frozenset(map(str, range(10**5, 10**5 + 14_000)))) for row in ROWS.of_host("a.example", 4)
    ]
    monster = row_of("https://b.example/", runs=frozenset(map(str, range(10**6, 10**6 + 28_000))))

    plan = planned([*heavy, monster], {}, NOW, ROWS.pace)

    assert [message.entries for message in plan.messages] == [tuple(heavy[:2]), tuple(heavy[2:])]
    assert plan.later == (Later(entry=monster, at=NOW + TOO_LARGE_S),)


# --- knowledge of the next sweep ------------------------------------------------------------------------


@pytest.mark.parametrize(("until", "is_kept"), [(NOW + TICK_S, False), (NOW + TICK_S + 1, True)])
def test_only_hosts_that_are_busy_at_the_next_sweep_are_remembered(until: int, is_kept: bool) -> None:
    assert ("a.example" in remembered({"a.example": until}, NOW)) is is_kept


def test_only_the_busiest_hosts_are_remembered() -> None:
    kept = remembered({f"h{n}": NOW + 100 + n for n in range(500)}, NOW)
    assert set(kept) == {f"h{n}" for n in range(400, 500)}
