"""Checks a presented key: one consistent read, and its last use recorded by the hour (rules AK1 to AK5, AK12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from feedward.access.key import parse_key
from feedward.access.stored_key import StoredKey, used_hour
from feedward.access.verdict import Verdict, context_of, verdict_of
from feedward.deadline import Deadline
from feedward.errors import FeedwardError

if TYPE_CHECKING:  # the function starts for each new key
    from feedward.ports.keys import PresentedKeys

READ_S: Final = 1.0
_SCHEME: Final = "bearer"
_CHARACTERS_AT_MOST: Final = 200


def authorize(authorization: str, *, keys: PresentedKeys, now: int) -> Mapping[str, Any] | None:
    """Return the data of the key in an Authorization header for the functions; None if it is not a key of ours.

    A malformed key is refused without a read. Store errors are raised: the gateway would cache a refusal.
    """
    key = parse_key(_token(authorization))
    if key is None:
        return None
    store = keys.within(Deadline.after(READ_S))
    stored = store.get(key.key_id)
    verdict = verdict_of(key, stored, now)
    if stored is None or verdict is None:
        return None
    if verdict is Verdict.OK:
        _note_use(stored, store, now)
    return context_of(stored, verdict)


def _token(authorization: str) -> str:
    scheme, _, token = authorization.strip().partition(" ")
    is_ours = len(authorization) <= _CHARACTERS_AT_MOST and scheme.lower() == _SCHEME
    return token.strip() if is_ours else ""


def _note_use(stored: StoredKey, store: PresentedKeys, now: int) -> None:
    """Record the hour of the use. A failure to record it does not refuse the key."""
    hour = used_hour(now)
    if stored.last_used_at is not None and stored.last_used_at >= hour:
        return
    try:
        store.touch(stored.key_id, hour=hour)
    except FeedwardError:
        return
