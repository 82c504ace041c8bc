"""Stores bodies of collected items: ports.Bodies over an S3 bucket, compressed, by hash.

A body is written only if its key is free. A body that does not match its hash is never returned.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING, Final

from feedward.access.ownership import prefix_of
from feedward.adapters.aws_calls import Backoff
from feedward.adapters.s3.bucket import BucketPort

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

# Keys that a process remembers to skip repeated writes: pages with equal content are collected close together.
REMEMBERED: Final = 2_000
# Python's own default, 9, takes a quarter more time for half a percent less.
_LEVEL: Final = 6
_IS_THERE: Final = frozenset({"PreconditionFailed", "412"})


class S3Bodies(BucketPort):
    """ports.Bodies. Thread-safe. Both methods raise Throttled or StoreUnavailable."""

    def __init__(
        self, bucket: str, make_client: Callable[[], S3Client] | None = None, *, backoff: Backoff | None = None
    ) -> None:
        super().__init__(bucket, make_client, backoff=backoff)
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
        packed = self._content(body_key(body_sha256, scope))
        return _unpacked(packed, body_sha256) if packed is not None else None

    def _put(self, key: str, body: bytes) -> None:
        self._ask_unless(
            _IS_THERE,
            self._s3().put_object,
            Key=key,
            Body=gzip.compress(body, _LEVEL, mtime=0),
            ContentType="application/gzip",
            IfNoneMatch="*",
        )

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


def _unpacked(packed: bytes, body_sha256: str) -> bytes | None:
    try:
        body = gzip.decompress(packed)
    except (OSError, EOFError, zlib.error):
        return None
    return body if sha256(body).hexdigest() == body_sha256 else None
