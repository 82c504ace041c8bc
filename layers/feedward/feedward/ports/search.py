"""Ports of search: the feeds to index, the target of their documents, and the searchable index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from feedward.search.document import DocumentChange, FeedDocument
    from feedward.search.index_status import IndexStatus, Maintenance
    from feedward.search.indexed_feed import IndexedFeed, Noted
    from feedward.search.results import SearchFilters, SearchFound
    from feedward.search.state_counts import StateCounts


class SearchIndex(Protocol):
    """The index of the directory, for searches."""

    def search(
        self, text: str, filters: SearchFilters, *, limit: int, after: tuple[float | int | str, ...] | None = None
    ) -> SearchFound:
        """Return the matching feeds, best first, after a hit's `place`. No search text makes it fail.

        Raises SearchUnavailable without an index.
        """
        ...


class DirectoryIndex(SearchIndex, Protocol):
    """The index that the API searches: it is kept current, and reports its age."""

    def status(self) -> IndexStatus:
        """Return the status of the index at the last search. Raises SearchUnavailable without an index."""
        ...

    def counts_by_state(self) -> StateCounts:
        """Return the number of indexed feeds by state. Raises SearchUnavailable without an index."""
        ...


class SearchFeed(Bounded, Protocol):
    """The target of changed documents: deltas in a bucket, or a cluster.

    All methods raise Throttled, StoreUnavailable or Conflict. Documents that were sent before stay.
    """

    def send(self, changes: Sequence[DocumentChange], *, now: int) -> None:
        """Store the changes. Repeated and older changes have no effect."""
        ...

    def rebuild(self, documents: Iterable[FeedDocument], *, now: int) -> int:
        """Replace the index with these documents, which are read from now on. Returns their number.

        Changes that are sent meanwhile stay in the index.
        """
        ...

    def maintenance(self, *, now: int) -> Maintenance:
        """Return the maintenance that the index needs now, and claim it for this caller."""
        ...

    def compact(self, *, now: int) -> int:
        """Merge the base and its deltas into a new base, without reading the tables. Returns its number of
        documents."""
        ...

    def ask_for_rebuild(self, *, now: int) -> int:
        """Request a rebuild of the index at the next maintenance. Returns the stored time."""
        ...


class IndexedFeeds(Bounded, Protocol):
    """Feeds as indexed, and the last sent version of each. All raise Throttled or StoreUnavailable."""

    def read(self, feed_ids: Sequence[str]) -> Sequence[IndexedFeed]:
        """Return these feeds from consistent reads, each with its current version. Unknown feeds are included."""
        ...

    def shared(self) -> Iterator[IndexedFeed]:
        """Yield all shared feeds of the directory. Pages are read lazily."""
        ...

    def note(self, notes: Mapping[str, Noted]) -> None:
        """Store the last sent version of each feed, by feed_id."""
        ...
