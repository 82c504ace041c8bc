"""Answers searches: feeds from the index, each read again before it is returned (rules Q10 to Q14)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, Protocol, TypeAlias

from feedward.access.caller import Caller
from feedward.deadline import Deadline
from feedward.errors import InvalidInput, SearchUnavailable
from feedward.health.directory_feed import DirectoryFeed
from feedward.page_cursor import decode_cursor, encode_cursor, is_text, is_ulid
from feedward.ports import Clock, FeedReader, FeedStore
from feedward.ports.search import DirectoryIndex, SearchFeed
from feedward.search.document import is_found_by_search
from feedward.search.highlights import Highlight, highlights_of, item_highlights
from feedward.search.index_status import IndexStatus
from feedward.search.results import FeedSearch, SearchFound, SearchHit
from feedward.services.search.look_up import feeds_at, has_facets

ANSWER_S: Final = 10.0
# Feeds removed since they were indexed are replaced by further hits, in at most this many rounds.
_ROUNDS: Final = 4
# Higher than any tier of the index.
_REGISTRY_SCORE: Final = 1_000_000.0
Place: TypeAlias = tuple[float | int | str, ...]


class SearchPorts(Protocol):
    """Ports of a search. bootstrap.Services implements them; tests bring their own."""

    @property
    def search_index(self) -> DirectoryIndex: ...
    @property
    def search_feed(self) -> SearchFeed: ...
    @property
    def feed_reader(self) -> FeedReader: ...
    @property
    def store(self) -> FeedStore: ...
    @property
    def clock(self) -> Clock: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFeed:
    """A found feed in its current state. `parts` are the parts of its score by name."""

    feed: DirectoryFeed
    score: float
    parts: Mapping[str, float]
    highlights: tuple[Highlight, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPage:
    """A page of found feeds, best first. `cursor` is None on the last one; the others are those of SearchFound.

    `index_age_s` are the seconds since the index was last known to be current, None if only the registry answered.
    `shows_parts`: the parts of the scores were requested.
    """

    results: tuple[FoundFeed, ...]
    cursor: str | None
    is_partial: bool = False
    corrected: Mapping[str, str] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    index_age_s: int | None = None
    shows_parts: bool = False


def search_feeds(caller: Caller, search: FeedSearch, *, ports: SearchPorts) -> FoundPage:
    """Return the matching feeds (GET /v1/search). Only shared feeds are found (rule Q12), and the caller's own by their
    addresses.

    Raises SearchUnavailable without an index, InvalidInput (`cursor`), and the errors of the stores.
    """
    now, reader = ports.clock.now(), ports.feed_reader.within(Deadline.after(ANSWER_S))
    pasted = feeds_at(caller.tenant_id, search.q, ports=ports, now=now)
    addressed = [feed for feed in pasted if has_facets(feed, search.filters)]
    first = [_of_registry(feed, search.q) for feed in addressed[: search.limit]] if search.cursor is None else []
    page = _Page(search, left=search.limit - len(first), seen=frozenset(feed.feed_id for feed in addressed))
    try:
        found = page.fill(ports.search_index, reader)
        age_s = ports.search_index.status().age_s(now)
    except SearchUnavailable:
        if not first:
            raise
        return FoundPage(results=tuple(first), cursor=None, is_partial=True, shows_parts=search.parts)
    return FoundPage(
        results=(*first, *page.results),
        cursor=page.cursor(found.generation),
        is_partial=found.is_partial,
        corrected=found.corrected,
        ignored=found.ignored,
        index_age_s=age_s,
        shows_parts=search.parts,
    )


def ask_for_rebuild(_caller: Caller, *, ports: SearchPorts) -> int:
    """Request a rebuild of the index (POST /v1/search/rebuild). Returns the time of the request."""
    return ports.search_feed.ask_for_rebuild(now=ports.clock.now())


def index_status(_caller: Caller, *, ports: SearchPorts) -> tuple[IndexStatus, int]:
    """Return the status of the searched index, and the time (GET /v1/search/index). Raises SearchUnavailable."""
    return ports.search_index.status(), ports.clock.now()


# --- the index -----------------------------------------------------------------------------------------


class _Page:
    """The part of a page from the index: `left` feeds that may still be added, without those of `seen`."""

    def __init__(self, search: FeedSearch, *, left: int, seen: frozenset[str]) -> None:
        self._search, self._left, self._seen = search, left, seen
        self._after = _place(_name(search), search.cursor)
        self._has_more = False
        self.results: list[FoundFeed] = []

    def fill(self, index: DirectoryIndex, reader: FeedReader) -> SearchFound:
        """Take feeds from the index until the page is full. Returns the index's last answer."""
        search = self._search
        for _ in range(_ROUNDS):
            found = index.search(search.q, search.filters, limit=max(self._left, 1), after=self._after)
            self._has_more = found.has_more
            self._take(found, reader)
            if not self._has_more or not self._left:
                break
        return found

    def cursor(self, generation: str) -> str | None:
        """Return the cursor of the next page. Its position is null before the first hit."""
        return encode_cursor(_name(self._search), generation, json.dumps(self._after)) if self._has_more else None

    def _take(self, found: SearchFound, reader: FeedReader) -> None:
        wanted = [hit.feed_id for hit in found.hits if hit.feed_id not in self._seen]
        feeds = reader.feeds(wanted, tenant_id=None) if wanted else {}
        shown: list[tuple[SearchHit, DirectoryFeed]] = []
        for hit in found.hits:
            if not self._left:
                self._has_more = True
                break
            self._after = hit.place
            feed = feeds.get(hit.feed_id)
            if feed is not None and _is_wanted(feed, self._search):
                shown.append((hit, feed))
                self._left -= 1
        self.results += _with_highlights(shown, self._search.q, found.corrected, reader)


def _is_wanted(feed: DirectoryFeed, search: FeedSearch) -> bool:
    """Return whether the feed in its current state may be returned, whatever the index contains (rule Q12)."""
    return is_found_by_search(feed) and search.filters.state in (None, feed.health.state)


def _with_highlights(
    shown: Sequence[tuple[SearchHit, DirectoryFeed]], q: str, corrected: Mapping[str, str], reader: FeedReader
) -> Iterator[FoundFeed]:
    """Yield found feeds with their highlights. The titles of items are read if no other field of a feed matches."""
    marks = [highlights_of(q, feed, corrected) for _, feed in shown]
    unmarked = [feed.feed_id for (_, feed), found in zip(shown, marks, strict=True) if not found]
    items = reader.recent(unmarked) if unmarked else {}
    for (hit, feed), found in zip(shown, marks, strict=True):
        titles = [each.item.title or "" for each in items.get(feed.feed_id, ())]
        of_items = item_highlights(q, titles, corrected)
        yield FoundFeed(feed=feed, score=hit.score, parts=hit.parts, highlights=found or of_items)


def _of_registry(feed: DirectoryFeed, q: str) -> FoundFeed:
    return FoundFeed(
        feed=feed, score=_REGISTRY_SCORE, parts={"registry": _REGISTRY_SCORE}, highlights=highlights_of(q, feed, {})
    )


# --- cursors -------------------------------------------------------------------------------------------


def _name(search: FeedSearch) -> str:
    """Return the list that a cursor belongs to: another search has another order."""
    filters = search.filters
    asked = json.dumps([search.q, filters.language, filters.state, filters.topic])
    return f"search {sha256(asked.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _place(name: str, cursor: str | None) -> Place | None:
    """Return the position in a cursor. Raises InvalidInput (`cursor`).

    A score depends only on the document, so a position stays valid in later generations of the index (rule Q10).
    """
    if cursor is None:
        return None
    _generation, said = decode_cursor(name, cursor, parts=(is_text, is_text))
    return _read(said)


def _read(said: str) -> Place | None:
    try:
        place: Any = json.loads(said)
    except ValueError:
        place = ()
    if place is not None and not _is_place(place):
        raise InvalidInput("cursor", "not a cursor of this list")
    return tuple(place) if place is not None else None


def _is_place(place: Any) -> bool:
    """Return whether this is a place of a hit: its negative score, and the feed."""
    if not (isinstance(place, list) and len(place) == 2 and is_ulid(place[1])):
        return False
    return type(place[0]) in (int, float) and abs(place[0]) <= _REGISTRY_SCORE
