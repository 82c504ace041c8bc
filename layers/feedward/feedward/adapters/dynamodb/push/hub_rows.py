"""Standings of hubs: ports.push.HubStore over StateTable. Each hub has a row; one more row lists the watched hubs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from feedward.adapters.dynamodb.push.push_items import hub_key
from feedward.adapters.dynamodb.state.state_rows import hub_row_key, watched_hubs_key
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import absent, either, equals
from feedward.push.hub import HubStanding

_TOLD_EVERY_S: Final = 60
# Hubs that a process remembers. Feeds name them, so that their number has no bound of its own.
_REMEMBERED: Final = 1000
_COUNTED: Final = ("trusted", "rate")


class DynamoHubs(TableStore):
    """ports.push.HubStore. Thread-safe."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self._told: dict[str, int] = {}

    def get(self, hub: str) -> HubStanding:
        """Return the standing of a hub."""
        item = self._tables.get(self._tables.names.state, hub_row_key(hub_key(hub)))
        return read_hub(hub, item or {})

    def save(self, before: HubStanding, after: HubStanding) -> HubStanding | None:
        """Write a standing with optimistic locking on its rev."""
        is_unchanged = equals("rev", before.rev)
        answer = self._tables.update(
            self._tables.names.state,
            hub_row_key(hub_key(after.hub)),
            is_unchanged if before.rev else either(absent("rev"), is_unchanged),
            assign={**_attributes(after), "rev": before.rev + 1},
        )
        return read_hub(after.hub, answer) if isinstance(answer, dict) else None

    def note_told(self, hub: str, *, now: int) -> None:
        """Store that a hub sent a notification, at most once a minute."""
        if now - self._told.get(hub, 0) < _TOLD_EVERY_S:
            return
        if len(self._told) >= _REMEMBERED:
            self._told.clear()
        self._told[hub] = now
        self._tables.update(
            self._tables.names.state, hub_row_key(hub_key(hub)), None, assign={"told_at": now, "hub": hub}
        )

    def watched(self) -> Sequence[str]:
        """Return the watched hubs."""
        item = self._tables.get(self._tables.names.state, watched_hubs_key()) or {}
        return tuple(item.get("hubs", ()))

    def watch(self, hub: str, *, is_on: bool) -> None:
        """Add a hub to the watched hubs, or remove it."""
        change = {"unite": {"hubs": {hub}}} if is_on else {"take_out": {"hubs": {hub}}}
        self._tables.update(self._tables.names.state, watched_hubs_key(), None, **change)


def _attributes(standing: HubStanding) -> Item:
    return {
        "hub": standing.hub,
        "missed": dict(standing.missed),
        "untold": dict(standing.untold),
        "late": dict(standing.late),
        "suspended_until": standing.suspended_until,
        "suspensions": standing.suspensions,
        "frees": standing.frees,
        "failures": standing.failures,
        "failed_at": standing.failed_at,
        "held_until": standing.held_until,
        "probed_at": standing.probed_at,
        "renewing": dict(standing.renewing),
        "renewed_at": standing.renewed_at,
        "alive_at": standing.alive_at,
    }


def read_hub(hub: str, item: Item) -> HubStanding:
    """Return the standing of a row; for an empty row, that of an unknown hub."""
    return HubStanding(
        hub=hub,
        rev=item.get("rev", 0),
        trusted=max(item.get("trusted", 0), 0),
        rate=max(item.get("rate", 0), 0),
        missed=item.get("missed", {}),
        untold=item.get("untold", {}),
        late=item.get("late", {}),
        suspended_until=item.get("suspended_until", 0),
        suspensions=item.get("suspensions", 0),
        frees=item.get("frees", False),
        failures=item.get("failures", 0),
        failed_at=item.get("failed_at", 0),
        held_until=item.get("held_until", 0),
        told_at=item.get("told_at", 0),
        probed_at=item.get("probed_at", 0),
        renewing=item.get("renewing", {}),
        renewed_at=item.get("renewed_at", 0),
        alive_at=item.get("alive_at", 0),
    )
