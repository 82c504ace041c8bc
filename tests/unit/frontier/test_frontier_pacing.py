"""When the messages of rows may be read."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.frontier.row import FrontierRow
from feedward.frontier.settings import FrontierSettings
from feedward.scheduling.lateness import LATE_AFTER_S, LONGEST_DELAY_S, is_late
from feedward.scheduling.messages import DELAY_AT_MOST_S, ENTRIES_AT_MOST
from feedward.scheduling.plan import TOO_LARGE_S, Later, Plan, planned
from tests.unit.frontier.rows import NOW, row_of

ONE_S = FrontierSettings(host_pause_s=1.0)


def rows_at(host: str, count: int) -> list[FrontierRow]:
    return [row_of(f"https://{host}/{n}") for n in range(count)]


def delays(plan: Plan) -> list[int]:
    return [message.delay_s for message in plan.messages]


def test_rows_of_different_hosts_share_a_message_that_goes_at_once() -> None:
    plan = planned([row_of(f"https://h{n}.example/") for n in range(10)], {}, NOW, ONE_S)

    (message,) = plan.messages
    assert (len(message.rows), message.delay_s, message.sent_at) == (10, 0, NOW)


@pytest.mark.parametrize(("pause", "wanted"), [(1.0, [0, 10, 20]), (3.0, [0, 30, 60]), (0.25, [0, 3, 6])])
def test_messages_of_one_host_follow_each_other_at_its_pause(pause: float, wanted: list[int]) -> None:
    plan = planned(rows_at("a.example", 25), {}, NOW, FrontierSettings(host_pause_s=pause))

    assert delays(plan) == wanted
    assert [message.sent_at - NOW for message in plan.messages] == wanted
    assert [len(message.rows) for message in plan.messages] == [10, 10, 5]


def test_a_plan_goes_on_where_the_one_before_left_the_host() -> None:
    first = planned(rows_at("a.example", 25), {}, NOW, ONE_S)
    second = planned([row_of("https://a.example/new")], first.busy, NOW + 5, ONE_S)

    assert first.busy["a.example"] == NOW + 25
    assert delays(second) == [20]


def test_who_was_done_with_is_busy_no_more() -> None:
    plan = planned(rows_at("a.example", 1), {"a.example": NOW - 1, "b.example": NOW}, NOW, ONE_S)

    assert delays(plan) == [0]
    assert "b.example" not in plan.busy


def test_ten_thousand_rows_of_one_host_are_sent_as_far_as_messages_can_wait_and_the_others_are_due_in_turn() -> None:
    plan = planned(rows_at("a.example", 10_000), {}, NOW, ONE_S)

    sent = sum(len(message.rows) for message in plan.messages)
    assert (sent, len(plan.later)) == (850, 9_150)
    assert max(delays(plan)) <= LONGEST_DELAY_S <= DELAY_AT_MOST_S
    assert [each.at for each in plan.later] == [NOW + 850 + n for n in range(9_150)]


def test_one_busy_host_holds_up_no_other() -> None:
    plan = planned([*rows_at("a.example", 2_000), *rows_at("b.example", 3)], {}, NOW, ONE_S)

    (shared,) = [message for message in plan.messages if message.rows[0].host == "b.example"]
    assert shared.delay_s == 0


@given(
    counts=st.dictionaries(st.sampled_from(["a.example", "b.example", "c.example"]), st.integers(0, 60)),
    pause=st.sampled_from([0.0, 0.5, 1.0, 7.0, 200.0]),
    busy_s=st.integers(-10, 2_000),
)
def test_each_row_is_in_one_message_or_later_and_no_host_is_asked_too_often(
    counts: dict[str, int], pause: float, busy_s: int
) -> None:
    rows = [row for host, count in counts.items() for row in rows_at(host, count)]
    plan = planned(rows, {"a.example": NOW + busy_s}, NOW, FrontierSettings(host_pause_s=pause))

    sent = [row.row_id for message in plan.messages for row in message.rows]
    assert Counter(sent + [each.row.row_id for each in plan.later]) == Counter(row.row_id for row in rows)
    assert all(1 <= len(message.rows) <= ENTRIES_AT_MOST for message in plan.messages)
    for host in counts:
        times = [(m.sent_at, len(m.rows)) for m in plan.messages if m.rows[0].host == m.rows[-1].host == host]
        assert all(at + size * pause <= following for (at, size), (following, _) in pairwise(times))
    assert all(each.at > NOW + LONGEST_DELAY_S for each in plan.later)


def test_rows_with_much_to_say_are_more_messages_and_one_that_fits_in_none_is_out_of_the_way() -> None:
    heavy = [replace(row, runs=frozenset(map(str, range(10**5, 10**5 + 14_000)))) for row in rows_at("a.example", 4)]
    monster = row_of("https://b.example/", runs=frozenset(map(str, range(10**6, 10**6 + 28_000))))

    plan = planned([*heavy, monster], {}, NOW, ONE_S)

    assert [message.rows for message in plan.messages] == [tuple(heavy[:2]), tuple(heavy[2:])]
    assert plan.later == (Later(row=monster, at=NOW + TOO_LARGE_S),)


def test_a_message_is_late_after_a_quarter_of_an_hour() -> None:
    row = row_of("https://a.example/", sent_at=NOW)

    assert not is_late(row, NOW + LATE_AFTER_S)
    assert is_late(row, NOW + LATE_AFTER_S + 1)
    assert not is_late(row_of("https://a.example/"), NOW + 10**6)
