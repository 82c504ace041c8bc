"""Writes the search index into its bucket: ports.SearchFeed (rules Q16 to Q20).

New objects are written first, and then the manifest names them. So a killed writer leaves a complete index, and at most
unreferenced objects, which a later compaction deletes.
"""

from __future__ import annotations

import gzip
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread
from typing import Final

from feedward.adapters.search.bucket import SearchBucket, download
from feedward.adapters.search.sqlite_build import BuiltBase, build_base, merged_changes, unpack
from feedward.adapters.search.sqlite_schema import SCHEMA_VERSION
from feedward.deadline import NO_DEADLINE, Deadline
from feedward.errors import FeedwardError, StoreUnavailable
from feedward.search.analyser import ANALYSER_VERSION
from feedward.search.document import DocumentChange, FeedDocument, decoded_change, encoded_change
from feedward.search.index_status import Maintenance
from feedward.search.manifest import DAY_S, RENEWED_EVERY_S, Base, Delta, Manifest, StoredObject

MADE_BY: Final = f"analyser {ANALYSER_VERSION}, schema {SCHEMA_VERSION}"
_LEVEL: Final = 6
_DELTA_CHANGES: Final = 2000
_READ_AT_ONCE: Final = 1 << 20


@contextmanager
def kept(renew: Callable[[int], object], *, now: int, every_s: float = RENEWED_EVERY_S) -> Iterator[None]:
    """Call `renew` with the time periodically, from a separate thread, while the block runs.

    `now` is the time at which the work starts. A failed renewal is not raised: the next one may succeed.
    """
    began, is_over = time.monotonic(), Event()

    def go_on() -> None:
        while not is_over.wait(every_s):
            with suppress(FeedwardError):
                renew(now + int(time.monotonic() - began))

    thread = Thread(target=go_on, name="feedward-claim", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


class S3SearchFeed:
    """ports.SearchFeed. Temporary files are in `folder`, the function's /tmp, and are deleted when the work ends."""

    def __init__(self, bucket: SearchBucket, *, folder: Path | None = None, deadline: Deadline = NO_DEADLINE) -> None:
        self._bucket = bucket
        self._folder = folder
        self._deadline = deadline

    def within(self, deadline: Deadline) -> S3SearchFeed:
        """Return the same feed with a deadline: no attempt and no document starts after it."""
        return S3SearchFeed(self._bucket.within(deadline), folder=self._folder, deadline=deadline)

    def send(self, changes: Sequence[DocumentChange], *, now: int) -> None:
        """Write deltas, named by their content, and add them to the manifest."""
        deltas = [self._put_delta(some, now) for some in _portions(changes)]

        def decide(manifest: Manifest) -> Manifest:
            for delta in deltas:
                manifest = manifest.with_delta(delta)
            return manifest

        if deltas:
            self._bucket.change(decide)

    def maintenance(self, *, now: int) -> Maintenance:
        """Return the required work, with a lease of a minute, which the worker renews."""
        needed = Maintenance.NOTHING

        def decide(manifest: Manifest) -> Manifest:
            nonlocal needed
            needed = _needed(manifest, now)
            return manifest if needed is Maintenance.NOTHING else manifest.claimed(now)

        self._bucket.change(decide)
        return needed

    def rebuild(self, documents: Iterable[FeedDocument], *, now: int) -> int:
        """Build a base of these documents. The manifest is read first: deltas that are added meanwhile stay."""
        before, _ = self._bucket.manifest()
        with self._claimed(now), self._scratch() as folder:
            base = self._put_base(build_base(self._in_time(map(_change, documents)), folder))
        self._bucket.change(lambda manifest: manifest.rebuilt(base, before, now, now))
        self._sweep(now)
        return base.count

    def compact(self, *, now: int) -> int:
        """Build a base of the documents of the base and of the deltas, which fit into memory."""
        before, _ = self._bucket.manifest()
        if before.base is None:
            return 0
        with self._claimed(now), self._scratch() as folder:
            changes = [change for delta in before.deltas for change in self._changes(delta)]
            packed = folder / "before.jsonl.gz"
            download(self._bucket, before.base.documents, packed)
            base = self._put_base(build_base(self._in_time(merged_changes(unpack(packed), changes)), folder))
        self._bucket.change(lambda manifest: manifest.compacted(base, before, now))
        self._sweep(now)
        return base.count

    def ask_for_rebuild(self, *, now: int) -> int:
        """Store the request in the manifest."""
        after = self._bucket.change(lambda manifest: manifest.asking_for_rebuild(now))
        return after.asked_at if after else now

    def _put_delta(self, changes: Sequence[DocumentChange], now: int) -> Delta:
        content = gzip.compress("".join(map(_line, changes)).encode(), _LEVEL, mtime=0)
        # The key has the time too: a deleted key never returns, so no sweep deletes an object that was written again.
        key = f"deltas/{now:011d}-{sha256(content).hexdigest()}.jsonl.gz"
        stored = self._bucket.put(key, content)
        return Delta(key=key, size=stored.size, sha256=stored.sha256, changes=len(changes), at=now)

    def _changes(self, delta: Delta) -> Iterator[DocumentChange]:
        content = self._bucket.get(delta)
        if content is None:
            raise StoreUnavailable(f"the delta {delta.key} of the search index is missing or damaged")
        return read_delta(content)

    def _in_time(self, changes: Iterable[DocumentChange]) -> Iterator[DocumentChange]:
        """Yield the changes. Raises StoreUnavailable once the deadline has passed: most of a build reads no store."""
        for change in changes:
            if self._deadline.left_s() <= 0:
                raise StoreUnavailable("the time for the search index was used up")
            yield change

    def _put_base(self, built: BuiltBase) -> Base:
        index = _stored(f"bases/{built.generation}", ".sqlite", built.index)
        documents = _stored(f"documents/{built.generation}", ".jsonl.gz", built.documents)
        self._bucket.put_file(documents.key, built.documents)
        self._bucket.put_file(index.key, built.index)
        return Base(generation=built.generation, index=index, documents=documents, count=built.count, made_by=MADE_BY)

    def _sweep(self, now: int) -> None:
        """Delete objects that no manifest of the last day named."""
        gone: tuple[str, ...] = ()

        def decide(manifest: Manifest) -> Manifest:
            nonlocal gone
            after, gone = manifest.swept(now)
            return after

        named = self._bucket.change(decide) or Manifest()
        unnamed = [key for key in self._bucket.keys_until(now - DAY_S) if key not in named.keys]
        self._bucket.delete(dict.fromkeys((*gone, *unnamed)))

    def _claimed(self, now: int) -> AbstractContextManager[None]:
        """Renew the lease on the base while the block runs."""
        return kept(lambda at: self._bucket.change(lambda manifest: manifest.claimed(at)), now=now)

    @contextmanager
    def _scratch(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory(prefix="feedward-index-", dir=self._folder) as folder:
            yield Path(folder)


def read_delta(content: bytes) -> Iterator[DocumentChange]:
    """Return the changes of a delta."""
    return map(decoded_change, gzip.decompress(content).decode().splitlines())


def _change(document: FeedDocument) -> DocumentChange:
    return DocumentChange(document.feed_id, document.version, document)


def _line(change: DocumentChange) -> str:
    return encoded_change(change) + "\n"


def _portions(changes: Iterable[DocumentChange]) -> Iterator[list[DocumentChange]]:
    """Yield the changes in portions, in the order of their ids: equal changes give equal deltas."""
    ordered = sorted(changes, key=lambda change: change.feed_id)
    return (ordered[start : start + _DELTA_CHANGES] for start in range(0, len(ordered), _DELTA_CHANGES))


def _needed(manifest: Manifest, now: int) -> Maintenance:
    if manifest.claimed_until > now:
        return Maintenance.NOTHING
    if manifest.wants_rebuild or not manifest.is_of(MADE_BY):
        return Maintenance.REBUILD
    return Maintenance.COMPACT if manifest.wants_compaction else Maintenance.NOTHING


def _stored(begin: str, suffix: str, path: Path) -> StoredObject:
    """Return the reference to a file: its hash, and its generation, which makes its key unique."""
    digest = sha256()
    with path.open("rb") as file:
        while part := file.read(_READ_AT_ONCE):
            digest.update(part)
    name = digest.hexdigest()
    return StoredObject(key=f"{begin}-{name}{suffix}", size=path.stat().st_size, sha256=name)
