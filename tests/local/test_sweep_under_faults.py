"""Sweeps and checks on the whole stack, with workers that are killed, messages that come twice, and a store that balks.

Every due feed is checked once a period under all faults: no check is lost, and a second one changes nothing. Each test
is a period of its own, and prints the events of it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import pytest

from tests.local.faulty_stack.feeds import MadeUpFeed
from tests.local.faulty_stack.inside.controls import Point
from tests.local.faulty_stack.period import Period, Report
from tests.local.faulty_stack.rows import FeedRows
from tests.local.faulty_stack.stack import FaultyStack
from tests.store_contents import due_at

pytestmark = pytest.mark.local_stack
# Enough for each shard of the due index to have many, and for a sweep to send many batches: more only takes longer.
FEEDS, BRISK = 120, 40
DEATHS, SEED = 3, 4711
FIRST_CALLS = 32  # of a point: workers die at some of these, and each period has more
BATCH = 5  # messages that a worker has at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The stack, with all its feeds in the directory and none of them due."""

    stack: FaultyStack
    rows: FeedRows
    feeds: Sequence[MadeUpFeed]

    def period(self, name: str, *, of: Sequence[MadeUpFeed], news: Sequence[MadeUpFeed]) -> Period:
        """Let time pass until all of some feeds are due; those of `news` have a new item then."""
        states = self.rows.feeds(of)
        now = self.stack.now()
        last = max(due_at(state, now) for state in states.values())
        self.stack.wait(max(last - now + 1, 0))
        self.rows.put_by_exception(self.feeds, {feed.number: last for feed in of}, others=last + 90 * 86_400)
        self.stack.server.bring_out(news)
        return Period(name, self.stack, self.rows, self.feeds)


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trial]:
    """A stack of this file's own."""
    began_at = int(time.time())
    feeds = [MadeUpFeed(number=number, is_brisk=number < BRISK, began_at=began_at) for number in range(FEEDS)]
    with FaultyStack(tmp_path_factory.mktemp("faults"), feeds) as stack:
        rows = FeedRows(stack.aws.dynamodb, stack.tables)
        rows.register(feeds)
        yield Trial(stack=stack, rows=rows, feeds=feeds)


@pytest.fixture
def period(trial: Trial, request: pytest.FixtureRequest) -> Iterator[Period]:
    """A period in which the brisk feeds are due, each with news; afterwards all faults are over."""
    name = request.node.name.removeprefix("test_").replace("_", " ")
    brisk = [feed for feed in trial.feeds if feed.is_brisk]
    yield trial.period(name, of=brisk, news=brisk)
    trial.stack.controls.let_live()
    trial.stack.controls.let_sweeps_meet(0)


class End(Protocol):
    """Drives a period to its end, prints its results, and asserts that each due feed was checked once."""

    def __call__(self, period: Period, *, repaired: int = 0) -> Report:
        """`repaired` feeds had to wait for the repair pass; others only if their message became a dead letter."""
        ...


@pytest.fixture
def end(capsys: pytest.CaptureFixture[str]) -> End:
    def ended(period: Period, *, repaired: int = 0) -> Report:
        period.drive_home()
        report = period.report()
        with capsys.disabled():
            print(f"\n{report}")
        assert period.faults() == []
        assert (report.applied, report.lost) == (report.feeds, 0)
        assert report.repaired == repaired or report.dead
        return report

    return ended


def test_all_feeds_without_faults(trial: Trial, end: End) -> None:
    """Every second feed has news; for the others it is enough to say that they have none."""
    period = trial.period("all feeds without faults", of=trial.feeds, news=trial.feeds[::2])

    period.sweep_to_the_end()

    report = end(period)
    assert (report.feeds, report.told) == (FEEDS, FEEDS // 2)
    assert report.fetched == FEEDS or report.delivered > report.sent


@pytest.mark.parametrize("point", [Point.RECEIVED, Point.FETCHED, Point.WROTE])
def test_workers_killed(point: Point, trial: Trial, period: Period, end: End) -> None:
    draw = random.Random(SEED)
    trial.stack.controls.let_die(point, [draw.randrange(FIRST_CALLS) for _ in range(DEATHS)])

    period.sweep_to_the_end()

    report = end(period)
    assert report.feeds == BRISK
    assert report.again >= report.deaths >= 2


def test_every_message_twice_late_and_in_reverse(trial: Trial, period: Period, end: End) -> None:
    stack = trial.stack
    with stack.held_back():
        period.sweep_to_the_end()
        messages = stack.take_messages()[::-1]
        stack.wait(5 * 60)
        # Those of a batch come again in the next one, which another worker has meanwhile.
        batches = [messages[start : start + BATCH] for start in range(0, len(messages), BATCH)]
        stack.send_messages([message for batch in batches for message in batch * 2])
    stack.wait_until_idle()
    once = period.fetches
    stack.send_messages(messages)
    stack.wait_until_idle()
    twice = period.fetches
    stack.wait(15 * 60)
    stack.send_messages(messages)

    report = end(period)

    assert report.feeds == BRISK
    assert report.begun >= 4 * BRISK
    assert all(twice[feed.number] > once[feed.number] for feed in period.due)
    assert period.fetches == twice


def test_every_message_too_late_to_be_of_use(trial: Trial, period: Period, end: End) -> None:
    with trial.stack.held_back():
        period.sweep_to_the_end()
        trial.stack.wait(16 * 60)
    trial.stack.wait_until_idle()
    assert not period.fetches

    report = end(period, repaired=BRISK)
    assert report.feeds == BRISK


def test_two_sweeps_at_the_same_time(trial: Trial, period: Period, end: End) -> None:
    trial.stack.controls.let_sweeps_meet(2)
    with trial.stack.held_back():
        swept = [report for report in trial.stack.do_at_once("sweep", 2) if report]

    report = end(period)
    assert report.feeds == sum(each["sent"] for each in swept) == BRISK
    # Both read each shard before the other wrote, and one of them was too late for the lease.
    assert sum(each["swept"] for each in swept) == sum(each["leased"] for each in swept) > 0


def test_sweeps_killed_between_sending_and_moving_their_cursor(trial: Trial, period: Period, end: End) -> None:
    trial.stack.controls.let_die(Point.SENT, [0, 1, 3])
    with trial.stack.held_back():
        killed = period.sweep_to_the_end()

    report = end(period)
    assert report.feeds == BRISK
    assert killed == report.deaths == 3
    assert report.begun > BRISK


def test_one_in_ten_calls_of_dynamodb_throttled(trial: Trial, period: Period, end: End) -> None:
    with trial.stack.throttled(one_in=10) as throttling:
        period.sweep_to_the_end()
        trial.stack.wait_until_idle()
        period.calls, period.throttled = throttling.counts()

    report = end(period)
    assert report.feeds == BRISK
    assert report.calls > 3 * BRISK
    assert 0.04 < report.throttled / report.calls < 0.18
