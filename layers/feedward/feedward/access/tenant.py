"""A tenant: its name, its keys, and whether it is being deleted (rules T3, TN3, TN11)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from feedward.errors import InvalidInput

LOOK_AGAIN_S: Final = 3600
NAME: Final = re.compile(r"[a-z0-9-]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenant:
    """A tenant as stored. Times are epoch seconds.

    - tenant_id: None is the deployment's own user
    - key_ids: its keys, oldest first, including those that ended lately
    - deleting_since: set when its deletion was requested; its keys are refused from then on
    - deleted_at: set when all its data is deleted; the name is never given again
    - stage, place: the progress of its deletion: the kind of data, and the key after which to continue
    - removed: the number of deleted items; looked_again: whether this is the second pass
    - pending_since: the time of the next step, until the deletion is done
    - rev: the number of writes; 0 for a tenant that was never written
    """

    tenant_id: str | None
    created_at: int
    key_ids: tuple[str, ...] = ()
    deleting_since: int | None = None
    deleted_at: int | None = None
    stage: int = 0
    place: Mapping[str, str] | None = None
    removed: int = 0
    looked_again: bool = False
    pending_since: int | None = None
    rev: int = 0

    @property
    def looks_again_at(self) -> int | None:
        """The time of the second pass; None before the first has ended, and after the second."""
        return self.pending_since if self.looked_again and not self.stage and self.place is None else None

    @property
    def is_gone(self) -> bool:
        """True from the request to delete it."""
        return self.deleting_since is not None


def tenant_name(name: str, field: str = "tenant_id") -> str:
    """Return `name` if a tenant may have it, else raise InvalidInput (`field`).

    Names become keys of tables, prefixes of objects and group ids of messages.
    """
    if not NAME.fullmatch(name):
        raise InvalidInput(field, "expected a tenant's name: 1 to 64 of a-z, 0-9 and -")
    return name


def going(tenant: Tenant, *, now: int) -> Tenant:
    """Return the tenant with the mark of its deletion."""
    return tenant if tenant.is_gone else replace(tenant, deleting_since=now, pending_since=now)


def gone_on(tenant: Tenant, *, removed: int, place: Mapping[str, str] | None, stages: int, now: int) -> Tenant:
    """Return the tenant after a page of its deletion, with the position of the next page (rule TN11).

    A second pass an hour after the last page finds the data of calls that were in progress at the mark.
    """
    after = replace(tenant, removed=tenant.removed + removed, place=place, pending_since=now)
    if place is not None:
        return after
    if tenant.stage + 1 < stages:
        return replace(after, stage=tenant.stage + 1)
    if not tenant.looked_again:
        return replace(after, stage=0, looked_again=True, pending_since=now + LOOK_AGAIN_S)
    return replace(after, deleted_at=now, pending_since=None, key_ids=())
