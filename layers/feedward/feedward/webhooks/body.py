"""The body of a delivery, built once from an event of the bus (rules K4, K18, K20). Pure.

It has type, timestamp and data, as Standard Webhooks specifies. URLs are masked: more people than the owner of a token
read a webhook (rule T4).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from feedward.urls.secrets import mask_tokens

BODY_BYTES: Final = 20_000
_ENVELOPE: Final = frozenset({"version", "id", "occurred_at", "tenant_id", "collect_items"})
_URLS: Final = frozenset({"url", "from", "to"})
_TEXT_CHARS: Final = 2048


def body_of(event_type: str, detail: Mapping[str, Any]) -> bytes:
    """Return the body of an event: at most 20 kB of ASCII JSON. Items that do not fit are left out.

    `more` in `data` is then the number of new items that are not listed.
    """
    data = {name: _shown(name, value) for name, value in detail.items() if name not in _ENVELOPE}
    data["event_id"] = detail["id"]
    items = data.pop("items", None)
    if not isinstance(items, list):
        return _written(event_type, detail, data)
    shown = [_shown_item(item) for item in items if isinstance(item, Mapping)]
    while True:
        more = max(int(data.get("new_items", len(items))) - len(shown), 0)
        body = _written(event_type, detail, {**data, "items": shown, "more": more})
        if len(body) <= BODY_BYTES or not shown:
            return body
        shown = shown[: _fitting(shown, len(body) - BODY_BYTES)]


def _fitting(items: list[dict[str, Any]], too_many: int) -> int:
    """Return how many of the first items to keep, if `too_many` bytes must be removed."""
    kept = len(items)
    while kept and too_many > 0:
        kept -= 1
        too_many -= len(json.dumps(items[kept], separators=(",", ":"))) + 1
    return kept


def _written(event_type: str, detail: Mapping[str, Any], data: Mapping[str, Any]) -> bytes:
    document = {"type": event_type, "timestamp": iso_time(int(detail["occurred_at"])), "data": data}
    return json.dumps(document, separators=(",", ":")).encode()


def iso_time(at: int) -> str:
    """Return epoch seconds as ISO 8601 in UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _shown(name: str, value: Any) -> Any:
    if isinstance(value, str):
        shown = mask_tokens(value) if name in _URLS else value
        return shown[:_TEXT_CHARS]
    return value


def _shown_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the item with its address masked, also if the address is its id."""
    return {name: _masked(value) if name in ("id", "url") else _shown(name, value) for name, value in item.items()}


def _masked(value: Any) -> Any:
    return mask_tokens(value)[:_TEXT_CHARS] if isinstance(value, str) else value
