"""What feedward says and hears on its bus (design section 8): pure data, in the envelope that all details share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from feedward.errors import InvalidInput

SOURCE = "feedward"
FEED_DISCOVERED = "FeedDiscovered"
SUBSCRIPTION_CREATED = "SubscriptionCreated"
_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionCreated:
    """Somebody subscribed to `url`, as it was typed. `tenant_id` is None for the deployment's own user."""

    url: str
    subscription_id: str | None = None
    tenant_id: str | None = None


def feed_discovered(
    *, event_id: str, occurred_at: int, tenant_id: str | None, feed_id: str, url: str
) -> dict[str, Any]:
    """Return the detail of FeedDiscovered: a feed is in the directory from now on."""
    return {**_envelope(event_id, occurred_at, tenant_id), "feed_id": feed_id, "url": url}


def read_subscription_created(detail: Mapping[str, Any]) -> SubscriptionCreated:
    """Read the detail of SubscriptionCreated; members that are not known are let be, for who sends may be newer.

    Raises InvalidInput, which names the member, for one that is missing or no text, and for another version.
    """
    if detail.get("version") != _VERSION:
        raise InvalidInput("version", f"expected {_VERSION}")
    url = _text(detail, "url")
    if url is None:
        raise InvalidInput("url", "a subscription is to a URL")
    return SubscriptionCreated(
        url=url, subscription_id=_text(detail, "subscription_id"), tenant_id=_text(detail, "tenant_id")
    )


def _text(detail: Mapping[str, Any], member: str) -> str | None:
    value = detail.get(member)
    if value is not None and not (isinstance(value, str) and value):
        raise InvalidInput(member, "expected a text")
    return value


def _envelope(event_id: str, occurred_at: int, tenant_id: str | None) -> dict[str, Any]:
    return {"version": _VERSION, "id": event_id, "occurred_at": occurred_at, "tenant_id": tenant_id}
