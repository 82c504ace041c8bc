"""Dates in words: day, month by name, year, time and zone in the order of the writer, in any language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from feedward.feeds.clock import (
    MIDNIGHT,
    Clock,
    full_year,
    hour_of_day,
    seconds_at,
    weekday_of,
    zone_minutes,
    zone_offset,
)
from feedward.feeds.date_words import ENGLISH_MONTHS, Numbers, month, months, weekdays

_CLOCK = re.compile(
    r"(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,]\d{1,12})?)?([ap]\.?m\.?)?(Z|[A-Z]{2,5}|[+-]\d{2}:?\d{2})?", re.IGNORECASE
)
_DAY_NUMBER = re.compile(r"(\d{1,4})(?:st|nd|rd|th|er|re|e|\.?[ºª°]|\.º|г\.?|р\.?|\.)?", re.IGNORECASE)
_ENGLISH_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_FILLER_WORDS = """
    de del of at um à kl o г р a as às alle d da den ore om on klo la las le el m och saat the v ve uhr h hs น в о у
    klokken pukul jam ob στις ที่ เวลา พ.ศ ค.ศ ngày năm lúc - – — | @ ·
"""
_FILLERS = frozenset(_FILLER_WORDS.split())
_AM = frozenset(("am", "sa", "öö", "πμ", "ص", "fm", "ap", "pg", "dop", "дп"))
_PM = frozenset(("pm", "ch", "ös", "μμ", "م", "em", "ip", "ptg", "odp", "пп", "pop"))
_MONTH_NAMES = tuple(ENGLISH_MONTHS)
_FIRST_EAST_ASIAN = "\u2e80"
_KOREAN_YEAR = "년"
_THAI = re.compile("[\u0e00-\u0e7f]")
_BUDDHIST_ERA = 543


# The year before the first one of an era.
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867, "民國": 1911, "民国": 1911}


def _year_of_era(found: re.Match[str]) -> str:
    return f" {_ERAS[found[1]] + (1 if found[2] == '元' else int(found[2]))} " if found[2] != "0" else " - "


def _autumn_month(found: re.Match[str]) -> str:
    return f"{found[0][0]}fómh"  # Irish: September and October are the middle and the end of autumn


def _named_month(found: re.Match[str]) -> str:
    number = int(found[1])
    return f" {_MONTH_NAMES[number - 1]} " if 1 <= number <= len(_MONTH_NAMES) else " - "


def _time_of_day(found: re.Match[str]) -> str:
    return f" {found[1]}:{found[2] or '00'}:{found[3] or '00'}"


def _time_of_day_without_seconds(found: re.Match[str]) -> str:
    return f" {found[1]}:{found[2] or '00'}"


_Rewrite = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]
_ANYWHERE: tuple[_Rewrite, ...] = (
    (re.compile(r"\([^()]{0,40}\)"), " "),
    (re.compile(r"\b(\d{1,2})[-/]([^\W\d]{3,12})[-/](\d{2,4})\b"), r"\1 \2 \3"),
    (re.compile(r"(?<=[\d\s])([ap])\.\s+m\b", re.IGNORECASE), r"\1m"),
    (re.compile(r"\b[dl]['’ʼ](?=\w)", re.IGNORECASE), ""),  # Catalan "d'abril"
    (re.compile(r"\bdydd\s+(?=[^\W\d])", re.IGNORECASE), ""),  # Welsh "day": "dydd Mawrth" is a Tuesday
    (re.compile(r"(?<=[^\W\d]\s)(\d{1,2})\s?h\s?(\d{2})?(?!\w)", re.IGNORECASE), _time_of_day_without_seconds),
    (re.compile(r"(?<=\s)(\d{1,2})\.(\d{2})(?:\.(\d{2}))?(?=\s|$)"), _time_of_day),  # Danish "kl. 10.30"
)
_OUTSIDE_ASCII: tuple[_Rewrite, ...] = (
    (re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"), ""),
    (re.compile("[،、]"), " "),
    (re.compile(r"\b(?:meán|deireadh)\s+fómhair", re.IGNORECASE), _autumn_month),
    (re.compile(r"thứ\s+\w+|chủ\s+nhật|יום\s+\S+", re.IGNORECASE), " "),  # weekdays of two words
)
_EAST_ASIAN: tuple[_Rewrite, ...] = (
    (re.compile(rf"({'|'.join(_ERAS)})\s*(元|\d{{1,3}})\s*年"), _year_of_era),
    (re.compile(r"(?:周|週|星期|礼拜|禮拜)[一二三四五六日天]|[月火水木金土日]曜日?|[월화수목금토일]요일"), " "),
    (re.compile(r"(?<!\d)(\d{4})\s*[年년]"), r" \1 "),
    (re.compile(r"(?<!\d)(\d{1,2})\s*[月월]"), _named_month),
    (re.compile(r"(?<!\d)(\d{1,2})\s*[日일号號]"), r" \1 "),
    (re.compile(r"(\d{1,2})\s*[時时點点시](?:\s*(\d{1,2})\s*[分분])?(?:\s*(\d{1,2})\s*[秒초])?"), _time_of_day),
    (re.compile(r"(?:上午|午前|오전)\s*(\d[\d:]*)"), r" \1am"),
    (re.compile(r"(?:下午|午後|오후)\s*(\d[\d:]*)"), r" \1pm"),
)
_VIETNAMESE: tuple[_Rewrite, ...] = (
    (re.compile(r"^th\.?\s+[2-7]\b", re.IGNORECASE), " "),
    (re.compile(r"\b(?:tháng|thang|thg)\.?\s*(\d{1,2})\b", re.IGNORECASE), _named_month),
)


def tokens_of(text: str) -> list[str]:
    """Return the words and numbers of a date: no marks, numbered months by name, no word before the date."""
    for pattern, by in _rewrites(text):
        text = pattern.sub(by, text)
    tokens = text.replace(",", " ").split()
    if tokens and not tokens[0][0].isdigit() and _is_before_the_date(tokens):
        del tokens[0]
    return tokens


def _rewrites(text: str) -> Iterator[_Rewrite]:
    yield from _ANYWHERE
    if not text.isascii():
        yield from _OUTSIDE_ASCII
    if max(text) >= _FIRST_EAST_ASIAN:
        yield from _EAST_ASIAN
    if "th" in text.lower():
        yield from _VIETNAMESE


def _is_before_the_date(tokens: list[str]) -> bool:
    """Return whether the first word is not a month, or is also a weekday and a month follows (`mar. 1 déc.`)."""
    first = tokens[0]
    if first[:3].lower() in _ENGLISH_WEEKDAYS or month(first) is None:
        return True
    return bool(weekdays(first)) and any(not token[0].isdigit() and month(token) for token in tokens[1:4])


def date_in_words(text: str, tokens: list[str]) -> dict[str, int]:
    """Return the date with these tokens in epoch seconds, for each language that it may be in; empty if it is no date.

    Raises ValueError for an unexpected token.
    """
    return _Words(text).take(tokens)


class _Words:
    """The parts of one date, collected token by token."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.month = ""
        self.numbers: list[str] = []
        self.clock: Clock | None = None
        self.half = ""
        self.offset: int | None = None
        self.is_croatian = False

    def take(self, tokens: list[str]) -> dict[str, int]:
        for token in tokens:
            self._token(token)
        if not self.month or len(self.numbers) != 2:
            return {}
        day, year = self.numbers if len(self.numbers[0]) < 3 else reversed(self.numbers)
        at = self.clock or MIDNIGHT
        offset = 540 if self.offset is None and _KOREAN_YEAR in self.text else self.offset or 0
        clock = Clock(hour_of_day(at.hour, self.half), at.minute, at.second, offset)
        number = _year(year, is_thai=bool(_THAI.search(self.text)))
        months = self._months(number, int(day))
        return {language: seconds_at(number, month, int(day), clock) for language, month in months.items()}

    def _months(self, year: int, day: int) -> Numbers:
        """Return the month in each language that has its name; if they differ, in those that the rest of it allows.

        The rest is the language of the weekday's name, then the weekday itself, and the dots of Croatian.
        """
        if self.month.lower() in ENGLISH_MONTHS:
            return {"": ENGLISH_MONTHS[self.month.lower()]}
        numbers = months(self.month)
        if len(set(numbers.values())) == 1:
            return numbers
        if self.is_croatian and "hr" in numbers:
            return {"hr": numbers["hr"]}
        said = next(filter(None, map(weekdays, re.split(r"[\s,]+", self.text))), {})
        numbers = {language: number for language, number in numbers.items() if language in said} or numbers
        fitting = {
            language: number
            for language, number in numbers.items()
            if language in said and said[language] == weekday_of(year, number, day)
        }
        return fitting or numbers

    def _token(self, token: str) -> None:
        if ":" in token and token[0].isdigit():
            self._time(token)
        elif token[0].isdigit():
            self._number(token)
        elif not self.month and month(token):
            self.month = token
        elif self.clock is None:
            self._before_time(token)
        else:
            self._after_time(token)

    def _time(self, token: str) -> None:
        found = _CLOCK.fullmatch(token)
        if (
            found is None
            or self.clock is not None
            or (found[5] and zone_minutes(found[5]) is None and found[5].isalpha())
        ):
            raise ValueError(f"{token} is no time")
        self.clock = Clock(int(found[1]), int(found[2]), int(found[3] or 0), 0)
        self.half = (found[4] or "").lower().replace(".", "")
        if found[5]:
            self.offset = zone_offset(found[5])

    def _number(self, token: str) -> None:
        found = _DAY_NUMBER.fullmatch(token)
        if found is None:
            raise ValueError(f"{token} is no number")
        self.is_croatian |= bool(self.numbers) and len(found[1]) == 4 and token.endswith(".")  # `7. listopada 2019.`
        self.numbers.append(found[1])

    def _before_time(self, token: str) -> None:
        bare = token.lower().rstrip(".")
        if bare in _FILLERS:
            return
        is_zone = zone_minutes(token) is not None or token[0] in "+-"
        if is_zone and self.month and len(self.numbers) == 2:
            self.offset = zone_offset(token)
        elif not weekdays(token):
            raise ValueError(f"{token} stands before the time")

    def _after_time(self, token: str) -> None:
        bare = token.lower().replace(".", "")
        if zone_minutes(token) is None and bare in _AM | _PM:
            self.half = "am" if bare in _AM else "pm"
        elif _is_unknown_zone(token) and (bare in _FILLERS or weekdays(token)):
            return
        elif _is_unknown_zone(token) and token.islower():
            raise ValueError(f"{token} may say which half of the day")
        elif self.offset is None or not token.isalpha():
            self.offset = zone_offset(token)


def _is_unknown_zone(token: str) -> bool:
    return token.replace(".", "").isalpha() and zone_minutes(token) is None


def _year(text: str, *, is_thai: bool) -> int:
    """Return the year. Thai years count from Buddha; a Thai year of two digits may belong to either era."""
    year = full_year(text)
    if not is_thai:
        return year
    if len(text) < 4:
        raise ValueError("a short year that may be of two eras")
    return year - _BUDDHIST_ERA if year > 2400 else year
