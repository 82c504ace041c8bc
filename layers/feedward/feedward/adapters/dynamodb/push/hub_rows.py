"""Standings of hubs: ports.push.HubStore over StateTable. Each hub has a row; one more row lists the watched hubs."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from feedward.adapters.dynamodb.push.push_items import hub_key
from feedward.adapters.dynamodb.state.state_rows import hub_row_key, watched_hubs_key
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.adapters.dynamodb.store.transaction import absent, either, equals
from feedward.push.hub import HubStanding
from feedward.push.hub_news import HubNews, Told


class DynamoHubs(TableStore):
    """ports.push.HubStore. Thread-safe."""

    def get(self, hub: str) -> HubStanding:
        """Return the standing of a hub."""
        item = self._tables.get(self._tables.names.state, hub_row_key(hub_key(hub)))
        return read_hub(hub, item or {})

    def save(self, before: HubStanding, after: HubStanding) -> HubStanding | None:
        """Write a standing with optimistic locking on its rev. If an answer was lost, the retry finds its own write."""
        is_unchanged, written = equals("rev", before.rev), secrets.token_hex(8)
        answer = self._tables.update(
            self._tables.names.state,
            hub_row_key(hub_key(after.hub)),
            is_unchanged if before.rev else either(absent("rev"), is_unchanged),
            assign={**_attributes(after), "rev": before.rev + 1, "written": written},
        )
        stored = answer.item or {} if isinstance(answer, Refusal) else answer
        return read_hub(after.hub, stored) if stored.get("written") == written else None

    def note_told(self, hub: str, *, now: int, told: int = 0, slow: int = 0) -> None:
        """Store that a hub announced news, and add to its counts, whatever other writers do."""
        counts = {"told": told, "slow": slow} if told else {}
        self._tables.update(
            self._tables.names.state, hub_row_key(hub_key(hub)), None, assign={"told_at": now, "hub": hub}, add=counts
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
        "doubted_at": standing.doubted_at,
        "checked": standing.checked,
        "renewing": dict(standing.renewing),
        "renewed_at": standing.renewed_at,
        "alive_at": standing.alive_at,
        "noted": standing.news.noted,
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
        doubted_at=item.get("doubted_at", 0),
        checked=item.get("checked", 0),
        renewing=item.get("renewing", {}),
        renewed_at=item.get("renewed_at", 0),
        alive_at=item.get("alive_at", 0),
        news=HubNews(
            told=item.get("told", 0),
            slow=item.get("slow", 0),
            noted=tuple(Told(*each) for each in item.get("noted", ())),
        ),
    )
