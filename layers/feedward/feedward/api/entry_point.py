"""The entry point of the API: makes the caller of a request from what the authorizer said of its key (rule TN1).

The authorizer lets every right key pass, with its verdict; what a key is refused for is said here, as a problem
document. Without a verdict nobody gets further, unless the deployment asks for no keys.
"""

from __future__ import annotations

from typing import Any, Final

from feedward.access.caller import SELF, SELF_HOSTED, Caller, Scope
from feedward.api.event import Event, member
from feedward.api.problems import KeyExpired, KeyRevoked, Unauthorized

VERDICT, TENANT, KEY_ID, SCOPE, EXPIRES_AT = "verdict", "tenant", "key_id", "scope", "expires_at"
"""The members of the authorizer's context."""
OK, EXPIRED, REVOKED = "ok", "expired", "revoked"
_NEVER: Final = 0


def caller_of(event: Event, *, is_open: bool, now: int) -> Caller:
    """Return the caller of a request at `now`. `is_open`: the deployment takes requests without a key.

    Raises Unauthorized, KeyExpired, also for a key that expired after the verdict was cached (rule AK5), or KeyRevoked.
    """
    said = member(event, "requestContext", "authorizer", "lambda")
    if said is None and is_open:
        return SELF_HOSTED
    verdict = member(said, VERDICT)
    if verdict == REVOKED:
        raise KeyRevoked("ask for a new key")
    if verdict == EXPIRED:
        raise KeyExpired("ask for a new key")
    tenant, key_id, ends = member(said, TENANT), member(said, KEY_ID), _whole_number(member(said, EXPIRES_AT))
    if verdict != OK or not _is_name(tenant) or not _is_name(key_id) or ends is None:
        raise Unauthorized("send a key: Authorization: Bearer fw_...")
    if ends != _NEVER and ends <= now:
        raise KeyExpired("ask for a new key")
    return Caller(tenant_id=None if tenant == SELF else str(tenant), key_id=str(key_id), scope=_scope(said))


def _scope(said: Any) -> Scope:
    try:
        return Scope(member(said, SCOPE))
    except ValueError:
        raise Unauthorized("the key has no scope that is known here") from None


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _whole_number(value: Any) -> int | None:
    """Read a number of the context, which the gateway may pass on as text."""
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value)
    return int(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
