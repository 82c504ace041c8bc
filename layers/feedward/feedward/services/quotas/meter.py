"""Charges tenants for work: ports.quotas.Charges over stored counters (rules QT1 to QT5, QT7, QT8).

A charge follows the validation and precedes the work. A tenant's limits are read at most every half minute, so that a
changed limit applies within a minute (rule QT5).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from feedward.access.caller import Caller
from feedward.errors import FeedwardError, QuotaExceeded, TooManyAtOnce, is_our_failure
from feedward.ports import Clock
from feedward.ports.quotas import QuotaCounters, WorkName
from feedward.quotas.quota import (
    CHARGED,
    MUST_BE_OPEN,
    Limits,
    Quota,
    Span,
    Window,
    Work,
    carried,
    limits_of,
    opens_at,
    span_at,
)

LIMITS_FOR_S: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """A weight added to a counter."""

    span: Span
    weight: int
    charge_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaState:
    """A quota of a tenant now. `limit` None: unlimited, not counted. `opens_at`: when all of it is free again."""

    quota: Quota
    limit: int | None
    used: int | None
    opens_at: int | None


class Meter:
    """Implements ports.quotas.Charges. Thread-safe. Each process has one, which caches limits."""

    def __init__(self, counters: QuotaCounters, clock: Clock, *, default: Limits, places: int) -> None:
        """`default` are the limits of tenants without own ones, `places` a tenant's slots for work in flight here."""
        self._counters, self._clock, self._default, self._places = counters, clock, default, places
        self._known: dict[str | None, tuple[int, dict[Quota, int | None]]] = {}

    # --- charging ---------------------------------------------------------------------------------

    @contextmanager
    def charged(
        self, caller: Caller, work: WorkName, weight: int = 1, *, now_used: Callable[[], int] | None = None
    ) -> Iterator[None]:
        """Charge `weight` before the work inside; refund it if we fail. Raises QuotaExceeded."""
        if weight <= 0 or _is_free(caller):
            yield
            return
        with self._paid(caller.tenant_id, Work(work), weight, now_used):
            yield

    @contextmanager
    def charged_to(self, tenant_id: str | None, work: WorkName, weight: int = 1) -> Iterator[None]:
        """As `charged`, for work without a request."""
        with self._paid(tenant_id, Work(work), weight, None):
            yield

    @contextmanager
    def _paid(
        self, tenant_id: str | None, work: Work, weight: int, now_used: Callable[[], int] | None
    ) -> Iterator[None]:
        charges = self._charge(tenant_id, work, weight, now_used)
        try:
            yield
        except Exception as error:
            if is_our_failure(error):
                self._give_back(tenant_id, charges)
            raise

    def count(self, tenant_id: str | None, work: WorkName, weight: int) -> None:
        """Count work that is already done; a negative weight takes it back. A failure is not raised."""
        with suppress(FeedwardError):
            limits, now = self._limits(tenant_id), self._clock.now()
            for span in (span_at(quota, now) for quota in CHARGED[Work(work)] if limits[quota] is not None):
                if span.quota.window is not Window.TOTAL or self._counters.used(tenant_id, span) is not None:
                    self._counters.add(tenant_id, span, weight, at_most=_ANY, charge_id=_new_id(now))

    def _charge(
        self, tenant_id: str | None, work: Work, weight: int, now_used: Callable[[], int] | None
    ) -> tuple[Charge, ...]:
        """Charge all quotas of the work, or none."""
        limits, now, charges = self._limits(tenant_id), self._clock.now(), list[Charge]()
        try:
            for quota in MUST_BE_OPEN.get(work, ()):
                self._require_room(tenant_id, span_at(quota, now), limits[quota], now)
            for quota in CHARGED[work]:
                limit = limits[quota]
                if limit is not None:
                    self._begin(tenant_id, span_at(quota, now), now_used)
                    charges.append(self._add(tenant_id, span_at(quota, now), weight, limit, now))
        except FeedwardError:
            self._give_back(tenant_id, charges)
            raise
        return tuple(charges)

    def _begin(self, tenant_id: str | None, span: Span, now_used: Callable[[], int] | None) -> None:
        """Initialize today's counter of a total with the existing number."""
        if span.quota.window is Window.TOTAL and now_used and self._counters.used(tenant_id, span) is None:
            self._counters.start(tenant_id, span, now_used())

    def _add(self, tenant_id: str | None, span: Span, weight: int, limit: int, now: int) -> Charge:
        before = (self._counters.used(tenant_id, span.before) or 0) if span.quota.window is Window.MINUTE else 0
        room = limit - weight - carried(span, before, now)
        charge = Charge(span=span, weight=weight, charge_id=_new_id(now))
        used = (
            self._counters.add(tenant_id, span, weight, at_most=room, charge_id=charge.charge_id)
            if room >= 0
            else self._counters.used(tenant_id, span) or 0
        )
        if used is None:
            return charge
        raise _exceeded(span, limit=limit, used=used, before=before, weight=weight, now=now)

    def _require_room(self, tenant_id: str | None, span: Span, limit: int | None, now: int) -> None:
        used = self._counters.used(tenant_id, span) or 0 if limit is not None else 0
        if limit is not None and used >= limit:
            raise _exceeded(span, limit=limit, used=used, before=0, weight=min(limit, 1), now=now)

    def _give_back(self, tenant_id: str | None, charges: tuple[Charge, ...] | list[Charge]) -> None:
        """Refund charges. If that fails too, the tenant's quota is smaller until the window ends."""
        for charge in charges:
            with suppress(FeedwardError):
                self._counters.give_back(tenant_id, charge.span, charge.weight, charge_id=charge.charge_id)

    # --- places -----------------------------------------------------------------------------------

    @contextmanager
    def place(self, caller: Caller, kind: str, *, within_s: float) -> Iterator[None]:
        """Take one of the tenant's slots for the work inside. Raises TooManyAtOnce."""
        if _is_free(caller) or caller.tenant_id is None:
            yield
            return
        now = self._clock.now()
        place = self._counters.take_place(
            caller.tenant_id, kind, places=self._places, now=now, until=now + int(within_s) + 1
        )
        if place is None:
            raise TooManyAtOnce(self._places)
        try:
            yield
        finally:
            with suppress(FeedwardError):  # the slot expires
                self._counters.leave_place(caller.tenant_id, place)

    # --- reading ----------------------------------------------------------------------------------

    def state(self, tenant_id: str | None, own: Limits) -> tuple[QuotaState, ...]:
        """Return all quotas of a tenant with these own limits, from a current read."""
        limits, now = limits_of(self._defaults(tenant_id), own), self._clock.now()
        return tuple(self._state(tenant_id, span_at(quota, now), limits[quota], now) for quota in Quota)

    def _state(self, tenant_id: str | None, span: Span, limit: int | None, now: int) -> QuotaState:
        if limit is None:
            return QuotaState(quota=span.quota, limit=None, used=None, opens_at=None)
        before = (self._counters.used(tenant_id, span.before) or 0) if span.quota.window is Window.MINUTE else 0
        used = self._counters.used(tenant_id, span) or 0
        total = used + carried(span, before, now)
        is_timed = total > 0 and span.quota.window is not Window.TOTAL
        opens = opens_at(span, limit=1, used=used, used_before=before, weight=1, now=now) if is_timed else None
        return QuotaState(quota=span.quota, limit=limit, used=total, opens_at=opens)

    def _limits(self, tenant_id: str | None) -> dict[Quota, int | None]:
        read_at, limits = self._known.get(tenant_id, (None, {}))
        now = self._clock.now()
        if read_at is None or not 0 <= now - read_at < LIMITS_FOR_S:
            limits = limits_of(self._defaults(tenant_id), self._counters.limits(tenant_id))
            self._known[tenant_id] = now, limits
        return limits

    def _defaults(self, tenant_id: str | None) -> Limits:
        """Return the limits of a tenant without own ones: none for the deployment's own user."""
        return self._default if tenant_id is not None else {}


_ANY: Final = 10**15


def _new_id(now: int) -> str:
    """Return the id of a charge: the second, as the sort key, and a random part."""
    return f"{now:011d}-{secrets.token_hex(4)}"


def _is_free(caller: Caller) -> bool:
    """Return whether work is free: without keys, a deployment has no tenants."""
    return caller.key_id is None


def _exceeded(span: Span, *, limit: int, used: int, before: int, weight: int, now: int) -> QuotaExceeded:
    opens = opens_at(span, limit=limit, used=used, used_before=before, weight=weight, now=now)
    return QuotaExceeded(
        span.quota,
        limit=limit,
        used=used + carried(span, before, now),
        window=span.quota.window,
        opens_at=opens,
        retry_after_s=None if opens is None else max(opens - now, 1),
    )
