"""Rate limiter of hosts: ports.HostLimiter over StateTable. A cooldown applies to all requests to the host (rule I9).

A cooldown is written twice: under the due shard, where a batch of checks reads the cooldowns of all its hosts with one
query, and in the host's slot row, where `take_slot` finds it without an extra read. Feeds that a person paused while
their messages were in flight are stored under the due shard too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from feedward.adapters.dynamodb.state.state_rows import (
    PAUSED_FEED,
    cooldown_key,
    cooldowns_pk,
    hold_key,
    paused_feed_key,
    slot_key,
)
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import Transaction, absent, at_most, either, equals
from feedward.errors import Conflict
from feedward.health.due_feed import Stops
from feedward.scheduling.lateness import LATE_AFTER_S
from feedward.scheduling.shards import due_shard

# After this time the messages in flight, delays included, have expired.
_UNDER_WAY_S: Final = 2 * LATE_AFTER_S
# A row may expire between the two steps of taking a slot; then both are repeated.
_ROUNDS: Final = 3
_KEPT_S: Final = 3600


def note_paused(transaction: Transaction, names: TableNames, feed_id: str, host: str, *, rev: int, now: int) -> None:
    """Add a row that tells checks in flight that a person paused the feed, which now has this rev."""
    said = {"rev": rev, "expires_at": now + _UNDER_WAY_S}
    transaction.update(names.state, paused_feed_key(due_shard(host), feed_id), None, assign=said)


class DynamoHostLimiter(TableStore):
    """ports.HostLimiter. Thread-safe."""

    def stops(self, hosts: Iterable[str], *, now: int) -> Stops:
        """Return the cooldowns of the hosts and their paused feeds, with one query per shard."""
        tables, asked = self._tables, set(hosts)
        partitions = sorted({cooldowns_pk(due_shard(host)) for host in asked})
        rows = [row for pk in partitions for row in tables.query(tables.names.state, ("pk", pk))]
        return Stops(
            hosts={row["sk"]: row["until"] for row in rows if row["sk"] in asked and row["until"] > now},
            paused={row["sk"].removeprefix(PAUSED_FEED): row["rev"] for row in rows if "rev" in row},
        )

    def cooldown_until(self, host: str, *, now: int) -> int:
        """Return the end of the host's cooldown; 0 without one."""
        tables = self._tables
        partition = ("pk", cooldowns_pk(due_shard(host)))
        rows = tables.query(tables.names.state, partition, between=("sk", host, host))
        return max((int(row["until"]) for row in rows if row["until"] > now), default=0)

    def cool_down(self, host: str, *, until: int, now: int) -> None:
        """Start or extend the host's cooldown. A stored later end stays."""
        if until <= now:
            return
        tables = self._tables
        tables.update(
            tables.names.state,
            cooldown_key(due_shard(host), host),
            either(absent("until"), at_most("until", until)),
            assign={"until": until, "expires_at": until},
        )
        tables.change(
            tables.names.state,
            slot_key(host),
            either(absent("next_at"), at_most("next_at", until * 1000)),
            assign={"next_at": until * 1000, "expires_at": _expires_at(until * 1000)},
        )

    def take_slot(self, host: str, *, now_ms: int, pause_ms: int, wait_ms: int) -> int:
        """Reserve the next slot: one write if the host is free, two if it is busy.

        If the response is lost, the reserved slot stays unused, and the host gets a longer pause.
        """
        tables = self._tables
        for _ in range(_ROUNDS):
            free_at = _take_now(tables, host, now_ms, pause_ms)
            if free_at is None:
                return 0
            if free_at - now_ms > wait_ms:
                return free_at - now_ms
            slot_at = _take_next(tables, host, now_ms + wait_ms, pause_ms)
            if slot_at is not None:
                return max(slot_at - now_ms, 0)
        raise Conflict("the slots of this host kept changing")

    def hold(self, host: str, *, holder: str, until: int, now: int) -> int:
        """Take the lease on the host's messages and return 0, or return the end of another holder's lease."""
        tables = self._tables
        refusal = tables.change(
            tables.names.state,
            hold_key(host),
            either(either(absent("until"), at_most("until", now)), equals("holder", holder)),
            assign={"until": until, "holder": holder, "expires_at": until},
        )
        return int(refusal.item["until"]) if refusal is not None and refusal.item else 0

    def release(self, host: str, *, holder: str) -> None:
        """End the lease."""
        tables = self._tables
        tables.change(tables.names.state, hold_key(host), equals("holder", holder), assign={"until": 0})


def _take_now(tables: Tables, host: str, now_ms: int, pause_ms: int) -> int | None:
    """Take a slot now. Returns None if it was taken, else the time when the host is free."""
    refusal = tables.change(
        tables.names.state,
        slot_key(host),
        either(absent("next_at"), at_most("next_at", now_ms)),
        assign={"next_at": now_ms + pause_ms, "expires_at": _expires_at(now_ms + pause_ms)},
    )
    return int(refusal.item["next_at"]) if refusal is not None and refusal.item else None


def _take_next(tables: Tables, host: str, latest_ms: int, pause_ms: int) -> int | None:
    """Reserve the next slot and return its time. None if it would be later than `latest_ms`."""
    answer = tables.update(
        tables.names.state,
        slot_key(host),
        at_most("next_at", latest_ms),
        assign={"expires_at": _expires_at(latest_ms + pause_ms)},
        add={"next_at": pause_ms},
    )
    return None if isinstance(answer, Refusal) else int(answer["next_at"]) - pause_ms


def _expires_at(at_ms: int) -> int:
    return at_ms // 1000 + _KEPT_S
