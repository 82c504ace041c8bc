"""What is asked about feeds: the id in the path, the parameters of a list, what a person does (design section 7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from feedward.errors import InvalidInput, NotFound
from feedward.health.directory_feed import FeedQuery
from feedward.http.body import json_object
from feedward.http.event import Event, caller_of, path_parameter
from feedward.http.fields import boolean, choice, known_fields, text
from feedward.http.query import cursor, query_values, truth, whole_number
from feedward.model import FeedState
from feedward.urls.parse import parse_url

FEED_ID: Final = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
ENTRY_ID: Final = re.compile(rf"[0-9]{{11}}#{FEED_ID.pattern}")
FEEDS_AT_MOST: Final = 100
WHY_CHARACTERS_AT_MOST: Final = 500
DOMAIN_CHARACTERS_AT_MOST: Final = 253


def decode_id(event: Event) -> dict[str, Any]:
    """The feed's id in the path. Raises NotFound for what cannot be one."""
    given = path_parameter(event, "id")
    if not FEED_ID.fullmatch(given):
        raise NotFound("there is no feed with this id")
    return {"feed_id": given}


def decode_list(event: Event) -> dict[str, Any]:
    """The query, and `cursor` and `limit` where they are given. Raises InvalidInput, which names the parameter."""
    given = query_values(event, LIST_PARAMETERS)
    page = {name: given.pop(name) for name in PAGE_PARAMETERS if name in given}
    return {"query": FeedQuery(**given), **page}


def decode_audit(event: Event) -> dict[str, Any]:
    """The feed's id, `cursor` and `limit`. Raises as `decode_id` and `decode_list` do."""
    return {**decode_id(event), **query_values(event, PAGE_PARAMETERS)}


def decode_action(event: Event) -> dict[str, Any]:
    """The feed's id, who asks, and `why` if they say so. Raises InvalidInput, which names the field, or NotFound."""
    return {**decode_id(event), "by": caller_of(event), **_body(event, ACTION_FIELDS)}


def decode_settings(event: Event) -> dict[str, Any]:
    """The same for the settings of a feed, one at least: the body has to be there."""
    given = _read(json_object(event), SETTING_FIELDS)
    if not SETTINGS & given.keys():
        raise InvalidInput(min(SETTINGS), f"expected a setting: {', '.join(sorted(SETTINGS))}")
    return {**decode_id(event), "by": caller_of(event), **given}


def decode_undo(event: Event) -> dict[str, Any]:
    """The same for an undoing, which may name the move by its `entry_id`."""
    return {**decode_id(event), "by": caller_of(event), **_body(event, UNDO_FIELDS)}


def decode_revive(event: Event) -> dict[str, Any]:
    """The feed's id, and who asks."""
    return {**decode_check(event), "by": caller_of(event)}


def decode_check(event: Event) -> dict[str, Any]:
    """The feed's id; there is nothing else to say."""
    return {**decode_id(event), **_body(event, {})}


def _body(event: Event, fields: Mapping[str, Callable[[object, str], Any]]) -> dict[str, Any]:
    """What the body says, which may be missing."""
    return _read(json_object(event) if event.get("body") else {}, fields)


def _read(body: Mapping[str, Any], fields: Mapping[str, Callable[[object, str], Any]]) -> dict[str, Any]:
    known_fields(body, fields)
    return {name: fields[name](value, name) for name, value in body.items()}


# --- readers ------------------------------------------------------------------------------------------


def _state(value: str, name: str) -> FeedState:
    return FeedState(choice(value, name, of=tuple(FeedState)))


def _domain(value: str, name: str) -> str:
    """A host's name as feeds have it: in lower case and ASCII."""
    host = value.strip().rstrip(".")
    is_plain = 0 < len(host) <= DOMAIN_CHARACTERS_AT_MOST and not set("/?#@:\\% \t\r\n") & set(host)
    parsed = parse_url(f"https://{host}/") if is_plain else None
    if parsed is None or not parsed.hostname:
        raise InvalidInput(name, "expected the name of a host or a domain, such as example.com")
    return str(parsed.hostname)


def _why(value: object, path: str) -> str:
    return text(value, path, at_most=WHY_CHARACTERS_AT_MOST)


def _entry_id(value: object, path: str) -> str:
    given = text(value, path, at_most=100)
    if not ENTRY_ID.fullmatch(given):
        raise InvalidInput(path, "expected the id of an entry of the feed's audit")
    return given


PAGE_PARAMETERS: Final = {"cursor": cursor, "limit": whole_number(1, FEEDS_AT_MOST)}
LIST_PARAMETERS: Final = {"state": _state, "domain": _domain, "stale": truth, **PAGE_PARAMETERS}
ACTION_FIELDS: Final[Mapping[str, Callable[[object, str], Any]]] = {"why": _why}
SETTINGS: Final = frozenset({"collect_items"})
SETTING_FIELDS: Final = {"collect_items": boolean, **ACTION_FIELDS}
UNDO_FIELDS: Final = {**ACTION_FIELDS, "entry_id": _entry_id}
