"""A subscription as JSON: how far it is, with its feed or why there is none (design section 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from feedward.http.api import NO_CONTENT, Reply
from feedward.subscriptions.subscription import Subscription


class Subscribed(Protocol):
    """What a request to subscribe came to."""

    @property
    def subscription(self) -> Subscription: ...


class Page(Protocol):
    """A page of subscriptions."""

    @property
    def subscriptions(self) -> Sequence[Subscription]: ...
    @property
    def cursor(self) -> str | None: ...


def encode_subscription(subscription: Subscription) -> dict[str, Any]:
    """The subscription; its times are epoch seconds."""
    failure = subscription.failure
    return {
        "id": subscription.subscription_id,
        "url": subscription.url,
        "status": subscription.status.value,
        "title": subscription.title,
        "tags": list(subscription.tags),
        "feed_id": subscription.feed_id,
        "duplicate_of": subscription.duplicate_of,
        "failure": failure.value if failure else None,
        "reason": subscription.reason,
        "created_at": subscription.created_at,
        "updated_at": subscription.updated_at,
        "asked_at": subscription.asked_at,
        "settled_at": subscription.settled_at,
    }


def encode_subscribed(subscribed: Subscribed) -> Reply:
    """The answer to a request to subscribe: 202 while the feed is looked for, 200 where it was found before."""
    subscription = subscribed.subscription
    return Reply(
        document=encode_subscription(subscription),
        status=202 if subscription.is_pending else 200,
        headers={"Location": f"/v1/subscriptions/{subscription.subscription_id}"},
    )


def encode_subscriptions(page: Page) -> dict[str, Any]:
    """A page of subscriptions, and the cursor of the next one."""
    return {"subscriptions": [encode_subscription(each) for each in page.subscriptions], "cursor": page.cursor}


def encode_deleted(_nothing: None) -> Reply:
    """The answer to a deletion: 204, with nothing to say."""
    return Reply(status=NO_CONTENT)
