"""The authorizer's verdict on a key, and how the functions get it (rules AK3, AK4, AK5). Pure.

The gateway caches a verdict for a minute, and for all routes: it names the key's tenant, scope and end, and never
judges a route. Only a caller that holds the secret learns why a key is refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from feedward.access import NEVER, name_of
from feedward.access.key import Key
from feedward.access.stored_key import StoredKey

TENANT, KEY_ID, SCOPE, EXPIRES_AT, VERDICT = "tenant", "key_id", "scope", "expires_at", "verdict"
"""The members of the authorizer's context."""
_UNKNOWN_KEY: Final = hashlib.sha256(b"the secret of no key").hexdigest()


class Verdict(StrEnum):
    """The verdict on a key, for a caller that holds its secret."""

    OK = "ok"
    EXPIRED = "expired"
    REVOKED = "revoked"


def verdict_of(key: Key, stored: StoredKey | None, now: int) -> Verdict | None:
    """Return the verdict on a presented key, or None if the key is unknown.

    A known and an unknown id take the same path and time.
    """
    fits = key.fits(_UNKNOWN_KEY if stored is None else stored.sha256)
    if stored is None or not fits:
        return None
    if stored.is_live(now):
        return Verdict.OK
    return Verdict.EXPIRED if stored.revoked_at is None else Verdict.REVOKED


def context_of(stored: StoredKey, verdict: Verdict) -> Mapping[str, Any]:
    """Return the authorizer's context, which tells the functions about a key."""
    return {
        VERDICT: verdict.value,
        TENANT: name_of(stored.tenant_id),
        KEY_ID: stored.key_id,
        SCOPE: stored.scope.value,
        EXPIRES_AT: NEVER if stored.expires_at is None else stored.expires_at,
    }
