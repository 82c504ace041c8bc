"""The bodies for tests of everything above them: the real adapter, on a bucket in memory, with knobs.

`FakeBodies()` implements ports.Bodies. `fake.s3` shows the objects of the bucket and the number of its calls.
Waits take no time.
"""
# ruff: noqa: N803 - the arguments have boto3's names

from __future__ import annotations

import threading
from io import BytesIO
from typing import Any

from botocore.exceptions import IncompleteReadError

from feedward.adapters.s3.bodies import S3Bodies
from tests.fakes.dynamodb_table import client_error
from tests.fakes.feed_store import PATIENT

BUCKET = "bodies"


class InMemoryS3:
    """Stands in for botocore's client of S3: one bucket that stores an object only once.

    throttles, fails: calls answered so. conflicts: puts that meet another of the same key. loses_answers: puts that
    are done, but whose answer is an error. breaks_off: answers that end in the middle.
    """

    def __init__(self, bucket: str = BUCKET) -> None:
        self.objects: dict[str, bytes] = {}
        self.puts: list[str] = []
        self.gets: list[str] = []
        self.throttles = self.fails = self.conflicts = self.loses_answers = self.breaks_off = self.deletions = 0
        self._bucket = bucket
        self._lock = threading.Lock()

    def put_object(
        self, *, Bucket: str, Key: str, Body: bytes, ContentType: str = "", IfNoneMatch: str | None = None
    ) -> dict[str, Any]:
        with self._lock:
            self.puts.append(Key)
            self._check(Bucket, "PutObject")
            if IfNoneMatch is None:
                self.objects[Key] = bytes(Body)
                return {"ETag": ""}
            if IfNoneMatch != "*":
                raise client_error("NotImplemented", "PutObject", ResponseMetadata={"HTTPStatusCode": 501})
            if self._spend("conflicts"):
                raise _error("ConditionalRequestConflict", 409, "PutObject")
            if Key in self.objects:
                raise _error("PreconditionFailed", 412, "PutObject")
            self.objects[Key] = bytes(Body)
            if self._spend("loses_answers"):
                raise _error("InternalError", 500, "PutObject")
            return {"ETag": "", "ContentType": ContentType}

    def get_object(self, *, Bucket: str, Key: str) -> dict[str, Any]:
        with self._lock:
            self.gets.append(Key)
            self._check(Bucket, "GetObject")
            if Key not in self.objects:
                raise _error("NoSuchKey", 404, "GetObject")
            if self._spend("breaks_off"):
                return {"Body": _BrokenOff(), "ETag": ""}
            return {"Body": BytesIO(self.objects[Key]), "ETag": ""}

    def head_object(self, *, Bucket: str, Key: str) -> dict[str, Any]:
        with self._lock:
            self._check(Bucket, "HeadObject")
            if Key not in self.objects:
                raise _error("404", 404, "HeadObject")
            return {"ContentLength": len(self.objects[Key])}

    def list_objects_v2(self, *, Bucket: str, Prefix: str, MaxKeys: int) -> dict[str, Any]:
        with self._lock:
            self._check(Bucket, "ListObjectsV2")
            keys = sorted(key for key in self.objects if key.startswith(Prefix))[:MaxKeys]
            return {"Contents": [{"Key": key} for key in keys]} if keys else {}

    def delete_objects(self, *, Bucket: str, Delete: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            self._check(Bucket, "DeleteObjects")
            self.deletions += 1
            for each in Delete["Objects"]:
                self.objects.pop(each["Key"], None)
            return {}

    def generate_presigned_url(self, operation: str, *, Params: dict[str, Any], ExpiresIn: int) -> str:
        asked = f"{Params['ContentLength']}&expires={ExpiresIn}"
        return f"https://{Params['Bucket']}.example/{Params['Key']}?{operation}={asked}"

    def _check(self, bucket: str, operation: str) -> None:
        if bucket != self._bucket:
            raise _error("NoSuchBucket", 404, operation)
        if self._spend("throttles"):
            raise _error("SlowDown", 503, operation)
        if self._spend("fails"):
            raise _error("InternalError", 500, operation)

    def _spend(self, knob: str) -> bool:
        left: int = getattr(self, knob)
        setattr(self, knob, max(left - 1, 0))
        return left > 0


class FakeBodies(S3Bodies):
    """Bodies in memory."""

    def __init__(self) -> None:
        self.s3 = InMemoryS3()
        super().__init__(BUCKET, lambda: self.s3, backoff=PATIENT)  # type: ignore[arg-type, return-value]


class _BrokenOff:
    def read(self) -> bytes:
        raise IncompleteReadError(actual_bytes=1, expected_bytes=2)


def _error(code: str, status: int, operation: str) -> Exception:
    return client_error(code, operation, ResponseMetadata={"HTTPStatusCode": status})
