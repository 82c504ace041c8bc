"""Parses dates of feeds: mail dates (RFC 822 and its successors), W3C and ISO 8601 dates, and local forms.

The day is never guessed: an ambiguous date is read only if something else decides it (settled_dates.py), or if nearly
all who write so mean the same (`30.10.23`). A time that
the clocks of its zone show twice or never is no date. A date without zone, or with an unknown zone name, is UTC.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import NamedTuple

from feedward.feeds.clock import (
    MIDNIGHT,
    Clock,
    day_of_year,
    full_year,
    hour_of_day,
    in_zone,
    offset,
    seconds_at,
    seconds_east,
    take_named_zone,
    weekday_of,
    zone_offset,
)
from feedward.feeds.date_words import ENGLISH_MONTHS, month, weekdays

_LONGEST = 100
_FIRST, _LAST = -62135596800, 253402300799  # the years 1 to 9999
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - the dates that it is subtracted from have none either
_WEEKDAYS = frozenset(("Mon, ", "Tue, ", "Wed, ", "Thu, ", "Fri, ", "Sat, ", "Sun, "))
_MONTHS = {name.capitalize(): f"{number:02d}" for name, number in ENGLISH_MONTHS.items()}

_MAIL = re.compile(
    r"(?:[A-Za-z]{3,9},?\s+)?(\d{1,2})\s+([A-Za-z]{3})\s+(\d{4})\s+(\d{2}):(\d{2})(?::(\d{2}))?\s*(?:([+-]\d{2}):?(\d{2})|GMT|UTC|Z)"
)
_HALF = r"(?:\s*([AaPp]\.?[Mm](?![A-Za-z])\.?))?"
_TIME = (
    r"(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,12})?)?"
    + _HALF
    + r"\s*([A-Za-z]{1,5}|(?:GMT|UTC)?[+-]\d{2}(?::?\d{2})?(?:\s+[A-Z]{3,5})?)?"  # Go says both: +0100 CET
)
_ISO = re.compile(r"(\d{4})(?:[-/](\d{1,3})(?:[-/](\d{1,2}))?)?(?:(?:[Tt]|,?\s+)" + _TIME + ")?")
_COMPACT = (
    r"(\d{4})(\d{2})(\d{2})(?:[Tt ]?(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,12})?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?)?"
)
_WEEK = r"(\d{4})-?W(\d{2})-?([1-7])(?:(?:[Tt]|,?\s+)" + _TIME + ")?"
_SHORT_YEAR = r"(\d{2})(-?)(\d{2})\2(\d{2})"
_ORDINAL = r"(\d{4}|\d{2})-?(\d{3})"
_HUNGARIAN = r"(\d{4})-([^\W\d]{3,12})-(\d{1,2})(?:[Tt]|\s+)" + _TIME
_DOTTED = r"(\d{4})\.\s?(\d{1,2})\.\s?(\d{1,2})\.?(?:(?:[Tt]|,?\s+)" + _TIME + ")?"
_KOREAN = (
    r"(\d{4})(?:-|\.\s?|년\s*)(\d{1,2})(?:-|\.\s?|월\s*)(\d{1,2})(?:일|\.)?"
    r"\s*(오전|오후)?\s*(\d{1,2}):(\d{2})(?::(\d{2}))?"
)
_DAY_AND_MONTH = (
    r"(?:([^\W\d]{2,12})\.?,?\s+)?(\d{1,2})([/.-])(\d{1,2})\3(\d{4}|(?<=\.)\d{2})(?:(?:[Tt]|,?\s+)(?:-\s+)?"
    + _TIME
    + ")?"
)
_REDUNDANT = re.compile(r"(?<=[+-]00:00)Z$| m=[+-]\d[\d.]*$")  # of Python, of Go
DAY_FIRST, MONTH_FIRST, YEAR_FIRST = "day first", "month first", "year first"
_LOCAL_ZONES = (" ET", " CT", " MT", " PT")  # the clocks there have a summer time
_DAY_IN_ZONE = r"(\d{4})-(\d{2})-(\d{2})\s*(Z|UTC|GMT|[+-]\d{2}:\d{2})"


class DateReadings(NamedTuple):
    """The times that a date may mean: a way to read it -> epoch seconds.

    The ways are languages, for a month's name; `DAY_FIRST`, `MONTH_FIRST` and `YEAR_FIRST`, for a date in numbers.
    `usual` is the way of nearly all who write so, if there is one.
    """

    times: Mapping[str, int]
    usual: str = ""

    @property
    def time(self) -> int | None:
        """The time, if all ways agree."""
        times = set(self.times.values())
        return times.pop() if len(times) == 1 else None

    @property
    def usual_time(self) -> int | None:
        """The time in the usual way."""
        return self.times.get(self.usual)

    def in_zone(self, name: str) -> DateReadings:
        """Return the readings of a date that names its zone."""
        return DateReadings({way: in_zone(at, name) for way, at in self.times.items()}, self.usual)


def parse_date(text: str) -> int | None:
    """Return the time in whole epoch seconds, or None if `text` is not a date, or an ambiguous one. Never raises."""
    found = read_date(text)
    if isinstance(found, DateReadings):
        return found.usual_time if found.time is None else found.time
    return found


def read_date(text: str) -> int | DateReadings | None:
    """Return the time in whole epoch seconds, or its readings if they depend on the language or order of the feed.

    Returns None for text that is not a date. Never raises.
    """
    text = _plain(text)
    if not 4 <= len(text) <= _LONGEST:
        return None
    found: int | DateReadings | None = _usual(text)
    if found is None:
        found = _read(text)
    if found is None and (respelled := _respelled(text)):
        found = respelled if isinstance(respelled, int) else _read(respelled)
    if isinstance(found, DateReadings):
        return found if all(_FIRST <= time <= _LAST for time in found.times.values()) else None
    return found if found is not None and _FIRST <= found <= _LAST else None


def _plain(text: str) -> str:
    """Return a date without the blanks around it, and without what two languages write behind it."""
    text = text.strip()
    if not text.isascii():
        text = text.replace("\u2212", "-")
    return _REDUNDANT.sub("", text) if text.endswith("00:00Z") or " m=" in text else text


def _usual(text: str) -> int | None:
    """Return the time of a date in the form of nearly all: `Sat, 12 Sep 2026 08:23:00 +0200` or `2026-09-12T08:23:00Z`.

    Python's own parser, which is fast, reads the second; the first is put into its form.
    """
    if text[:5] in _WEEKDAYS:
        words = text.split()
        if len(words) != 6:
            return None
        _, day, month, year, clock, zone = words
        text = f"{year}-{_MONTHS.get(month)}-{day:0>2}T{clock} {zone}"
    if text[4:17:3] != "--T::" or (east := seconds_east(text[19:])) is None:
        return None
    try:
        since = datetime.fromisoformat(text[:19]) - _EPOCH
    except ValueError:
        return None
    return since.days * 86400 + since.seconds - east


def _read(text: str) -> int | DateReadings | None:
    """Return the time of a date in one of the usual spellings."""
    found: int | DateReadings | None
    try:
        found = _mail(text) if text[0].isalpha() or text[1:3].strip().isalpha() or text[2:3].isspace() else None
        if found is None:
            found = _numeric(text) if text[0].isdigit() and not text.endswith(_LOCAL_ZONES) else None
        return _in_named_zone(text) if found is None else found
    except ValueError:
        return None


def _respelled(text: str) -> int | str | None:
    """Return the time of a count of seconds, or a date in a usual spelling; None for other text."""
    from feedward.feeds.date_spellings import respelled, seconds_since_epoch  # noqa: PLC0415 - few dates are misspelt

    seconds = seconds_since_epoch(text)
    if seconds is not None:
        return seconds
    usual = respelled(text) if any(map(str.isdigit, text)) else text
    return usual if usual != text else None


def _in_named_zone(text: str) -> int | DateReadings | None:
    """Parse a date that names its zone as the IANA database or Java does or in words, or a date in words."""
    from feedward.feeds.zone_words import take_zone_in_words  # noqa: PLC0415 - most dates are mail dates or ISO

    named = take_named_zone(text) or take_zone_in_words(text)
    if named is None:
        return _in_words(text)
    rest, zone = named
    found = read_date(rest)
    if found is None or zone is None:
        return found
    return found.in_zone(zone) if isinstance(found, DateReadings) else in_zone(found, zone)


def _mail(text: str) -> int | None:
    """Parse a mail date in its other usual forms."""
    found = _MAIL.fullmatch(text)
    if found is None:
        return None
    day, name, year, hour, minute, second, zone_hours, zone_rest = found.groups()
    number = ENGLISH_MONTHS.get(name.lower())
    if number is None:
        return None
    east = offset(zone_hours[0], zone_hours[1:], zone_rest) if zone_hours else 0
    return seconds_at(int(year), number, int(day), (int(hour), int(minute), int(second or 0), east))


def _numeric(text: str) -> int | DateReadings | None:
    """Parse a date that starts with a digit. `re` compiles and caches the patterns of rare forms on first use."""
    if found := _ISO.fullmatch(text):
        return _iso(found)
    for pattern, read in _NUMERIC:
        if found := re.fullmatch(pattern, text):
            return read(found)
    return None


def _iso(found: re.Match[str]) -> int:
    year, middle, day, *clock = found.groups()
    if middle and len(middle) == 3 and day is None:
        return day_of_year(int(year), int(middle), _clock(*clock))
    return seconds_at(int(year), int(middle or 1), int(day or 1), _clock(*clock))


def _week(found: re.Match[str]) -> int:
    year, week, day, *clock = found.groups()
    at = date.fromisocalendar(int(year), int(week), int(day))
    return seconds_at(at.year, at.month, at.day, _clock(*clock))


def _compact(found: re.Match[str]) -> int:
    year, number, day, hour, minute, second, zone = found.groups()
    return seconds_at(int(year), int(number), int(day), _clock(hour, minute, second, None, zone))


def _short_year(found: re.Match[str]) -> int:
    return seconds_at(full_year(found[1]), int(found[3]), int(found[4]), MIDNIGHT)


def _ordinal(found: re.Match[str]) -> int:
    return day_of_year(full_year(found[1]), int(found[2]), MIDNIGHT)


def _hungarian(found: re.Match[str]) -> int:
    year, name, day, *clock = found.groups()
    return seconds_at(int(year), month(name) or 0, int(day), _clock(*clock))


def _day_in_zone(found: re.Match[str]) -> int:
    year, number, day, zone = found.groups()
    return seconds_at(int(year), int(number), int(day), Clock(0, 0, 0, zone_offset(zone)))


def _korean(found: re.Match[str]) -> int:
    year, number, day, half, hour, minute, second = found.groups()
    hours = hour_of_day(int(hour), {"오전": "am", "오후": "pm"}.get(half or "", ""))
    return seconds_at(int(year), int(number), int(day), Clock(hours, int(minute), int(second or 0), 540))


def _day_and_month(found: re.Match[str]) -> DateReadings | None:
    """Parse a date whose day and month are numbers, unless its weekday fits neither order (Drupal: `Wed, 12/20/2017`).

    The order may stay open. In all of CLDR's languages a date with dots that ends in its year has the day first; with
    a short year it may begin with it (Korean).
    """
    word, first, mark, second, last, *clock = found.groups()
    said = set(weekdays(word).values()) if word else set(range(7))
    year = full_year(last)
    orders = {DAY_FIRST: (year, int(second), int(first)), MONTH_FIRST: (year, int(first), int(second))}
    if len(last) < 4 and len(first) == 2:
        orders[YEAR_FIRST] = (full_year(first), int(second), int(last))
    times = {order: seconds_at(*date, _clock(*clock)) for order, date in orders.items() if weekday_of(*date) in said}
    return DateReadings(times, DAY_FIRST if mark == "." else "") if times else None


_NUMERIC = (
    (_COMPACT, _compact),
    (_WEEK, _week),
    (_SHORT_YEAR, _short_year),
    (_ORDINAL, _ordinal),
    (_HUNGARIAN, _hungarian),
    (_DOTTED, _iso),
    (_KOREAN, _korean),
    (_DAY_AND_MONTH, _day_and_month),
    (_DAY_IN_ZONE, _day_in_zone),
)


def _in_words(text: str) -> int | DateReadings | None:
    from feedward.feeds.date_in_words import date_in_words, tokens_of  # noqa: PLC0415 - most dates are mail dates or ISO

    if found := re.fullmatch(_DAY_AND_MONTH, text):
        return _day_and_month(found)
    tokens = tokens_of(text)
    if tokens and (found := _ISO.fullmatch(" ".join(tokens))):
        return _iso(found) if found[3] else None
    times = date_in_words(text, tokens)
    return DateReadings(times) if times else None


def _clock(hour: str | None, minute: str | None, second: str | None, half: str | None, zone: str | None) -> Clock:
    hours = hour_of_day(int(hour or 0), (half or "").lower().replace(".", ""))
    return Clock(hours, int(minute or 0), int(second or 0), zone_offset((zone or "").partition(" ")[0]))
