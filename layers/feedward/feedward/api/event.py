"""An HTTP API event (payload 2.0) as the gateway sends it: its path, its method and its query parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from feedward.api.fields import known_fields
from feedward.errors import InvalidInput

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


Reader = Callable[[str, str], Any]
_TRUTHS = {"true": True, "false": False}


def query_values(event: Event, readers: Mapping[str, Reader]) -> dict[str, Any]:
    """What the parameters of the event say, each read by its reader (value, name); what is not given is left out.

    Raises InvalidInput for a parameter that no reader is for, and what the readers raise.
    """
    sent = event.get("queryStringParameters")
    given = {str(name): str(value or "") for name, value in sent.items()} if isinstance(sent, Mapping) else {}
    known_fields(given, readers)
    return {name: readers[name](value, name) for name, value in given.items()}


def whole_number(at_least: int, at_most: int) -> Reader:
    """A reader of whole numbers within limits."""

    def read(value: str, name: str) -> int:
        if not (value.isascii() and value.isdigit() and len(value) < 10 and at_least <= int(value) <= at_most):
            raise InvalidInput(name, f"expected a whole number from {at_least} to {at_most}")
        return int(value)

    return read


def truth(value: str, name: str) -> bool:
    """`true` or `false`."""
    if value not in _TRUTHS:
        raise InvalidInput(name, "expected true or false")
    return _TRUTHS[value]


def cursor(value: str, name: str) -> str:
    """What a page before gave; what it says is read by whom it belongs to."""
    if not value:
        raise InvalidInput(name, "expected the cursor of a page; leave it out for the first one")
    return value
