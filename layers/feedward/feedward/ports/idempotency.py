"""Requests with an `Idempotency-Key`, their records, and the port of the stored responses (rules R17, G4).

`feedward.ports` does not export it: few requests have a key, and only these load it. A record says that an attempt is
in progress, or holds the response. It expires at its `until`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from feedward.deadline import Bounded

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


class IdempotencyRecords(Bounded, Protocol):
    """Responses by idempotency key. All raise Throttled, Conflict or StoreUnavailable."""

    def begin(self, request: KeyedRequest, *, now: int) -> IdempotencyRecord | None:
        """Start an attempt at the request. Returns None if there is no record of it, or if the record has expired.

        Otherwise returns the record. Only one of several simultaneous attempts gets None.
        """
        ...

    def finish(self, request: KeyedRequest, *, answer: str, until: int) -> None:
        """Store the response until `until`, unless another attempt has started since."""
        ...

    def forget(self, request: KeyedRequest) -> None:
        """Allow a new attempt at the request, unless another one has started since."""
        ...
