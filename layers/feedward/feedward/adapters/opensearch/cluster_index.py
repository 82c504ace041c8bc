"""Searches an OpenSearch cluster by the plan that every engine runs: ports.DirectoryIndex (rules Q3 to Q8, Q21)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

from feedward.adapters.opensearch.cluster import Cluster
from feedward.adapters.opensearch.query_dsl import LIFT, SPELLED, query_of, reach_of, scored, within
from feedward.deadline import Deadline
from feedward.errors import FeedwardError, SearchUnavailable
from feedward.ports import Clock
from feedward.search.analyser import ANALYSER_VERSION
from feedward.search.condition import Condition, all_of
from feedward.search.index_status import IndexStatus
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
from feedward.search.ranking import points_of, score_parts
from feedward.search.results import SearchFilters, SearchFound, SearchHit
from feedward.search.state_counts import StateCounts, count_states
from feedward.search.typos import closeness, corrected_word, is_one_edit, may_be_mistyped

ANSWER_S: Final = 4.0
"""The time of one answer. A page of results may take four searches and the status."""
_COUNTED_AT_MOST: Final = 200
_NEAR: Final = 50
Place = tuple[float | int | str, ...]


class OpenSearchIndex:
    """The index behind an alias. Thread-safe."""

    def __init__(self, cluster: Cluster, alias: str, clock: Clock) -> None:
        self._cluster, self._alias, self._clock = cluster, alias, clock

    def search(
        self, text: str, filters: SearchFilters, *, limit: int, after: tuple[float | int | str, ...] | None = None
    ) -> SearchFound:
        """Return the feeds that match, best first. Raises SearchUnavailable without an index or a cluster."""
        with self._answering() as cluster:
            name, _ = self._about(cluster)
            return _Search(cluster, self._alias, read_query(text), filters).page(name, limit, after)

    def status(self) -> IndexStatus:
        """Return the status of the index behind the alias. Raises SearchUnavailable as a search does."""
        with self._answering() as cluster:
            name, meta = self._about(cluster)
            documents = self._count(cluster)
        return IndexStatus(
            generation=name,
            documents=documents,
            deltas=0,
            confirmed_at=self._clock.now(),
            rebuilt_at=int(meta.get("rebuilt_at", 0)),
            is_rebuild_wanted=int(meta.get("asked_at", 0)) > int(meta.get("rebuilt_at", 0)),
        )

    def counts_by_state(self) -> StateCounts:
        """Return the number of feeds in each state and of those never fetched, with one request for each."""
        with self._answering() as cluster:
            self._about(cluster)
            return count_states(partial(self._count, cluster))

    @contextmanager
    def _answering(self) -> Iterator[Cluster]:
        """Yield the cluster for one answer, which a caller awaits. Raises SearchUnavailable for its errors."""
        try:
            yield self._cluster.within(Deadline.after(ANSWER_S, self._clock.monotonic))
        except SearchUnavailable:
            raise
        except FeedwardError as error:
            raise SearchUnavailable(f"the search index cannot be read: {error}") from error

    def _count(self, cluster: Cluster, *conditions: Condition) -> int:
        body = {"query": within(conditions, (), ())}
        return int(cluster.ask("POST", f"/{self._alias}/_count", body)["count"])

    def _about(self, cluster: Cluster) -> tuple[str, Mapping[str, Any]]:
        """Return the name of the index and its metadata. Raises SearchUnavailable for an index of another analyser."""
        found = cluster.find("GET", f"/{self._alias}/_mapping")
        if not found:
            raise SearchUnavailable("there is no search index yet")
        name, told = next(iter(found.items()))
        meta: Mapping[str, Any] = told.get("mappings", {}).get("_meta", {})
        if meta.get("analyser") != ANALYSER_VERSION:
            raise SearchUnavailable("the search index was made by another version of feedward")
        if not meta.get("rebuilt_at"):
            raise SearchUnavailable("there is no search index yet")
        return name, meta


class _Search:
    """One search: a request for each tier until the page is full."""

    def __init__(self, cluster: Cluster, alias: str, query: Query, filters: SearchFilters) -> None:
        self._cluster, self._path, self._query = cluster, f"/{alias}/_search", query
        self._required, self._excluded = filters_of(query, filters), excluded_by(query)
        self._corrected: dict[str, str] = {}
        self._ignored = list(query.ignored)
        self._has_found = False

    def page(self, generation: str, limit: int, after: Place | None) -> SearchFound:
        hits: list[SearchHit] = []
        earlier: list[Condition] = []
        for tier in self._tiers():
            found = self._hits(tier, earlier, limit + 1 - len(hits), after)
            if not self._has_found and (found or self._matches(tier)):
                self._has_found = True
                self._ignored += tier.left_out
            hits += found
            earlier.append(reach_of(tier))
            if len(hits) > limit:
                break
        return SearchFound(
            hits=tuple(hits[:limit]),
            has_more=len(hits) > limit,
            corrected=self._corrected,
            ignored=tuple(self._ignored),
            generation=generation,
        )

    def _tiers(self) -> Iterator[Tier]:
        """Yield the tiers of the query; those with corrected words only if nothing was found."""
        words = self._query.words
        if not words:
            if self._required:
                yield Tier("listed", 0, (Stage(0, all_of(*self._required), is_wide=True),))
            return
        yield from tiers_of(self._query)
        if self._has_found:
            return
        unknown = [word for word in words if not self._count(exists(word), at_most=1)]
        corrected = {word: other for word in unknown if (other := self._correction(word))}
        if corrected:
            self._corrected = {word.text: other.text for word, other in corrected.items()}
            words = tuple(corrected.get(word, word) for word in words)
            yield from corrected_tiers(words)
        if not self._has_found:
            single = single_words(words)
            yield from fewer_tiers(single, [word for word in single if self._count(exists(word), at_most=1)])

    def _hits(self, tier: Tier, earlier: list[Condition], size: int, after: Place | None) -> list[SearchHit]:
        """Return the hits of a tier that are in no earlier tier, after a place."""
        base = within(self._required, (*self._excluded, *earlier), ())
        body: dict[str, Any] = {
            "query": scored(tier.stages, base),
            "size": size,
            "track_total_hits": False,
            "_source": ["quality"],
            "sort": [{"_score": "desc"}, {"feed_id": "asc"}],
        }
        if after is not None:
            body["search_after"] = [_lifted(-float(after[0]), tier), str(after[1])]
        found = self._cluster.ask("POST", self._path, body)["hits"]["hits"]
        return [_hit(tier, hit) for hit in found]

    def _matches(self, tier: Tier) -> bool:
        """Return whether a tier has any hit, even on another page: if so, no words are corrected."""
        return self._count(reach_of(tier), at_most=1, required=self._required, excluded=self._excluded) > 0

    def _count(
        self,
        condition: Condition,
        *,
        at_most: int,
        required: tuple[Condition, ...] = (),
        excluded: tuple[Condition, ...] = (),
    ) -> int:
        query = within(required, excluded, [query_of(condition)])
        body = {"query": query, "size": 0, "track_total_hits": at_most}
        total = self._cluster.ask("POST", self._path, body)["hits"]["total"]["value"]
        return min(int(total), at_most)

    def _correction(self, word: QueryWord) -> QueryWord | None:
        """Return the intended word: a word of the index, one edit away, in the names of an existing feed."""
        if not may_be_mistyped(word):
            return None
        asked = word.words[0].folded
        near = [known for known in self._near(asked) if is_one_edit(asked, known)]
        spelled = {known: spelled_in(corrected_word(word, known)) for known in near}
        counted = {known: self._count(condition, at_most=_COUNTED_AT_MOST) for known, condition in spelled.items()}
        ordered = sorted(closeness(asked, known, count) for known, count in counted.items() if count)
        return corrected_word(word, ordered[0][-1]) if ordered else None

    def _near(self, asked: str) -> list[str]:
        term = {"field": SPELLED, "max_edits": 1, "prefix_length": 0, "min_word_length": 1, "size": _NEAR}
        suggest = {"near": {"text": asked, "term": {**term, "suggest_mode": "always", "max_inspections": 10_000}}}
        body = {"size": 0, "track_total_hits": False, "suggest": suggest}
        entries = self._cluster.ask("POST", self._path, body)["suggest"]["near"]
        return [str(option["text"]) for entry in entries for option in entry["options"]]


def _lifted(score: float, tier: Tier) -> float:
    """Return the cluster's own score for a hit with this score in this tier."""
    return score - tier.base + 1 + LIFT


def _hit(tier: Tier, hit: Mapping[str, Any]) -> SearchHit:
    quality = int(hit["_source"]["quality"])
    match = round(float(hit["_score"])) - 1 - LIFT - points_of(quality)
    parts, score = score_parts(tier.base, match, quality)
    feed_id = str(hit["_id"])
    return SearchHit(feed_id=feed_id, score=score, parts=parts, place=(-score, feed_id))
