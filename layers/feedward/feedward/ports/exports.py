"""Ports of exports: jobs, the files that they write, and the key that signs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Iterator, Sequence

    from feedward.exports.job import ExportJob
    from feedward.health.directory_feed import DirectoryFeed, FeedQuery


class ExportedFeeds(Bounded, Protocol):
    """The shared feeds in the order of their ids. All raise Throttled or StoreUnavailable."""

    def in_order(self, query: FeedQuery, *, after: str = "") -> Iterator[DirectoryFeed]:
        """Yield the shared feeds of the lists that fit the query, after an id. The caller applies the query to each."""
        ...

    def of_ids(self, feed_ids: Sequence[str], *, tenant_id: str | None) -> Iterator[DirectoryFeed]:
        """Yield the feeds with these ids that the tenant may see, in this order. Merged ones are left out."""
        ...


class ExportJobs(Bounded, Protocol):
    """Export jobs, kept for two days. All raise Throttled, Conflict or StoreUnavailable."""

    def open(self, job: ExportJob) -> ExportJob:
        """Write a new job, or return the one with this id."""
        ...

    def get(self, export_id: str) -> ExportJob | None:
        """Return the job, or None."""
        ...

    def save(self, after: ExportJob) -> bool:
        """Write the job. Returns False if its rev has changed."""
        ...


class ExportFiles(Bounded, Protocol):
    """The files of exports. All raise Throttled or StoreUnavailable."""

    def begin(self, key: str, *, media_type: str, name: str) -> str:
        """Start a multipart upload of a file. Returns the id of the upload."""
        ...

    def put_part(self, key: str, upload_id: str, number: int, body: bytes) -> str | None:
        """Store or replace a part. Returns its tag, or None if the upload no longer exists."""
        ...

    def end(self, key: str, upload_id: str, etags: Sequence[str]) -> bool:
        """Complete the file from its parts. Returns False if the upload does not exist, unless the file does."""
        ...

    def put(self, key: str, body: bytes) -> None:
        """Store a small file."""
        ...

    def chunks(self, key: str) -> Iterator[bytes]:
        """Yield a file in chunks."""
        ...

    def link(self, key: str) -> str:
        """Return a URL that serves the file for a short time."""
        ...


class ExportSigner(Protocol):
    """The key that signs exports."""

    def sign(self, digest: bytes) -> bytes:
        """Return the signature of a SHA-256 digest. Raises StoreUnavailable or Throttled."""
        ...
