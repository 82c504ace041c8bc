"""Dates in words are read in every language that is written much: each month and weekday, none for another one.

calendar_names.json has, for each language, the lists of months from January and of weekdays from Monday: short and
long, inside a date and alone.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

import pytest

from feedward.feeds.dates import parse_date

NAMES = json.loads((Path(__file__).parents[2] / "cases" / "calendar_names.json").read_text())
YEAR = 2020
WITH_WEEKDAY = (
    "{weekday}, {day:02} {month} {year} 12:00:00 +0000",
    "{weekday} {day} {month} {year} 12:00:00 GMT",
    "{weekday}, {month} {day}, {year} - 12:00pm",
    "{weekday} {month} {day} 12:00:00 {year}",
    "{weekday}, {day}. {month} {year} 12:00",
    "{day} {month} {year} {weekday} 12:00",
    "{year}. {month} {day}., {weekday} 12:00:00Z",
)
WITHOUT = ("{day} {month} {year} 12:00:00 +0000", "{month} {day}, {year} 12:00", "{year} {month} {day} 12:00 UTC")
# Words that mean different months in several languages, where no weekday decides the language.
OF_OTHERS = ("lip", "srp", "lis", "listopada", "listopad")


def spellings(name: str) -> set[str]:
    """With and without dots, in other cases, with another apostrophe."""
    plain = {name, name.replace(".", ""), name.replace("’", "'")}
    return plain | {text.upper() for text in plain} | {text.title() for text in plain if text.isascii()}


@cache
def at_noon(month: int, day: int) -> int:
    return int(datetime(YEAR, month, day, 12, tzinfo=UTC).timestamp())


def forms_of(language: str, kind: str, index: int) -> set[str]:
    return {names[index] for names in NAMES[language][kind]}


def dates_with_weekday(language: str, month: int) -> Iterator[tuple[str, int]]:
    """Each form of a month with each form of each weekday, over a week. Both are written in all ways, a pair in two."""
    for day, name in itertools.product(range(8, 15), forms_of(language, "months", month - 1)):
        number = date(YEAR, month, day).weekday()
        for weekday in forms_of(language, "weekdays", number):
            for way in (number + month, number + month + 3):
                form = WITH_WEEKDAY[way % len(WITH_WEEKDAY)]
                yield form.format(weekday=weekday, day=day, month=name, year=YEAR), at_noon(month, day)


def dates_without_weekday(language: str, month: int) -> Iterator[tuple[str, int]]:
    for name in forms_of(language, "months", month - 1):
        for spelling in spellings(name) if name not in OF_OTHERS else ():
            for form in WITHOUT:
                yield form.format(day=13, month=spelling, year=YEAR), at_noon(month, 13)


def misread(dates: Iterator[tuple[str, int]]) -> dict[str, int | None]:
    return {text: found for text, expected in dates if (found := parse_date(text)) != expected}


@pytest.mark.parametrize("language", NAMES)
def test_each_month_is_read_beside_each_weekday(language: str) -> None:
    assert misread(pair for month in range(1, 13) for pair in dates_with_weekday(language, month)) == {}


@pytest.mark.parametrize("language", NAMES)
def test_each_month_is_read_alone_however_it_is_spelled(language: str) -> None:
    assert misread(pair for month in range(1, 13) for pair in dates_without_weekday(language, month)) == {}
