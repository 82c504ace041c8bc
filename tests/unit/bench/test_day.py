"""The simulated day counts the real sweep's store calls, and checks each feed when it is due."""

from __future__ import annotations

from collections import Counter

import pytest

import bench.__main__ as bench_main
from bench import day
from bench.day import BEGIN, make_directory, play_day

HOURS = 3


@pytest.fixture(scope="module")
def morning() -> day.Day:
    return play_day(300, minutes=HOURS * 60)


def test_each_feed_is_checked_once_for_each_minute_of_its_slot(morning: day.Day) -> None:
    minutes = range(BEGIN // 60, BEGIN // 60 + HOURS * 60)
    due = sum(slot.is_due_at(minute) for slot in make_directory(300).slots for minute in minutes)

    assert morning.checks == due > 0
    assert (morning.late, morning.twice, morning.postponed) == (0, 0, 0)
    assert max(morning.lags) < 60


def test_the_sweep_reads_each_due_feed_once_and_a_check_writes_its_heartbeat_only(morning: day.Day) -> None:
    assert morning.counts.entries == morning.checks
    assert morning.counts.feed_units == 0
    assert 0 < morning.heartbeats < morning.checks / 2


def test_entries_read_for_a_due_feed_are_the_same_for_ten_times_as_many_feeds(morning: day.Day) -> None:
    assert play_day(3000, minutes=10).entries_per_due == pytest.approx(morning.entries_per_due, rel=0.1)


def test_a_host_with_more_feeds_than_its_pace_allows_has_them_spread_over_later_minutes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(day, "PLATFORMS", (1.0,))
    monkeypatch.setattr(day, "CLASSES_IN_100", {15: 100})
    crowded = play_day(900, minutes=30)

    most = Counter(minute for _, minute in crowded.requests)
    assert crowded.postponed > 0
    # Short classes, long ones and exceptions are paced each; the rate limiter of hosts holds their sum.
    assert max(most.values()) <= 3 * 20
    assert crowded.twice == 0


def test_the_full_size_is_asked_for_by_a_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(day, "main", lambda *, full: asked.append(full))
    bench_main.main(["day"])
    bench_main.main(["day", "--full"])

    assert asked == [False, True]


def test_the_table_has_a_column_for_each_size(morning: day.Day, capsys: pytest.CaptureFixture[str]) -> None:
    day.print_days([morning])
    printed = capsys.readouterr().out

    assert "  300" in printed
    assert f"{morning.queue.messages:,}" in printed
