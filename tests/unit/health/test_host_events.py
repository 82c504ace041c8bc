"""What checks say about a host (spec H6)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.health.decision import Check
from feedward.health.host_events import host_fails, host_pause_until
from feedward.model import FeedState
from tests.unit.health.times import DAY, FAILED, HOUR, LIMITED, NOW, OK

HEALTHY = (FeedState.HEALTHY, 0)
FAILING = (FeedState.DEGRADED, 2)
DEAD = (FeedState.UNHEALTHY, 90)
PAUSED = (FeedState.PAUSED, 3)


@pytest.mark.parametrize(
    ("others", "fails"),
    [
        ([], False),
        ([FAILING], True),
        ([FAILING, DEAD], True),
        ([FAILING, HEALTHY], False),
        ([HEALTHY], False),
        ([PAUSED], False),
        ([PAUSED, FAILING], True),
        ([PAUSED, HEALTHY], False),
    ],
)
def test_a_host_fails_if_every_other_feed_does(others: list[tuple[FeedState, int]], fails: bool) -> None:
    assert host_fails(others) is fails


@pytest.mark.parametrize(
    ("check", "pause"),
    [
        (LIMITED, HOUR),
        (replace(LIMITED, retry_after_s=600), 600),
        (replace(LIMITED, status=None, retry_after_s=600), 600),
        (replace(LIMITED, retry_after_s=99 * DAY), 7 * DAY),
        (replace(FAILED, status=503, retry_after_s=600), 600),
        (replace(FAILED, status=503), None),
        (replace(FAILED, status=500, retry_after_s=600), None),
        (OK, None),
    ],
)
def test_a_limit_is_the_hosts(check: Check, pause: int | None) -> None:
    assert host_pause_until(check, NOW) == (None if pause is None else NOW + pause)
