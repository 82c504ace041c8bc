"""What remembers requests that were sent with an `Idempotency-Key` (rule G4).

Not among the names of `feedward.ports`, since few requests have a key: whoever answers one loads it then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # annotations only: whoever needs a port does not load what it speaks of
    from feedward.idempotency import IdempotencyRecord, KeyedRequest


class IdempotencyRecords(Bounded, Protocol):
    """How keyed requests were answered. All raise Throttled, Conflict or StoreUnavailable."""

    def begin(self, request: KeyedRequest, *, now: int) -> IdempotencyRecord | None:
        """Take the request up, if nobody has or if the time of what is remembered is over: None.

        Else what is remembered of it. Of many that begin at once, one gets None.
        """
        ...

    def finish(self, request: KeyedRequest, *, answer: str, until: int) -> None:
        """Remember the answer until then, unless another attempt has taken the request up since."""
        ...

    def forget(self, request: KeyedRequest) -> None:
        """Let the request be taken up anew, unless another attempt has done so since."""
        ...
