"""Events for webhooks, in one line each."""

from __future__ import annotations

from typing import Any

from feedward.events import envelope
from feedward.ulid import derived_ulid
from feedward.webhooks.events import BusEvent, read_event
from tests.fakes.directory import NOW

FEED = derived_ulid(NOW, "feed")


def items_published(name: str = "1", *, feed_id: str = FEED, at: int = NOW, **members: Any) -> BusEvent:
    """New items of a feed."""
    items = members.pop("items", [{"id": "a", "url": "https://a.example/1", "title": "One", "published_at": at}])
    detail = envelope.items_published(
        event_id=derived_ulid(at, "event", name), occurred_at=at, tenant_id=members.pop("tenant_id", None),
        feed_id=feed_id, url="https://a.example/feed", new=members.pop("new", len(items)), items=items, **members,
    )  # fmt: skip
    return read_event(envelope.ITEMS_PUBLISHED, detail)
