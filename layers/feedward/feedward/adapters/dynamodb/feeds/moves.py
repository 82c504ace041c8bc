"""Moves of feeds and their history in DynamoDB: ports.FeedMoves and ports.Audit (rule R11)."""

from __future__ import annotations

from collections.abc import Sequence

from feedward.adapters.dynamodb.feeds import relocation as relocate
from feedward.adapters.dynamodb.feeds.history import audit_entries
from feedward.adapters.dynamodb.feeds.undo import undo
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.health.relocation import AuditEntry, FeedMove, MoveResult


class DynamoFeedMoves(TableStore):
    """ports.FeedMoves and ports.Audit. One object serves all threads."""

    def move(self, move: FeedMove) -> MoveResult:
        """Relocate a feed as it was seen to another URL, in one transaction, or merge the two feeds."""
        return relocate.move(self._tables, move)

    def undo(
        self,
        feed_id: str,
        *,
        by: str,
        now: int,
        why: str = "",
        entry_id: str | None = None,
    ) -> MoveResult:
        """Operation Relocation the other way, for the last move or the one of this audit entry; once."""
        return undo(self._tables, feed_id, by=by, now=now, why=why, entry_id=entry_id)

    def entries(self, feed_id: str, *, limit: int = 50, before: str | None = None) -> Sequence[AuditEntry]:
        """Return the feed's history, newest first; a tombstone's own too."""
        return audit_entries(self._tables, feed_id, limit, before)
