"""Cache of robots.txt for one day: ports.RobotsStore over StateTable.

TTL deletes rows up to days late, so reads compare the time too.
"""

from __future__ import annotations

from typing import Final

from feedward.adapters.dynamodb.state.state_rows import robots_key
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.adapters.dynamodb.store.transaction import absent, at_most, either

# An item has at most 400 KB.
TEXT_BYTES: Final = 300 * 1024


class DynamoRobotsStore(TableStore):
    """ports.RobotsStore. Thread-safe."""

    def robots(self, origin: str, *, now: int) -> str | None:
        """Return the cached text of an origin, empty if the origin has none. None if nothing is cached."""
        tables = self._tables
        row = tables.get(tables.names.state, robots_key(origin))
        return row.get("text", "") if row is not None and row["until"] > now else None

    def remember_robots(self, origin: str, text: str, *, until: int) -> None:
        """Cache an origin's text until `until`, unless a later one is stored. A long text is cut at a line end."""
        tables = self._tables
        tables.change(
            tables.names.state,
            robots_key(origin),
            either(absent("until"), at_most("until", until)),
            assign={"text": _cut(text), "until": until, "expires_at": until},
        )


def _cut(text: str) -> str:
    """Cut a text at a line end: half a line would be another rule."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= TEXT_BYTES:
        return text
    lines, _, _ = raw[:TEXT_BYTES].replace(b"\r", b"\n").rpartition(b"\n")
    return lines.decode("utf-8", "ignore")
