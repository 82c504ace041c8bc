"""Parses dates of feeds: mail dates (RFC 822 and its successors), W3C and ISO 8601 dates, and local forms.

The day is never guessed: an ambiguous date gives None. A date without zone, or with an unknown zone name, is UTC.
"""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from feedward.feeds.date_words import ENGLISH_MONTHS, month, zone_minutes

_LONGEST = 100
_EPOCH = date(1970, 1, 1).toordinal()
_FIRST, _LAST = -62135596800, 253402300799  # the years 1 to 9999

_MAIL = re.compile(
    r"(?:[A-Za-z]{3,9},?\s+)?(\d{1,2})\s+([A-Za-z]{3})\s+(\d{4})\s+(\d{2}):(\d{2})(?::(\d{2}))?\s+(?:([+-]\d{2}):?(\d{2})|GMT|UTC|Z)"
)
_HALF = r"(?:\s*([AaPp]\.?[Mm](?![A-Za-z])\.?))?"
_TIME = r"(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,12})?)?" + _HALF + r"\s*([A-Za-z]{1,5}|[+-]\d{2}(?::?\d{2})?)?"
_ISO = re.compile(r"(\d{4})(?:[-/](\d{1,3})(?:[-/](\d{1,2}))?)?(?:(?:[Tt]|,?\s+)" + _TIME + ")?")
_COMPACT = (
    r"(\d{4})(\d{2})(\d{2})(?:[Tt ]?(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,12})?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?)?"
)
_SHORT_YEAR = r"(\d{2})(-?)(\d{2})\2(\d{2})"
_ORDINAL = r"(\d{4}|\d{2})-?(\d{3})"
_HUNGARIAN = r"(\d{4})-([^\W\d]{3,12})-(\d{1,2})(?:[Tt]|\s+)" + _TIME
_KOREAN = r"(\d{4})(?:-|년\s*)(\d{1,2})(?:-|월\s*)(\d{1,2})일?\s*(오전|오후)?\s*(\d{1,2}):(\d{2})(?::(\d{2}))?"
_OFFSET = re.compile(r"(?:UTC|GMT|UT|Z)?([+-])(\d{1,2}):?(\d{2})?", re.IGNORECASE)
_CLOCK = re.compile(r"(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,]\d{1,12})?)?(am|pm)?", re.IGNORECASE)
_COMMENT = re.compile(r"\([^()]{0,40}\)")
_DASHES_IN_DATE = re.compile(r"\b(\d{1,2})[-/]([^\W\d]{3,12})[-/](\d{2,4})\b")
_DAY_NUMBER = re.compile(r"(\d{1,4})(?:st|nd|rd|th|\.)?", re.IGNORECASE)
_FILLERS = frozenset(("de", "del", "of", "at", "um", "à", "kl", "o", "г", "г."))


class Clock(NamedTuple):
    """A time of day and its zone, in minutes east of UTC."""

    hour: int
    minute: int
    second: int
    offset: int


MIDNIGHT = Clock(0, 0, 0, 0)


def parse_date(text: str) -> int | None:
    """Return the time in whole epoch seconds, or None if `text` is not a date. Never raises."""
    text = text.strip()
    if not 4 <= len(text) <= _LONGEST:
        return None
    try:
        found = _mail(text) if text[0].isalpha() or text[1:3].strip().isalpha() or text[2:3].isspace() else None
        if found is None:
            found = _numeric(text) if text[0].isdigit() else None
        if found is None:
            found = _in_words(text)
    except ValueError:
        return None
    return found if found is not None and _FIRST <= found <= _LAST else None


def _mail(text: str) -> int | None:
    """The common form, with a single match."""
    found = _MAIL.fullmatch(text)
    if found is None:
        return None
    day, name, year, hour, minute, second, zone_hours, zone_rest = found.groups()
    number = ENGLISH_MONTHS.get(name.lower())
    if number is None:
        return None
    offset = _offset(zone_hours[0], zone_hours[1:], zone_rest) if zone_hours else 0
    return _seconds(int(year), number, int(day), Clock(int(hour), int(minute), int(second or 0), offset))


def _numeric(text: str) -> int | None:
    """Dates that start with a digit. The rare forms are patterns that `re` compiles and keeps when one comes along."""
    if found := _ISO.fullmatch(text):
        return _iso(found)
    for pattern, read in _NUMERIC:
        if found := re.fullmatch(pattern, text):
            return read(found)
    return None


def _iso(found: re.Match[str]) -> int:
    year, middle, day, *clock = found.groups()
    if middle and len(middle) == 3 and day is None:
        return _day_of_year(int(year), int(middle), _clock(*clock))
    return _seconds(int(year), int(middle or 1), int(day or 1), _clock(*clock))


def _compact(found: re.Match[str]) -> int:
    year, number, day, hour, minute, second, zone = found.groups()
    return _seconds(int(year), int(number), int(day), _clock(hour, minute, second, None, zone))


def _short_year(found: re.Match[str]) -> int:
    return _seconds(_full_year(found[1]), int(found[3]), int(found[4]), MIDNIGHT)


def _ordinal(found: re.Match[str]) -> int:
    return _day_of_year(_full_year(found[1]), int(found[2]), MIDNIGHT)


def _hungarian(found: re.Match[str]) -> int:
    year, name, day, *clock = found.groups()
    return _seconds(int(year), month(name) or 0, int(day), _clock(*clock))


def _korean(found: re.Match[str]) -> int:
    year, number, day, half, hour, minute, second = found.groups()
    hours = _hour(int(hour), {"오전": "am", "오후": "pm"}.get(half or "", ""))
    return _seconds(int(year), int(number), int(day), Clock(hours, int(minute), int(second or 0), 540))


_NUMERIC = (
    (_COMPACT, _compact),
    (_SHORT_YEAR, _short_year),
    (_ORDINAL, _ordinal),
    (_HUNGARIAN, _hungarian),
    (_KOREAN, _korean),
)


def _in_words(text: str) -> int | None:
    """Day, month by name, year, time and zone in the order in which people write them, with the weekday passed over."""
    text = _DASHES_IN_DATE.sub(r"\1 \2 \3", _COMMENT.sub(" ", text))
    tokens = text.replace(",", " ").split()
    if tokens and not tokens[0][0].isdigit() and month(tokens[0]) is None:
        del tokens[0]
    if tokens and (found := _ISO.fullmatch(" ".join(tokens))):
        return _iso(found) if found[3] else None
    return _Words().take(tokens)


class _Words:
    """The parts of one date, collected token by token. Raises ValueError for a token that has no place."""

    def __init__(self) -> None:
        self.month: int | None = None
        self.numbers: list[str] = []
        self.clock: Clock | None = None
        self.half = ""
        self.offset: int | None = None

    def take(self, tokens: list[str]) -> int | None:
        for token in tokens:
            self._token(token)
        if self.month is None or len(self.numbers) != 2:
            return None
        day, year = self.numbers if len(self.numbers[0]) < 3 else reversed(self.numbers)
        at = self.clock or MIDNIGHT
        clock = Clock(_hour(at.hour, self.half), at.minute, at.second, self.offset or 0)
        return _seconds(_full_year(year), self.month, int(day), clock)

    def _token(self, token: str) -> None:
        if ":" in token and token[0].isdigit():
            self._time(token)
        elif token[0].isdigit():
            self._number(token)
        elif self.month is None and (number := month(token)):
            self.month = number
        elif self.clock is None:
            if token.lower().rstrip(".") not in _FILLERS:
                raise ValueError(f"{token} stands before the time")
        elif token.lower().replace(".", "") in ("am", "pm"):
            self.half = token.lower().replace(".", "")
        elif self.offset is None or not token.isalpha():
            self.offset = _zone(token)

    def _time(self, token: str) -> None:
        found = _CLOCK.fullmatch(token)
        if found is None or self.clock is not None:
            raise ValueError(f"{token} is no time")
        self.clock = Clock(int(found[1]), int(found[2]), int(found[3] or 0), 0)
        self.half = (found[4] or "").lower()

    def _number(self, token: str) -> None:
        found = _DAY_NUMBER.fullmatch(token)
        if found is None:
            raise ValueError(f"{token} is no number")
        self.numbers.append(found[1])


def _zone(text: str) -> int:
    """Minutes east of UTC. Raises ValueError for an invalid offset; an unknown name counts as UTC."""
    known = zone_minutes(text)
    if known is not None:
        return known
    if found := _OFFSET.fullmatch(text):
        return _offset(found[1], found[2], found[3] or "0")
    if text.replace("/", "").replace("_", "").isalpha():
        return 0
    raise ValueError(f"{text} is no zone")


def _offset(sign: str, hours: str, minutes: str) -> int:
    if int(hours) > 23 or int(minutes) > 59:
        raise ValueError("an offset of more than a day")
    total = int(hours) * 60 + int(minutes)
    return -total if sign == "-" else total


def _hour(hour: int, half: str) -> int:
    if half and not 1 <= hour <= 12:
        raise ValueError("twelve hours make half a day")
    return hour % 12 + (12 if half == "pm" else 0) if half else hour


def _full_year(text: str) -> int:
    """Years of two and three digits as mail programs read them (RFC 5322, section 4.3)."""
    year = int(text)
    if len(text) == 2:
        return year + (2000 if year < 50 else 1900)
    return year + 1900 if len(text) == 3 else year


def _clock(hour: str | None, minute: str | None, second: str | None, half: str | None, zone: str | None) -> Clock:
    hours = _hour(int(hour or 0), (half or "").lower().replace(".", ""))
    return Clock(hours, int(minute or 0), int(second or 0), _zone(zone or ""))


def _day_of_year(year: int, day: int, clock: Clock) -> int:
    if not 1 <= day <= (date(year, 12, 31) - date(year, 1, 1)).days + 1:
        raise ValueError("no such day")
    return _seconds(year, 1, 1, clock) + (day - 1) * 86400


def _seconds(year: int, number: int, day: int, clock: Clock) -> int:
    """Epoch seconds. Raises ValueError for what no calendar or clock has; a leap second is the next one."""
    if clock.hour > 23 or clock.minute > 59 or clock.second > 60:
        raise ValueError("no such time")
    days = date(year, number, day).toordinal() - _EPOCH
    return days * 86400 + clock.hour * 3600 + (clock.minute - clock.offset) * 60 + clock.second
