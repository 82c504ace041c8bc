"""A key as it is stored, without its secret, and its changes (rules AK2, AK9, AK10). Pure.

Each change is a function of the tenant's keys and `now`. The store writes the changed keys with optimistic locking on
the tenant's `rev`, so the limits also hold under concurrent changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from feedward.access.caller import Scope
from feedward.errors import NotFound, WrongState

LIVE_AT_MOST: Final = 20
ENDED_AT_MOST: Final = 60
ENDED_KEPT_S: Final = 30 * 86_400
OVERLAP_S: Final = 86_400
HOUR_S: Final = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredKey:
    """A key of a tenant (None: the deployment's own user). Times are epoch seconds.

    - sha256: the hash of the secret, in hex; the secret itself is stored nowhere
    - expires_at: refused from this time on; revoked_at: when it was revoked
    - last_used_at: the beginning of the hour in which it was last used
    - replaced_by: the key with which a rotation replaced it
    """

    key_id: str
    sha256: str
    tenant_id: str | None
    scope: Scope
    name: str
    created_at: int
    expires_at: int | None = None
    revoked_at: int | None = None
    last_used_at: int | None = None
    replaced_by: str | None = None

    def is_live(self, now: int) -> bool:
        """Return whether it is neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


def used_hour(now: int) -> int:
    """Return the time to store as `last_used_at` at `now`."""
    return now - now % HOUR_S


def find(keys: Iterable[StoredKey], key_id: str) -> StoredKey:
    """Return the key with this id. Raises NotFound."""
    for key in keys:
        if key.key_id == key_id:
            return key
    raise NotFound("there is no key with this id")


def check_room(keys: Iterable[StoredKey], now: int) -> None:
    """Raise WrongState if the tenant has as many live keys as it may have."""
    if sum(key.is_live(now) for key in keys) >= LIVE_AT_MOST:
        raise WrongState(f"a tenant has at most {LIVE_AT_MOST} live keys: revoke one first")


def rotated(keys: Sequence[StoredKey], old: StoredKey, new: StoredKey, *, overlap_s: int, now: int) -> StoredKey:
    """Return the old key with its end, after which only `new` is valid. Raises WrongState (rule AK9)."""
    check_room(keys, now)
    if not old.is_live(now):
        raise WrongState("this key has ended: create a new one")
    if old.replaced_by is not None:
        raise WrongState(f"this key was rotated before: rotate {old.replaced_by}, which replaced it")
    end = now + overlap_s
    return replace(old, expires_at=min(end, old.expires_at or end), replaced_by=new.key_id)


def revoked(keys: Iterable[StoredKey], old: StoredKey, *, keep_an_admin: bool, now: int) -> StoredKey:
    """Return the key as revoked; a key that has ended is returned unchanged.

    Raises WrongState if `keep_an_admin` and no other admin key is live and not rotated (rule AK10).
    """
    if not old.is_live(now):
        return old
    if keep_an_admin and _lasts(old, now) and not any(_lasts(each, now) for each in keys if each is not old):
        raise WrongState("this is the last admin key of its tenant: create another one first")
    return replace(old, revoked_at=now)


def outlived(keys: Sequence[StoredKey], now: int) -> tuple[StoredKey, ...]:
    """Return the keys to delete: those that ended too long ago, or before too many others."""
    ended = sorted((key for key in keys if not key.is_live(now)), key=_end, reverse=True)
    return tuple(key for place, key in enumerate(ended) if place >= ENDED_AT_MOST or _end(key) <= now - ENDED_KEPT_S)


def _lasts(key: StoredKey, now: int) -> bool:
    return key.is_live(now) and key.replaced_by is None and key.scope.includes(Scope.ADMIN)


def _end(key: StoredKey) -> int:
    return min(time for time in (key.expires_at, key.revoked_at) if time is not None)
