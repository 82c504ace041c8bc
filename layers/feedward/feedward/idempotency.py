"""A request that was sent with an `Idempotency-Key`, and what is remembered of it (rules R17, G4).

A record says that the request is being worked on, or how it was answered; each holds until its time, and no longer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

KEPT_S: Final = 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedRequest:
    """One attempt at a request.

    `request_id`: caller, route and key as one hash. `fingerprint`: what the body says, as a hash.
    `attempt_id`: another text for each attempt. `until`: when this one is over, whatever becomes of it (epoch seconds).
    """

    request_id: str
    fingerprint: str
    attempt_id: str
    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IdempotencyRecord:
    """What is remembered of a request. `answer` is None while the first attempt is being worked on."""

    fingerprint: str
    until: int
    answer: str | None
