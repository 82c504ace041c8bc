"""Dates with zones of Windows mean the clock of the zone's place, in summer and in winter."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, datetime

import pytest

from feedward.feeds.dates import parse_date
from feedward.feeds.windows_zones import _TABLE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-07-01 10:00:00 W. Europe Standard Time", "2024-07-01T08:00"),
        ("2024-01-01 10:00:00 W. Europe Standard Time", "2024-01-01T09:00"),
        ("7/13/2024 10:00:00 AM Eastern Standard Time", "2024-07-13T14:00"),
        ("Mon, 01 Jan 2024 10:00:00 Eastern Standard Time", "2024-01-01T15:00"),
        ("Mon, 01 Jul 2024 10:00:00 (Eastern Standard Time)", "2024-07-01T14:00"),
        ("Mon, 01 Jul 2024 10:00:00 GMT Standard Time", "2024-07-01T09:00"),
        ("Mon, 01 Jul 2024 10:00:00 Greenwich Standard Time", "2024-07-01T10:00"),
        ("2024-07-01T10:00:00 Romance Standard Time", "2024-07-01T08:00"),
        ("Mon, 01 Jul 2024 10:00:00 US Mountain Standard Time", "2024-07-01T17:00"),
        ("Mon, 01 Jul 2024 10:00:00 Mountain Standard Time", "2024-07-01T16:00"),
        ("Monday, July 1, 2024 10:00:00 a.m. E. South America Standard Time", "2024-07-01T13:00"),
        ("10:00 W. Europe Standard Time, July 1, 2024", "2024-07-01T08:00"),
        ("1. Juli 2024 10:00 w. europe standard time", "2024-07-01T08:00"),
        ("Mon, 01 Jul 2014 10:00:00 Central Standard Time (Mexico)", "2014-07-01T15:00"),
        ("Mon, 01 Jul 2024 10:00:00 Russia Time Zone 11", "2024-06-30T22:00"),
        ("Mon, 01 Jan 2024 10:00:00 AUS Eastern Standard Time", "2023-12-31T23:00"),
        # not of Windows: standard time is meant
        ("Mon, 01 Jan 2024 10:00:00 Australian Eastern Standard Time", "2024-01-01T00:00"),
        # summer time, and an offset that says more
        ("Mon, 01 Jul 2024 10:00:00 W. Europe Daylight Time", "2024-07-01T08:00"),
        ("Mon Jul 1 10:00:00 UTC+0200 2024 (W. Europe Daylight Time)", "2024-07-01T08:00"),
        ("Mon, 01 Jul 2024 10:00:00 +0200 (Eastern Standard Time)", "2024-07-01T08:00"),
        ("2024-11-03 01:30 Eastern Daylight Time", "2024-11-03T05:30"),
        # as they are displayed
        ("Mon, 01 Jul 2024 10:00:00 (UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "2024-07-01T08:00"),
        ("Mon, 01 Jan 2024 10:00:00 (GMT+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "2024-01-01T09:00"),
        ("2024-07-01 10:00 (UTC-05:00) Eastern Time (US & Canada)", "2024-07-01T14:00"),
        ("2024-07-01 10:00 (UTC) Dublin, Edinburgh, Lisbon, London", "2024-07-01T09:00"),
        ("2024-07-01 10:00 (UTC) Coordinated Universal Time", "2024-07-01T10:00"),
        # an offset that the place has not in winter is the offset of that time
        ("2014-01-01 10:00 (UTC+04:00) Moscow, St. Petersburg, Volgograd", "2014-01-01T06:00"),
        ("2024-07-01 10:00 (UTC+02:00) Amsterdam", "2024-07-01T08:00"),
    ],
)
def test_a_zone_of_windows_has_the_clock_of_its_place(text: str, expected: str) -> None:
    assert parse_date(text) == int(datetime.fromisoformat(expected).replace(tzinfo=UTC).timestamp())


@pytest.mark.parametrize(
    "text",
    [
        "2024-11-03 01:30 Eastern Standard Time",  # the clocks show it twice
        "2024-03-31 02:30 W. Europe Standard Time",
        "2024-07-01 10:00 Mid-Atlantic Standard Time",  # withdrawn: it was never the clock of a place
        "Eastern Standard Time",
        "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna",
    ],
)
def test_a_time_that_is_not_clear_is_no_date(text: str) -> None:
    assert parse_date(text) is None


def test_each_place_is_in_the_database_of_zones() -> None:
    rows = [row.split("|") for row in _TABLE.strip().splitlines()]
    assert {place for place, _, _ in rows} <= zoneinfo.available_timezones()
    names = [name for _, ids, _ in rows for name in ids.split("/")]
    displayed = [name for _, _, firsts in rows for name in firsts.split("/")]
    assert len(names) == len(set(names)) > 120
    assert len(displayed) == len(set(displayed))
