"""The normal form of text that is hashed (spec L4): form NFC, and every run of white space one space. Linear."""

from __future__ import annotations

from itertools import groupby
from unicodedata import combining, normalize

# Python sorts a run of combining marks in quadratic time; no script has such words or such runs.
_MAX_WORD = 1000
_MAX_MARKS = 30


def text_form(text: str) -> str:
    """`text` trimmed, in form NFC, with one space for each run of white space (no-break and other Unicode spaces too).

    Characters without width, such as U+200B, are no white space and stay.
    """
    words = text.split()
    if not text.isascii():
        words = [word if word.isascii() else _composed(word) for word in words]
    return " ".join(words)


def _composed(word: str) -> str:
    return normalize("NFC", word if len(word) <= _MAX_WORD else _with_marks_in_order(word))


def _with_marks_in_order(word: str) -> str:
    """`word` with its long runs of marks in canonical order already; its NFC is the same."""
    pieces = []
    for is_mark, run in groupby(word, key=lambda character: combining(character) > 0):
        piece = "".join(run)
        pieces.append(_in_order(piece) if is_mark and len(piece) > _MAX_MARKS else piece)
    return "".join(pieces)


def _in_order(marks: str) -> str:
    decomposed = "".join(normalize("NFD", mark) for mark in marks)
    return "".join(sorted(decomposed, key=combining))
