"""The bucket of the search index: immutable objects, and the manifest, which is replaced by conditional writes.

A manifest is written with If-Match, the first one with If-None-Match. A writer that loses reads, decides and writes
again (rule Q16).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.s3.bucket import MISSING, BucketPort
from feedward.errors import Conflict, SearchUnavailable, StoreUnavailable
from feedward.search.manifest import NOTHING, Manifest, StoredObject, decode_manifest, encode_manifest

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


MANIFEST: Final = "manifest.json"
# The time-out of one read from the socket. S3 responds late for a large object, and a search does not wait for long.
WRITER_TIMEOUT_S: Final = 20.0
READER_TIMEOUT_S: Final = 3.0
ATTEMPTS: Final = 4
_DECISIONS: Final = Backoff(attempts=12)
_DELETED_AT_ONCE: Final = 1000
_LOST: Final = frozenset({"PreconditionFailed", "412", "ConditionalRequestConflict", "409"})
_UNCHANGED: Final = frozenset({"NotModified", "304"})
_NO_BUCKET: Final = frozenset({"NoSuchBucket"})

Decision = Callable[[Manifest], Manifest | None]
# One connection to S3 gives 50 to 90 MB a second, and a part is in memory while it arrives.
PART_BYTES: Final = 8_000_000
AT_ONCE: Final = 6
_READ_AT_ONCE: Final = 1 << 20


class SearchBucket(BucketPort):
    """The objects of one index. Thread-safe. All methods raise Throttled or StoreUnavailable."""

    def __init__(
        self,
        bucket: str,
        make_client: Callable[[], S3Client] | None = None,
        *,
        backoff: Backoff | None = None,
        timeout_s: float = WRITER_TIMEOUT_S,
    ) -> None:
        super().__init__(bucket, make_client, backoff=backoff or Backoff(attempts=ATTEMPTS), timeout_s=timeout_s)
        self._pauses = backoff or _DECISIONS

    # --- the manifest ---------------------------------------------------------------------------------

    def manifest(self) -> tuple[Manifest, str | None]:
        """Return the manifest and its ETag; an empty manifest and None if there is none."""
        found = self.manifest_unless(None)
        return found if found is not None else (NOTHING, None)

    def manifest_unless(self, etag: str | None) -> tuple[Manifest, str | None] | None:
        """Return the manifest and its ETag, or None if it still has this ETag."""
        condition = {"IfNoneMatch": etag} if etag else {}
        answer = self._ask_unless(_UNCHANGED | MISSING | _NO_BUCKET, self._get, Key=MANIFEST, **condition)
        if isinstance(answer, str):
            return None if answer in _UNCHANGED else (NOTHING, None)
        content, new_etag = answer
        return decode_manifest(content), new_etag

    def change(self, decide: Decision) -> Manifest | None:
        """Replace the manifest by the result of `decide`. Returns that, or None if `decide` returns None.

        Raises Conflict if other writers were always faster.
        """
        for _ in self._pauses.tries():
            manifest, etag = self.manifest()
            after = decide(manifest)
            if after is None or after == manifest or self._replace(after, etag):
                return after
        raise Conflict("the manifest of the search index kept changing")

    def _replace(self, manifest: Manifest, etag: str | None) -> bool:
        """Write the manifest if it still has this ETag (None: does not exist). Returns False if it has changed."""
        condition = {"IfMatch": etag} if etag else {"IfNoneMatch": "*"}
        body = encode_manifest(manifest)
        put = partial(self._put, Body=body, ContentType="application/json", **condition)
        return self._written(put, MANIFEST) not in _LOST | MISSING

    # --- other objects --------------------------------------------------------------------------------

    def put(self, key: str, content: bytes) -> StoredObject:
        """Store an object and return its reference."""
        self._written(partial(self._put, Body=content), key)
        return StoredObject(key=key, size=len(content), sha256=sha256(content).hexdigest())

    def put_file(self, key: str, path: Path) -> None:
        """Store a file, which is read while it is sent."""
        self._written(partial(self._put_file, path), key)

    def get(self, stored: StoredObject) -> bytes | None:
        """Return an object, or None if it is missing or does not match its hash."""
        content = self._content(stored.key)
        return content if content is not None and sha256(content).hexdigest() == stored.sha256 else None

    def part(self, key: str, start: int, end: int) -> bytes | None:
        """Return the bytes of an object from `start` up to, but not including, `end`; None if it is missing."""
        answer = self._ask_unless(MISSING, self._get, Key=key, Range=f"bytes={start}-{end - 1}")
        return None if isinstance(answer, str) else answer[0]

    def keys_until(self, time: int) -> Iterable[str]:
        """Yield the keys of the objects that were last written before this time (epoch seconds)."""
        request: dict[str, Any] = {}
        while True:
            page = self._ask(self._s3().list_objects_v2, **request)
            for each in page.get("Contents", ()):
                if _epoch(each["LastModified"]) < time and each["Key"] != MANIFEST:
                    yield each["Key"]
            if not page.get("IsTruncated"):
                return
            request["ContinuationToken"] = page["NextContinuationToken"]

    def delete(self, keys: Iterable[str]) -> None:
        """Delete these objects. Missing ones are not an error."""
        gone = [{"Key": key} for key in keys]
        for start in range(0, len(gone), _DELETED_AT_ONCE):
            some: Any = {"Objects": gone[start : start + _DELETED_AT_ONCE], "Quiet": True}
            self._ask(self._s3().delete_objects, Delete=some)

    def _written(self, put: Callable[..., Any], key: str) -> str:
        """Write an object. Returns the code of a condition that did not hold, else an empty text."""
        answer = self._ask_unless(_LOST | MISSING | _NO_BUCKET, put, Key=key)
        code = answer if isinstance(answer, str) else ""
        if code in _NO_BUCKET:
            raise SearchUnavailable("the search bucket is missing: see docs/operations.md, Search")
        return code

    def _put(self, **request: Any) -> Any:
        return self._s3().put_object(**request)

    def _put_file(self, path: Path, **request: Any) -> None:
        with path.open("rb") as file:
            self._s3().put_object(Body=file, **request)


def _epoch(time: datetime) -> float:
    return time.timestamp()


def download(bucket: SearchBucket, stored: StoredObject, path: Path) -> None:
    """Write the object to `path`, which exists only once its hash is verified.

    Raises StoreUnavailable if the object is missing or damaged, or if the disk is full.
    """
    unfinished = path.with_name(f"{path.name}.part")
    try:
        _write_parts(bucket, stored, unfinished)
        if _hash(unfinished) != stored.sha256:
            raise StoreUnavailable("a file of the search index does not match its hash")
        unfinished.rename(path)
    except OSError as error:
        raise StoreUnavailable(f"a file of the search index cannot be written: {error.strerror}") from error
    finally:
        unfinished.unlink(missing_ok=True)


def _write_parts(bucket: SearchBucket, stored: StoredObject, path: Path) -> None:
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)

    def write(start: int) -> None:
        part = bucket.part(stored.key, start, min(start + PART_BYTES, stored.size))
        if part is None:
            raise StoreUnavailable("a file of the search index is missing")
        os.pwrite(file, part, start)

    try:
        with ThreadPoolExecutor(max_workers=AT_ONCE) as threads:
            for _ in threads.map(write, range(0, stored.size, PART_BYTES)):
                pass
    finally:
        os.close(file)


def _hash(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while part := file.read(_READ_AT_ONCE):
            digest.update(part)
    return digest.hexdigest()
