"""A bucket: its client, and calls whose expected errors are answers. The base of all ports over S3."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from botocore.exceptions import ClientError

from feedward.adapters.aws_calls import Backoff, Calls, OnFirstUse, ServicePort, aws_client
from feedward.errors import StoreUnavailable

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

# A body of some MB takes longer than a message to a queue, and no caller waits for it.
READ_TIMEOUT_S: Final = 5.0
MISSING: Final = frozenset({"NoSuchKey", "404"})
"""The codes of an object that does not exist: of GET, and of HEAD, whose answer has no body."""


class BucketPort(ServicePort):
    """Base of the ports over a bucket. Thread-safe. The client is created at its first use.

    All calls raise Throttled or StoreUnavailable.
    """

    def __init__(
        self,
        bucket: str,
        make_client: Callable[[], S3Client] | None = None,
        *,
        backoff: Backoff | None = None,
        timeout_s: float = READ_TIMEOUT_S,
    ) -> None:
        super().__init__(Calls(StoreUnavailable, backoff))
        self._bucket = bucket
        self._s3: Callable[[], S3Client] = OnFirstUse(make_client or partial(_s3_client, timeout_s))

    def _ask(self, operation: Callable[..., Any], **request: Any) -> Any:
        """Return the response to a request to the bucket."""
        return self._calls.ask(operation, Bucket=self._bucket, **request)

    def _ask_unless(self, codes: frozenset[str], operation: Callable[..., Any], **request: Any) -> Any:
        """Return the response, or the code of an error with one of these codes."""
        return self._ask(partial(code_or_response, codes, operation), **request)

    def _content(self, key: str) -> bytes | None:
        """Return an object, or None if it does not exist."""
        found = self._ask_unless(MISSING, self._get, Key=key)
        return None if isinstance(found, str) else found[0]

    def _length(self, key: str) -> int | None:
        """Return the length of an object in bytes, or None if it does not exist."""
        found = self._ask_unless(MISSING, self._s3().head_object, Key=key)
        return None if isinstance(found, str) else int(found["ContentLength"])

    def _get(self, **request: Any) -> tuple[bytes, str]:
        """Return content and ETag. Reading inside the call makes a broken connection a failure that is retried."""
        response = self._s3().get_object(**request)
        return response["Body"].read(), response["ETag"]


def code_or_response(codes: frozenset[str], operation: Callable[..., Any], **request: Any) -> Any:
    """Return the operation's response, or the code of an error with one of these codes."""
    try:
        return operation(**request)
    except ClientError as error:
        code = str(error.response.get("Error", {}).get("Code") or "")
        if code in codes:
            return code
        raise


def _s3_client(timeout_s: float) -> S3Client:
    client: S3Client = aws_client("s3", read_timeout_s=timeout_s, signature_version="s3v4")
    return client
