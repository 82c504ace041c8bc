"""Subscriptions as JSON: requests, and a subscription with its state in responses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from feedward.api.event import Event, cursor, query_values, whole_number
from feedward.api.fields import json_object, known_fields, text, texts, url_text
from feedward.api.path_ids import path_id
from feedward.api.route import NO_CONTENT, Reply
from feedward.errors import InvalidInput
from feedward.subscriptions.labels import TAG_CHARS, TAGS_AT_MOST, TITLE_CHARS
from feedward.subscriptions.subscription import Subscription
from feedward.urls.secrets import mask_tokens

SUBSCRIPTIONS_AT_MOST: Final = 200


def decode_new(event: Event) -> dict[str, Any]:
    """Return the `url` as typed, `title` and `tags`. Raises InvalidInput (the field) and as `json_object` does."""
    body = json_object(event)
    known_fields(body, FIELDS)
    if "url" not in body:
        raise InvalidInput("url", "a URL is required, in any form that a person would paste")
    return {name: FIELDS[name](value, name) for name, value in body.items()}


def decode_id(event: Event) -> dict[str, Any]:
    """Return the subscription's id in the path. Raises NotFound for an invalid id."""
    return {"subscription_id": path_id(event, "subscription")}


def decode_page(event: Event) -> dict[str, Any]:
    """Return `cursor` and `limit`, if given. Raises InvalidInput, which names the parameter."""
    return query_values(event, PAGE_PARAMETERS)


def _title(value: object, path: str) -> str:
    return text(value, path, at_most=TITLE_CHARS)


def _tags(value: object, path: str) -> tuple[str, ...]:
    return texts(value, path, at_most=TAGS_AT_MOST, characters=TAG_CHARS)


FIELDS: Final[Mapping[str, Callable[[object, str], Any]]] = {"url": url_text, "title": _title, "tags": _tags}
PAGE_PARAMETERS: Final = {"cursor": cursor, "limit": whole_number(1, SUBSCRIPTIONS_AT_MOST)}


class Subscribed(Protocol):
    """The result of a request to subscribe."""

    @property
    def subscription(self) -> Subscription: ...


class Page(Protocol):
    """A page of subscriptions."""

    @property
    def subscriptions(self) -> Sequence[Subscription]: ...
    @property
    def cursor(self) -> str | None: ...


def encode_subscription(subscription: Subscription) -> dict[str, Any]:
    """Return the subscription. Its times are epoch seconds."""
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
    """Return the response to a request to subscribe: 202 during the discovery, 200 if the feed is known."""
    subscription = subscribed.subscription
    return Reply(
        document=encode_subscription(subscription),
        status=202 if subscription.is_pending else 200,
        headers={"Location": f"/v1/subscriptions/{subscription.subscription_id}"},
    )


def encode_subscriptions(page: Page) -> dict[str, Any]:
    """Return a page of subscriptions, their tokens masked (rule T4), and the cursor of the next page."""
    shown = [{**encode_subscription(each), "url": mask_tokens(each.url)} for each in page.subscriptions]
    return {"subscriptions": shown, "cursor": page.cursor}


def encode_deleted(_nothing: None) -> Reply:
    """Return the response to a deletion: 204 without a body."""
    return Reply(status=NO_CONTENT)
