"""The bench of checks makes whole checks against its server, counts them, and reports failures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import bench.__main__ as bench_main
from bench import checks
from bench.checks import KINDS, MIX, Measured, behaviours, check_round, memory_over, server, speed_of
from bench.checks_directory import FEEDS_A_BATCH, ChecksDirectory
from feedward.model import Outcome

FEEDS = 20


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with server(0) as port:
        yield port


@pytest.mark.parametrize(
    ("kinds", "outcomes", "new_items"),
    [
        (("same",), {Outcome.NOT_MODIFIED: 2 * FEEDS}, 0),
        (("resent",), {Outcome.OK: 2 * FEEDS}, 0),
        (("new",), {Outcome.OK: 2 * FEEDS}, 2 * FEEDS),
        (MIX, {Outcome.NOT_MODIFIED: 24, Outcome.OK: 16}, 4),
    ],
)
def test_each_feed_behaves_as_the_table_says(
    port: int, kinds: tuple[str, ...], outcomes: dict[Outcome, int], new_items: int
) -> None:
    measured = speed_of(kinds, port, feeds=FEEDS, rounds=2)
    assert (measured.checks, dict(measured.outcomes), measured.new_items) == (2 * FEEDS, outcomes, new_items)
    assert measured.seconds > 0
    assert measured.processor_s > 0


def test_batches_are_as_large_as_the_health_check_gets_them(port: int) -> None:
    directory = ChecksDirectory(port, behaviours(MIX, FEEDS_A_BATCH + 1))
    reports = [directory.check(texts) for texts in directory.batches()]
    assert [len(report.answers) for report in reports] == [FEEDS_A_BATCH, 1]
    assert len({answer.host for report in reports for answer in report.answers}) == FEEDS_A_BATCH + 1


@pytest.mark.parametrize(("kind", "writes"), [("same", 0), ("new", 1)])
def test_a_check_is_written_if_it_brings_news(port: int, kind: str, writes: int) -> None:
    directory = ChecksDirectory(port, behaviours((kind,), 3))
    check_round(directory, Measured())
    before = [directory.due(feed_id).rev for feed_id in directory.feed_ids]
    check_round(directory, Measured())
    assert [directory.due(feed_id).rev for feed_id in directory.feed_ids] == [rev + writes for rev in before]


def test_a_check_that_fails_is_not_counted_as_a_fast_one() -> None:
    with server(0) as port:
        directory = ChecksDirectory(port, behaviours(MIX, 3))
    with pytest.raises(RuntimeError, match="checks failed"):
        check_round(directory, Measured())


def test_memory_is_read_before_and_after_each_tenth(port: int) -> None:
    levels = memory_over(200, port, feeds=20)
    assert len(levels) == 11
    assert min(levels) > 1


def test_the_response_waits_as_long_as_it_is_told() -> None:
    with server(0.05) as port:
        measured = speed_of(("same",), port, feeds=3, rounds=1)
    assert measured.seconds >= 0.05


def test_checks_are_a_part_of_the_bench() -> None:
    assert bench_main.PARTS["checks"] is checks.main
    assert list(KINDS.values())[-1] == MIX
