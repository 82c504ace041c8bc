"""Ports of collecting: frontier rows, runs and items, re-keying, bodies and robots.txt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from feedward.frontier.row import FailedParams, FetchedParams, FrontierRow, Submitted
    from feedward.lineage.item import Addition, Collected, DuplicateFetch, Edge, Heads, Item
    from feedward.lineage.run import OpenRun, ReprocessPlace, Run
    from feedward.urls.rekey import Duplicate, OutdatedUrl, RegistryPage, Rekeying, RekeyPlan, RekeyResult


class FrontierStore(Bounded, Protocol):
    """Rows of the frontier (rules R15, F5). All raise Throttled, Conflict or StoreUnavailable.

    Updates use optimistic locking on the row's rev. They return None if the write was applied, also if it was applied
    by an attempt whose response was lost. Otherwise they return the current row, and the caller decides again.
    """

    def known(self, url_hashes: Collection[str]) -> Mapping[str, FrontierRow]:
        """Return the rows that have these hashes, by hash; a row that was put a moment ago may be missing."""
        ...

    def submit(self, row: FrontierRow, *, known: FrontierRow | None = None) -> Submitted:
        """Operation Frontier submit: claim the URL's hash for the row and put the row, or return the row that has it.

        `known` is the row that has the hash as far as the caller knows; it may have changed since.

        If a row has the hash, the runs of `row` are added to its waiting runs, and it becomes due at
        `row.next_fetch_at` unless it is due earlier. Without runs nothing is written. Raises InvalidInput (`url`) if
        the maximum number of runs wait for the row.
        """
        ...

    def find(self, urls: Sequence[str], *, owner: str | None = None) -> Mapping[str, str]:
        """Return the row_id by URL; URLs without a row are left out. Aliases of moved rows are resolved."""
        ...

    def row(self, row_id: str) -> FrontierRow | None:
        """Return the row from a consistent read, or None."""
        ...

    def update_fetched(self, seen: FrontierRow, params: FetchedParams) -> FrontierRow | None:
        """Mark the row as fetched. The URL stays, except for the spelling in `params.url`."""
        ...

    def update_fetched_with_final_url(
        self, seen: FrontierRow, final_url: str, params: FetchedParams
    ) -> FrontierRow | None:
        """Operation Move: one transaction claims the final URL's hash for the row and sets url, url_hash and host
        (rule I2).

        The old hash keeps its row_id as an alias. If another row has the new hash, this row is marked as fetched, keeps
        its URL and stores `final_url`; this is a success. Raises InvalidInput (`final_url`) for a URL that cannot be
        fetched; nothing is written then (rule F4).
        """
        ...

    def update_failed(self, seen: FrontierRow, params: FailedParams) -> FrontierRow | None:
        """Mark the row as failed or dead. Counters of runs that end with it change in the same transaction."""
        ...

    def postpone(self, seen: FrontierRow, to: int) -> FrontierRow | None:
        """Reschedule the row to `to` (epoch seconds) because its host is busy. Nothing else changes."""
        ...

    def listed(self, *, last_error: str, after: str | None = None) -> Iterator[FrontierRow]:
        """Yield the shared rows with this last_error from an index, in a stable order.

        `after` is the row_id at which the last page ended.
        """
        ...


class LineageStore(Bounded, Protocol):
    """Runs, items, heads and edges (rule R16). All raise Throttled, Conflict or StoreUnavailable."""

    def create_run(self, run: Run, urls: Sequence[str] = ()) -> Run:
        """Put a run with the URLs to submit to the frontier, or return the stored run with this id."""
        ...

    def run(self, run_id: str) -> Run | None:
        """Return the run with the sum of its counters, or None."""
        ...

    def next_urls(self, run_id: str) -> tuple[int, Sequence[str]] | None:
        """Return the number and the URLs of a chunk that is not submitted yet; None if none is left."""
        ...

    def handed_rows(self, run_id: str) -> frozenset[str]:
        """Return the ids of the rows of all chunks that were submitted."""
        ...

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
        """Delete a submitted chunk and store its `rows`, once. The last chunk sets the run's `started`.

        Its `refused` URLs and its `duplicates` are added to the counters. The pending mark of the run is set to `now`
        (epoch seconds) and is deleted with the last chunk. Returns False if the chunk was deleted before: the rows and
        counts of the first call stand.
        """
        ...

    def open_runs(self, *, before: int) -> Iterator[OpenRun]:
        """Yield the unfinished runs whose pending mark is older than `before` (epoch seconds; rule I7).

        These are runs with URLs to submit, and reprocessing runs with items of the older run left.
        """
        ...

    def run_sent_again(self, run: OpenRun, *, now: int) -> None:
        """Count a repeated message of the run and set its pending mark to `now`, if the mark is unchanged."""
        ...

    def reprocess_place(self, run_id: str) -> ReprocessPlace | None:
        """Return the position of a reprocessing run. None if it is finished, of another kind, or unknown."""
        ...

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
        """Move the position behind the older run's item `to`, after a step of `pages` items.

        `refused` of them cannot be reprocessed; they are added to the counters. `done`: there are no more items. This
        sets the run's `pages` and `started` and deletes its pending mark; otherwise the mark is set to `now`. Returns
        False, and writes nothing, if the position has changed.
        """
        ...

    def heads(self, item: Item, page: str) -> Heads:
        """Return the URI head and the content head that match the item, and its run's marker of this page.

        The read is consistent.
        """
        ...

    def add(self, addition: Addition) -> Collected | None:
        """Write the addition in one transaction with the marker, the heads and the counters.

        Returns None if a head has changed: the caller reads and decides again. If the marker exists, returns its
        result with `repeated` set.
        """
        ...

    def item(self, item_id: str) -> Item | None:
        """Return the item, or None."""
        ...

    def items(self, item_ids: Sequence[str]) -> Sequence[Item]:
        """Return up to 100 items in the order of their ids, without those that are missing, by one read."""
        ...

    def edges(self, item_id: str) -> Sequence[Edge]:
        """Return the edges of an item: first to the items that it supersedes, then from those that supersede it."""
        ...

    def sightings(self, item_id: str) -> Sequence[DuplicateFetch]:
        """Return the duplicate fetches of an item, oldest first, at most a few hundred."""
        ...

    def items_of_run(self, run_id: str, *, after: str | None = None) -> Iterator[str]:
        """Yield the ids of the items of a run in a stable order, after the item_id `after`."""
        ...

    def items_of_version(self, version: str, *, scope: str = "", after: str | None = None) -> Iterator[str]:
        """Yield the ids of the items of a version from an index, after the item_id `after`."""
        ...

    def items_of_uri(
        self, canonical_uri: str, version: str, *, scope: str = "", after: str | None = None
    ) -> Iterator[str]:
        """Yield the ids of the items of a URI in a version, newest first, after the item_id `after`.

        Each costs one read, for they are found by following their edges.
        """
        ...

    def items_of_content(
        self, content_sha256: str, version: str, *, scope: str = "", after: str | None = None
    ) -> Iterator[str]:
        """Yield the ids of the items of a content as `items_of_uri` does. Items without text are left out (rule L4)."""
        ...

    def runs_of_version(self, version: str, *, scope: str = "", after: str | None = None) -> Iterator[str]:
        """Yield the ids of a tenant's runs of a version, newest first, after the run_id `after`."""
        ...

    def versions(self, *, scope: str = "") -> Sequence[str]:
        """Return all normalization versions that runs of this tenant have used; an empty scope means shared runs."""
        ...

    def reprocessed(self, item_ids: Sequence[str], version: str) -> Mapping[str, str]:
        """Return, for those of the items that were reprocessed under the version, the resulting item_id."""
        ...


class RekeyStore(Bounded, Protocol):
    """Registry rows with URL keys of older versions (rule C4). All raise Throttled, Conflict or StoreUnavailable.

    A lease gives the job of a version to one worker at a time. All writes are idempotent, so a job can be resumed after
    its worker was killed.
    """

    def rekeying(self, version: str) -> Rekeying:
        """Return the state of the job for this version; the start if it has not begun."""
        ...

    def take(self, version: str, *, holder: str, now: int, lease_until: int) -> Rekeying | None:
        """Take the lease for `holder`. Returns None if the job is done or another lease is valid at `now`."""
        ...

    def outdated(self, held: Rekeying, *, at_most: int) -> RegistryPage:
        """Read up to `at_most` registry rows after the job's position. Returns the outdated ones with their owners."""
        ...

    def rekey(self, url: OutdatedUrl, plan: RekeyPlan, *, version: str) -> RekeyResult:
        """Claim the plan's hashes, update the owners' hashes, mark and count the row. The row stays as an alias.

        A hash of another owner is a duplicate: it is stored and returned, and the old hash still finds its owner.
        Raises Conflict if an owner got another URL after the row was read: the caller reads it again.
        """
        ...

    def advanced(self, held: Rekeying, place: str | None, *, lease_until: int) -> Rekeying | None:
        """Store the position of a held job; None means done. Returns None if another worker holds the lease."""
        ...

    def duplicates(self, version: str) -> Iterator[Duplicate]:
        """Yield the duplicates that the job for this version found."""
        ...


class Bodies(Bounded, Protocol):
    """Bodies of collected items, compressed, by hash. All raise Throttled or StoreUnavailable.

    `scope` is the tenant of the item, empty for the deployment's own: knowing a hash does not reveal whether another
    tenant has the body (rule TN6).
    """

    def keep(self, body: bytes, *, scope: str = "") -> str:
        """Store a body under its tenant unless it is stored there. Returns its sha256 in hex."""
        ...

    def read(self, body_sha256: str, *, scope: str = "") -> bytes | None:
        """Return the tenant's body. None if it is missing or does not match its hash."""
        ...


class RobotsStore(Bounded, Protocol):
    """Cache of robots.txt files, for one day (rule F3). All raise Throttled or StoreUnavailable."""

    def robots(self, origin: str, *, now: int) -> str | None:
        """Return the cached robots.txt of an origin, empty if the origin has none. None if nothing is cached."""
        ...

    def remember_robots(self, origin: str, text: str, *, until: int) -> None:
        """Cache an origin's robots.txt until `until` (epoch seconds)."""
        ...
