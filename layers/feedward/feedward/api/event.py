"""Reads an HTTP API event (payload 2.0): headers, path and query parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qsl

from feedward.api.fields import known_fields
from feedward.errors import InvalidInput

IDEMPOTENCY_KEY: Final = "Idempotency-Key"
DO: Final = "do"

Event: TypeAlias = Mapping[str, Any]
Answer: TypeAlias = dict[str, Any]
"""A response in the gateway's format."""


def is_direct(event: Event) -> bool:
    """Return whether the event is a direct invocation (api/access/direct.py), not of the gateway."""
    return DO in event and "requestContext" not in event


def header(event: Event, name: str) -> str | None:
    """Return the value of a header, None if it is missing. Names are case-insensitive."""
    sent = member(event, "headers")
    values = sent.items() if isinstance(sent, Mapping) else ()
    return next((str(value) for each, value in values if each.lower() == name.lower()), None)


def path_parameter(event: Event, name: str) -> str:
    """Return the path parameter `{name}` of the route; empty if the route has none."""
    return str(member(event, "pathParameters", name) or "")


def instance_of(event: Event) -> str | None:
    """Return the id of the request. The log lines have the same id."""
    request_id = member(event, "requestContext", "requestId")
    return f"urn:feedward:request:{request_id}" if request_id else None


def member(event: object, *path: str) -> Any:
    """Return the value at `path` in an event, or None. An event may have any form: a caller can invoke the function."""
    for name in path:
        event = event.get(name) if isinstance(event, Mapping) else None
    return event


Reader = Callable[[str, str], Any]


def query_values(event: Event, readers: Mapping[str, Reader]) -> dict[str, Any]:
    """Return the query parameters, each read by its reader (value, name). Missing ones are left out.

    Raises InvalidInput for a parameter without a reader or one that is given twice, and the errors of the readers.
    """
    sent = event.get("queryStringParameters")
    _refuse_repeated(event)
    given = {str(name): str(value or "") for name, value in sent.items()} if isinstance(sent, Mapping) else {}
    known_fields(given, readers)
    return {name: readers[name](value, name) for name, value in given.items()}


def _refuse_repeated(event: Event) -> None:
    """Raise InvalidInput for a repeated parameter. The gateway joins its values with commas, which URLs may contain."""
    names = [name for name, _ in parse_qsl(str(event.get("rawQueryString") or ""), keep_blank_values=True)]
    for name, times in Counter(names).items():
        if times > 1:
            raise InvalidInput(name[:100], "this parameter is given twice")


def whole_number(at_least: int, at_most: int) -> Reader:
    """Return a reader of whole numbers within limits."""

    def read(value: str, name: str) -> int:
        if not (value.isascii() and value.isdigit() and len(value) < 10 and at_least <= int(value) <= at_most):
            raise InvalidInput(name, f"expected a whole number from {at_least} to {at_most}")
        return int(value)

    return read


def truth(value: str, name: str) -> bool:
    """Read `true` or `false`."""
    if value not in ("true", "false"):
        raise InvalidInput(name, "expected true or false")
    return value == "true"


def cursor(value: str, name: str) -> str:
    """Read the cursor of the previous page as text. The service of the list decodes it."""
    if not value:
        raise InvalidInput(name, "expected the cursor of a page; leave it out for the first one")
    return value
