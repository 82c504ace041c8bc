"""Distinguishes a random, unguessable value from words, names, dates and numbers. Pure."""

from __future__ import annotations

import re
from urllib.parse import unquote

_CHARACTERS = re.compile(r"[A-Za-z0-9_~+/.|-]+")
_BETWEEN_PIECES = re.compile(r"[-_.~+/|]+")
# A word with at most two digits after it, words in camel case, a number, a date or an ordinal.
_PLAIN = re.compile(r"[a-z]*(?:[A-Z]+[a-z]{2,}|[A-Z][a-z])*[A-Z]*")
_DIGITS_AFTER_WORD = re.compile(r"(?:(?<=[A-Za-z]{3})[0-9]{1,2}|(?<=[A-Za-z])[0-9])$")
_NUMBER = re.compile(r"[0-9]{1,8}(?:st|nd|rd|th)?")


def looks_random(value: str, *, at_least: int) -> bool:
    """Return whether `value` has `at_least` characters and a piece that is neither words nor a short number.

    `9f3a71c2`, a UUID and padded base64 are random; `the-2024-season`, `MyPodcast2` and `20240902` are not.
    """
    padded = unquote(value)
    text = padded.rstrip("=")
    if len(padded) < at_least or not _CHARACTERS.fullmatch(text):
        return False
    return text != padded or not all(map(_is_plain, _BETWEEN_PIECES.split(text)))


def _is_plain(piece: str) -> bool:
    return bool(_NUMBER.fullmatch(piece) or _PLAIN.fullmatch(_DIGITS_AFTER_WORD.sub("", piece)))
