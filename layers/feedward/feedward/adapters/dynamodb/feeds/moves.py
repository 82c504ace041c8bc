"""Moves of feeds and their history in DynamoDB: ports.FeedMoves and ports.Audit (design section 3)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from feedward.adapters.calls import Backoff
from feedward.adapters.dynamodb.feeds import relocation as swap
from feedward.adapters.dynamodb.feeds.history import audit_entries
from feedward.adapters.dynamodb.feeds.undo import undo
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.health.relocation import AuditEntry, FeedMove, MoveResult

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoFeedMoves:
    """ports.FeedMoves and ports.Audit. One object serves all threads."""

    def __init__(
        self,
        client: DynamoDBClient,
        names: TableNames,
        backoff: Backoff | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tables = Tables(client, names, backoff, monotonic)

    def move(self, move: FeedMove, *, within_s: float | None = None) -> MoveResult:
        """Operation Swap: another URL for a feed as it was seen, in one transaction, or a merge with who is there."""
        return swap.move(self._tables.within(within_s), move)

    def undo(
        self,
        feed_id: str,
        *,
        by: str,
        now: int,
        why: str = "",
        entry_id: str | None = None,
        within_s: float | None = None,
    ) -> MoveResult:
        """Operation Swap the other way, for the last move or the one of this audit entry; once."""
        return undo(self._tables.within(within_s), feed_id, by=by, now=now, why=why, entry_id=entry_id)

    def entries(
        self, feed_id: str, *, limit: int = 50, before: str | None = None, within_s: float | None = None
    ) -> Sequence[AuditEntry]:
        """Return the feed's history, newest first; a tombstone's own too."""
        return audit_entries(self._tables.within(within_s), feed_id, limit, before)
