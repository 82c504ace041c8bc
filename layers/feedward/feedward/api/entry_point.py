"""The entry point of the API: creates the caller of a request from the authorizer's verdict on its key (rule TN1).

The authorizer passes every known key on, with its verdict; a refused key gets its problem document here. A request
without a verdict is refused, unless the deployment requires no keys.
"""

from __future__ import annotations

from typing import Any

from feedward.access.caller import SELF, SELF_HOSTED, Caller, Scope
from feedward.api.event import Event, member
from feedward.api.problems import KeyExpired, KeyRevoked, Unauthorized

NEVER = 0  # the same as in access.verdict, which is not loaded for this


def caller_of(event: Event, *, is_open: bool, now: int) -> Caller:
    """Return the caller of a request at `now`. `is_open`: the deployment accepts requests without a key.

    Raises Unauthorized, KeyRevoked, or KeyExpired, also for a key that expired after the verdict was cached (rule AK5).
    """
    said = member(event, "requestContext", "authorizer", "lambda")
    if said is None and is_open:
        return SELF_HOSTED
    verdict = member(said, "verdict")
    if verdict == "revoked":
        raise KeyRevoked("this key was revoked: take another one")
    if verdict == "expired":
        raise KeyExpired("this key has expired: take another one")
    if verdict != "ok":
        raise Unauthorized("send a key: Authorization: Bearer fw_...")
    if _has_ended(member(said, "expires_at"), now):
        raise KeyExpired("this key has expired: take another one")
    tenant = _name(member(said, "tenant"))
    scope = _scope(member(said, "scope"))
    return Caller(tenant_id=None if tenant == SELF else tenant, key_id=_name(member(said, "key_id")), scope=scope)


def _has_ended(value: Any, now: int) -> bool:
    """Return whether the key's end has passed. The gateway may pass the number on as text. Raises Unauthorized."""
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _unreadable()
    return value != NEVER and value <= now


def _name(value: Any) -> str:
    if not (isinstance(value, str) and value):
        raise _unreadable()
    return value


def _scope(value: Any) -> Scope:
    try:
        return Scope(value)
    except ValueError:
        raise _unreadable() from None


def _unreadable() -> Unauthorized:
    return Unauthorized("the authorizer's verdict on this key cannot be read")
