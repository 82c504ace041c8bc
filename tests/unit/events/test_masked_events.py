"""No event shows a token (rule T4), except to a collector of the links of new items."""

from __future__ import annotations

import json
from typing import Any

import pytest

from feedward.events import envelope as events
from feedward.health.decision import StateChange
from feedward.model import FeedState

TOKEN = "9f3a71c2b1d4"
SECRET = f"https://a.example/private/{TOKEN}/rss?token={TOKEN}&page=1"
SHOWN = "https://a.example/private/.../rss?token=...&page=1"
COMMON: dict[str, Any] = {"event_id": "E", "occurred_at": 1, "tenant_id": "t1", "feed_id": "F"}
CHANGE = StateChange(before=FeedState.HEALTHY, after=FeedState.DEGRADED, reason="timeout")
ITEM = {"id": SECRET, "url": SECRET, "title": "One", "published_at": 1, "first_seen_at": 1}


@pytest.mark.parametrize(
    "detail",
    [
        events.feed_moved(**COMMON, before=SECRET, after=SECRET, reason="revival"),
        events.feed_state_changed(**COMMON, url=SECRET, change=CHANGE),
        events.feed_stale(**COMMON, url=SECRET, latest_item_published_at=None),
        events.items_published(**COMMON, url=SECRET, new=1, items=[ITEM]),
        events.feed_discovered(**COMMON, url=SECRET),
    ],
)
def test_an_event_of_a_feed_masks_tokens(detail: dict[str, Any]) -> None:
    shown = [value for value in detail.values() if isinstance(value, str) and value.startswith("https:")]
    assert set(shown) == {SHOWN}
    assert TOKEN not in json.dumps(detail)


def test_links_that_are_to_be_collected_stay_whole() -> None:
    detail = events.items_published(**COMMON, url=SECRET, new=1, items=[ITEM], collect_items=True)
    assert (detail["url"], detail["items"]) == (SHOWN, [ITEM])
