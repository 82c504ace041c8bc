"""Hosts that want peace: ports.HostPauses over StateTable. One answer speaks for all of a host's feeds (spec H3).
Feeds that a person paused while their messages were under way lie beside them.

The rows lie by the due shard, for the feeds of a message are of one shard: reading costs what there is of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from feedward.adapters.dynamodb.state.state_rows import PAUSED_FEED, pause_key, paused_feed_key, pauses_pk
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.adapters.dynamodb.store.transaction import Transaction, absent, at_most, either
from feedward.health.due_feed import LATE_AFTER_S
from feedward.health.host_events import Stops
from feedward.scheduling.shards import due_shard

# By then the messages that were under way are too old to be followed, their delays included.
_UNDER_WAY_S: Final = 2 * LATE_AFTER_S


def note_paused(transaction: Transaction, names: TableNames, feed_id: str, host: str, *, rev: int, now: int) -> None:
    """Add: let checks that are under way know that a person paused the feed, which has this rev now."""
    said = {"rev": rev, "expires_at": now + _UNDER_WAY_S}
    transaction.update(names.state, paused_feed_key(due_shard(host), feed_id), None, assign=said)


class DynamoHostPauses(TableStore):
    """ports.HostPauses. One object serves all threads."""

    def stops(self, hosts: Iterable[str], *, now: int) -> Stops:
        """Return which of the hosts, and of their feeds, must not be asked now, with one query for each shard."""
        tables, asked = self._tables, set(hosts)
        partitions = sorted({pauses_pk(due_shard(host)) for host in asked})
        rows = [row for pk in partitions for row in tables.query(tables.names.state, ("pk", pk))]
        return Stops(
            hosts={row["sk"]: row["until"] for row in rows if row["sk"] in asked and row["until"] > now},
            paused={row["sk"].removeprefix(PAUSED_FEED): row["rev"] for row in rows if "rev" in row},
        )

    def pause(self, host: str, *, until: int, now: int) -> None:
        """Let nobody ask the host until then; a later end that is stored stays."""
        if until <= now:
            return
        tables = self._tables
        tables.update(
            tables.names.state,
            pause_key(due_shard(host), host),
            either(absent("until"), at_most("until", until)),
            assign={"until": until, "expires_at": until},
        )
