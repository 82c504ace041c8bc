"""The bucket of the search index for tests: the real adapters on a bucket in memory, with knobs.

`FakeSearch(clock)` has the indexer (`feed`) and the searcher (`index`). `fake.s3` shows the objects of the bucket.
"""
# ruff: noqa: N803 - the arguments have boto3's names

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import md5
from io import BytesIO
from typing import Any

from feedward.adapters.search.bucket import SearchBucket
from feedward.adapters.search.local_copy import LocalSearchIndex
from feedward.adapters.search.s3_feed import S3SearchFeed
from feedward.search.manifest import Manifest
from feedward.search.results import SearchFilters
from tests.fakes.directory import FakeClock
from tests.fakes.dynamodb_table import client_error
from tests.fakes.feed_store import PATIENT

BUCKET = "search"


class Killed(BaseException):
    """The process ended in the middle of its work."""


class InMemorySearchS3:
    """Stands in for botocore's client of S3: one bucket with ETags, conditions and ranges.

    fails: calls answered by 500. conflicts: conditional puts that meet another one. dies_before, dies_after: the number
    of puts until the process ends before or after one. meanwhile: is called once, before the next conditional put.
    """

    def __init__(self, clock: FakeClock) -> None:
        self.objects: dict[str, bytes] = {}
        self.written_at: dict[str, float] = {}
        self.asked: set[tuple[str, str]] = set()
        self.gets: list[str] = []
        self.fails = self.conflicts = 0
        self.is_missing = False
        self.dies_before: int | None = None
        self.dies_after: int | None = None
        self.meanwhile: Callable[[], None] | None = None
        self._clock = clock
        self._lock = threading.RLock()

    def put_object(
        self, *, Bucket: str, Key: str, Body: Any, ContentType: str = "", IfMatch: str = "", IfNoneMatch: str = ""
    ) -> dict[str, Any]:
        self._check("PutObject", Key)
        if (IfMatch or IfNoneMatch) and self.meanwhile is not None:
            between, self.meanwhile = self.meanwhile, None
            between()
        with self._lock:
            self._die("dies_before")
            if (IfMatch or IfNoneMatch) and self.conflicts:
                self.conflicts -= 1
                raise _error("ConditionalRequestConflict", 409, "PutObject")
            if IfNoneMatch and Key in self.objects:
                raise _error("PreconditionFailed", 412, "PutObject")
            if IfMatch and self._etag(Key) != IfMatch:
                code, status = ("PreconditionFailed", 412) if Key in self.objects else ("NoSuchKey", 404)
                raise _error(code, status, "PutObject")
            self.objects[Key] = bytes(Body) if isinstance(Body, bytes | bytearray) else Body.read()
            self.written_at[Key] = self._clock.now()
            self._die("dies_after")
            return {"ETag": self._etag(Key)}

    def get_object(self, *, Bucket: str, Key: str, Range: str = "", IfNoneMatch: str = "") -> dict[str, Any]:
        self._check("GetObject", Key)
        with self._lock:
            self.gets.append(Key)
            if Key not in self.objects:
                raise _error("NoSuchKey", 404, "GetObject")
            if IfNoneMatch and self._etag(Key) == IfNoneMatch:
                raise _error("304", 304, "GetObject")
            content = self.objects[Key]
            if Range:
                start, _, end = Range.removeprefix("bytes=").partition("-")
                content = content[int(start) : int(end) + 1]
            return {"Body": BytesIO(content), "ETag": self._etag(Key)}

    def list_objects_v2(self, *, Bucket: str) -> dict[str, Any]:
        self._check("ListBucket", "")
        found = [
            {"Key": key, "LastModified": datetime.fromtimestamp(self.written_at[key], UTC)} for key in self.objects
        ]
        return {"Contents": found, "IsTruncated": False}

    def delete_objects(self, *, Bucket: str, Delete: Any) -> dict[str, Any]:
        for each in Delete["Objects"]:
            self._check("DeleteObject", each["Key"])
            self.objects.pop(each["Key"], None)
        return {}

    def _etag(self, key: str) -> str:
        content = self.objects.get(key)
        return "" if content is None else f'"{md5(content, usedforsecurity=False).hexdigest()}"'

    def _check(self, action: str, key: str) -> None:
        self.asked.add((action, key))
        if self.is_missing:
            raise _error("NoSuchBucket", 404, action)
        if self.fails:
            self.fails -= 1
            raise _error("InternalError", 500, action)

    def _die(self, knob: str) -> None:
        left = getattr(self, knob)
        if left is not None:
            setattr(self, knob, left - 1)
            if left == 0:
                setattr(self, knob, None)
                raise Killed


class FakeSearch:
    """The index in memory: its bucket, its writer and its reader."""

    def __init__(self, clock: FakeClock) -> None:
        self.s3 = InMemorySearchS3(clock)
        client: Any = self.s3
        self.bucket = SearchBucket(BUCKET, lambda: client, backoff=PATIENT)
        self.feed = S3SearchFeed(self.bucket)
        self._clock = clock
        self.index = self.another_index()

    def another_index(self) -> LocalSearchIndex:
        """The view of another searching process."""
        return LocalSearchIndex(self.bucket, self._clock)

    def found(self, words: str) -> list[str]:
        """The ids that a process finds that loads the index now."""
        index = self.another_index()
        try:
            return [hit.feed_id for hit in index.search(words, SearchFilters(), limit=50).hits]
        finally:
            index.close()

    @property
    def manifest(self) -> Manifest:
        """The manifest in the bucket."""
        return self.bucket.manifest()[0]


def _error(code: str, status: int, operation: str) -> Exception:
    return client_error(code, operation, ResponseMetadata={"HTTPStatusCode": status})
