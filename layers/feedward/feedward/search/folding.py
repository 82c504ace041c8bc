"""Folds a word: one form for all its spellings, and the exact form that ranks higher (rule Q22). Pure."""

from __future__ import annotations

import re
from unicodedata import decimal, normalize

from feedward.search.scripts import APOSTROPHES, DROPPED_MARKS, MAY_FOLD, NON_JOINER, UNSEEN

_NOT_SEEN = re.compile(f"[{APOSTROPHES}{NON_JOINER}{UNSEEN}\u0640\u034f]")
_MAY_FOLD = re.compile(f"[{MAY_FOLD}]")
_DROPPED = re.compile(f"[{DROPPED_MARKS}]")
# Letters without a decomposition. Arabic letters are folded in composed form: they lose their hamza.
_LETTERS = dict(
    zip(
        "øđðłıħŧŋĸſɨʉɓɗƒėȷеѐѝёأإآٱىیېےکڪةۀہھۂ",
        "oddlihtnksiubdfejеeиеااااييييككههههه",
        strict=True,
    )
) | {"ѐ": "е", "æ": "ae", "œ": "oe", "þ": "th", "ß": "ss"}
# In Hindi a nasal before a consonant of its place is written as a letter or as a dot: हिन्दी, हिंदी. At the end of a
# word it may start such a pair.
_DEVANAGARI = re.compile("[\u0900-\u097f]")
_NASAL = re.compile("\u0901|ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])|[ङञणनम]्(?![\u0900-\u097f])")
_TRANSCRIBED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae"})


class _Folds(dict[str, str]):
    """The folded form of each character, cached on first use."""

    def __missing__(self, character: str) -> str:
        self[character] = folded = _folded_character(character)
        return folded


_FOLDS = _Folds()


def exact_form(word: str) -> str:
    """Return the word in lower case, composed, without invisible signs; accents are kept."""
    if word.isascii():
        return _NOT_SEEN.sub("", word.lower())
    folded = normalize("NFKC", word).casefold()
    if _NOT_SEEN.search(folded):
        folded = _NOT_SEEN.sub("", folded)
    composed = normalize("NFKC", folded)
    return composed if composed == folded else normalize("NFKC", composed.casefold())


def folded_form(exact: str) -> str:
    """Return an exact form without the accents and marks that people omit. The function is idempotent."""
    if not _MAY_FOLD.search(exact):
        return exact
    folded = normalize("NFKC", _replaced(exact))
    return _NASAL.sub("\u0902", folded) if _DEVANAGARI.search(folded) else folded


def transcribed_form(exact: str) -> str:
    """Return the form in which umlauts are two letters: `muenchen`; empty if the word has none."""
    transcribed = exact.translate(_TRANSCRIBED)
    return folded_form(transcribed) if transcribed != exact else ""


def _replaced(exact: str) -> str:
    """Return the text with each character folded, one kind after the other; no character is folded twice."""
    for character in set(_MAY_FOLD.findall(exact)):
        folded = _FOLDS[character]
        if folded != character:
            exact = exact.replace(character, folded)
    return exact


def _folded_character(character: str) -> str:
    if character > "\uffff":
        return character
    if character in _LETTERS:
        return _LETTERS[character]
    if _DROPPED.match(character):
        return ""
    digit = decimal(character, None)
    if digit is not None:
        return str(digit)
    base = _DROPPED.sub("", normalize("NFD", character))
    return _LETTERS.get(base, base) if _is_latin_or_greek(base) else character


def _is_latin_or_greek(text: str) -> bool:
    return len(text) == 1 and (text < "\u0250" or "\u0370" <= text <= "\u03ff" or "\u1e00" <= text <= "\u1fff")
