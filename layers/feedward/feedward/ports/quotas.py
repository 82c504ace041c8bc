"""Ports of quotas: what services charge, and the stored counters behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from feedward.deadline import Bounded

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from feedward.access.caller import Caller
    from feedward.quotas.place import Place
    from feedward.quotas.quota import Limits
    from feedward.quotas.span import Span

WorkName: TypeAlias = Literal[
    "subscriptions", "discoveries", "canonicalizations", "pages", "imports", "body_bytes", "deliveries"
]  # quotas.quota.Work: a service names its work without loading it


class Charges(Protocol):
    """What services charge a tenant for (rules QT1, QT3). The deployment's own user without a key is never charged."""

    def charged(
        self, caller: Caller, work: WorkName, weight: int = 1, /, *, now_used: Callable[[], int] | None = None
    ) -> AbstractContextManager[None]:
        """Charge `weight` before the work that is done inside, whole or not at all. Where we fail, it is given back.

        `now_used` counts what there is of a total, at the first charge of a day. Raises QuotaExceeded, and what the
        counters raise: without them no work begins (rule QT5).
        """
        ...

    def charged_to(self, tenant_id: str | None, work: WorkName, weight: int = 1, /) -> AbstractContextManager[None]:
        """As `charged`, for work that no request asks for."""
        ...

    def place(self, caller: Caller, kind: str, /, *, within_s: float) -> AbstractContextManager[None]:
        """Take one of the tenant's places for the work inside, which ends within so many seconds (rule QT8).

        Raises TooManyAtOnce, and what the counters raise.
        """
        ...

    def count(self, tenant_id: str | None, work: WorkName, weight: int, /) -> None:
        """Count work that is done already; a negative weight takes it back. A failure is not raised."""
        ...


class QuotaCounters(Bounded, Protocol):
    """Counters, places and limits of tenants. All raise Throttled, Conflict or StoreUnavailable.

    `tenant_id` None is the deployment's own user.
    """

    def used(self, tenant_id: str | None, span: Span) -> int | None:
        """Return what a counter has, None if nothing was counted in it."""
        ...

    def add(self, tenant_id: str | None, span: Span, weight: int, *, at_most: int, charge_id: str) -> int | None:
        """Add `weight` if the counter has at most `at_most` before. Return None then, else what the counter has.

        A counter that was never written has 0. A negative weight needs as much in the counter. A call that is repeated
        with the same `charge_id`, because its answer was lost, is counted once. The id begins with the second: 11
        digits and a dash.
        """
        ...

    def start(self, tenant_id: str | None, span: Span, used: int) -> None:
        """Begin a counter with what there is, unless somebody else has begun it."""
        ...

    def give_back(self, tenant_id: str | None, span: Span, weight: int, *, charge_id: str) -> None:
        """Take a charge off a counter, once. One that is not known any more stays."""
        ...

    def take_place(self, tenant_id: str | None, kind: str, *, places: int, now: int, until: int) -> Place | None:
        """Take one of so many places until it is left, at the latest until `until`. None if all are taken."""
        ...

    def leave_place(self, tenant_id: str | None, place: Place) -> None:
        """Leave a place, unless it has ended and somebody else has it."""
        ...

    def limits(self, tenant_id: str | None) -> Limits:
        """Return the limits that the tenant has in place of the default."""
        ...

    def set_limits(self, tenant_id: str | None, limits: Limits) -> None:
        """Replace them."""
        ...
