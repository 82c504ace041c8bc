"""Limits of hosts: ports.HostLimiter over StateTable. One answer of a host speaks for all that is asked there
(rule I9).

A cooldown is written twice: by due shard, where a batch of checks reads those of all its hosts with one query, and in
the host's row of slots, where taking the next slot meets it without a read. Feeds that a person paused while their
messages were under way lie beside the former.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

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
from feedward.health.host_events import Stops
from feedward.scheduling.lateness import LATE_AFTER_S
from feedward.scheduling.shards import due_shard

if TYPE_CHECKING:
    pass

# By then the messages that were under way are too old to be followed, their delays included.
_UNDER_WAY_S: Final = 2 * LATE_AFTER_S
# A row may expire between the two steps of a slot, and then they begin anew.
_ROUNDS: Final = 3
_KEPT_S: Final = 3600


def note_paused(transaction: Transaction, names: TableNames, feed_id: str, host: str, *, rev: int, now: int) -> None:
    """Add: let checks that are under way know that a person paused the feed, which has this rev now."""
    said = {"rev": rev, "expires_at": now + _UNDER_WAY_S}
    transaction.update(names.state, paused_feed_key(due_shard(host), feed_id), None, assign=said)


class DynamoHostLimiter(TableStore):
    """ports.HostLimiter. One object serves all threads."""

    def stops(self, hosts: Iterable[str], *, now: int) -> Stops:
        """Return which of the hosts cool down and which of their feeds were paused, with one query for each shard."""
        tables, asked = self._tables, set(hosts)
        partitions = sorted({cooldowns_pk(due_shard(host)) for host in asked})
        rows = [row for pk in partitions for row in tables.query(tables.names.state, ("pk", pk))]
        return Stops(
            hosts={row["sk"]: row["until"] for row in rows if row["sk"] in asked and row["until"] > now},
            paused={row["sk"].removeprefix(PAUSED_FEED): row["rev"] for row in rows if "rev" in row},
        )

    def cooldown_until(self, host: str, *, now: int) -> int:
        """Return until when the host cools down; 0 if it does not."""
        tables = self._tables
        partition = ("pk", cooldowns_pk(due_shard(host)))
        rows = tables.query(tables.names.state, partition, between=("sk", host, host))
        return max((int(row["until"]) for row in rows if row["until"] > now), default=0)

    def cool_down(self, host: str, *, until: int, now: int) -> None:
        """Have no schedule ask the host before then; a later end that is stored stays."""
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
        """Take the next slot: one write at a host that is free, two at one that is busy.

        A slot that was taken though the answer was lost is left out: the host gets a longer pause.
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
        """Take the host's messages, unless another holder's time is not over; return 0, or when it is."""
        tables = self._tables
        refusal = tables.change(
            tables.names.state,
            hold_key(host),
            either(either(absent("until"), at_most("until", now)), equals("holder", holder)),
            assign={"until": until, "holder": holder, "expires_at": until},
        )
        return int(refusal.item["until"]) if refusal is not None and refusal.item else 0

    def release(self, host: str, *, holder: str) -> None:
        """End the time that `hold` wrote."""
        tables = self._tables
        tables.change(tables.names.state, hold_key(host), equals("holder", holder), assign={"until": 0})


def _take_now(tables: Tables, host: str, now_ms: int, pause_ms: int) -> int | None:
    """Take a slot at once, if the host is free. None: taken; else when it will be free."""
    refusal = tables.change(
        tables.names.state,
        slot_key(host),
        either(absent("next_at"), at_most("next_at", now_ms)),
        assign={"next_at": now_ms + pause_ms, "expires_at": _expires_at(now_ms + pause_ms)},
    )
    return int(refusal.item["next_at"]) if refusal is not None and refusal.item else None


def _take_next(tables: Tables, host: str, latest_ms: int, pause_ms: int) -> int | None:
    """Take the next slot, and return when it is; None if it would be later than that."""
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
