"""Stores bodies of collected items: ports.Bodies over an S3 bucket, compressed, by hash.

A body is written only if its key is free. A body that does not match its hash is never returned.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from botocore.exceptions import ClientError

from feedward.access.ownership import prefix_of
from feedward.adapters.calls import Backoff, Calls, OnFirstUse, ServicePort, aws_client
from feedward.errors import StoreUnavailable

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

# A body of some MB takes longer than a message to a queue, and no caller waits for it.
READ_TIMEOUT_S: Final = 5.0
# Keys that a process remembers to skip repeated writes: pages with equal content are collected close together.
REMEMBERED: Final = 2_000
_IS_THERE: Final = frozenset({"PreconditionFailed", "412"})
IS_NOT_THERE: Final = frozenset({"NoSuchKey", "404"})


class S3Bodies(ServicePort):
    """ports.Bodies. Thread-safe. The client is created at its first use.

    Both methods raise Throttled or StoreUnavailable.
    """

    def __init__(
        self, bucket: str, make_client: Callable[[], S3Client] | None = None, *, backoff: Backoff | None = None
    ) -> None:
        super().__init__(Calls(StoreUnavailable, backoff))
        self._bucket = bucket
        self._s3: Callable[[], S3Client] = OnFirstUse(make_client or _s3_client)
        self._put_lately: dict[str, None] = {}
        self._lock = Lock()

    def keep(self, body: bytes, *, scope: str = "") -> str:
        """Store a body under its tenant unless it is stored there. Returns its sha256 in hex."""
        body_sha256 = sha256(body).hexdigest()
        key = body_key(body_sha256, scope)
        if key not in self._put_lately:
            self._put(key, body)
            self._remember(key)
        return body_sha256

    def read(self, body_sha256: str, *, scope: str = "") -> bytes | None:
        """Return the tenant's body. None if it is missing or does not match its hash."""
        call = partial(unless, IS_NOT_THERE, self._get)
        packed = self._calls.ask(call, Bucket=self._bucket, Key=body_key(body_sha256, scope))
        return _unpacked(packed, body_sha256) if packed is not None else None

    def _put(self, key: str, body: bytes) -> None:
        self._calls.ask(
            partial(unless, _IS_THERE, self._s3().put_object),
            Bucket=self._bucket,
            Key=key,
            Body=gzip.compress(body, mtime=0),
            ContentType="application/gzip",
            IfNoneMatch="*",
        )

    def _get(self, **request: Any) -> bytes:
        """Return the whole body. Reading it inside the call makes a broken connection a failure that is retried."""
        return self._s3().get_object(**request)["Body"].read()

    def _remember(self, key: str) -> None:
        with self._lock:
            self._put_lately[key] = None
            if len(self._put_lately) > REMEMBERED:
                del self._put_lately[next(iter(self._put_lately))]


def body_key(body_sha256: str, scope: str = "") -> str:
    """Return the key of a body. The first two digits of its hash spread the keys over prefixes.

    A tenant's bodies have a prefix of its own (rule TN6).
    """
    return f"bodies/{prefix_of(scope)}{body_sha256[:2]}/{body_sha256}.gz"


def _s3_client() -> S3Client:
    client: S3Client = aws_client("s3", read_timeout_s=READ_TIMEOUT_S)
    return client


def unless(codes: frozenset[str], operation: Callable[..., Any], **request: Any) -> Any:
    """Return the operation's response, or None for an error with one of these codes."""
    try:
        return operation(**request)
    except ClientError as error:
        if _code(error) in codes:
            return None
        raise


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code") or "")


def _unpacked(packed: bytes, body_sha256: str) -> bytes | None:
    try:
        body = gzip.decompress(packed)
    except (OSError, EOFError, zlib.error):
        return None
    return body if sha256(body).hexdigest() == body_sha256 else None
