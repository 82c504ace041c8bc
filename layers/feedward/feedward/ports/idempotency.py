"""Port of stored responses to requests with an `Idempotency-Key` (rule G4).

`feedward.ports` does not export it: few requests have a key, and only these load it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from feedward.idempotency import IdempotencyRecord, KeyedRequest


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
