"""The events that feedward publishes and reads (rule B1), in the envelope that all details share. Pure.

Their URLs are masked: the bus has more readers than the owner of a token (rule T4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from feedward.errors import InvalidInput
from feedward.health.decision import RevivalReason, StateChange
from feedward.urls.secrets import mask_tokens

if TYPE_CHECKING:  # events of feeds do not load subscriptions
    from feedward.subscriptions.subscription import Subscription

SOURCE = "feedward"
FEED_DISCOVERED = "FeedDiscovered"
FEED_MOVED = "FeedMoved"
FEED_STALE = "FeedStale"
FEED_STATE_CHANGED = "FeedStateChanged"
ITEMS_PUBLISHED = "ItemsPublished"
REVIVAL_REQUESTED = "RevivalRequested"
SUBSCRIPTION_CREATED = "SubscriptionCreated"
SUBSCRIPTION_FAILED = "SubscriptionFailed"
SUBSCRIPTION_READY = "SubscriptionReady"
WEBHOOK_DISABLED = "WebhookDisabled"
DELIVERIES_HELD = "DeliveriesHeld"
_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionCreated:
    """A subscription to `url`, as typed. `tenant_id` is None for the deployment's own user."""

    url: str
    subscription_id: str | None = None
    tenant_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RevivalRequested:
    """The request to revive a feed. `reason` is a RevivalReason, `requested_by` the person, if there was one.

    `event_id` identifies a second delivery; `outcome` is that of the check that made the request.
    """

    event_id: str
    feed_id: str
    reason: RevivalReason
    occurred_at: int
    tenant_id: str | None = None
    requested_by: str | None = None
    outcome: str | None = None


def feed_moved(
    *,
    event_id: str,
    occurred_at: int,
    tenant_id: str | None,
    feed_id: str,
    before: str,
    after: str,
    reason: str,
    merged_into: str | None = None,
) -> dict[str, Any]:
    """Return the detail of FeedMoved: the feed now has the URL `after`.

    `merged_into`: the feed was merged into that one, which has the URL `after`; `before` may be the same URL then.
    """
    urls = {"from": mask_tokens(before), "to": mask_tokens(after)}
    moved = {"feed_id": feed_id, **urls, "reason": reason, "merged_into": merged_into}
    return {**_envelope(event_id, occurred_at, tenant_id), **moved}


def feed_state_changed(
    *,
    event_id: str,
    occurred_at: int,
    tenant_id: str | None,
    feed_id: str,
    url: str,
    change: StateChange,
) -> dict[str, Any]:
    """Return the detail of FeedStateChanged: the feed's old and new state, and the reason."""
    changed = {"from": change.before.value, "to": change.after.value, "reason": change.reason}
    return {**_about_feed(event_id, occurred_at, tenant_id, feed_id, url), **changed}


def feed_stale(
    *,
    event_id: str,
    occurred_at: int,
    tenant_id: str | None,
    feed_id: str,
    url: str,
    latest_item_published_at: int | None,
) -> dict[str, Any]:
    """Return the detail of FeedStale: the feed has had no new item for so long that none is expected (rule H4)."""
    since = {"latest_item_published_at": latest_item_published_at}
    return {**_about_feed(event_id, occurred_at, tenant_id, feed_id, url), **since}


def items_published(
    *,
    event_id: str,
    occurred_at: int,
    tenant_id: str | None,
    feed_id: str,
    url: str,
    new: int,
    items: Sequence[Mapping[str, Any]],
    collect_items: bool = False,
) -> dict[str, Any]:
    """Return the detail of ItemsPublished: the number of new items, and the newest of them as `items`.

    `collect_items`: the links of `items`, which then holds all new items, are to be collected, so their tokens are not
    masked. It is left out if False.
    """
    shown = list(items) if collect_items else [_masked_item(item) for item in items]
    told: dict[str, Any] = {"new_items": new, "items": shown}
    if collect_items:
        told["collect_items"] = True
    return {**_about_feed(event_id, occurred_at, tenant_id, feed_id, url), **told}


def at_revision(detail: dict[str, Any], rev: int) -> dict[str, Any]:
    """Return the detail with the feed's revision after the event: a later event has a higher one (rule K20)."""
    return {**detail, "revision": rev}


def revival_requested(asked: RevivalRequested) -> dict[str, Any]:
    """Return the detail of RevivalRequested: the feed is to be revived."""
    return {
        **_envelope(asked.event_id, asked.occurred_at, asked.tenant_id),
        "feed_id": asked.feed_id,
        "reason": asked.reason.value,
        "requested_by": asked.requested_by,
        "outcome": asked.outcome,
    }


def feed_discovered(
    *, event_id: str, occurred_at: int, tenant_id: str | None, feed_id: str, url: str
) -> dict[str, Any]:
    """Return the detail of FeedDiscovered: the feed was added to the directory."""
    return _about_feed(event_id, occurred_at, tenant_id, feed_id, url)


def subscription_created(subscription: Subscription, *, event_id: str) -> dict[str, Any]:
    """Return the detail of SubscriptionCreated: the feed behind the URL is to be found."""
    return _subscription(subscription, event_id, subscription.asked_at)


def subscription_ready(subscription: Subscription, *, event_id: str) -> dict[str, Any]:
    """Return the detail of SubscriptionReady: the feed was found."""
    found = {"feed_id": subscription.feed_id, "duplicate_of": subscription.duplicate_of}
    return {**_subscription(subscription, event_id, subscription.settled_at), **found}


def subscription_failed(subscription: Subscription, *, event_id: str) -> dict[str, Any]:
    """Return the detail of SubscriptionFailed: no feed was found, and why."""
    why = {"failure": subscription.failure, "reason": subscription.reason}
    return {**_subscription(subscription, event_id, subscription.settled_at), **why}


def webhook_disabled(
    *, event_id: str, occurred_at: int, tenant_id: str | None, webhook_id: str, because: str
) -> dict[str, Any]:
    """Return the detail of WebhookDisabled: the webhook gets no more deliveries, and why (rule K8)."""
    return {**_envelope(event_id, occurred_at, tenant_id), "webhook_id": webhook_id, "reason": because}


def deliveries_held(
    *, event_id: str, occurred_at: int, tenant_id: str | None, limit: int, opens_at: int
) -> dict[str, Any]:
    """Return the detail of DeliveriesHeld: the tenant's webhooks get no deliveries until its quota opens (rule K21)."""
    return {**_envelope(event_id, occurred_at, tenant_id), "limit": limit, "opens_at": opens_at}


def read_revival_requested(detail: Mapping[str, Any]) -> RevivalRequested:
    """Decode the detail of RevivalRequested. Unknown members are ignored, since the sender may be newer.

    Raises InvalidInput, which names the member, for a missing member, a wrong type, and another version.
    """
    if detail.get("version") != _VERSION:
        raise InvalidInput("version", f"expected {_VERSION}")
    reason, occurred_at = _needed(detail, "reason"), detail.get("occurred_at")
    if reason not in set(RevivalReason):
        raise InvalidInput("reason", f"expected one of {', '.join(RevivalReason)}")
    if not isinstance(occurred_at, int) or isinstance(occurred_at, bool) or occurred_at < 0:
        raise InvalidInput("occurred_at", "expected epoch seconds")
    return RevivalRequested(
        event_id=_needed(detail, "id"),
        feed_id=_needed(detail, "feed_id"),
        reason=RevivalReason(reason),
        occurred_at=occurred_at,
        tenant_id=_text(detail, "tenant_id"),
        requested_by=_text(detail, "requested_by"),
        outcome=_text(detail, "outcome"),
    )


def read_subscription_created(detail: Mapping[str, Any]) -> SubscriptionCreated:
    """Decode the detail of SubscriptionCreated. Unknown members are ignored, since the sender may be newer.

    Raises InvalidInput, which names the member, for a missing member, a member that is not text, and another version.
    """
    if detail.get("version") != _VERSION:
        raise InvalidInput("version", f"expected {_VERSION}")
    url = _text(detail, "url")
    if url is None:
        raise InvalidInput("url", "a subscription is to a URL")
    return SubscriptionCreated(
        url=url, subscription_id=_text(detail, "subscription_id"), tenant_id=_text(detail, "tenant_id")
    )


def _needed(detail: Mapping[str, Any], member: str) -> str:
    value = _text(detail, member)
    if value is None:
        raise InvalidInput(member, "expected a text")
    return value


def _text(detail: Mapping[str, Any], member: str) -> str | None:
    value = detail.get(member)
    if value is not None and not (isinstance(value, str) and value):
        raise InvalidInput(member, "expected a text")
    return value


def _subscription(subscription: Subscription, event_id: str, occurred_at: int | None) -> dict[str, Any]:
    return {
        **_envelope(event_id, occurred_at or subscription.updated_at, subscription.tenant_id),
        "subscription_id": subscription.subscription_id,
        "url": mask_tokens(subscription.url),
    }


def _about_feed(event_id: str, occurred_at: int, tenant_id: str | None, feed_id: str, url: str) -> dict[str, Any]:
    return {**_envelope(event_id, occurred_at, tenant_id), "feed_id": feed_id, "url": mask_tokens(url)}


def _envelope(event_id: str, occurred_at: int, tenant_id: str | None) -> dict[str, Any]:
    return {"version": _VERSION, "id": event_id, "occurred_at": occurred_at, "tenant_id": tenant_id}


def _masked_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the item with its URL masked, also if the URL is its id."""
    return {**item, **{name: mask_tokens(item[name]) for name in ("id", "url") if item.get(name)}}
