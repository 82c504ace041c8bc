"""Searches an index file: runs the plan of a query, tier by tier, until a page is full (rules Q3 to Q8)."""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Lock

from feedward.adapters.search.sqlite_apply import words_like
from feedward.adapters.search.sqlite_reader import (
    NAME_INDEX,
    Found,
    IndexReader,
    TooMuchWork,
    expression,
    has_changes,
    in_order,
)
from feedward.adapters.search.sqlite_schema import about, open_index
from feedward.errors import SearchUnavailable
from feedward.search.condition import Condition, Without, all_of, any_of
from feedward.search.query import Query, QueryWord, read_query
from feedward.search.query_plan import (
    Stage,
    Tier,
    corrected_tiers,
    excluded_by,
    exists,
    filters_of,
    spelled_in,
    tiers_of,
)
from feedward.search.query_relaxation import fewer_tiers, single_words
from feedward.search.ranking import CANONICAL, score_parts
from feedward.search.results import SearchFilters, SearchFound, SearchHit
from feedward.search.state_counts import StateCounts, count_states
from feedward.search.typos import closeness, corrected_word, is_one_edit, may_be_mistyped

MOST_PLACES = 1000
"""The depth to which results can be paged: a caller that needs more needs a list."""
_CANDIDATES_COUNTED = 200
_STEPS_AT_ONCE = 5_000
_COUNT = "SELECT count(*) FROM name_index CROSS JOIN docs ON docs.id = name_index.rowid WHERE name_index MATCH ?"
_MOST_CALLS = 400


class SqliteSearchIndex:
    """A `SearchIndex` of one file. It sees the changes that `apply` writes to the file.

    It releases the file when it is closed or garbage-collected.
    """

    def __init__(self, path: Path) -> None:
        """Open the index. Raises SearchUnavailable if it cannot be read, or if another analyser made it."""
        self._connection = open_index(path)
        weakref.finalize(self, self._connection.close)
        self._lock = Lock()
        self.generation = about(self._connection, "generation")

    def search(
        self, text: str, filters: SearchFilters, *, limit: int, after: tuple[float | int | str, ...] | None = None
    ) -> SearchFound:
        """Return the feeds that match, best first, after a hit's `place`. Raises SearchUnavailable for a bad file."""
        query = read_query(text)
        with self._lock:
            try:
                with _one_view(self._connection):
                    return _Search(self._connection, query, filters, self.generation).page(limit, after)
            except sqlite3.Error as error:
                raise SearchUnavailable(f"the search index cannot be read: {error}") from error

    def counts_by_state(self) -> StateCounts:
        """Return how many feeds are in each state, and were never fetched. Raises SearchUnavailable for a bad file."""
        with self._lock:
            try:
                return count_states(partial(_count_of, self._connection))
            except sqlite3.Error as error:
                raise SearchUnavailable(f"the search index cannot be read: {error}") from error

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


@contextmanager
def _one_view(connection: sqlite3.Connection) -> Iterator[None]:
    """Read all statements within from one state of the file, which is locked once instead of for each of them."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.commit()


class _Search:
    """One search. `corrected` and `ignored` are complete once its hits were read."""

    def __init__(self, connection: sqlite3.Connection, query: Query, filters: SearchFilters, generation: str) -> None:
        self._connection = connection
        self._query = query
        self._generation = generation
        self._required = filters_of(query, filters)
        changed = has_changes(connection)
        self._reader = IndexReader(connection, self._required, excluded_by(query), has_changes=changed)
        self._everything = IndexReader(connection, has_changes=changed)
        self._corrected: dict[str, str] = {}
        self._ignored = list(query.ignored)
        self._calls = 0
        self._is_cut = False

    def page(self, limit: int, after: tuple[float | int | str, ...] | None) -> SearchFound:
        hits: list[SearchHit] = []
        self._connection.set_progress_handler(self._is_too_long, _STEPS_AT_ONCE)
        try:
            for hit in self._hits():
                if after is None or hit.place > after:
                    hits.append(hit)
                if len(hits) > limit:
                    break
        except TooMuchWork:
            self._is_cut = True
        except sqlite3.OperationalError as error:
            if "interrupted" not in str(error):
                raise
            self._is_cut = True
        finally:
            self._connection.set_progress_handler(None, 0)
        return SearchFound(
            hits=tuple(hits[:limit]),
            has_more=len(hits) > limit,
            is_partial=self._is_cut,
            corrected=self._corrected,
            ignored=tuple(self._ignored),
            generation=self._generation,
        )

    def _is_too_long(self) -> bool:
        self._calls += 1
        return self._calls > _MOST_CALLS

    def _hits(self) -> Iterator[SearchHit]:
        """Yield each hit once, in order."""
        seen: set[int] = set()
        for tier in self._tiers(seen):
            for found in self._rows_of(tier):
                if found.row in seen:
                    continue
                seen.add(found.row)
                if len(seen) == 1:
                    self._ignored += tier.left_out
                yield _hit(tier, found)
                if len(seen) == MOST_PLACES:
                    self._is_cut = True
                    return

    def _rows_of(self, tier: Tier) -> Iterator[Found]:
        """Yield the rows of a tier in order, each row once per matching stage."""
        stages = sorted(tier.stages, key=lambda stage: -stage.points)
        wide = [place for place, stage in enumerate(stages) if stage.is_wide]
        openers = [self._opener(stage, slot) for slot, stage in enumerate(stages, 1)]
        if len(wide) == 1:
            rows = openers[wide[0]]()
            first = next(rows, None)
            openers[wide[0]] = partial(chain, [first] if first else [], rows)
            matches = first is not None
        else:
            matches = self._reader.exists(any_of(*(_widest(stages[place].condition) for place in wide)))
        bounds = [stage.points + CANONICAL for stage in stages]
        return in_order(list(zip(bounds, openers, strict=True))) if matches else iter(())

    def _opener(self, stage: Stage, slot: int) -> Callable[[], Iterator[Found]]:
        return partial(self._reader.rows, stage.condition, stage.points, slot=slot)

    def _tiers(self, seen: set[int]) -> Iterator[Tier]:
        """Yield the tiers of the query; those with corrected words only if nothing was seen."""
        words = self._query.words
        if not words:
            if self._required:
                yield Tier("listed", 0, (Stage(0, all_of(*self._required), is_wide=True),))
            return
        yield from tiers_of(self._query)
        if seen:
            return
        unknown = [word for word in words if not self._everything.exists(exists(word))]
        corrected = {word: other for word in unknown if (other := self._correction(word))}
        if corrected:
            self._corrected = {word.text: other.text for word, other in corrected.items()}
            words = tuple(corrected.get(word, word) for word in words)
            yield from corrected_tiers(words)
        if not seen:
            single = single_words(words)
            yield from fewer_tiers(single, [word for word in single if self._everything.exists(exists(word))])

    def _correction(self, word: QueryWord) -> QueryWord | None:
        """Return the intended word: a word of the index, one edit away, in the names of an existing feed."""
        if not may_be_mistyped(word):
            return None
        asked = word.words[0].folded
        near = [known for known in words_like(self._connection, asked) if is_one_edit(asked, known)]
        counted = [(known, self._count(corrected_word(word, known))) for known in near]
        ordered = sorted(closeness(asked, known, count) for known, count in counted if count)
        return corrected_word(word, ordered[0][-1]) if ordered else None

    def _count(self, word: QueryWord) -> int:
        rows = self._everything.rows(spelled_in(word))
        return sum(1 for _, _ in zip(range(_CANDIDATES_COUNTED), rows, strict=False))


def _count_of(connection: sqlite3.Connection, condition: Condition) -> int:
    """Return the number of documents that fulfil a condition. A row without its document is dead (rule Q14)."""
    (count,) = connection.execute(_COUNT, (expression(condition, NAME_INDEX),)).fetchone()
    return int(count)


def _widest(condition: Condition) -> Condition:
    return condition.wanted if isinstance(condition, Without) else condition


def _hit(tier: Tier, found: Found) -> SearchHit:
    parts, score = score_parts(tier.base, found.match, found.quality)
    return SearchHit(feed_id=found.feed_id, score=score, parts=parts, place=(-score, found.feed_id))
