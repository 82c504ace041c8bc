"""Any sequence of pushes gets one check a minute with a trailing edge (rules W18, W19)."""

from __future__ import annotations

import itertools
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from feedward.push.planned_check import gap_s, planned_check
from feedward.push.push_record import PushRecord

NOW = 1_790_000_000
RECORD = PushRecord(feed_id="1", hub="h", topic="t", token_hash="0", sealed="s", state_since=NOW)


@given(st.lists(st.integers(min_value=0, max_value=90), min_size=1, max_size=120))
def test_each_push_is_followed_by_a_check_within_a_minute_and_checks_are_a_minute_apart(waits: list[int]) -> None:
    record, now, checks = RECORD, NOW, list[int]()
    for wait in waits:
        now += wait
        planned = planned_check(record, now)
        if planned is not None:
            record = planned.after
            checks.append(now + planned.delay_s)
        assert any(now <= check <= now + 60 for check in checks)

    assert all(later - earlier >= 60 for earlier, later in itertools.pairwise(checks))


@given(st.integers(min_value=0, max_value=1000), st.sampled_from([0, 15, 60, 1440]))
def test_the_gap_grows_by_doubling_up_to_the_feeds_own_class(empty: int, every: int) -> None:
    gap = gap_s(replace(RECORD, empty_in_row=empty, every=every))

    assert 60 <= gap <= (every * 60 or 3600)
    assert gap == min(60 * 2 ** min(empty // 3, 10), every * 60 or 3600)
