"""The positions of a query's words in the displayed fields of a feed: offsets, never markup (rule Q11). Pure.

Offsets count code points of the stored text. JavaScript counts UTF-16 units: Array.from(text) counts code points.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from typing import Final

from feedward.health.directory_feed import DirectoryFeed
from feedward.search.analyser import Word, composed, placed_words
from feedward.search.fields import joined
from feedward.search.folding import MARKS
from feedward.search.query import PREFIX_CHARS, read_query
from feedward.urls.secrets import mask_tokens

# A sign and the characters that may combine with it: marks, Hangul vowels and finals, half-width kana marks.
_CLUSTER = re.compile(rf".[{MARKS}\u1160-\u11ff\uff9e\uff9f]*", re.DOTALL)
TEXT_CHARS = 4000
_AT_MOST: Final = 50
_ITEMS: Final = 3


@dataclass(frozen=True, slots=True)
class Composition:
    """A composed text. `starts` and `ends` are the original offsets of each character; empty if they are unchanged."""

    text: str
    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the stored text's range for a non-empty range of the composed text."""
        return (self.starts[start], self.ends[end - 1]) if self.starts else (start, end)


def composed_with_offsets(text: str) -> Composition:
    """Return the composed text and the original offsets of its characters."""
    whole = composed(text)
    if whole == text.replace("´", "'").replace("_", " "):
        return Composition(whole)
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in _CLUSTER.finditer(text):
        part = composed(match[0])
        parts.append(part)
        starts += [match.start()] * len(part)
        ends += [match.end()] * len(part)
    if "".join(parts) != whole:  # signs compose across clusters: rare; offsets then cover whole words
        return Composition(whole, (0,) * len(whole), (len(text),) * len(whole))
    return Composition(whole, tuple(starts), tuple(ends))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlight:
    """A word of the query in a field: from code point `start` up to `end` (exclusive).

    `text` is the text of the offsets if it is not a field of the feed: an item's title.
    """

    field: str
    start: int
    end: int
    text: str | None = None


def highlights_of(query: str, feed: DirectoryFeed, corrected: Mapping[str, str]) -> tuple[Highlight, ...]:
    """Return the highlights of a found feed, field by field, in order; those of its URL as displayed (rule T4).

    `corrected` names the words that the search corrected.
    """
    texts = feed.texts
    fields = (("title", texts.title), ("url", mask_tokens(feed.url)), ("description", texts.description))
    return tuple(_marks(query, ((name, text, None) for name, text in fields if text), corrected))


def item_highlights(query: str, titles: Sequence[str], corrected: Mapping[str, str]) -> tuple[Highlight, ...]:
    """Return the highlights of the titles of a feed's items, for the first few with any."""
    marked = [marks for title in titles if (marks := list(_marks(query, [("item_title", title, title)], corrected)))]
    return tuple(mark for marks in marked[:_ITEMS] for mark in marks)


def _marks(
    query: str, texts: Iterable[tuple[str, str, str | None]], corrected: Mapping[str, str]
) -> Iterator[Highlight]:
    found = (
        Highlight(field=name, start=start, end=end, text=told)
        for name, text, told in texts
        for start, end in highlights(query, text, corrected)
    )
    return islice(found, _AT_MOST)
