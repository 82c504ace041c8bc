"""Deletes the objects of a tenant from the bucket: bodies, files of imports and exports (rules TN6, TN11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from feedward.access.ownership import prefix_of
from feedward.adapters.calls import Backoff, Calls, OnFirstUse, ServicePort, aws_client
from feedward.errors import StoreUnavailable

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_AT_ONCE: Final = 1000


class TenantObjects(ServicePort):
    """The objects of tenants. Thread-safe. The client is created at its first use."""

    def __init__(
        self, bucket: str, make_client: Callable[[], S3Client] | None = None, *, backoff: Backoff | None = None
    ) -> None:
        super().__init__(Calls(StoreUnavailable, backoff))
        self._bucket = bucket
        self._s3: Callable[[], S3Client] = OnFirstUse(make_client or _s3_client)

    def remove(self, tenant_id: str) -> tuple[int, Mapping[str, str] | None]:
        """Delete up to a thousand objects. Return their number, and a place if there may be more."""
        prefixes = (f"bodies/{prefix_of(tenant_id)}", f"imports/{tenant_id}/", f"exports/{prefix_of(tenant_id)}")
        for prefix in prefixes:
            found: Any = self._calls.ask(
                self._s3().list_objects_v2, Bucket=self._bucket, Prefix=prefix, MaxKeys=_AT_ONCE
            )
            keys = [each["Key"] for each in found.get("Contents", ())]
            if keys:
                for key in keys:
                    self._calls.ask(self._s3().delete_object, Bucket=self._bucket, Key=key)
                return len(keys), {"prefix": prefix}
        return 0, None


def _s3_client() -> S3Client:
    client: S3Client = aws_client("s3")
    return client
