"""Checks by hour: ports.CheckCounts over StateTable. A call adds its checks with one write (rule G9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from feedward.adapters.dynamodb.state.state_rows import check_count_key
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.stats.counts import Checked, hour_of

_LASTS_S: Final = 8 * 24 * 3600


class DynamoCheckCounts(TableStore):
    """ports.CheckCounts. Thread-safe."""

    def add(self, counts: Mapping[Checked, int], *, now: int) -> None:
        """Add the checks of one call. If the response is lost, they may count twice."""
        tables = self._tables
        added = {kind.value: count for kind, count in counts.items() if count}
        changes = {"add": added, "assign": {"expires_at": now + _LASTS_S}}
        tables.update(tables.names.state, check_count_key(hour_of(now)), None, **changes)

    def by_hour(self, hours: Sequence[int]) -> Mapping[int, Mapping[Checked, int]]:
        """Return the counts of these hours, with one batch of reads."""
        keys = [check_count_key(hour) for hour in hours]
        names = ("sk", *(kind.value for kind in Checked))
        found = self._tables.batch_get(self._tables.names.state, keys, names)
        return {int(row["sk"]): {kind: int(row.get(kind.value, 0)) for kind in Checked} for row in found}
