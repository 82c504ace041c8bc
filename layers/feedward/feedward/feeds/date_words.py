"""Looks up the names of months and weekdays in the languages of feed dates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache

_ENGLISH = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
ENGLISH_MONTHS = {name: number for number, name in enumerate(_ENGLISH, 1)}
_MARKS = re.compile(r"[.॰׳’ʼ'\u200c]")
MONTHS = len(_ENGLISH)
_SHORTEST_BEGINNING = 3

Numbers = Mapping[str, int]
"""Language -> the number of a name in that language; languages with more speakers come first."""


def months(name: str) -> Numbers:
    """Return 1 to 12 for a month's name, in each language that has it.

    A prefix of 3 or more letters also counts, if no other month in any language has it.
    """
    folded = _folded(name)
    known, _ = _names()
    if folded in known:
        return known[folded]
    number = _beginnings().get(folded)
    return {"": number} if number else {}


def month(name: str) -> int | None:
    """Return the month of a name, in the first of its languages; None if no month has this name."""
    return ENGLISH_MONTHS.get(name.lower()) or next(iter(months(name).values()), None)


def weekdays(name: str) -> Numbers:
    """Return 0 (Monday) to 6 for a weekday's name, in each language that has it."""
    return _names()[1].get(_folded(name), {})


@cache
def _names() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]]:
    """Return name -> language -> number, of months and of weekdays."""
    from feedward.feeds.date_names import LANGUAGES, NO_NAME  # noqa: PLC0415 - most dates are in English

    months: dict[str, dict[str, int]] = {}
    weekdays: dict[str, dict[str, int]] = {}
    for language, columns in LANGUAGES.items():
        for place, names in enumerate(columns):
            known, number = (months, place + 1) if place < MONTHS else (weekdays, place - MONTHS)
            for name in names.split("/") if names != NO_NAME else ():
                known.setdefault(_folded(name), {})[language] = number
    return months, weekdays


@cache
def _beginnings() -> dict[str, int]:
    found: dict[str, set[int]] = {}
    months, weekdays = _names()
    for name, numbers in months.items():
        for length in range(_SHORTEST_BEGINNING, len(name)):
            found.setdefault(name[:length], set()).update(numbers.values())
    return {name: numbers.pop() for name, numbers in found.items() if len(numbers) == 1 and name not in weekdays}


@lru_cache(maxsize=1024)
def _folded(name: str) -> str:
    """Return the name in lower case, without accents and marks, and without the Hebrew prefix for "in"."""
    decomposed = unicodedata.normalize("NFD", _MARKS.sub("", name.lower()).replace("ı", "i"))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).removeprefix("ב")
