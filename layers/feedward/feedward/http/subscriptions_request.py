"""What is asked about subscriptions: the body of a new one, the id in the path, pages (design section 7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from feedward.errors import InvalidInput, NotFound
from feedward.http.body import json_object
from feedward.http.event import Event, path_parameter
from feedward.http.fields import known_fields, text, texts, url_text
from feedward.http.query import cursor, query_values, whole_number
from feedward.subscriptions.labels import TAG_CHARS, TAGS_AT_MOST, TITLE_CHARS

SUBSCRIPTION_ID: Final = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
SUBSCRIPTIONS_AT_MOST: Final = 200


def decode_new(event: Event) -> dict[str, Any]:
    """The `url` as it was typed, `title` and `tags`. Raises InvalidInput (the field), and what `json_object` raises."""
    body = json_object(event)
    known_fields(body, FIELDS)
    if "url" not in body:
        raise InvalidInput("url", "a URL is required: whatever a person would paste")
    return {name: FIELDS[name](value, name) for name, value in body.items()}


def decode_id(event: Event) -> dict[str, Any]:
    """The subscription's id in the path. Raises NotFound for what cannot be one."""
    given = path_parameter(event, "id")
    if not SUBSCRIPTION_ID.fullmatch(given):
        raise NotFound("there is no subscription with this id")
    return {"subscription_id": given}


def decode_page(event: Event) -> dict[str, Any]:
    """`cursor` and `limit`, where they are given. Raises InvalidInput, which names the parameter."""
    return query_values(event, PAGE_PARAMETERS)


def _title(value: object, path: str) -> str:
    return text(value, path, at_most=TITLE_CHARS)


def _tags(value: object, path: str) -> tuple[str, ...]:
    return texts(value, path, at_most=TAGS_AT_MOST, characters=TAG_CHARS)


FIELDS: Final[Mapping[str, Callable[[object, str], Any]]] = {"url": url_text, "title": _title, "tags": _tags}
PAGE_PARAMETERS: Final = {"cursor": cursor, "limit": whole_number(1, SUBSCRIPTIONS_AT_MOST)}
