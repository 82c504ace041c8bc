"""Names of tables, and the sort keys of what lies under a feed (design section 3)."""

from __future__ import annotations

from dataclasses import dataclass

FEED = "FEED"
META = "META"
OUT_PREFIX = "OUT#"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNames:
    """What the tables of design section 3 are called in this deployment."""

    urls: str
    feeds: str
    state: str


def url_key(url_hash: str) -> dict[str, str]:
    """Return the key of a URL's row in the registry."""
    return {"url_hash": url_hash}


def feed_key(feed_id: str, sk: str = FEED) -> dict[str, str]:
    """Return the key of one of a feed's items."""
    return {"feed_id": feed_id, "sk": sk}


def audit_sk(now: int, entry_id: str) -> str:
    """Return the sort key of an audit row: by time, and two of one second stay apart."""
    return f"AUDIT#{now:011d}#{entry_id}"


def out_sk(entry_id: str) -> str:
    """Return the sort key of something owed; `entry_id` is a ULID."""
    return OUT_PREFIX + entry_id
