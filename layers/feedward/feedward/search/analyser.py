"""Cuts a text into words and tokens, the same way for documents and queries (rule Q22). Pure.

A token is a folded word. In scripts without blanks between words, and in Hangul, tokens are pairs of neighbouring
characters, and the last character alone, so that one character is found as the start of a token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from operator import add
from typing import NamedTuple
from unicodedata import normalize

from feedward.search.folding import (
    APOSTROPHES,
    DROPPED_MARKS,
    HANGUL,
    MARKS,
    NON_JOINER,
    UNSEEN,
    UNSPACED,
    exact_form,
    folded_form,
    transcribed_form,
)

ANALYSER_VERSION = "2"
"""An index of another version is not read, since its tokens differ."""

BREAK = "|"
"""Separates two texts of a field, so that no phrase spans both."""
WORD_CHARS = 64  # in a script with blanks
_ROW_CHARS = 6
_LETTER = rf"[\w{MARKS}]"
_JOINERS = f"[{APOSTROPHES}{NON_JOINER}{UNSEEN}]"
# A name such as .NET, C++ and C# keeps its signs.
_WORD = re.compile(rf"(?:(?<![\w.])\.(?=[^\W\d_]))?{_LETTER}+(?:{_JOINERS}+{_LETTER}+)*(?:\+\+|\#)?")
_ACUTE_ALONE = " \u0301"  # NFKC of a sign that some people type as an apostrophe
_LEADING_MARKS = re.compile(f"^[{DROPPED_MARKS}]+")
_JOINER = re.compile(_JOINERS)
_JOINED_WORD = re.compile(rf"{_LETTER}+(?:{_JOINERS}+{_LETTER}+)+")
_FOLDED_WORD = re.compile(rf"[{MARKS}]*[^\W_]{_LETTER}*(?:\+\+|\#)?|\{BREAK}")
_RUNS = re.compile(rf"[{UNSPACED}{MARKS}]*[{UNSPACED}][{UNSPACED}{MARKS}]*|[^{UNSPACED}]+")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_PLAIN_ROW = re.compile(f"(?:(?![{MARKS}])[{UNSPACED}])+")
_HANGUL = re.compile(f"[{HANGUL}]")
_MARK = re.compile(f"[{MARKS}]")
_CLUSTER = re.compile(rf".[{MARKS}]{{,4}}", re.DOTALL)
_ARTICLE = "ل"
_WITH_ARTICLE = re.compile("(?:[وفبك]?ال|و?لل)(?=.{3})")
_APOSTROPHE = re.compile(f"[{APOSTROPHES}]")


# In an ASCII text without such signs, every character except letters and digits separates words.
_NO_WORD = {number: " " for number in range(128) if not chr(number).isalnum()}
_PARTING = {number: blank for number, blank in _NO_WORD.items() if chr(number) != BREAK}
_PART_OF_WORD = frozenset("'`.+#")


class Word(NamedTuple):
    """A word of a text, analysed.

    `folded` is the word without accents, `exact` with them. For Hangul, `exact` distinguishes a whole word from a part.
    `exact` is empty if it adds nothing to `folded`. `tokens` are the tokens of a query; `closing` are the tokens of a
    document, with those at the end of the word. `parts` are inner words that count everywhere, `inner` those that count
    in names only. `transcribed` has umlauts as two letters. If a word `is_unspaced`, its tokens are neighbouring
    characters.
    """

    folded: str
    exact: str
    tokens: tuple[str, ...]
    closing: tuple[str, ...]
    parts: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()
    transcribed: str = ""
    is_unspaced: bool = False


def words(text: str) -> list[Word]:
    """Return the analysed words of a text, in its order."""
    if text.isascii() and _PART_OF_WORD.isdisjoint(text):
        return [found for raw in text.translate(_NO_WORD).split() if (found := word(raw))]
    return [found for raw in _WORD.findall(composed(text)) if (found := _word(raw))]


def text_tokens(text: str) -> tuple[list[str], list[str]]:
    """Return the tokens of a document's text, and the parts of its words: as `words`, but faster.

    The text is folded as a whole and then cut, except for words with an apostrophe or an invisible sign. A BREAK
    between blanks is kept.
    """
    whole = composed(text)
    parts: list[str] = []
    if _has_joiner(whole):
        whole = _JOINER.sub(" ", _JOINED_WORD.sub(lambda match: _without_joiners(match[0], parts), whole))
    folded = whole.lower() if whole.isascii() else folded_form(exact_form(whole))
    tokens = _folded_words(folded)
    if max(map(len, tokens), default=0) > WORD_CHARS or (not folded.isascii() and _UNSPACED.search(folded)):
        tokens = [token for folded_word in tokens for token in _closing(folded_word)]
    if _ARTICLE in folded:
        parts += [bare for token in tokens if (bare := without_article(token))]
    return tokens, parts


def _has_joiner(text: str) -> bool:
    return ("'" in text or "`" in text) if text.isascii() else _JOINER.search(text) is not None


def _folded_words(folded: str) -> list[str]:
    """Return the words of a folded text, and its breaks."""
    if folded.isascii() and "#" not in folded and "++" not in folded:
        return folded.translate(_PARTING).replace(BREAK, f" {BREAK} ").split()
    tokens = _cut(folded)
    return [_without_stray_sign(token) for token in tokens] if "#" in folded else tokens


def _cut(folded: str) -> list[str]:
    """Return the words of a folded text as `_FOLDED_WORD` finds them, which is slow for words that blanks separate."""
    pieces = folded.split()
    if 2 * sum(map(str.isalnum, pieces)) < len(pieces):
        return _FOLDED_WORD.findall(folded)
    tokens: list[str] = []
    for piece in pieces:
        if piece.isalnum() or piece == BREAK:
            tokens.append(piece)
        else:
            tokens += _FOLDED_WORD.findall(piece)
    return tokens


def _without_joiners(raw: str, parts: list[str]) -> str:
    """Return a word folded, and add its parts to those of the text, except for parts that every text has."""
    found = _word(raw)
    if found is None:
        return " "
    bare = without_article(found.folded)
    parts += [part for part in found.parts if part != bare]
    return found.folded


def placed_words(text: str) -> Iterator[tuple[Word, int, int]]:
    """Yield each word of a composed text with its start and end."""
    for match in _WORD.finditer(text):
        found = _word(match[0])
        if found:
            yield found, match.start(), match.end()


def composed(text: str) -> str:
    """Return the text in its form for matching: NFKC, with plain apostrophes and without underscores."""
    return normalize("NFKC", text.replace("´", "'")).replace(_ACUTE_ALONE, "'").replace("_", " ")


def _word(raw: str) -> Word | None:
    """Analyse and cache one word. Text of scripts without blanks is not cached: it rarely recurs."""
    is_row = len(raw) > _ROW_CHARS and not raw.isascii() and _UNSPACED.match(raw)
    return word.__wrapped__(raw) if is_row else word(raw)


@lru_cache(maxsize=1 << 16)
def word(raw: str) -> Word | None:
    """Analyse one word; None if it has no letter or digit."""
    if len(raw) > WORD_CHARS and not _UNSPACED.search(raw):
        raw = raw[:WORD_CHARS]
    if raw.isascii() and raw.isalnum():
        folded = raw.lower()
        return Word(folded, "", (folded,), (folded,), (), tuple(_inner(raw, folded)))
    raw = _without_stray_sign(raw)
    exact = _LEADING_MARKS.sub("", exact_form(raw))
    folded = folded_form(exact).lstrip(".")
    if not folded.isalnum() and not any(map(str.isalnum, folded)):
        return None
    is_spaced = folded.isascii() or not _UNSPACED.search(folded)
    tokens, closing = ((folded,), (folded,)) if is_spaced else _tokens(folded)
    says_more = exact != folded or _HANGUL.search(folded)
    return Word(
        folded=folded,
        exact=exact if says_more else "",
        tokens=tokens,
        closing=closing,
        parts=tuple(_parts(raw, folded)),
        inner=tuple(_inner(raw, folded)),
        transcribed=transcribed_form(exact) if says_more else "",
        is_unspaced=not is_spaced and (tokens != (folded,) or _UNSPACED.match(folded) is not None),
    )


def _without_stray_sign(raw: str) -> str:
    """Return a word without a `#` that is not part of its name, as in C# and F#."""
    return raw[:-1] if raw[-1:] == "#" and len(folded_form(exact_form(raw))) > 3 else raw


def _tokens(folded: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tokens of a word in a query, and in a document."""
    asked: list[str] = []
    stored: list[str] = []
    for run in _RUNS.findall(folded):
        if not _UNSPACED.search(run):
            asked = [*stored, run]
            stored.append(run)
            continue
        clusters = _CLUSTER.findall(run) if _MARK.search(run) else list(run)
        pairs = [one + other for one, other in pairwise(clusters)]
        asked = [*stored, *(pairs or clusters)]
        stored += [*pairs, clusters[-1]]
    return tuple(asked), tuple(stored)


def _closing(folded: str) -> tuple[str, ...]:
    """Return the tokens of a folded word in a document."""
    return _short_closing(folded) if len(folded) <= _ROW_CHARS else _long_closing(folded)


def _long_closing(folded: str) -> tuple[str, ...]:
    if _PLAIN_ROW.fullmatch(folded):
        return (*map(add, folded, folded[1:]), folded[-1])
    return _tokens(folded)[1] if _UNSPACED.search(folded) else (folded[:WORD_CHARS],)


_short_closing = lru_cache(maxsize=1 << 16)(_long_closing)


def without_article(folded: str) -> str:
    """Return an Arabic word without the article and other prefixes; empty if it has none."""
    match = _WITH_ARTICLE.match(folded) if _ARTICLE in folded else None
    return folded[match.end() :] if match else ""


def _parts(raw: str, folded: str) -> Iterator[str]:
    """Yield the words on both sides of an elision (l'équipe) and of a non-joiner, except 's and 't."""
    bare = without_article(folded)
    if bare:
        yield bare
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
    """Yield the words within a name: Night and Talk of NightTalk, the C of C++."""
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
