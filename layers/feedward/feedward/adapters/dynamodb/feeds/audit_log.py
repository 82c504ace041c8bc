"""Reads the audit log of a feed: its AUDIT rows, newest first (rule R10).

Within a second their ids sort by the feed's `rev`: a check, a revival and a person may all move a feed in one second.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import AUDIT_PREFIX, feed_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.health.relocation import AuditEntry

_OWN: Final = frozenset({"feed_id", "sk", "action", "at", "by", "expires_at"})


def audit_rows(tables: Tables, feed_id: str, *, before: str | None = None, page_items: int = 50) -> Iterator[Item]:
    """Yield the rows, newest first, older than the entry_id `before`."""
    after = feed_key(feed_id, AUDIT_PREFIX + before) if before else None
    return tables.query(
        tables.names.feeds,
        ("feed_id", feed_id),
        prefix=("sk", AUDIT_PREFIX),
        after=after,
        page_items=page_items,
        newest_first=True,
    )


def audit_entries(tables: Tables, feed_id: str, limit: int, before: str | None) -> list[AuditEntry]:
    """Return at most `limit` entries, newest first."""
    return [read_entry(row) for row in islice(audit_rows(tables, feed_id, before=before, page_items=limit), limit)]


def read_entry(row: Item) -> AuditEntry:
    """Return the entry of an AUDIT row. Its id is the sort key without the prefix: time and ULID."""
    return AuditEntry(
        entry_id=row["sk"].removeprefix(AUDIT_PREFIX),
        feed_id=row["feed_id"],
        action=row["action"],
        at=row["at"],
        by=row["by"],
        details={name: value for name, value in row.items() if name not in _OWN},
    )
