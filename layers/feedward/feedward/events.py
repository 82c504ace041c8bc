"""What feedward says on its bus (design section 8): pure data, in the envelope that all details share."""

from __future__ import annotations

from typing import Any

FEED_DISCOVERED = "FeedDiscovered"
_VERSION = 1


def feed_discovered(
    *, event_id: str, occurred_at: int, tenant_id: str | None, feed_id: str, url: str
) -> dict[str, Any]:
    """Return the detail of FeedDiscovered: a feed is in the directory from now on."""
    return {**_envelope(event_id, occurred_at, tenant_id), "feed_id": feed_id, "url": url}


def _envelope(event_id: str, occurred_at: int, tenant_id: str | None) -> dict[str, Any]:
    return {"version": _VERSION, "id": event_id, "occurred_at": occurred_at, "tenant_id": tenant_id}
