"""Ports of search: the index that answers, and the files that it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Iterable

    from feedward.search.document import DocumentChange
    from feedward.search.found import SearchFilters, SearchFound


class SearchIndex(Protocol):
    """The index of the directory, as searches read it."""

    def search(
        self, text: str, filters: SearchFilters, *, limit: int, after: tuple[float | int | str, ...] | None = None
    ) -> SearchFound:
        """Return the feeds that match, best first, after a hit's `place`. Never fails for its text.

        Raises SearchUnavailable without an index.
        """
        ...


class SearchFeed(Protocol):
    """Where changed documents go: deltas in a bucket, or a cluster."""

    def send(self, changes: Iterable[DocumentChange], *, now: int) -> None:
        """Store the changes. The same changes again, or older ones, change nothing."""
        ...
