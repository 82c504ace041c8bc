"""A tenant: its name, its keys, and whether it is being deleted (rules T3, TN3, TN11)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from feedward.errors import InvalidInput

NAME: Final = re.compile(r"[a-z0-9-]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenant:
    """A tenant as stored. Times are epoch seconds.

    - tenant_id: None is the deployment's own user
    - key_ids: its keys, oldest first, also those that have ended lately
    - deleting_since: set when its deletion was asked for; its keys are refused from then on
    - deleted_at: set when nothing of it is left; the name is never given again
    - rev: the number of writes; 0 for one that was never written
    """

    tenant_id: str | None
    created_at: int
    key_ids: tuple[str, ...] = ()
    deleting_since: int | None = None
    deleted_at: int | None = None
    rev: int = 0

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
    return tenant if tenant.is_gone else replace(tenant, deleting_since=now)
