"""Messages of DiscoverQueue: a discovery job to continue, or an event from the bus (rules G6, B1)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from feedward.api.discoveries import is_job_id
from feedward.api.fields import choice, integer, kind_of, text
from feedward.errors import InvalidInput
from feedward.events.envelope import REVIVAL_REQUESTED, SUBSCRIPTION_CREATED, RevivalRequested, read_revival_requested

VERSION: Final = 1
JOB_TYPE: Final = "discover"
_ID_CHARACTERS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoverJob:
    """Asks to continue this job."""

    job_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionCreated:
    """A subscription to a URL was created. `detail` is the event's, which feedward.events.envelope decodes."""

    detail: Mapping[str, Any]


def decode_message(body: object) -> DiscoverJob | SubscriptionCreated | RevivalRequested:
    """Decode the text of one message. Raises InvalidInput, which names the field, if it cannot be used.

    Unknown fields are ignored, since the sender may be newer.
    """
    message = _object(body)
    return _event(message) if "detail-type" in message else _job(message)


def decode_task(event: Mapping[str, Any]) -> None:
    """Decode the input of the schedule, {"do": "reconcile"}. Raises InvalidInput (`do`)."""
    choice(event["do"], "do", of=("reconcile",))


def message_id(message: DiscoverJob | SubscriptionCreated | RevivalRequested) -> str:
    """Return an id of the work that a message asks for, the same however often the message is sent."""
    if isinstance(message, DiscoverJob):
        return message.job_id
    if isinstance(message, SubscriptionCreated):
        return f"subscription {message.detail.get('subscription_id') or message.detail.get('url')}"
    return f"revival {message.feed_id}"


def _job(message: Mapping[str, Any]) -> DiscoverJob:
    integer(message.get("version"), "version", at_least=VERSION, at_most=VERSION)
    choice(message.get("type"), "type", of=(JOB_TYPE,))
    job_id = text(message.get("job_id"), "job_id", at_most=_ID_CHARACTERS)
    if not is_job_id(job_id):
        raise InvalidInput("job_id", "expected the id of a job")
    return DiscoverJob(job_id=job_id)


def _event(event: Mapping[str, Any]) -> SubscriptionCreated | RevivalRequested:
    named = choice(event["detail-type"], "detail-type", of=(SUBSCRIPTION_CREATED, REVIVAL_REQUESTED))
    detail = event.get("detail")
    if not isinstance(detail, Mapping):
        raise InvalidInput("detail", f"expected an object, not {kind_of(detail)}")
    return read_revival_requested(detail) if named == REVIVAL_REQUESTED else SubscriptionCreated(detail=detail)


def _object(body: object) -> Mapping[str, Any]:
    try:
        message = json.loads(body) if isinstance(body, str) else None
    except (ValueError, RecursionError):
        raise InvalidInput("", "the message is not JSON") from None
    if not isinstance(message, dict):
        raise InvalidInput("", f"the message is a JSON object, not {kind_of(message)}")
    return message
