"""A request with an `Idempotency-Key`, and its record (rules R17, G4).

A record says that an attempt is in progress, or holds the response. It expires at its `until`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

KEPT_S: Final = 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedRequest:
    """One attempt at a request.

    `request_id`: hash of caller, route and key. `fingerprint`: hash of the body's meaning. `attempt_id`: unique to each
    attempt. `until`: the latest end of this attempt (epoch seconds). `tenant_id`: its tenant, None for the
    deployment's own user; a deletion of the tenant finds the record by it.
    """

    request_id: str
    fingerprint: str
    attempt_id: str
    until: int
    tenant_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IdempotencyRecord:
    """The record of a request. `answer` is None while the first attempt is in progress."""

    fingerprint: str
    until: int
    answer: str | None
