"""Webhooks as JSON: requests, a webhook and its attempts in responses. A secret is shown once (rule K5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol

from feedward.api.event import Event, member, query_values, whole_number
from feedward.api.fields import boolean, choice, integer, json_object, known_fields, texts, url_text
from feedward.api.path_ids import path_id
from feedward.api.route import NO_CONTENT, Reply
from feedward.errors import InvalidInput
from feedward.subscriptions.labels import TAG_CHARS, TAGS_AT_MOST
from feedward.webhooks.attempt import FAILURES, Attempt
from feedward.webhooks.delivery import Delivery, DueJob
from feedward.webhooks.events import NAMES
from feedward.webhooks.webhook import Webhook

OUTCOMES: Final = ("delivered", "failed")
_LATEST: Final = 2**40
_NAME_CHARS: Final = 100


def _events(value: object, path: str) -> tuple[str, ...]:
    return texts(value, path, at_most=len(NAMES), characters=_NAME_CHARS)


def _tags(value: object, path: str) -> tuple[str, ...]:
    return texts(value, path, at_most=TAGS_AT_MOST, characters=TAG_CHARS)


NEW: Final[Mapping[str, Callable[[object, str], Any]]] = {"url": url_text, "events": _events, "tags": _tags}
CHANGES: Final[Mapping[str, Callable[[object, str], Any]]] = {**NEW, "enabled": boolean}
ATTEMPT_PARAMETERS: Final[Mapping[str, Callable[[str, str], Any]]] = {
    "outcome": partial(choice, of=OUTCOMES),
    "limit": whole_number(1, FAILURES),
}


def decode_new(event: Event) -> dict[str, Any]:
    """Return `url`, `events`, `tags`, and the host of the request. Raises InvalidInput, and as `json_object` does."""
    given = _fields(event, NEW)
    for name in ("url", "events"):
        if name not in given:
            raise InvalidInput(name, "is required")
    return {**given, "own_host": _own_host(event)}


def decode_change(event: Event) -> dict[str, Any]:
    """Return the webhook's id and the fields that change. Raises NotFound and InvalidInput."""
    return {**decode_id(event), **_fields(event, CHANGES), "own_host": _own_host(event)}


def decode_id(event: Event) -> dict[str, Any]:
    """Return the webhook's id in the path. Raises NotFound for an invalid id."""
    return {"webhook_id": path_id(event, "webhook")}


def decode_act(event: Event) -> dict[str, Any]:
    """Return the webhook's id of a request that has no fields. Raises NotFound and InvalidInput."""
    _fields(event, {})
    return decode_id(event)


def decode_none(event: Event) -> dict[str, Any]:
    """Return nothing: the list has no parameters. Raises InvalidInput for one."""
    return query_values(event, {})


def decode_attempts(event: Event) -> dict[str, Any]:
    """Return the webhook's id, `outcome` and `limit`. Raises NotFound and InvalidInput."""
    given = query_values(event, ATTEMPT_PARAMETERS)
    return {"webhook_id": path_id(event, "webhook", takes=ATTEMPT_PARAMETERS), **given}


def decode_redelivery(event: Event) -> dict[str, Any]:
    """Return the ids of the webhook and of the delivery. Raises NotFound and InvalidInput."""
    return {**decode_act(event), "delivery_id": path_id(event, "delivery", name="delivery_id")}


def decode_replay(event: Event) -> dict[str, Any]:
    """Return the webhook's id and `since`. Raises NotFound and InvalidInput."""
    given = _fields(event, {"since": partial(integer, at_least=0, at_most=_LATEST)})
    if "since" not in given:
        raise InvalidInput("since", "is required: a time in epoch seconds")
    return {**decode_id(event), **given}


def _fields(event: Event, readers: Mapping[str, Callable[[object, str], Any]]) -> dict[str, Any]:
    body = json_object(event) if readers or event.get("body") else {}
    known_fields(body, readers)
    return {name: readers[name](value, name) for name, value in body.items()}


def _own_host(event: Event) -> str:
    """Return the host under which the API was reached: a webhook to it would be a loop (rule K13)."""
    return str(member(event, "requestContext", "domainName") or "").partition(":")[0]


class WithSecret(Protocol):
    """A webhook, and its secret if it is shown."""

    @property
    def webhook(self) -> Webhook: ...
    @property
    def secret(self) -> str | None: ...


def encode_webhook(webhook: Webhook) -> dict[str, Any]:
    """Return the webhook without its secret. Times are epoch seconds."""
    standing, because = webhook.standing, webhook.disabled_because
    return {
        "id": webhook.webhook_id,
        "url": webhook.url,
        "events": list(webhook.events),
        "tags": list(webhook.tags),
        "status": webhook.status.value,
        "disabled_because": because.value if because else None,
        "disabled_at": webhook.disabled_at,
        "failures_in_a_row": standing.failures,
        "held_until": standing.held_until,
        "last_success_at": standing.last_success_at,
        "old_secret_until": webhook.secrets.old_until,
        "created_at": webhook.created_at,
        "updated_at": webhook.updated_at,
    }


def encode_created(made: WithSecret) -> Reply:
    """Return a new webhook with its secret (201), or the existing webhook without it (200)."""
    document = {**encode_webhook(made.webhook), "secret": made.secret}
    headers = {"Location": f"/v1/webhooks/{made.webhook.webhook_id}"}
    return Reply(document=document, status=200 if made.secret is None else 201, headers=headers, shown_once=True)


def encode_rotated(made: WithSecret) -> Reply:
    """Return a webhook with its new secret."""
    return Reply(document={**encode_webhook(made.webhook), "secret": made.secret}, shown_once=True)


def encode_webhooks(webhooks: Sequence[Webhook]) -> dict[str, Any]:
    """Return all webhooks of a tenant."""
    return {"webhooks": [encode_webhook(each) for each in webhooks]}


def encode_deleted(_: None) -> Reply:
    """Return an empty response."""
    return Reply(status=NO_CONTENT)


def encode_sent(delivery: Delivery) -> Reply:
    """Return the id of a delivery that was enqueued."""
    document = {"delivery_id": delivery.delivery_id, "type": delivery.type, "status": delivery.status.value}
    return Reply(document=document, status=202)


def encode_replay(job: DueJob) -> Reply:
    """Return the response to a replay that has started."""
    return Reply(document={"webhook_id": job.webhook_id, "status": "started"}, status=202)


def encode_attempts(attempts: Sequence[Attempt]) -> dict[str, Any]:
    """Return entries of the attempt log."""
    return {"attempts": [_attempt(each) for each in attempts]}


def _attempt(attempt: Attempt) -> dict[str, Any]:
    return {
        "delivery_id": attempt.delivery_id,
        "type": attempt.event_type,
        "attempt": attempt.number,
        "at": attempt.at_ms // 1000,
        "took_ms": attempt.took_ms,
        "outcome": attempt.outcome.value,
        "status": attempt.status,
        "answer": attempt.answer,
        "next_at": attempt.next_at,
        "host": attempt.host,
        "url_hash": attempt.url_hash,
    }
