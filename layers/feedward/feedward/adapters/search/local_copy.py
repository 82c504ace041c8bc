"""The index that the directory function searches: a copy of the base on its own disk, kept current (rule Q19).

The base is loaded at the first search. The manifest is read at most every 10 seconds, and new deltas are applied to
the copy. While the bucket is unavailable, the copy still answers, and reports its age.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Final

from feedward.adapters.search.bucket import AT_ONCE, SearchBucket, download
from feedward.adapters.search.s3_feed import read_delta
from feedward.adapters.search.sqlite_apply import apply
from feedward.adapters.search.sqlite_index import SqliteSearchIndex
from feedward.deadline import Deadline
from feedward.errors import FeedwardError, SearchUnavailable, StoreUnavailable
from feedward.ports import Clock
from feedward.search.index_status import IndexStatus
from feedward.search.manifest import Delta, Manifest
from feedward.search.results import SearchFilters, SearchFound
from feedward.search.state_counts import StateCounts

ASKED_EVERY_S: Final = 10.0
# A search waits for a base as long as its request may take, with the manifest; for a manifest alone it waits less.
LOAD_S: Final = 18.0
REFRESH_S: Final = 4.0


@dataclass(slots=True, kw_only=True)
class _Copy:
    """A loaded base: its file, the deltas applied to it, and the index that reads it."""

    path: Path
    manifest: Manifest
    applied: set[str] = field(default_factory=set)
    index: SqliteSearchIndex


class LocalSearchIndex:
    """ports.DirectoryIndex. Thread-safe: the searches of one process run one after another."""

    def __init__(
        self,
        bucket: SearchBucket,
        clock: Clock,
        *,
        folder: Path | None = None,
    ) -> None:
        self._bucket, self._clock = bucket, clock
        self._folder: Path | None = None
        self._delete_folder: Callable[[], object] | None = None
        self._parent = folder
        self._copy: _Copy | None = None
        self._etag: str | None = None
        self._asked_at = -ASKED_EVERY_S
        self._confirmed_at = 0
        self._copies = 0
        self._lock = Lock()

    def search(
        self, text: str, filters: SearchFilters, *, limit: int, after: tuple[float | int | str, ...] | None = None
    ) -> SearchFound:
        """Search the current copy. Raises SearchUnavailable if there is none."""
        with self._lock:
            return self._current().index.search(text, filters, limit=limit, after=after)

    def status(self) -> IndexStatus:
        """Return the status of the copy."""
        with self._lock:
            manifest = self._current().manifest
            base = manifest.base
            return IndexStatus(
                generation=base.generation if base else "",
                documents=base.count if base else 0,
                deltas=len(manifest.deltas),
                confirmed_at=self._confirmed_at,
                rebuilt_at=manifest.rebuilt_at,
                is_rebuild_wanted=manifest.wants_rebuild,
            )

    def counts_by_state(self) -> StateCounts:
        """Count the current copy. Raises SearchUnavailable if there is none."""
        with self._lock:
            return self._current().index.counts_by_state()

    def close(self) -> None:
        """Delete the copy with its folder. The next search loads it again."""
        with self._lock:
            if self._copy is not None:
                self._copy.index.close()
            if self._delete_folder is not None:
                self._delete_folder()
            self._folder = self._delete_folder = None
            self._copy, self._etag, self._asked_at = None, None, self._clock.monotonic() - ASKED_EVERY_S

    def _current(self) -> _Copy:
        failure: FeedwardError | None = None
        if self._clock.monotonic() - self._asked_at >= ASKED_EVERY_S:
            self._asked_at = self._clock.monotonic()
            failure = self._refreshed()
        if self._copy is None:
            self._asked_at = self._clock.monotonic() - ASKED_EVERY_S  # the next search tries again
            raise SearchUnavailable("the search index is being built, or cannot be reached") from failure
        return self._copy

    def _refreshed(self) -> FeedwardError | None:
        """Read the manifest and load its base and deltas. Returns the error if that fails: the copy stays."""
        deadline = Deadline.after(LOAD_S)
        bucket = self._bucket.within(deadline.at_most(REFRESH_S) if self._copy else deadline)
        try:
            found = bucket.manifest_unless(self._etag)
            if found is not None:
                manifest, etag = found
                if manifest.base is None:
                    return SearchUnavailable("there is no search index yet")
                self._take_over(manifest, bucket, deadline)
                self._etag = etag
            self._confirmed_at = self._clock.now()
        except FeedwardError as error:
            return error
        return None

    def _take_over(self, manifest: Manifest, bucket: SearchBucket, deadline: Deadline) -> None:
        """Load another base, until the deadline, or apply new deltas to the copy of this one."""
        copy = self._copy
        assert manifest.base is not None
        if copy is None or copy.manifest.base is None or copy.manifest.base.index != manifest.base.index:
            self._load(manifest, bucket.within(deadline))
            return
        new = [delta for delta in manifest.deltas if delta.key not in copy.applied]
        try:
            _apply(bucket, copy.path, new)
        except SearchUnavailable:  # the file is damaged: load a new copy
            self._load(manifest, bucket.within(deadline))
            return
        copy.applied |= {delta.key for delta in new}
        copy.manifest = manifest

    def _load(self, manifest: Manifest, bucket: SearchBucket) -> None:
        assert manifest.base is not None
        self._copies += 1
        path = self._own_folder() / f"{manifest.base.generation}-{self._copies}.sqlite"
        download(bucket, manifest.base.index, path)
        try:
            _apply(bucket, path, manifest.deltas)
            index = SqliteSearchIndex(path)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        old, applied = self._copy, {delta.key for delta in manifest.deltas}
        self._copy = _Copy(path=path, manifest=manifest, applied=applied, index=index)
        if old is not None:
            old.index.close()
            old.path.unlink(missing_ok=True)

    def _own_folder(self) -> Path:
        """Return the folder of this process's copies, which is deleted with the process."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="feedward-search-", dir=self._parent))
            self._delete_folder = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder


def _apply(bucket: SearchBucket, path: Path, deltas: Sequence[Delta]) -> None:
    """Apply deltas to a copy, in their order. They are fetched in parallel."""
    if not deltas:
        return
    with ThreadPoolExecutor(max_workers=AT_ONCE) as threads:
        contents = list(threads.map(bucket.get, deltas))
    for content in contents:
        if content is None:
            raise StoreUnavailable("a delta of the search index is missing or damaged")
        apply(path, read_delta(content))
