"""Runs, items, heads and edges in LineageTable: ports.LineageStore (rule R16)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from feedward.adapters.dynamodb.lineage import heads as lineage_heads
from feedward.adapters.dynamodb.lineage import items as lineage_items
from feedward.adapters.dynamodb.lineage import lists as lineage_lists
from feedward.adapters.dynamodb.lineage import lists as lineage_reprocessing
from feedward.adapters.dynamodb.lineage import runs as lineage_run_birth
from feedward.adapters.dynamodb.lineage import runs as lineage_runs
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.lineage.item import Addition, Collected, DuplicateFetch, Edge, Heads, Item
from feedward.lineage.run import OpenRun, ReprocessPlace, Run


class DynamoLineageStore(TableStore):
    """ports.LineageStore. One object serves all threads."""

    # --- runs

    def create_run(self, run: Run, urls: Sequence[str] = ()) -> Run:
        """Put a run with the URLs that it has still to hand on, or return the one of this id. Raises InvalidInput."""
        return lineage_run_birth.create_run(self._tables, run, urls)

    def run(self, run_id: str) -> Run | None:
        """Return the run with its counters added up, or None."""
        return lineage_runs.read_run(self._tables, run_id)

    def next_urls(self, run_id: str) -> tuple[int, Sequence[str]] | None:
        """Return a chunk of URLs that the run has still to hand on, with its number; None when none is left."""
        return lineage_runs.next_urls(self._tables, run_id)

    def handed_rows(self, run_id: str) -> frozenset[str]:
        """Return the ids of the rows that the chunks which were struck off came to."""
        return lineage_runs.handed_rows(self._tables, run_id)

    def urls_done(
        self,
        run_id: str,
        chunk: int,
        *,
        rows: Collection[str] = (),
        refused: int = 0,
        duplicates: int = 0,
        now: int,
    ) -> bool:
        """Strike a chunk off with the rows that it came to, and count what is no page of its own; False: it was."""
        counts = {"refused": refused, "duplicates": duplicates}
        return lineage_runs.urls_done(self._tables, run_id, chunk, rows=rows, counts=counts, now=now)

    def open_runs(self, *, before: int) -> Iterator[OpenRun]:
        """Yield the runs that have work left and that nobody worked on since before then."""
        return lineage_runs.open_runs(self._tables, before)

    def run_sent_again(self, run: OpenRun, *, now: int) -> None:
        """Count a message that was sent for the run and set its mark to now, if nobody took it up meanwhile."""
        lineage_runs.run_sent_again(self._tables, run, now)

    def reprocess_place(self, run_id: str) -> ReprocessPlace | None:
        """Return how far a reprocessing run is; None if it is through, or is none."""
        return lineage_reprocessing.read_place(self._tables, run_id)

    def reprocess_advanced(
        self,
        run_id: str,
        seen: ReprocessPlace,
        *,
        to: str | None,
        pages: int,
        refused: int,
        done: bool,
        now: int,
    ) -> bool:
        """Say how far a reprocessing run is now; False where its place is another one by now."""
        return lineage_reprocessing.advance(self._tables, run_id, seen, to, pages, refused=refused, done=done, now=now)

    def versions(self, *, scope: str = "") -> Sequence[str]:
        """Return all normalization versions that a run of this tenant was ever made under."""
        return lineage_run_birth.read_versions(self._tables, scope)

    # --- what is collected

    def heads(self, item: Item, page: str) -> Heads:
        """Return the heads that the item meets, and what its run has of this page."""
        return lineage_heads.read_heads(self._tables, item, page)

    def add(self, addition: Addition) -> Collected | None:
        """Write the addition in one transaction; None: a head is another one by now. Raises InvalidInput."""
        return lineage_heads.add(self._tables, addition)

    def item(self, item_id: str) -> Item | None:
        """Return the item, or None."""
        return lineage_items.read_item(self._tables, item_id)

    def edges(self, item_id: str) -> Sequence[Edge]:
        """Return the edges of an item: to what it supersedes, then from what supersedes it."""
        return lineage_items.read_edges(self._tables, item_id)

    def sightings(self, item_id: str) -> Sequence[DuplicateFetch]:
        """Return how often and where an item was met again, oldest first."""
        return lineage_items.read_duplicate_fetches(self._tables, item_id)

    # --- lists

    def items_of_run(self, run_id: str, *, after: str | None = None) -> Iterator[str]:
        """Yield the ids of the items that a run made. Raises InvalidInput (`after`) for what is none of them."""
        return lineage_lists.items_of_run(self._tables, run_id, after)

    def items_of_version(self, version: str, *, scope: str = "", after: str | None = None) -> Iterator[str]:
        """Yield the ids of the items of a version, by an index."""
        return lineage_lists.items_of_version(self._tables, version, scope, after)

    def reprocessed(self, item_ids: Sequence[str], version: str) -> Mapping[str, str]:
        """Return, of these items, those that were made again under the version, with what they became."""
        return lineage_reprocessing.read_reprocessed(self._tables, item_ids, version)
