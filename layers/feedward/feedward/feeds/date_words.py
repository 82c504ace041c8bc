"""Looks up the names of months and weekdays in the languages that feeds write dates in."""

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
"""Language -> the number that a name has in it, the language with more speakers first."""


def months(name: str) -> Numbers:
    """1 to 12 for a month's name, in each language that has it.

    Any beginning of it (3 letters or more) counts, too, if it is that of no other month anywhere.
    """
    folded = _folded(name)
    known, _ = _names()
    if folded in known:
        return known[folded]
    number = _beginnings().get(folded)
    return {"": number} if number else {}


def month(name: str) -> int | None:
    """The month that a name stands for, in the first of its languages; None if it is no month's."""
    return ENGLISH_MONTHS.get(name.lower()) or next(iter(months(name).values()), None)


def weekdays(name: str) -> Numbers:
    """0 (Monday) to 6 for a weekday's name, in each language that has it."""
    return _names()[1].get(_folded(name), {})


@cache
def _names() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]]:
    """Name -> language -> number, of months and of weekdays."""
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
    for name, numbers in _names()[0].items():
        for length in range(_SHORTEST_BEGINNING, len(name)):
            found.setdefault(name[:length], set()).update(numbers.values())
    return {name: numbers.pop() for name, numbers in found.items() if len(numbers) == 1}


@lru_cache(maxsize=1024)
def _folded(name: str) -> str:
    """Lower case, without accents and marks. Hebrew writes "in" before a month as one word with it."""
    decomposed = unicodedata.normalize("NFD", _MARKS.sub("", name.lower()).replace("ı", "i"))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).removeprefix("ב")
