"""Calendar and clock arithmetic of dates, in epoch seconds, and their zones: offsets, the names of mail dates, and the
names of the IANA database. Raises ValueError for impossible values.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

_EPOCH = date(1970, 1, 1).toordinal()


class Clock(NamedTuple):
    """A time of day and its zone, in minutes east of UTC."""

    hour: int
    minute: int
    second: int
    offset: int


MIDNIGHT = Clock(0, 0, 0, 0)


def seconds_at(year: int, month: int, day: int, clock: tuple[int, int, int, int]) -> int:
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


def weekday_of(year: int, month: int, day: int) -> int | None:
    """Return the weekday of a date, 0 for Monday; None if there is no such date."""
    try:
        return date(year, month, day).weekday()
    except ValueError:
        return None


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


_MINUTES = {
    "": 0, "z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 60, "bst": 60, "cet": 60, "met": 60, "mez": 60,
    "cest": 120, "mest": 120, "mesz": 120, "eet": 120, "eest": 180, "msk": 180, "ist": 330, "jst": 540, "kst": 540,
    "sgt": 480, "hkt": 480, "awst": 480, "aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780, "at": -240, "ast": -240,
    "adt": -180, "et": -300, "est": -300, "edt": -240, "ct": -360, "cst": -360, "cdt": -300, "mt": -420, "mst": -420,
    "mdt": -360, "pt": -480, "pst": -480, "pdt": -420, "akst": -540, "akdt": -480, "hst": -600, "brt": -180,
    "art": -180, "uyt": -180, "vet": -240, "bot": -240, "cot": -300, "nst": -210, "ndt": -150, "wib": 420,
    "wita": 480, "wit": 540, "ict": 420, "myt": 480, "pht": 480, "pkt": 300, "npt": 345, "trt": 180, "eat": 180,
    "cat": 120, "sast": 120, "wat": 60, "acst": 570, "acdt": 630, "мск": 180, "a": -60, "n": 60, "m": -720, "y": 720,
}  # fmt: skip
_OFFSET = re.compile(r"(?:UTC|GMT|UT|Z)?([+-])(\d{1,2}):?(\d{2})?", re.IGNORECASE)
_USUAL_OFFSET = re.compile(r"(?: |[.,][0-9]{1,12})?(?:Z|GMT|UTC|([+-])([0-9]{2}):?([0-9]{2}))")
_AREAS = (
    "Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US"
)
_ALONE = (
    "Cuba|Egypt|Eire|GB|Hongkong|Iceland|Iran|Israel|Jamaica|Japan|Libya|Navajo|NZ|Poland|Portugal|PRC|ROC|ROK"
    "|Singapore|Turkey|EST5EDT|CST6CDT|MST7MDT|PST8PDT"
)
_NAMED = re.compile(
    r"(?<=[\dZz\s\]])\[([^\[\]]{1,60})\]|(?<![\w/])\(?((?:" + _AREAS + r")/[A-Za-z][\w/+-]{1,50})\)?"
    r"|(?<=[\d\s])(" + _ALONE + r")(?![\w/])",
    re.IGNORECASE,
)
_WORD = re.compile("[a-z]+")
# What stands behind a time of day: an offset, or a word that may be a zone.
_AFTER_TIME = re.compile(
    r":\d{2}(?:[.,]\d{1,12})?\s*(?:[ap]\.?m\.?(?![a-z]))?\s*"
    r"(?:(?P<offset>(?:GMT|UTC?)?[+-]\d{1,2}(?::?\d{2})?)(?!\d)|(?P<word>(?![ap]\.?m)[a-z]{1,4})(?![a-z]))",
    re.IGNORECASE,
)


def zone_minutes(name: str) -> int | None:
    """Return minutes east of UTC for a zone name of mail dates; None if the name is unknown."""
    return _MINUTES.get(name.lower())


def zone_offset(text: str) -> int:
    """Return minutes east of UTC for a name or an offset. Raises ValueError for other text; unknown names are UTC."""
    known = zone_minutes(text)
    if known is not None:
        return known
    if found := _OFFSET.fullmatch(text):
        return offset(found[1], found[2], found[3] or "0")
    if text.replace("/", "").replace("_", "").isalpha():
        return 0
    raise ValueError(f"{text} is no zone")


def offset(sign: str, hours: str, minutes: str) -> int:
    """Return minutes east of UTC. Raises ValueError for more than a day."""
    hour, minute = int(hours), int(minutes)
    if hour > 23 or minute > 59:
        raise ValueError("an offset of more than a day")
    return -hour * 60 - minute if sign == "-" else hour * 60 + minute


@lru_cache(maxsize=256)
def seconds_east(zone: str) -> int | None:
    """Return the offset that stands behind a time of day in a usual date, after a blank or a fraction of a second.

    Returns None for any other text. The dates of a feed have few offsets, so they are kept.
    """
    found = _USUAL_OFFSET.fullmatch(zone)
    if found is None:
        return None
    try:
        return offset(found[1], found[2], found[3]) * 60 if found[1] else 0
    except ValueError:
        return None


def take_named_zone(text: str) -> tuple[str, str | None] | None:
    """Split a date from its named zone (`Europe/Paris`, `[UTC]`): (the rest, the name).

    The name is None if the rest already has a zone. Returns None for a date without such a name.
    """
    found = _NAMED.search(text)
    if found is None:
        return None
    rest = _NAMED.sub(" ", text).strip()
    return rest, None if has_offset(rest) else found[1] or found[2] or found[3]


def has_offset(text: str) -> bool:
    """Return whether an offset or a known zone stands behind the time of a date."""
    found = _AFTER_TIME.search(text)
    return found is not None and (found["offset"] is not None or zone_minutes(found["word"]) is not None)


def in_zone(seconds: int, name: str) -> int:
    """Return epoch seconds of a time that was read as if it were UTC. Raises ValueError for an unknown zone.

    It also raises if the clocks of the zone show the time twice or never.
    """
    if zone_minutes(name) is not None or _OFFSET.fullmatch(name):
        return seconds - zone_offset(name) * 60
    return seconds - _database_offset(seconds, _WORD.sub(_capital, name) if name.islower() else name)


def _capital(word: re.Match[str]) -> str:
    return word[0].capitalize()


def _database_offset(seconds: int, name: str) -> int:
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - few dates name a zone

    try:
        zone = ZoneInfo(name)
    except (OSError, KeyError) as unknown:  # a folder of the database, or a missing name
        raise ValueError(f"{name} is no zone") from unknown
    local = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).replace(tzinfo=zone)
    first, second = local.utcoffset(), local.replace(fold=1).utcoffset()
    if first is None or first != second:
        raise ValueError(f"the clocks of {name} do not show this time once")
    return int(first.total_seconds())
