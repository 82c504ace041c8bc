"""Imports as JSON: files and announcements in requests, imports and entry results in responses (rules IM3, IM5)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from feedward.api.event import Event, cursor, header, query_values, whole_number
from feedward.api.fields import TAKEN_AS_JSON, body_bytes, choice, integer, json_object, known_fields, text
from feedward.api.path_ids import path_id
from feedward.api.problems import BodyTooLarge
from feedward.api.route import Reply
from feedward.errors import InvalidInput
from feedward.intake.entry import Entry
from feedward.intake.job import Ended, Import, Result, Target
from feedward.intake.limits import FILE_BYTES
from feedward.subscriptions.folders import tags_of
from feedward.urls.secrets import mask_tokens

BODY_BYTES_AT_MOST: Final = 4 * 1024 * 1024
# A call takes 6 MB, and JSON escapes turn some characters of a file into two or six.
_JSON_BYTES_AT_MOST: Final = 5_500_000
NAME_CHARS: Final = 200
IMPORTS_AT_MOST: Final = 100
ENTRIES_AT_MOST: Final = 200
_TOO_LARGE: Final = 'the body has at most 4 MB: announce a longer file with {"bytes": its length}, and upload it'


def decode_new(event: Event) -> dict[str, Any]:
    """Return the file in `body`, or its announced `length`, with `name` and `into` if given.

    The body is the file itself, or an object with its `text`, or with its length in `bytes`. Raises InvalidInput (the
    field), BodyTooLarge, and as `json_object` does.
    """
    if _is_request(event):
        return _from_object(json_object(event, bytes_at_most=_JSON_BYTES_AT_MOST))
    try:
        body = body_bytes(event, BODY_BYTES_AT_MOST)
    except BodyTooLarge:
        raise BodyTooLarge(_TOO_LARGE) from None
    return {"body": body, **query_values(event, FILE_PARAMETERS)}


def decode_id(event: Event) -> dict[str, Any]:
    """Return the import's id in the path. Raises NotFound for an invalid id."""
    return {"import_id": path_id(event, "import")}


def decode_start(event: Event) -> dict[str, Any]:
    """Return the import's id in the path. A start has no fields."""
    if event.get("body"):
        known_fields(json_object(event), ())
    return decode_id(event)


def decode_page(event: Event) -> dict[str, Any]:
    """Return `cursor` and `limit`, if given. Raises InvalidInput, which names the parameter."""
    return query_values(event, PAGE_PARAMETERS)


def decode_entries(event: Event) -> dict[str, Any]:
    """Return the import's id, `result`, `cursor` and `limit`. Raises NotFound, or InvalidInput as above."""
    given = query_values(event, ENTRY_PARAMETERS)
    return {"import_id": path_id(event, "import", takes=ENTRY_PARAMETERS), **given}


def _is_request(event: Event) -> bool:
    """Return whether the body is an object of the API. An array, or an object with other members, is the file."""
    media_type = (header(event, "content-type") or "").partition(";")[0].strip().lower()
    if media_type not in TAKEN_AS_JSON:
        return False
    try:
        body = body_bytes(event, _JSON_BYTES_AT_MOST)
        if body[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] != b"{":
            return media_type == "application/json" and not body.strip()
        said = json.loads(body)
    except (ValueError, RecursionError):
        return media_type == "application/json"
    return isinstance(said, dict) and bool({"text", "bytes"} & said.keys())


def _from_object(body: Mapping[str, Any]) -> dict[str, Any]:
    known_fields(body, FIELDS)
    if ("text" in body) == ("bytes" in body):
        raise InvalidInput("text", "expected the text of the file, or its length in bytes")
    given = {name: FIELDS[name](value, name) for name, value in body.items()}
    if "text" not in given:
        return {"length": given.pop("bytes"), **given}
    return {"body": given.pop("text").encode("utf-8", "replace"), **given}


def _text(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(path, "expected a string")
    if len(value.encode("utf-8", "replace")) > BODY_BYTES_AT_MOST:
        raise BodyTooLarge(_TOO_LARGE)
    return value


def _length(value: object, path: str) -> int:
    return integer(value, path, at_least=1, at_most=FILE_BYTES)


def _name(value: object, path: str) -> str:
    return text(value, path, at_most=NAME_CHARS)


def _into(value: object, path: str) -> Target:
    return Target(choice(value, path, of=tuple(Target)))


def _result(value: str, name: str) -> Result:
    return Result(choice(value, name, of=tuple(Result)))


FIELDS: Final[Mapping[str, Callable[[object, str], Any]]] = {
    "text": _text,
    "bytes": _length,
    "name": _name,
    "into": _into,
}
FILE_PARAMETERS: Final = {"name": _name, "into": _into}
PAGE_PARAMETERS: Final = {"cursor": cursor, "limit": whole_number(1, IMPORTS_AT_MOST)}
ENTRY_PARAMETERS: Final = {"result": _result, "cursor": cursor, "limit": whole_number(1, ENTRIES_AT_MOST)}


class Awaited(Protocol):
    """An import whose file is awaited."""

    @property
    def found(self) -> Import: ...
    @property
    def upload_url(self) -> str: ...


class Page(Protocol):
    """A page of imports."""

    @property
    def imports(self) -> Sequence[Import]: ...
    @property
    def cursor(self) -> str | None: ...


class Entries(Protocol):
    """A page of entries with their results."""

    @property
    def entries(self) -> Sequence[tuple[Entry, Ended | None]]: ...
    @property
    def cursor(self) -> str | None: ...


def encode_begun(begun: Import | Awaited) -> Reply:
    """Return the response to a new import: 202, with the upload if its file is awaited."""
    if isinstance(begun, Import):
        return encode_started(begun)
    upload = {"method": "PUT", "url": begun.upload_url, "headers": {"Content-Length": str(begun.found.bytes)}}
    reply = encode_started(begun.found)
    return Reply(document={**encode_import(begun.found), "upload": upload}, status=202, headers=reply.headers)


def encode_started(found: Import) -> Reply:
    """Return the response to a started import: 202 with its address."""
    return Reply(document=encode_import(found), status=202, headers={"Location": f"/v1/imports/{found.import_id}"})


def encode_import(found: Import) -> dict[str, Any]:
    """Return the import with its counts: `entries` is the sum of `results` and `left`. Times are epoch seconds."""
    counts = found.counts
    return {
        "id": found.import_id,
        "status": found.state.value,
        "reason": found.reason,
        "into": found.target.value if found.into or found.kind else None,
        "kind": found.kind.value if found.kind else None,
        "name": found.name,
        "bytes": found.bytes,
        "created_at": found.created_at,
        "updated_at": found.updated_at,
        "entries": counts.entries,
        "results": {each.value: getattr(counts, each.value) for each in Result},
        "left": counts.left,
        "beyond": dict(found.beyond),
    }


def encode_imports(page: Page) -> dict[str, Any]:
    """Return a page of imports, and the cursor of the next page."""
    return {"imports": [encode_import(each) for each in page.imports], "cursor": page.cursor}


def encode_entries(page: Entries) -> dict[str, Any]:
    """Return a page of entries, the tokens of their URLs masked (rule T4), and the cursor of the next page."""
    return {"entries": [_entry(entry, ended) for entry, ended in page.entries], "cursor": page.cursor}


def _entry(entry: Entry, ended: Ended | None) -> dict[str, Any]:
    return {
        "number": entry.number,
        "line": entry.line,
        "url": mask_tokens(entry.url) or None,
        "title": entry.title,
        "site_url": mask_tokens(entry.site_url) if entry.site_url else None,
        "folders": [list(path) for path in entry.folders],
        "tags": list(tags_of(entry.folders)),
        "result": ended.result.value if ended else None,
        "reason": ended.reason if ended else None,
        "subscription_id": ended.subscription_id if ended else None,
        "feed_id": ended.feed_id if ended else None,
    }
