"""Counters, leases and limits of tenants: ports.quotas.QuotaCounters over StateTable and TenantsTable (rule QT1).

A charge is one conditional update. The counter keeps the ids of some charges in slots: if the response to a charge is
lost, its retry is not counted again. A retry may count twice only if a tenant makes more charges within seconds than
there are slots.
"""

from __future__ import annotations

import secrets
from typing import Final
from zlib import crc32

from feedward.access import name_of
from feedward.adapters.dynamodb.state.state_rows import places_key, quota_key
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.keys import tenant_key
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import (
    Condition,
    absent,
    at_least,
    at_most,
    both,
    differs,
    either,
    equals,
    less_than,
)
from feedward.quotas.quota import KEPT_S, UNLIMITED, Limits, Place, Span, read_limits

# A counter stays below 1 KB, one write unit.
SLOTS: Final = 32
# The time in which a charge may be repeated: all attempts end within the deadline of a call.
SETTLED_S: Final = 10
_TRIES: Final = 5
_MARKS: Final = 1_000_000
_QUOTAS: Final = "QUOTAS"


class DynamoQuotaCounters(TableStore):
    """ports.quotas.QuotaCounters. Thread-safe."""

    def used(self, tenant_id: str | None, span: Span) -> int | None:
        """Return the value of a counter, None if nothing was counted in it."""
        found = self._counter(tenant_id, span)
        return int(found["used"]) if "used" in found else None

    def add(self, tenant_id: str | None, span: Span, weight: int, *, at_most: int, charge_id: str) -> int | None:
        """Add `weight` if the counter is at most `at_most` before. Returns None if added, else the counter's value."""
        slot, used = crc32(charge_id.encode()) % SLOTS, 0
        for is_last in (*[False] * _TRIES, True):
            name, settled = f"c{slot}", _settled_before(charge_id)
            is_free = either(absent(name), differs(name, charge_id) if is_last else less_than(name, settled))
            found = self._add(tenant_id, span, weight, both(_fits(weight, at_most), is_free), {name: charge_id})
            if found is None or charge_id in found.values():
                return None
            used = int(found.get("used", 0))
            if not _has_room(used, weight, at_most):
                break
            slot = _free_slot(found, charge_id)
        return used

    def start(self, tenant_id: str | None, span: Span, used: int) -> None:
        """Create a counter with the current amount, unless it exists."""
        names = self._tables.names
        assign = {"used": used, "expires_at": span.ends_at + KEPT_S}
        self._tables.change(names.state, _key(tenant_id, span), absent("used"), assign=assign)

    def give_back(self, tenant_id: str | None, span: Span, weight: int, *, charge_id: str) -> None:
        """Subtract a charge from a counter, once."""
        names, key = self._tables.names, _key(tenant_id, span)
        found = self._counter(tenant_id, span)
        slot = next((name for name, value in found.items() if value == charge_id), None)
        if slot is not None:
            when = both(equals(slot, charge_id), at_least("used", weight))
            self._tables.change(names.state, key, when, add={"used": -weight}, remove=(slot,))

    def _counter(self, tenant_id: str | None, span: Span) -> Item:
        """Return a counter as stored now. It is a query, because functions that charge may only query the table."""
        partition = ("pk", _key(tenant_id, span)["pk"])
        return next(iter(self._tables.query(self._tables.names.state, partition)), {})

    def _add(
        self, tenant_id: str | None, span: Span, weight: int, when: Condition, noted: dict[str, str]
    ) -> Item | None:
        """Return None if it was added, else the stored item."""
        assign = {"expires_at": span.ends_at + KEPT_S, **noted}
        names = self._tables.names
        refusal = self._tables.change(names.state, _key(tenant_id, span), when, add={"used": weight}, assign=assign)
        return None if refusal is None else refusal.item or {}

    # --- leases for work in flight -----------------------------------------------------------------

    def take_place(self, tenant_id: str | None, kind: str, *, places: int, now: int, until: int) -> Place | None:
        """Take one of `places` leases, which ends when it is released or at `until`. None if all are taken."""
        number, mark = secrets.randbelow(places), until * _MARKS + secrets.randbelow(_MARKS)
        for _ in range(places + 1):
            taken = _try_place(self._tables, tenant_id, Place(kind=kind, number=number, mark=mark), now)
            if isinstance(taken, Place):
                return taken
            free = [place for place in range(places) if taken.get(_place(place), 0) < now * _MARKS]
            if not free:
                return None
            number = secrets.choice(free)
        return None

    def leave_place(self, tenant_id: str | None, place: Place) -> None:
        """Release a lease, unless it has ended and another worker holds it."""
        names, name = self._tables.names, _place(place.number)
        key = places_key(name_of(tenant_id), place.kind)
        self._tables.change(names.state, key, equals(name, place.mark), remove=(name,))

    # --- limits -----------------------------------------------------------------------------------

    def limits(self, tenant_id: str | None) -> Limits:
        """Return the limits that replace the default ones for the tenant."""
        found = self._tables.get(self._tables.names.tenants, tenant_key(tenant_id, _QUOTAS))
        return read_limits(found["limits"]) if found else {}

    def set_limits(self, tenant_id: str | None, limits: Limits, *, seen: Limits | None = None) -> bool:
        """Replace them, if they are those that were seen, or these: the response to an earlier attempt may be lost."""
        said, table = _said(limits), self._tables.names.tenants
        as_seen = either(*(equals("limits", _said(each)) for each in (seen or {}, limits)))
        when = None if seen is None else as_seen if seen else either(absent("limits"), as_seen)
        change = self._tables.update(table, tenant_key(tenant_id, _QUOTAS), when, assign={"limits": said})
        return not isinstance(change, Refusal)


def _said(limits: Limits) -> str:
    return ",".join(f"{quota}={UNLIMITED if limit is None else limit}" for quota, limit in limits.items())


def _key(tenant_id: str | None, span: Span) -> dict[str, str]:
    return quota_key(name_of(tenant_id), span.quota, span.starts_at)


def _fits(weight: int, most: int) -> Condition:
    """Require that the counter has room; for a negative weight, that it has this amount."""
    return either(absent("used"), at_most("used", most)) if weight >= 0 else at_least("used", -weight)


def _has_room(used: int, weight: int, most: int) -> bool:
    return used <= most if weight >= 0 else used >= -weight


def _settled_before(charge_id: str) -> str:
    """Return an id; charges with earlier ids are no longer repeated, and other charges may take their slots."""
    second, _, _ = charge_id.partition("-")
    return f"{int(second) - SETTLED_S:011d}"


def _free_slot(found: Item, charge_id: str) -> int:
    """Return an empty or settled slot; the oldest if there is none."""
    by_age = sorted(range(SLOTS), key=lambda slot: str(found.get(f"c{slot}", "")))
    free = [slot for slot in by_age if str(found.get(f"c{slot}", "")) < _settled_before(charge_id)]
    return secrets.choice(free) if free else by_age[0]


def _place(number: int) -> str:
    return f"p{number}"


def _try_place(tables: Tables, tenant_id: str | None, place: Place, now: int) -> Place | Item:
    """Return the lease if it was free, or is ours after a lost response; else all leases as stored."""
    name = _place(place.number)
    is_free = either(absent(name), less_than(name, now * _MARKS))
    assign = {name: place.mark, "expires_at": place.mark // _MARKS + KEPT_S}
    key = places_key(name_of(tenant_id), place.kind)
    found = tables.change(tables.names.state, key, is_free, assign=assign)
    if found is None:
        return place
    stored: Item = found.item or {}
    return place if stored.get(name) == place.mark else stored
