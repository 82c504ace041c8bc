"""What the sweep reads and writes: ports.SweepStore over FeedsTable and StateTable (design section 3)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from feedward.adapters.dynamodb import cursors
from feedward.adapters.dynamodb.backoff import Backoff
from feedward.adapters.dynamodb.due import due_page
from feedward.adapters.dynamodb.errors import Refusal
from feedward.adapters.dynamodb.keys import TableNames, feed_key
from feedward.adapters.dynamodb.tables import Tables
from feedward.adapters.dynamodb.transaction import both, equals, present
from feedward.health.sweep_state import Cursor, DuePage, SweepShard

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoSweepStore:
    """ports.SweepStore. One object serves all threads."""

    def __init__(
        self,
        client: DynamoDBClient,
        names: TableNames,
        backoff: Backoff | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tables = Tables(client, names, backoff, monotonic)

    def shards(self, *, within_s: float | None = None) -> Sequence[SweepShard]:
        """Return how far each shard is, with one query."""
        return cursors.read_shards(self._tables.within(within_s))

    def due(self, shard: int, *, after: Cursor | None, until: int, within_s: float | None = None) -> DuePage:
        """Return what is due in a shard after the cursor: some hundreds of feeds, or all."""
        return due_page(self._tables.within(within_s), shard, after, until)

    def take_lease(
        self, seen: SweepShard, *, holder: str, until: int, within_s: float | None = None
    ) -> SweepShard | None:
        """Take the shard, if it is still as it was seen; None if not."""
        return cursors.take_lease(self._tables.within(within_s), seen, holder, until)

    def move_cursor(
        self,
        held: SweepShard,
        *,
        cursor: Cursor | None,
        busy: Mapping[str, int],
        lease_until: int,
        within_s: float | None = None,
    ) -> SweepShard | None:
        """Say how far a held shard is; None if somebody took it meanwhile."""
        return cursors.move_cursor(self._tables.within(within_s), held, cursor, busy, lease_until)

    def postpone(self, feed_id: str, *, seen: int, to: int, within_s: float | None = None) -> bool:
        """Let a feed be due at `to`, if it is in the due index at `seen` still: a new revision, as each write is."""
        tables = self._tables.within(within_s)
        is_due_then = both(present("due_shard"), equals("next_check_at", seen))
        answer = tables.update(
            tables.names.feeds, feed_key(feed_id), is_due_then, assign={"next_check_at": to}, increment=("rev",)
        )
        return not isinstance(answer, Refusal)
