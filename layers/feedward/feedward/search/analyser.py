"""Cuts a text into words and tokens, the same way for documents and queries (rule Q21). Pure.

A token is a folded word. In scripts without blanks between words, and in Hangul, tokens are two neighbouring characters
each, and the last one alone, so that one character is found as the beginning of a token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from unicodedata import normalize

from feedward.search.folding import exact_form, folded_form, transcribed_form
from feedward.search.scripts import APOSTROPHES, HANGUL, MARKS, NON_JOINER, UNSEEN, UNSPACED

ANALYSER_VERSION = "1"
"""An index of another version is not read: its words are others."""

WORD_CHARS = 64  # of a word in a script with blanks
_LETTER = rf"[\w{MARKS}]"
_JOINERS = f"[{APOSTROPHES}{NON_JOINER}{UNSEEN}]"
# A name such as .NET, C++ and C# keeps its signs.
_WORD = re.compile(
    rf"(?:(?<![\w.])\.(?=[^\W\d_]))?{_LETTER}+(?:{_JOINERS}+{_LETTER}+)*(?:\+\+|(?<!{_LETTER}{_LETTER}{_LETTER})\#)?"
)
_RUNS = re.compile(rf"[{UNSPACED}{MARKS}]*[{UNSPACED}][{UNSPACED}{MARKS}]*|[^{UNSPACED}]+")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_HANGUL = re.compile(f"[{HANGUL}]")
_CLUSTER = re.compile(rf".[{MARKS}]{{,4}}", re.DOTALL)
_APOSTROPHE = re.compile(f"[{APOSTROPHES}]")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text, analysed.

    `folded` is the word without accents, `exact` with them: also of Hangul, where it tells a whole word from a part.
    `exact` is empty if it says nothing that `folded` does not. `tokens` are what is looked for, `closing` are the
    tokens with those that only a document has at its end. `parts` are words within it that count everywhere,
    `inner` those that count in names only. `transcribed` has umlauts as two letters.
    """

    folded: str
    exact: str
    tokens: tuple[str, ...]
    closing: tuple[str, ...]
    parts: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()
    transcribed: str = ""

    @property
    def is_unspaced(self) -> bool:
        """Whether its tokens are neighbouring characters."""
        return self.tokens != (self.folded,) or _UNSPACED.match(self.folded) is not None


def words(text: str) -> list[Word]:
    """Return the analysed words of a text, in its order."""
    return [found for raw in _WORD.findall(composed(text)) if (found := word(raw))]


def placed_words(text: str) -> Iterator[tuple[Word, int, int]]:
    """Yield each word of a composed text with its start and its end."""
    for match in _WORD.finditer(text):
        found = word(match[0])
        if found:
            yield found, match.start(), match.end()


def composed(text: str) -> str:
    """Return the text as words are looked for in it: in form NFKC, with plain apostrophes and without underscores."""
    return normalize("NFKC", text.replace("´", "'")).replace("_", " ")


@lru_cache(maxsize=1 << 16)
def word(raw: str) -> Word | None:
    """Analyse one word; None if nothing of it is a letter or a digit."""
    if len(raw) > WORD_CHARS and not _UNSPACED.search(raw):
        raw = raw[:WORD_CHARS]
    if raw.isascii() and raw.isalnum():
        folded = raw.lower()
        return Word(folded, "", (folded,), (folded,), (), tuple(_inner(raw, folded)))
    exact = exact_form(raw)
    folded = folded_form(exact).lstrip(".")
    if not folded.isalnum() and not any(map(str.isalnum, folded)):
        return None
    tokens, closing = ((folded,), (folded,)) if folded.isascii() else _tokens(folded)
    says_more = exact != folded or _HANGUL.search(folded)
    return Word(
        folded=folded,
        exact=exact if says_more else "",
        tokens=tokens,
        closing=closing,
        parts=tuple(_parts(raw)),
        inner=tuple(_inner(raw, folded)),
        transcribed=transcribed_form(exact) if says_more else "",
    )


def _tokens(folded: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tokens of a word as it is looked for, and as a document has it."""
    asked: list[str] = []
    stored: list[str] = []
    for run in _RUNS.findall(folded):
        if not _UNSPACED.search(run):
            asked = [*stored, run]
            stored.append(run)
            continue
        clusters = _CLUSTER.findall(run)
        pairs = [one + other for one, other in pairwise(clusters)]
        asked = [*stored, *(pairs or clusters)]
        stored += [*pairs, clusters[-1]]
    return tuple(asked), tuple(stored)


def _parts(raw: str) -> Iterator[str]:
    """Yield the words on both sides of an elision (l'équipe) and of a non-joiner, but no 's and n't."""
    if _APOSTROPHE.search(raw):
        pieces = [piece for piece in _APOSTROPHE.split(raw) if len(piece) >= 3]
    elif NON_JOINER in raw:
        pieces = raw.split(NON_JOINER)
    else:
        return
    for piece in pieces:
        folded = folded_form(exact_form(piece))
        if folded and len(piece) < len(raw):
            yield folded


def _inner(raw: str, folded: str) -> Iterator[str]:
    """Yield the words within a name: those of NightTalk, the C of C++."""
    if raw[1:] != raw[1:].lower():
        yield from (folded_form(exact_form(piece)) for piece in _camel_pieces(raw))
    if folded[-1] in "+#":
        yield folded.rstrip("+#")


def _camel_pieces(raw: str) -> list[str]:
    ends = [
        at
        for at in range(1, len(raw))
        if raw[at].isupper() and (raw[at - 1].islower() or (raw[at - 1].isupper() and raw[at + 1 : at + 2].islower()))
    ]
    pieces = [raw[start:end] for start, end in pairwise([0, *ends, len(raw)])]
    return [piece for piece in pieces if len(piece) > 1] if len(pieces) > 1 else []
