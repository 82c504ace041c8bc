"""The backoff of a feed that fails or refuses (rule H3)."""

from __future__ import annotations

import pytest

from feedward.scheduling.backoff import degraded_interval_s, retry_after_floor_s, unhealthy_interval_s
from tests.unit.health.times import DAY, HOUR, MINUTE


@pytest.mark.parametrize(
    ("failures", "minutes"),
    [(0, 5), (1, 5), (2, 10), (3, 20), (4, 40), (7, 320), (8, 640), (9, 720), (100, 720), (10**9, 720)],
)
def test_each_failure_doubles_the_wait_up_to_12_hours(failures: int, minutes: int) -> None:
    assert degraded_interval_s(failures) == minutes * MINUTE


@pytest.mark.parametrize(("days", "wait"), [(-1, DAY), (0, DAY), (29.99, DAY), (30, 7 * DAY), (9999, 7 * DAY)])
def test_unhealthy_is_daily_for_30_days_then_weekly(days: float, wait: int) -> None:
    assert unhealthy_interval_s(int(days * DAY)) == wait


@pytest.mark.parametrize(
    ("status", "asked", "floor"),
    [
        (429, HOUR, HOUR),
        (503, HOUR, HOUR),
        (503, None, 0),
        (503, -5, 0),
        (429, 8_640_000, 7 * DAY),
        (500, HOUR, 0),
        (200, HOUR, 0),
        (301, HOUR, 0),
        (None, HOUR, 0),
    ],
)
def test_retry_after_is_a_floor_on_429_and_503_only(status: int | None, asked: int | None, floor: int) -> None:
    assert retry_after_floor_s(status, asked) == floor
