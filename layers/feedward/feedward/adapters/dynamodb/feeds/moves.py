"""Relocations of feeds and their audit log: ports.FeedMoves and ports.Audit (rule R11).

The modules that move a feed are loaded by the first move: most checks and requests move no feed.
"""

from __future__ import annotations

from collections.abc import Sequence

from feedward.adapters.dynamodb.feeds.audit_log import audit_entries
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.health.relocation import AuditEntry, FeedMove, MoveResult


class DynamoFeedMoves(TableStore):
    """ports.FeedMoves and ports.Audit. Thread-safe."""

    def move(self, move: FeedMove) -> MoveResult:
        """Relocate a feed to another URL in one transaction, or merge it with the feed that owns the URL."""
        from feedward.adapters.dynamodb.feeds import relocation  # noqa: PLC0415

        return relocation.move(self._tables, move)

    def undo(
        self,
        feed_id: str,
        *,
        by: str,
        now: int,
        why: str = "",
        entry_id: str | None = None,
    ) -> MoveResult:
        """Undo the last relocation, or the one of this audit entry, once."""
        from feedward.adapters.dynamodb.feeds.undo import undo  # noqa: PLC0415

        return undo(self._tables, feed_id, by=by, now=now, why=why, entry_id=entry_id)

    def entries(self, feed_id: str, *, limit: int = 50, before: str | None = None) -> Sequence[AuditEntry]:
        """Return the audit log of a feed or of a tombstone, newest first."""
        return audit_entries(self._tables, feed_id, limit, before)
