"""Folds a word: one form for all ways to write it, and the exact form that ranks higher (rule Q21). Pure."""

from __future__ import annotations

import re
from unicodedata import decimal, normalize

from feedward.search.scripts import APOSTROPHES, DROPPED_MARKS, NON_JOINER, UNSEEN

_NOT_SEEN = re.compile(f"[{APOSTROPHES}{NON_JOINER}{UNSEEN}\u0640\u034f]")
_DROPPED = re.compile(f"[{DROPPED_MARKS}]")
# What no decomposition gives. The Arabic letters are folded as they are composed: they lose their hamza.
_LETTERS = dict(
    zip(
        "øđðłıħŧŋĸſɨʉɓɗƒėȷеѐѝёأإآٱىیېےکڪةۀہھۂ",
        "oddlihtnksiubdfejеeиеااااييييككههههه",
        strict=True,
    )
) | {"ѐ": "е", "æ": "ae", "œ": "oe", "þ": "th", "ß": "ss"}
_TRANSCRIBED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae"})


class _Folds(dict[int, str | None]):
    """What becomes of each character, filled as characters are met."""

    def __missing__(self, code: int) -> str | None:
        self[code] = folded = _folded_character(chr(code))
        return folded


_FOLDS = _Folds()


def exact_form(word: str) -> str:
    """Return the word in lower case, composed, without signs that are not seen: its accents are kept."""
    if word.isascii():
        return _NOT_SEEN.sub("", word.lower())
    folded = normalize("NFKC", word).casefold()
    if _NOT_SEEN.search(folded):
        folded = _NOT_SEEN.sub("", folded)
    return normalize("NFKC", normalize("NFKC", folded).casefold())


def folded_form(exact: str) -> str:
    """Return an exact form without accents and marks that people leave out. Folding twice is folding once."""
    return exact if exact.isascii() else normalize("NFKC", exact.translate(_FOLDS))


def transcribed_form(exact: str) -> str:
    """Return the form in which umlauts are two letters: `muenchen`; empty if the word has none."""
    transcribed = exact.translate(_TRANSCRIBED)
    return folded_form(transcribed) if transcribed != exact else ""


def _folded_character(character: str) -> str | None:
    if character in _LETTERS:
        return _LETTERS[character]
    if _DROPPED.match(character):
        return None
    digit = decimal(character, None)
    if digit is not None:
        return str(digit)
    base = _DROPPED.sub("", normalize("NFD", character))
    return _LETTERS.get(base, base) if _is_latin_or_greek(base) else character


def _is_latin_or_greek(text: str) -> bool:
    return len(text) == 1 and (text < "\u0250" or "\u0370" <= text <= "\u03ff" or "\u1e00" <= text <= "\u1fff")
