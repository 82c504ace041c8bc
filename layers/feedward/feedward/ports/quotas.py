"""Ports of quotas: the charges of services, and the stored counters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from feedward.deadline import Bounded

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from feedward.access.caller import Caller
    from feedward.quotas.quota import Limits, Place, Span

WorkName: TypeAlias = Literal[
    "subscriptions", "discoveries", "canonicalizations", "pages", "imports", "body_bytes", "deliveries"
]  # quotas.quota.Work: a service names its work without loading it


class Charges(Protocol):
    """Charges tenants for work (rules QT1, QT3). The deployment's own user without a key is never charged."""

    def charged(
        self, caller: Caller, work: WorkName, weight: int = 1, /, *, now_used: Callable[[], int] | None = None
    ) -> AbstractContextManager[None]:
        """Charge `weight`, in full or not at all, before the work inside. The charge is refunded if we fail.

        `now_used` counts the existing objects of a total, at the first charge of a day. Raises QuotaExceeded, and the
        errors of the counters: no work starts without them (rule QT5).
        """
        ...

    def charged_to(self, tenant_id: str | None, work: WorkName, weight: int = 1, /) -> AbstractContextManager[None]:
        """As `charged`, for work without a request."""
        ...

    def place(self, caller: Caller, kind: str, /, *, within_s: float) -> AbstractContextManager[None]:
        """Take one of the tenant's slots for the work inside, which ends within `within_s` seconds (rule QT8).

        Raises TooManyAtOnce, and the errors of the counters.
        """
        ...

    def count(self, tenant_id: str | None, work: WorkName, weight: int, /) -> None:
        """Count work that is already done; a negative weight takes it back. A failure is not raised."""
        ...


class QuotaCounters(Bounded, Protocol):
    """Counters, slots and limits of tenants. All raise Throttled, Conflict or StoreUnavailable.

    `tenant_id` None is the deployment's own user.
    """

    def used(self, tenant_id: str | None, span: Span) -> int | None:
        """Return the value of a counter, None if nothing was counted in it."""
        ...

    def add(self, tenant_id: str | None, span: Span, weight: int, *, at_most: int, charge_id: str) -> int | None:
        """Add `weight` if the counter is at most `at_most`. Returns None then, else the value of the counter.

        A counter that was never written is 0. The counter must hold at least a negative weight. A call that is repeated
        with the same `charge_id`, because its answer was lost, is counted once. The id starts with the second: 11
        digits and a dash.
        """
        ...

    def start(self, tenant_id: str | None, span: Span, used: int) -> None:
        """Initialize a counter with the existing number, unless it exists."""
        ...

    def give_back(self, tenant_id: str | None, span: Span, weight: int, *, charge_id: str) -> None:
        """Subtract a charge from a counter, once. Does nothing if the charge is unknown."""
        ...

    def take_place(self, tenant_id: str | None, kind: str, *, places: int, now: int, until: int) -> Place | None:
        """Take one of `places` slots until it is released, at the latest until `until`. None if all are taken."""
        ...

    def leave_place(self, tenant_id: str | None, place: Place) -> None:
        """Release a slot, unless it has expired and has another holder."""
        ...

    def limits(self, tenant_id: str | None) -> Limits:
        """Return the tenant's own limits, which override the default."""
        ...

    def set_limits(self, tenant_id: str | None, limits: Limits, *, seen: Limits | None = None) -> bool:
        """Replace the tenant's limits. Returns False if they are not those that were `seen`; None replaces any."""
        ...
