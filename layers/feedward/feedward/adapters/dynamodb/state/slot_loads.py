"""Counts of feeds due at each minute of the day: ports.SlotLoads over StateTable, one row per hour (rule S6)."""

from __future__ import annotations

from typing import Final

from feedward.adapters.dynamodb.state.state_rows import SLOT_LOADS, slot_loads_key
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.health.phase import MinuteLoads
from feedward.scheduling.slots import DAY_MIN

_MINUTE: Final = "m"


class DynamoSlotLoads(TableStore):
    """ports.SlotLoads. Thread-safe."""

    def record(self, minute: int, feeds: int) -> None:
        """Store the number of feeds that were due at an epoch minute."""
        hour, of_hour = divmod(minute % DAY_MIN, 60)
        assign = {f"{_MINUTE}{of_hour:02d}": feeds}
        self._tables.update(self._tables.names.state, slot_loads_key(hour), None, assign=assign)

    def read(self) -> MinuteLoads:
        """Return the loads of the last day, with one query."""
        by_minute = [0] * DAY_MIN
        for row in self._tables.query(self._tables.names.state, ("pk", SLOT_LOADS)):
            for name, feeds in row.items():
                if name.startswith(_MINUTE):
                    by_minute[int(row["sk"]) * 60 + int(name.removeprefix(_MINUTE))] = feeds
        return MinuteLoads(by_minute)
