"""Bodies: their contents, their masks, and their size."""

from __future__ import annotations

import json
from typing import Any

from feedward.events import envelope
from feedward.webhooks.body import BODY_BYTES, body_of
from tests.fakes.directory import NOW


def published(items: list[dict[str, Any]], **members: Any) -> dict[str, Any]:
    return envelope.items_published(
        event_id="01M3", occurred_at=NOW, tenant_id="t", feed_id="f", url="https://a.example/feed",
        new=members.pop("new", len(items)), items=items, **members,
    )  # fmt: skip


def item(number: int, title: str = "One") -> dict[str, Any]:
    return {"id": str(number), "url": f"https://a.example/{number}", "title": title}


def data_of(body: bytes) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(body)["data"]
    return data


def test_a_body_has_type_time_and_data_and_no_tenant() -> None:
    document = json.loads(body_of("items.published", published([item(1)])))

    assert document["type"] == "items.published"
    assert document["timestamp"] == "2026-09-21T14:13:20Z"
    assert document["data"] == {
        "feed_id": "f", "url": "https://a.example/feed", "new_items": 1, "event_id": "01M3", "items": [item(1)],
        "more": 0,
    }  # fmt: skip


def test_items_that_do_not_fit_are_left_out_and_counted() -> None:
    body = body_of("items.published", published([item(number, "é" * 300) for number in range(20)], new=55))
    data = data_of(body)

    assert len(body) <= BODY_BYTES
    assert 0 < len(data["items"]) < 20
    assert data["more"] == 55 - len(data["items"])
    assert [each["id"] for each in data["items"]] == [str(number) for number in range(len(data["items"]))]


def test_tokens_are_masked_also_where_links_are_collected() -> None:
    secret = "https://a.example/1?token=1f3a9c27d8e64b50"
    items = [{"id": secret, "url": secret, "title": "One"}]

    body = body_of("items.published", published(items, collect_items=True)).decode()

    assert "1f3a9c27d8e64b50" not in body
    assert "collect_items" not in body


def test_tokens_of_a_feeds_own_addresses_are_masked() -> None:
    secret = "9f3a71c2d4e5b6a7"
    own, old = (f"https://{name}.example/feed?token={secret}" for name in ("a", "old"))
    moved = {"id": "01M3", "occurred_at": NOW, "tenant_id": "t", "feed_id": "f", "from": old, "to": own, "url": own}
    for body in (body_of("feed.moved", moved), body_of("items.published", {**published([]), "url": own})):
        assert secret not in body.decode()
        assert data_of(body)["url"].startswith("https://a.example/feed?token=")
