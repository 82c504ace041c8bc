"""Counts failed rows by reason from the index `by_error`, and keeps them for 5 minutes: ports.RowCounts (rule G9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from feedward.adapters.dynamodb.frontier.row_items import BY_ERROR, error_shards
from feedward.adapters.dynamodb.state.state_rows import kept_counts_key
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.stats.counts import ROWS_COUNTED, Bounded

KEPT_S: Final = 300
_AT_ONCE: Final = 8


class DynamoRowCounts(TableStore):
    """ports.RowCounts. Thread-safe."""

    def by_reason(self, reasons: Sequence[str], *, now: int) -> Mapping[str, Bounded]:
        """Return the kept counts, if they are younger than 5 minutes; else count, and keep the counts."""
        tables = self._tables
        kept = tables.get(tables.names.state, kept_counts_key())
        if kept is not None and now - kept["at"] < KEPT_S:
            counts = kept["counts"]
        else:
            counts = self._counted(reasons)
            row = {"at": now, "counts": counts, "expires_at": now + KEPT_S}
            tables.update(tables.names.state, kept_counts_key(), None, assign=row)
        return {reason: Bounded(min(count, ROWS_COUNTED), count > ROWS_COUNTED) for reason, count in counts.items()}

    def _counted(self, reasons: Sequence[str]) -> dict[str, int]:
        """Count up to one more than the limit of each reason. Reasons without rows are left out."""
        with ThreadPoolExecutor(max_workers=_AT_ONCE) as threads:
            counted = dict(zip(reasons, threads.map(self._count, reasons), strict=True))
        return {reason: count for reason, count in counted.items() if count}

    def _count(self, reason: str) -> int:
        count, limit = 0, ROWS_COUNTED + 1
        for shard in error_shards(reason):
            if count < limit:
                frontier = self._tables.names.frontier
                count += self._tables.count(frontier, ("error_shard", shard), index=BY_ERROR, at_most=limit - count)
        return count
