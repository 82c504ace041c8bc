"""An HTTP API event (payload 2.0) as the gateway sends it, and what is looked for in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

IDEMPOTENCY_KEY: Final = "Idempotency-Key"

Event: TypeAlias = Mapping[str, Any]
Answer: TypeAlias = dict[str, Any]
"""What the gateway takes for an answer."""


def header(event: Event, name: str) -> str | None:
    """The value of a header, whatever the case of its name; None if it was not sent."""
    sent = member(event, "headers")
    values = sent.items() if isinstance(sent, Mapping) else ()
    return next((str(value) for each, value in values if each.lower() == name.lower()), None)


def path_parameter(event: Event, name: str) -> str:
    """What stands in the event's path for `{name}` of its route; empty if its route has no such part."""
    return str(member(event, "pathParameters", name) or "")


def caller_of(event: Event) -> str:
    """Who asks, as IAM knows them; `caller` where nobody was asked to sign, as on loopback."""
    return str(member(event, "requestContext", "authorizer", "iam", "userArn") or "caller")


def instance_of(event: Event) -> str | None:
    """The name of the request that is being answered; the log lines have the same id."""
    request_id = member(event, "requestContext", "requestId")
    return f"urn:feedward:request:{request_id}" if request_id else None


def member(event: object, *path: str) -> Any:
    """What lies at `path` in an event, or None: whoever may invoke the function may send it anything."""
    for name in path:
        event = event.get(name) if isinstance(event, Mapping) else None
    return event
