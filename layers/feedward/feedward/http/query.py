"""The query string of an HTTP API event (payload 2.0), with each value read and an error that names the parameter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from feedward.errors import InvalidInput
from feedward.http.event import Event
from feedward.http.fields import known_fields

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
