"""Files of imports: ports.ImportFiles over an S3 bucket. The bucket's lifecycle deletes them after a day (rule IM4)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from feedward.adapters.calls import Backoff, Calls, OnFirstUse, ServicePort, aws_client
from feedward.adapters.s3 import IS_NOT_THERE, READ_TIMEOUT_S, unless
from feedward.errors import StoreUnavailable

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

PREFIX: Final = "imports/"
UPLOAD_WITHIN_S: Final = 3600


class S3ImportFiles(ServicePort):
    """ports.ImportFiles. Thread-safe. The client is created at its first use."""

    def __init__(
        self, bucket: str, make_client: Callable[[], S3Client] | None = None, *, backoff: Backoff | None = None
    ) -> None:
        super().__init__(Calls(StoreUnavailable, backoff))
        self._bucket = bucket
        self._s3: Callable[[], S3Client] = OnFirstUse(make_client or _s3_client)

    def put(self, key: str, body: bytes) -> None:
        """Store a file."""
        self._calls.ask(self._s3().put_object, Bucket=self._bucket, Key=PREFIX + key, Body=body)

    def size(self, key: str) -> int | None:
        """Return the length of a stored file in bytes, or None."""
        call = partial(unless, IS_NOT_THERE, self._s3().head_object)
        found: Any = self._calls.ask(call, Bucket=self._bucket, Key=PREFIX + key)
        return None if found is None else int(found["ContentLength"])

    def read(self, key: str) -> bytes | None:
        """Return a file, or None."""
        call = partial(unless, IS_NOT_THERE, self._get)
        body: bytes | None = self._calls.ask(call, Bucket=self._bucket, Key=PREFIX + key)
        return body

    def upload_url(self, key: str, length: int) -> str:
        """Return a URL to which a file of exactly this length can be PUT for an hour: the length is signed."""
        return self._s3().generate_presigned_url(
            "put_object",
            Params={"Bucket": self._bucket, "Key": PREFIX + key, "ContentLength": length},
            ExpiresIn=UPLOAD_WITHIN_S,
        )

    def _get(self, **request: Any) -> bytes:
        return self._s3().get_object(**request)["Body"].read()


def _s3_client() -> S3Client:
    client: S3Client = aws_client("s3", read_timeout_s=READ_TIMEOUT_S, signature_version="s3v4")
    return client
