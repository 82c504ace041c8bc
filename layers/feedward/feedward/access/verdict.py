"""What the authorizer says of a key, and how it travels to the functions (rules AK3, AK4, AK5). Pure.

The gateway keeps a verdict for a minute, and one verdict counts for all routes: so it names the key's tenant, scope and
end, and never judges a route. Why a key is refused is said only to who holds its secret.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from feedward.access.caller import SELF
from feedward.access.key import Key
from feedward.access.stored_key import StoredKey

TENANT, KEY_ID, SCOPE, EXPIRES_AT, VERDICT = "tenant", "key_id", "scope", "expires_at", "verdict"
"""The members of the authorizer's context."""
NEVER: Final = 0
"""`expires_at` of a key without an end: the gateway passes numbers on, but no null."""
_NOBODYS: Final = hashlib.sha256(b"the secret of no key").hexdigest()


class Verdict(StrEnum):
    """What is said of a key to who holds its secret."""

    OK = "ok"
    EXPIRED = "expired"
    REVOKED = "revoked"


def verdict_of(key: Key, stored: StoredKey | None, now: int) -> Verdict | None:
    """Return the verdict on a key that was presented, None if it is none of ours.

    A known and an unknown id take the same path and time.
    """
    fits = key.fits(_NOBODYS if stored is None else stored.sha256)
    if stored is None or not fits:
        return None
    if stored.is_live(now):
        return Verdict.OK
    return Verdict.EXPIRED if stored.revoked_at is None else Verdict.REVOKED


def context_of(stored: StoredKey, verdict: Verdict) -> Mapping[str, Any]:
    """Return what the functions are told of a key."""
    return {
        VERDICT: verdict.value,
        TENANT: SELF if stored.tenant_id is None else stored.tenant_id,
        KEY_ID: stored.key_id,
        SCOPE: stored.scope.value,
        EXPIRES_AT: NEVER if stored.expires_at is None else stored.expires_at,
    }
