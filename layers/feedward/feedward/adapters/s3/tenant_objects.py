"""Deletes the objects of a tenant from the bucket: bodies, files of imports and exports (rules TN6, TN11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from feedward.access.ownership import prefix_of
from feedward.adapters.s3.bucket import BucketPort

_AT_ONCE: Final = 1000


class TenantObjects(BucketPort):
    """The objects of tenants. Thread-safe."""

    def remove(self, tenant_id: str) -> tuple[int, Mapping[str, str] | None]:
        """Delete up to a thousand objects. Return their number, and a place if there may be more."""
        prefixes = (f"bodies/{prefix_of(tenant_id)}", f"imports/{tenant_id}/", f"exports/{prefix_of(tenant_id)}")
        for prefix in prefixes:
            found = self._ask(self._s3().list_objects_v2, Prefix=prefix, MaxKeys=_AT_ONCE)
            keys = [each["Key"] for each in found.get("Contents", ())]
            if keys:
                for key in keys:
                    self._ask(self._s3().delete_object, Key=key)
                return len(keys), {"prefix": prefix}
        return 0, None
