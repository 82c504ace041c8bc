"""Hosts that want peace: ports.HostPauses over StateTable. One answer speaks for all of a host's feeds (spec H3).

The rows lie by the due shard, for the feeds of a message are of one shard: reading costs what there is of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from feedward.adapters.dynamodb.backoff import Backoff
from feedward.adapters.dynamodb.keys import TableNames
from feedward.adapters.dynamodb.state_rows import pause_key, pauses_pk
from feedward.adapters.dynamodb.tables import Tables
from feedward.adapters.dynamodb.transaction import absent, at_most, either
from feedward.health.schedule import due_shard

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoHostPauses:
    """ports.HostPauses. One object serves all threads."""

    def __init__(
        self,
        client: DynamoDBClient,
        names: TableNames,
        backoff: Backoff | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tables = Tables(client, names, backoff, monotonic)

    def paused(self, hosts: Iterable[str], *, now: int, within_s: float | None = None) -> Mapping[str, int]:
        """Return those of the hosts that must not be asked now, with one query for each shard that they are in."""
        tables, asked = self._tables.within(within_s), set(hosts)
        partitions = sorted({pauses_pk(due_shard(host)) for host in asked})
        rows = [row for pk in partitions for row in tables.query(tables.names.state, ("pk", pk))]
        return {row["sk"]: row["until"] for row in rows if row["sk"] in asked and row["until"] > now}

    def pause(self, host: str, *, until: int, now: int, within_s: float | None = None) -> None:
        """Let nobody ask the host until then; a later end that is stored stays."""
        if until <= now:
            return
        tables = self._tables.within(within_s)
        tables.update(
            tables.names.state,
            pause_key(due_shard(host), host),
            either(absent("until"), at_most("until", until)),
            assign={"until": until, "expires_at": until},
        )
