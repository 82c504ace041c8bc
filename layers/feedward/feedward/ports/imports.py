"""Ports of imports: their rows and results, and the uploaded files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Iterable, Mapping, Sequence

    from feedward.health.seeded_feed import SeededFeed
    from feedward.intake.chunk_results import ChunkPlan, KnownFeeds
    from feedward.intake.job import Chunk, Ended, Import
    from feedward.subscriptions.subscription import Subscription


class ImportStore(Bounded, Protocol):
    """Imports of tenants and their entries (rule R18). All raise Throttled, Conflict or StoreUnavailable.

    Writes of an import are conditional on its rev, those of a chunk on its results. A losing caller reads and decides
    again.
    """

    def create(self, new: Import) -> None:
        """Write a new import."""
        ...

    def get(self, tenant_id: str | None, import_id: str) -> Import | None:
        """Return the tenant's import with its counts, or None."""
        ...

    def page(self, tenant_id: str | None, *, before: str | None, limit: int) -> Sequence[Import]:
        """Return up to `limit` imports of the tenant, newest first, from the one before this id on."""
        ...

    def save(self, after: Import) -> bool:
        """Write the import. Returns False if it has changed: read and decide again."""
        ...

    def add_chunks(self, after: Import, chunks: Sequence[Chunk]) -> bool:
        """Write chunks with their counts, and the import that now has them. Returns False if the import has changed."""
        ...

    def chunk(self, tenant_id: str | None, import_id: str, number: int) -> Chunk | None:
        """Return a chunk, or None."""
        ...

    def chunks(self, tenant_id: str | None, import_id: str, numbers: Iterable[int]) -> Sequence[Chunk]:
        """Return these chunks in order, without unwritten ones."""
        ...

    def ends(self, tenant_id: str | None, import_id: str, *, first: int, last: int) -> Mapping[int, Ended]:
        """Return the results of pending entries that were settled later, by number, from `first` to `last`."""
        ...

    def known(self, tenant_id: str | None, hashes: Mapping[str, str]) -> KnownFeeds:
        """Return the stored data about URLs. `hashes` maps a URL's hash to its scoped hash in the directory."""
        ...

    def end_subscriptions(self, found: Import, chunk: Chunk, plan: ChunkPlan, *, is_told: bool) -> bool:
        """Write a plan with the results and their counts in one transaction. Returns False if anything has changed.

        `is_told`: all entries of the chunk are completed, and it has no events.
        """
        ...

    def end_seeds(
        self, found: Import, chunk: Chunk, ended: Sequence[Ended], feeds: Sequence[SeededFeed], *, is_told: bool
    ) -> bool:
        """Do the same with new feeds of the shared directory."""
        ...

    def subscriptions(self, tenant_id: str | None, ids: Iterable[str]) -> Sequence[Subscription]:
        """Return the tenant's subscriptions with these ids."""
        ...

    def told(self, found: Import, chunk: Chunk) -> None:
        """Record, once, that the events of the chunk were sent."""
        ...

    def pending(self, *, before: int, limit: int) -> Sequence[tuple[str | None, str]]:
        """Return (tenant_id, import_id) of up to `limit` with a pending mark from `before` or earlier."""
        ...


class ImportFiles(Bounded, Protocol):
    """The files of imports. All raise Throttled or StoreUnavailable."""

    def put(self, key: str, body: bytes) -> None:
        """Store a file."""
        ...

    def size(self, key: str) -> int | None:
        """Return the length of a stored file in bytes, or None."""
        ...

    def read(self, key: str) -> bytes | None:
        """Return a file, or None."""
        ...

    def upload_url(self, key: str, length: int) -> str:
        """Return a URL that accepts a PUT of a file of exactly this length for a while."""
        ...
