"""Runs, items, heads and edges: ports.LineageStore over LineageTable (rule R16)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from feedward.adapters.dynamodb.lineage import heads as lineage_heads
from feedward.adapters.dynamodb.lineage import items as lineage_items
from feedward.adapters.dynamodb.lineage import lists as lineage_lists
from feedward.adapters.dynamodb.lineage import runs as lineage_runs
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.lineage.item import Addition, Collected, DuplicateFetch, Edge, Heads, Item
from feedward.lineage.run import OpenRun, ReprocessPlace, Run


class DynamoLineageStore(TableStore):
    """ports.LineageStore. Thread-safe."""

    # --- runs

    def create_run(self, run: Run, urls: Sequence[str] = ()) -> Run:
        """Put a run with the URLs to submit, or return the stored run with this id. Raises InvalidInput."""
        return lineage_runs.create_run(self._tables, run, urls)

    def run(self, run_id: str) -> Run | None:
        """Return the run with the sum of its counters, or None."""
        return lineage_runs.read_run(self._tables, run_id)

    def next_urls(self, run_id: str) -> tuple[int, Sequence[str]] | None:
        """Return the number and the URLs of a chunk that is not submitted yet; None if all are submitted."""
        return lineage_runs.next_urls(self._tables, run_id)

    def handed_rows(self, run_id: str) -> frozenset[str]:
        """Return the ids of the rows of all chunks that were submitted."""
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
        """Delete a submitted chunk, store its rows, count refused URLs and duplicates. False if it was done before."""
        counts = {"refused": refused, "duplicates": duplicates}
        return lineage_runs.urls_done(self._tables, run_id, chunk, rows=rows, counts=counts, now=now)

    def open_runs(self, *, before: int) -> Iterator[OpenRun]:
        """Yield the unfinished runs whose pending mark is older than `before`."""
        return lineage_runs.open_runs(self._tables, before)

    def run_sent_again(self, run: OpenRun, *, now: int) -> None:
        """Count a repeated message of the run and set its pending mark to `now`, if the mark is unchanged."""
        lineage_runs.run_sent_again(self._tables, run, now)

    def reprocess_place(self, run_id: str) -> ReprocessPlace | None:
        """Return the position of a reprocessing run. None if it is finished, or of another kind."""
        return lineage_lists.read_place(self._tables, run_id)

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
        """Move the position of a reprocessing run. Returns False if the position has changed."""
        return lineage_lists.advance(self._tables, run_id, seen, to, pages, refused=refused, done=done, now=now)

    def versions(self, *, scope: str = "") -> Sequence[str]:
        """Return all normalization versions that runs of this tenant have used."""
        return lineage_runs.read_versions(self._tables, scope)

    def runs_of_version(self, version: str, *, scope: str = "", after: str | None = None) -> Iterator[str]:
        """Yield the ids of a tenant's runs of a version, newest first."""
        return lineage_runs.runs_of_version(self._tables, version, scope, after)

    # --- items

    def heads(self, item: Item, page: str) -> Heads:
        """Return the heads that the item meets, and its run's marker of this page."""
        return lineage_heads.read_heads(self._tables, item, page)

    def add(self, addition: Addition) -> Collected | None:
        """Write the addition in one transaction. Returns None if a head has changed. Raises InvalidInput."""
        return lineage_heads.add(self._tables, addition)

    def item(self, item_id: str) -> Item | None:
        """Return the item, or None."""
        return lineage_items.read_item(self._tables, item_id)

    def items(self, item_ids: Sequence[str]) -> Sequence[Item]:
        """Return the items in the order of their ids, without those that are missing."""
        return lineage_items.read_items(self._tables, item_ids)

    def edges(self, item_id: str) -> Sequence[Edge]:
        """Return the edges of an item: first to the items that it supersedes, then from those that supersede it."""
        return lineage_items.read_edges(self._tables, item_id)

    def sightings(self, item_id: str) -> Sequence[DuplicateFetch]:
        """Return the duplicate fetches of an item, oldest first."""
        return lineage_items.read_duplicate_fetches(self._tables, item_id)

    # --- lists

    def items_of_run(self, run_id: str, *, after: str | None = None) -> Iterator[str]:
        """Yield the ids of the items of a run. Raises InvalidInput if `after` is not one of them."""
        return lineage_lists.items_of_run(self._tables, run_id, after)

    def items_of_version(self, version: str, *, scope: str = "", after: str | None = None) -> Iterator[str]:
        """Yield the ids of the items of a version from an index."""
        return lineage_lists.items_of_version(self._tables, version, scope, after)

    def items_of_uri(
        self, canonical_uri: str, version: str, *, scope: str = "", after: str | None = None
    ) -> Iterator[str]:
        """Yield the ids of the items of a URI, newest first."""
        return lineage_lists.items_of_uri(self._tables, canonical_uri, version, scope, after)

    def items_of_content(
        self, content_sha256: str, version: str, *, scope: str = "", after: str | None = None
    ) -> Iterator[str]:
        """Yield the ids of the items of a content, newest first. Items without text are not among them."""
        return lineage_lists.items_of_content(self._tables, content_sha256, version, scope, after)

    def reprocessed(self, item_ids: Sequence[str], version: str) -> Mapping[str, str]:
        """Return, for those of the items that were reprocessed under the version, the resulting item_id."""
        return lineage_lists.read_reprocessed(self._tables, item_ids, version)
