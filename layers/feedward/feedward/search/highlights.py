"""The positions of a query's words in a text: offsets, never markup (rule Q11). Pure.

Offsets count code points of the stored text. JavaScript counts UTF-16 units: Array.from(text) counts code points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from feedward.search.analyser import Word, placed_words
from feedward.search.composition import Composition, composed_with_offsets
from feedward.search.fields import joined
from feedward.search.query import PREFIX_CHARS, read_query

TEXT_CHARS = 4000


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Whole words, prefixes, and runs of characters of scripts without blanks, all folded."""

    whole: frozenset[str]
    beginnings: tuple[str, ...]
    rows: tuple[str, ...]


def highlights(
    text_of_query: str, field_text: str, corrected: Mapping[str, str] | None = None
) -> list[tuple[int, int]]:
    """Return the ranges (start, end) of the query's words in a text, in order, without overlaps.

    `corrected` names the words that a search corrected. Only the first 4,000 characters of the text are scanned.
    """
    wanted = _wanted(text_of_query, tuple(sorted((corrected or {}).items())))
    composition = composed_with_offsets(field_text[:TEXT_CHARS])
    spans = sorted(_spans(wanted, list(placed_words(composition.text)), composition))
    return _apart(spans)


@lru_cache(maxsize=64)
def _wanted(text_of_query: str, corrected: tuple[tuple[str, str], ...]) -> _Wanted:
    query = read_query(text_of_query)
    whole: set[str] = set()
    beginnings: set[str] = set()
    rows: set[str] = set()
    for asked in query.words:
        for word in asked.words:
            (rows if word.is_unspaced else whole).add(word.folded)
            whole.update(() if asked.is_quoted else (*word.parts, *word.inner, word.transcribed))
        last = asked.words[-1]
        if asked.is_prefix and not last.is_unspaced and len(last.folded) >= PREFIX_CHARS:
            beginnings.add(last.folded)
        whole.add(joined(asked.words))
    for one, other in pairwise(query.words):
        whole.add(joined((*one.words, *other.words)))
    whole.update(known for _, known in corrected)
    return _Wanted(frozenset(whole - {""}), tuple(beginnings), tuple(rows))


def _spans(
    wanted: _Wanted, placed: Sequence[tuple[Word, int, int]], composition: Composition
) -> Iterator[tuple[int, int]]:
    for word, start, end in placed:
        if _is_wanted(word, wanted):
            yield composition.original(start, end)
        elif word.is_unspaced:
            yield from (composition.original(*span) for span in _rows_within(word, start, end, wanted.rows))
    for (one, start, _), (other, _, end) in pairwise(placed):
        if one.folded + other.folded in wanted.whole:
            yield composition.original(start, end)


def _is_wanted(word: Word, wanted: _Wanted) -> bool:
    forms = (word.folded, *word.parts, *word.inner, word.transcribed)
    return not wanted.whole.isdisjoint(forms) or word.folded.startswith(wanted.beginnings)


def _rows_within(word: Word, start: int, end: int, rows: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of character runs within a word; the whole word if folding has changed its offsets."""
    for row in rows:
        at = word.folded.find(row)
        while at >= 0:
            kept = len(word.folded) == end - start
            yield (start + at, start + at + len(row)) if kept else (start, end)
            at = word.folded.find(row, at + len(row))


def _apart(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return sorted spans with overlapping ones merged."""
    apart: list[tuple[int, int]] = []
    for start, end in spans:
        if apart and start < apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart
