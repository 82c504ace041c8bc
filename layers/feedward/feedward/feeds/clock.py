"""Calendar and clock arithmetic of dates, in epoch seconds. Raises ValueError for impossible dates and times."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

_EPOCH = date(1970, 1, 1).toordinal()


class Clock(NamedTuple):
    """A time of day and its zone, in minutes east of UTC."""

    hour: int
    minute: int
    second: int
    offset: int


MIDNIGHT = Clock(0, 0, 0, 0)


def seconds_at(year: int, month: int, day: int, clock: Clock) -> int:
    """Return epoch seconds of a date and time. A leap second counts as the next second, 24:00 as the next day."""
    hour, minute, second, offset = clock
    if (hour > 23 or minute > 59 or second > 60) and clock[:3] != (24, 0, 0):
        raise ValueError("no such time")
    days = date(year, month, day).toordinal() - _EPOCH
    return days * 86400 + hour * 3600 + (minute - offset) * 60 + second


def day_of_year(year: int, day: int, clock: Clock) -> int:
    """Return epoch seconds of the n-th day of a year."""
    if not 1 <= day <= (date(year, 12, 31) - date(year, 1, 1)).days + 1:
        raise ValueError("no such day")
    return seconds_at(year, 1, 1, clock) + (day - 1) * 86400


def hour_of_day(hour: int, half: str) -> int:
    """Return the hour of a clock; `half` is `am`, `pm` or empty."""
    if half and not 1 <= hour <= 12:
        raise ValueError("twelve hours make half a day")
    return hour % 12 + (12 if half == "pm" else 0) if half else hour


def full_year(text: str) -> int:
    """Return the year; two and three digits are read as in mail (RFC 5322, section 4.3)."""
    year = int(text)
    if len(text) == 2:
        return year + (2000 if year < 50 else 1900)
    return year + 1900 if len(text) == 3 else year
