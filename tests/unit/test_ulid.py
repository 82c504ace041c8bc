"""ULIDs sort by time, and can be derived from the object that they identify."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from feedward.ulid import counted_ulid, derived_ulid, new_ulid

times = st.integers(0, 10_000_000_000)


@given(times, st.text(), st.text())
def test_a_derived_ulid_is_a_ulid_and_always_the_same(now: int, one: str, other: str) -> None:
    assert re.fullmatch(r"[0-7][0-9A-HJKMNP-TV-Z]{25}", derived_ulid(now, one, other))
    assert derived_ulid(now, one, other) == derived_ulid(now, one, other)


@given(times, times)
def test_ulids_sort_by_time(now: int, later: int) -> None:
    if now != later:
        assert (new_ulid(now) < new_ulid(later)) == (now < later)


@given(times, st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.text(), st.text())
def test_counted_ulids_sort_by_their_count_within_a_second(now: int, n: int, later: int, one: str, other: str) -> None:
    assert re.fullmatch(r"[0-7][0-9A-HJKMNP-TV-Z]{25}", counted_ulid(now, n, one))
    assert counted_ulid(now, n, one) == counted_ulid(now, n, one)
    if n != later:
        assert (counted_ulid(now, n, one) < counted_ulid(now, later, other)) == (n < later)


def test_a_count_beyond_all_counts_is_still_a_ulid() -> None:
    assert len(counted_ulid(1_790_000_000, 2**40, "a")) == 26


def test_the_time_part_is_the_standard_one() -> None:
    assert new_ulid(1_469_918_176).startswith("01ARYZ6RR0"[:7])


def test_two_of_one_second_differ() -> None:
    assert len({new_ulid(1_790_000_000) for _ in range(1000)}) == 1000
