"""The status of an index, and the maintenance that it needs. Pure data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Maintenance(StrEnum):
    """The maintenance that an index needs: a rebuild from the tables, a compaction, or none."""

    REBUILD = "rebuild"
    COMPACT = "compact"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStatus:
    """The status of the searched index. `confirmed_at` is when it was last known to be current (epoch seconds).

    `rebuilt_at` is the start of its last rebuild. `is_rebuild_wanted`: another one was requested and has not ended.
    """

    generation: str
    documents: int
    deltas: int
    confirmed_at: int
    rebuilt_at: int = 0
    is_rebuild_wanted: bool = False

    def age_s(self, now: int) -> int:
        """Return the seconds since the index was last known to be current."""
        return max(0, now - self.confirmed_at)
