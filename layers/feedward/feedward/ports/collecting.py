"""The frontier, what is collected of it, and what both need: rows, items, bodies, robots.txt, turns at a host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # annotations only: whoever needs a port does not load what it speaks of
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from feedward.frontier.row import FailedParams, FetchedParams, FrontierRow, Submitted
    from feedward.lineage.item import Addition, Collected, DuplicateFetch, Edge, Heads, Item
    from feedward.lineage.run import OpenRun, ReprocessPlace, Run
    from feedward.urls.rekey import Duplicate, OutdatedUrl, RegistryPage, Rekeying, RekeyPlan, RekeyResult


class FrontierStore(Bounded, Protocol):
    """The frontier's rows (rules R15, F5). All raise Throttled, Conflict or
    StoreUnavailable.

    The updates hold only if the row is still at the rev that was seen. They return None when they were
    written, else the row as it is now, for the caller to decide again; a write that was applied though nobody heard
    of it is one that is written.
    """

    def submit(self, row: FrontierRow) -> Submitted:
        """Operation Frontier submit: claim the URL's hash for the row and put it, or return the row that has it.

        Where a row has it already, the runs of `row` are added to those that wait for it, and it becomes due again at
        `row.next_fetch_at` if it was not due sooner; without runs nothing is written. Raises InvalidInput (`url`)
        where as many runs wait for it as can.
        """
        ...

    def find(self, urls: Sequence[str], *, owner: str | None = None) -> Mapping[str, str]:
        """The row_id of each of these URLs that finds one; old URLs of rows that moved find them too."""
        ...

    def row(self, row_id: str) -> FrontierRow | None:
        """The row, read consistently; None if there is none."""
        ...

    def update_fetched(self, seen: FrontierRow, params: FetchedParams) -> FrontierRow | None:
        """The row is fetched, its URL unchanged but for the spelling that `params.url` gives."""
        ...

    def update_fetched_with_final_url(
        self, seen: FrontierRow, final_url: str, params: FetchedParams
    ) -> FrontierRow | None:
        """Operation Move: one transaction claims the final URL's hash for the row and sets url, url_hash and host
        (rule I2).

        The old hash keeps its row_id. If another row has the new one, this row is fetched with its URL unchanged and
        `final_url` kept, and that is success. Raises InvalidInput (`final_url`) for what is no fetchable URL: then
        nothing was written (rule F4).
        """
        ...

    def update_failed(self, seen: FrontierRow, params: FailedParams) -> FrontierRow | None:
        """The row failed or is dead; runs that ended with it are counted in the same transaction."""
        ...

    def postpone(self, seen: FrontierRow, to: int) -> FrontierRow | None:
        """The row is due at `to` (epoch seconds), for its host is busy; it is what it was."""
        ...

    def listed(self, *, last_error: str, after: str | None = None) -> Iterator[FrontierRow]:
        """Yield the shared rows whose last_error this is, by an index, in an order that is the same each time.

        `after` is the row_id to go on after.
        """
        ...


class LineageStore(Bounded, Protocol):
    """Runs, items, heads and edges (rule R16). All raise Throttled, Conflict or StoreUnavailable."""

    def create_run(self, run: Run, urls: Sequence[str] = ()) -> Run:
        """Put a run with the URLs that it has still to hand to the frontier; or return the one of this id."""
        ...

    def run(self, run_id: str) -> Run | None:
        """The run with its counters added up; None if there is none."""
        ...

    def next_urls(self, run_id: str) -> tuple[int, Sequence[str]] | None:
        """A chunk of URLs that the run has still to hand on, with the chunk's number; None when none is left."""
        ...

    def handed_rows(self, run_id: str) -> frozenset[str]:
        """The ids of the rows that the chunks which were struck off came to."""
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
        """Strike a chunk off with the `rows` that it came to, once; the last one sets the run's `started`.

        False where it was struck off already: then another's rows and counts stand.

        Its URLs that were `refused`, and its `duplicates`, are counted with it.

        The run's mark, while there is more to hand on, is from `now` (epoch seconds); with the last chunk it goes.
        """
        ...

    def open_runs(self, *, before: int) -> Iterator[OpenRun]:
        """Yield the runs that have work left and that nobody worked on since before then (epoch seconds; rule I7).

        That is: runs with URLs to hand on, and reprocessing runs that are not through with the older run's items.
        """
        ...

    def run_sent_again(self, run: OpenRun, *, now: int) -> None:
        """Count a message that was sent for the run and set its mark to now, if nobody took it up meanwhile."""
        ...

    def reprocess_place(self, run_id: str) -> ReprocessPlace | None:
        """How far a reprocessing run is; None if it is through with all items, is of another kind, or is none."""
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
        """Say that the older run's items up to and including `to` were gone through, `pages` of them in this step.

        `refused` of those could not be made again: they are counted with it, once.

        `done`: there are no more; then the run's `pages` are all that were gone through, it is `started`, and its mark
        goes. Else the mark is from `now`. False: the place is another one by now, and nothing was written.
        """
        ...

    def heads(self, item: Item, page: str) -> Heads:
        """The heads of the item's version, URI and content, and what its run has of this page, read consistently."""
        ...

    def add(self, addition: Addition) -> Collected | None:
        """Write the addition in one transaction with the marker, the heads and the counters.

        None: a head is another one by now: read and decide again. The marker is there: what it says, `repeated`.
        """
        ...

    def item(self, item_id: str) -> Item | None:
        """The item; None if there is none."""
        ...

    def edges(self, item_id: str) -> Sequence[Edge]:
        """The edges of an item, those to what it supersedes first, then those from what supersedes it."""
        ...

    def sightings(self, item_id: str) -> Sequence[DuplicateFetch]:
        """How often and where an item was met again, oldest first, at most some hundreds."""
        ...

    def items_of_run(self, run_id: str, *, after: str | None = None) -> Iterator[str]:
        """Yield the ids of the items that a run made, in a steady order; `after` is the item_id to go on after."""
        ...

    def items_of_version(self, version: str, *, scope: str = "", after: str | None = None) -> Iterator[str]:
        """Yield the ids of the items of a version, by an index; `after` is the item_id to go on after."""
        ...

    def versions(self, *, scope: str = "") -> Sequence[str]:
        """All normalization versions that a run of this tenant (empty: of nobody's) was ever made under."""
        ...

    def reprocessed(self, item_ids: Sequence[str], version: str) -> Mapping[str, str]:
        """Of these items, those that were made again under the version, with the item that they became."""
        ...


class RekeyStore(Bounded, Protocol):
    """The registry's rows of older versions of the key (rule C4). All raise Throttled, Conflict or StoreUnavailable.

    The job of a version is taken by one worker at a time. Whatever was done when it was killed is found done.
    """

    def rekeying(self, version: str) -> Rekeying:
        """How far the move to this version is; at its beginning where nobody began it."""
        ...

    def take(self, version: str, *, holder: str, now: int, lease_until: int) -> Rekeying | None:
        """Take the job for `holder` until then; None: it is done, or another's lease is not over at `now`."""
        ...

    def outdated(self, held: Rekeying, *, at_most: int) -> RegistryPage:
        """Read at most so many rows of the registry after the held place: the outdated ones, with their owners."""
        ...

    def rekey(self, url: OutdatedUrl, plan: RekeyPlan, *, version: str) -> RekeyResult:
        """Claim the plan's hashes, give owners their new ones, and mark and count the row; it stays as an alias.

        A hash that another owner has is a duplicate: it is written down and returned; what the old hash finds stays.
        Raises Conflict where an owner got another URL since the row was read: then it is to be read again.
        """
        ...

    def advanced(self, held: Rekeying, place: str | None, *, lease_until: int) -> Rekeying | None:
        """Say how far a held job is; `place` None: it is done. None: it is another's now."""
        ...

    def duplicates(self, version: str) -> Iterator[Duplicate]:
        """Yield the duplicates that the move to this version met."""
        ...


class Bodies(Bounded, Protocol):
    """The bodies that items were made of, kept compressed under their hash. All raise Throttled or StoreUnavailable."""

    def keep(self, body: bytes) -> str:
        """Keep a body and return its hash, hex sha256. What is there already is not written again."""
        ...

    def read(self, body_sha256: str) -> bytes | None:
        """The body; None if it is not there any more, or is not what its hash says."""
        ...


class RobotsStore(Bounded, Protocol):
    """The robots.txt of hosts, for a day (rule F3). All raise Throttled or StoreUnavailable."""

    def robots(self, origin: str, *, now: int) -> str | None:
        """The text that is kept of an origin's robots.txt, empty where it has none; None if nothing is known now."""
        ...

    def remember_robots(self, origin: str, text: str, *, until: int) -> None:
        """Keep an origin's robots.txt until then (epoch seconds)."""
        ...
