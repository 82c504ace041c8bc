"""Keys as JSON: requests, a stored key, and a new key with its text, shown once (rules AK2, AK9)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from feedward.access.caller import Scope
from feedward.access.key import PREFIX
from feedward.access.stored_key import OVERLAP_S, StoredKey
from feedward.access.tenant import tenant_name
from feedward.api.event import Event, query_values
from feedward.api.fields import choice, integer, json_object, known_fields, text
from feedward.api.path_ids import path_id
from feedward.api.route import NO_CONTENT, Reply
from feedward.errors import InvalidInput
from feedward.services.access.manage_keys import KeyDraft

KEY_ID: Final = re.compile(r"[0-9A-Za-z]{12}")
NAME_CHARS: Final = 100
LATEST: Final = 253_402_300_799  # the end of the year 9999
OVERLAP_AT_MOST_S: Final = 7 * OVERLAP_S


def decode_new(event: Event) -> dict[str, Any]:
    """Return the `draft` of a key, and its `tenant_id` if given. Raises InvalidInput, which names the field."""
    given = _body(event, NEW_FIELDS)
    for name in ("name", "scope"):
        if name not in given:
            raise InvalidInput(name, "a key needs a name and a scope")
    tenant = {"tenant_id": given.pop("tenant_id")} if "tenant_id" in given else {}
    return {"draft": KeyDraft(**given), **tenant}


def decode_list(event: Event) -> dict[str, Any]:
    """Return the `tenant_id`, if given. Raises InvalidInput, which names the parameter."""
    return query_values(event, TENANT_PARAMETER)


def decode_rotation(event: Event) -> dict[str, Any]:
    """Return the key's id in the path, `overlap_s` and `tenant_id` if given. Raises NotFound or InvalidInput."""
    return {**_id(event), **(_body(event, ROTATION_FIELDS) if event.get("body") else {})}


def decode_id(event: Event) -> dict[str, Any]:
    """Return the key's id in the path, and `tenant_id` if given. Raises NotFound or InvalidInput."""
    return {**_id(event), **decode_list(event)}


def _id(event: Event) -> dict[str, str]:
    return {"key_id": path_id(event, "key", is_id=KEY_ID.fullmatch, takes=TENANT_PARAMETER)}


def _body(event: Event, fields: Mapping[str, Callable[[object, str], Any]]) -> dict[str, Any]:
    body = json_object(event)
    known_fields(body, fields)
    return {name: fields[name](value, name) for name, value in body.items()}


def _name(value: object, path: str) -> str:
    named = text(value, path, at_most=NAME_CHARS).strip()
    if not named.isprintable():
        raise InvalidInput(path, "expected a name without control characters")
    return named


def _scope(value: object, path: str) -> Scope:
    return Scope(choice(value, path, of=tuple(Scope)))


def _end(value: object, path: str) -> int | None:
    return None if value is None else integer(value, path, at_least=0, at_most=LATEST)


def _overlap(value: object, path: str) -> int:
    return integer(value, path, at_least=0, at_most=OVERLAP_AT_MOST_S)


def _tenant(value: object, path: str) -> str | None:
    return None if value is None else tenant_name(text(value, path, at_most=100), path)


NEW_FIELDS: Final[Mapping[str, Callable[[object, str], Any]]] = {
    "name": _name,
    "scope": _scope,
    "expires_at": _end,
    "tenant_id": _tenant,
}
ROTATION_FIELDS: Final[Mapping[str, Callable[[object, str], Any]]] = {"overlap_s": _overlap, "tenant_id": _tenant}
TENANT_PARAMETER: Final = {"tenant_id": tenant_name}


class Made(Protocol):
    """A new key with its text."""

    @property
    def key(self) -> StoredKey: ...
    @property
    def text(self) -> str: ...
    @property
    def replaces(self) -> StoredKey | None: ...


def encode_key(key: StoredKey, *, now: int) -> dict[str, Any]:
    """Return a key without its secret: `begins_with` is the beginning of its text. Times are epoch seconds."""
    return {
        "id": key.key_id,
        "tenant_id": key.tenant_id,
        "name": key.name,
        "scope": key.scope.value,
        "status": _status(key, now),
        "begins_with": f"{PREFIX}{key.key_id}_",
        "created_at": key.created_at,
        "expires_at": key.expires_at,
        "revoked_at": key.revoked_at,
        "last_used_at": key.last_used_at,
        "replaced_by": key.replaced_by,
    }


def encode_keys(keys: Sequence[StoredKey], *, now: int) -> dict[str, Any]:
    """Return the keys of a tenant."""
    return {"keys": [encode_key(key, now=now) for key in keys]}


def encode_made(made: Made, *, now: int) -> Reply:
    """Return 201 with the new key and its text, which no other response has."""
    replaces = encode_key(made.replaces, now=now) if made.replaces else None
    document = {**encode_key(made.key, now=now), "key": made.text, "replaces": replaces}
    return Reply(document=document, status=201, shown_once=True)


def encode_revoked(_key: StoredKey, *, now: int) -> Reply:  # noqa: ARG001 - encoders of keys get the time
    """Return 204: the key has ended."""
    return Reply(status=NO_CONTENT)


def _status(key: StoredKey, now: int) -> str:
    if key.revoked_at is not None:
        return "revoked"
    return "live" if key.is_live(now) else "expired"
