"""What is asked of the lineage: a new run, the id of a run or an item, what a bump left behind (design section 7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from feedward.errors import InvalidInput, NotFound
from feedward.http.body import json_object
from feedward.http.event import Event, path_parameter
from feedward.http.fields import array, known_fields, text
from feedward.http.query import cursor, query_values, truth, whole_number

ID: Final = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
URLS_AT_MOST: Final = 10_000
BODY_BYTES_AT_MOST: Final = 4 << 20
ITEMS_AT_MOST: Final = 100
VERSION_CHARACTERS_AT_MOST: Final = 200


def decode_run(event: Event) -> dict[str, Any]:
    """The `urls` of a new run, or `reprocessing_of_run_id`; `collector` and `version` where they are given.

    Raises InvalidInput (the field), and what `json_object` raises.
    """
    body = json_object(event, bytes_at_most=BODY_BYTES_AT_MOST)
    known_fields(body, RUN_FIELDS)
    return {name: RUN_FIELDS[name](value, name) for name, value in body.items()}


def decode_run_id(event: Event) -> dict[str, Any]:
    """The run's id in the path. Raises NotFound for what cannot be one."""
    return {"run_id": _path_id(event, "run")}


def decode_item_id(event: Event) -> dict[str, Any]:
    """The item's id in the path. Raises NotFound for what cannot be one."""
    return {"item_id": _path_id(event, "item")}


def decode_items(event: Event) -> dict[str, Any]:
    """`outdated` or `run`, `cursor` and `limit`. Raises InvalidInput, which names the parameter."""
    return query_values(event, ITEM_PARAMETERS)


def _path_id(event: Event, what: str) -> str:
    given = path_parameter(event, "id")
    if not ID.fullmatch(given):
        raise NotFound(f"there is no {what} with this id")
    return given


def _urls(value: object, path: str) -> Any:
    """Whatever they are: each is judged alone."""
    return array(value, path, at_least=1, at_most=URLS_AT_MOST)


def _run_id(value: object, path: str) -> str:
    given = text(value, path, at_most=100)
    if not ID.fullmatch(given):
        raise InvalidInput(path, "expected the id of a run")
    return given


def _run_parameter(value: str, name: str) -> str:
    return _run_id(value, name)


def _collector(value: object, path: str) -> str:
    return text(value, path, at_most=VERSION_CHARACTERS_AT_MOST)


RUN_FIELDS: Final[Mapping[str, Callable[[object, str], Any]]] = {
    "urls": _urls,
    "collector": _collector,
    "reprocessing_of_run_id": _run_id,
    "version": _collector,
}
ITEM_PARAMETERS: Final = {
    "outdated": truth,
    "run": _run_parameter,
    "cursor": cursor,
    "limit": whole_number(1, ITEMS_AT_MOST),
}
