"""Conclusions of checks about a host (rule H6)."""

from __future__ import annotations

import pytest

from feedward.health.revival import host_fails
from feedward.model import FeedState

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
