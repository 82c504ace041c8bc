"""Ports of search: the feeds to index, where their documents go, and the index that answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from feedward.search.document import DocumentChange, FeedDocument
    from feedward.search.found import SearchFilters, SearchFound
    from feedward.search.index_status import IndexStatus, Maintenance
    from feedward.search.indexed_feed import IndexedFeed, Noted


class SearchIndex(Protocol):
    """The index of the directory, as searches read it."""

    def search(
        self, text: str, filters: SearchFilters, *, limit: int, after: tuple[float | int | str, ...] | None = None
    ) -> SearchFound:
        """Return the feeds that match, best first, after a hit's `place`. Never fails for its text.

        Raises SearchUnavailable without an index.
        """
        ...


class DirectoryIndex(SearchIndex, Protocol):
    """The index that the API searches: it is kept current, and says how current it is."""

    def status(self) -> IndexStatus:
        """Return what the last search was answered from. Raises SearchUnavailable without an index."""
        ...

    def counts_by_state(self) -> Mapping[str, int]:
        """Return how many feeds of the index are in each state. Raises SearchUnavailable without an index."""
        ...


class SearchFeed(Protocol):
    """Where changed documents go: deltas in a bucket, or a cluster.

    All methods raise Throttled, StoreUnavailable or Conflict. What was sent before stays.
    """

    def send(self, changes: Sequence[DocumentChange], *, now: int) -> None:
        """Store the changes. The same changes again, or older ones, change nothing."""
        ...

    def rebuild(self, documents: Iterable[FeedDocument], *, now: int) -> int:
        """Replace the index by these documents, which are read from now on. Returns their number.

        What is sent meanwhile stays in the index.
        """
        ...

    def maintenance(self, *, now: int) -> Maintenance:
        """Return the work that the index needs now, and claim it, so that others do not begin the same."""
        ...

    def compact(self, *, now: int) -> int:
        """Make one base of the base and its deltas, without reading the tables. Returns the number of documents."""
        ...

    def ask_for_rebuild(self, *, now: int) -> int:
        """Note that the index is to be rebuilt: the next maintenance says so. Returns the noted time."""
        ...


class IndexedFeeds(Bounded, Protocol):
    """Feeds as they are indexed, and what was last sent of each. All raise Throttled or StoreUnavailable."""

    def read(self, feed_ids: Sequence[str]) -> Sequence[IndexedFeed]:
        """Return these feeds from consistent reads, each with its current version. Unknown ones are among them."""
        ...

    def shared(self) -> Iterator[IndexedFeed]:
        """Yield all shared feeds of the directory. Pages are read lazily."""
        ...

    def note(self, notes: Mapping[str, Noted]) -> None:
        """Note what was last sent of each feed, by feed_id."""
        ...
