"""Reads the body of an HTTP API event (payload 2.0) as a JSON object, or raises an error with the reason."""

from __future__ import annotations

import base64
import binascii
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from feedward.api.problems import BodyTooLarge, MalformedJson, UnsupportedMediaType
from feedward.errors import InvalidInput

BODY_BYTES_AT_MOST: Final = 512 * 1024
_TAKEN_AS_JSON: Final = ("", "application/json", "application/x-www-form-urlencoded")


def json_object(event: Mapping[str, Any], *, bytes_at_most: int = BODY_BYTES_AT_MOST) -> dict[str, Any]:
    """Return the JSON object in the body of `event`, of at most `bytes_at_most` bytes.

    Raises UnsupportedMediaType, BodyTooLarge, MalformedJson, or InvalidInput for JSON that is not an object.
    """
    headers = event.get("headers")
    _check_content_type(headers if isinstance(headers, Mapping) else {})
    document = _parse(body_bytes(event, bytes_at_most))
    if not isinstance(document, dict):
        raise InvalidInput("", f"the body is a JSON object, not {kind_of(document)}")
    return document


def kind_of(value: object) -> str:
    """Return the JSON type of `value`, with an article."""
    names = {
        bool: "a boolean",
        int: "a number",
        float: "a number",
        str: "a string",
        list: "an array",
        dict: "an object",
    }
    return names.get(type(value), "null")


def _check_content_type(headers: Mapping[str, Any]) -> None:
    """Raise UnsupportedMediaType unless the type is application/json or ends in +json, in UTF-8.

    A request without a type is accepted. So is a form, the type that `curl -d` sends by default.
    """
    sent = next((str(value or "") for name, value in headers.items() if name.lower() == "content-type"), "")
    media_type, _, parameters = sent.lower().partition(";")
    media_type = media_type.strip()
    if media_type not in _TAKEN_AS_JSON and not media_type.endswith("+json"):
        raise UnsupportedMediaType(f"send Content-Type: application/json, not {media_type[:100]}")
    charset = parameters.replace('"', "").replace(" ", "").partition("charset=")[2].partition(";")[0]
    if charset and charset not in ("utf-8", "utf8", "us-ascii"):
        raise UnsupportedMediaType(f"send JSON in UTF-8, not in {charset[:100]}")


def body_bytes(event: Mapping[str, Any], at_most: int) -> bytes:
    """Return the body of `event`, of at most `at_most` bytes. Raises BodyTooLarge, or MalformedJson for bad base64."""
    body = event.get("body") or ""
    if not isinstance(body, str):
        raise MalformedJson("the event's body is not text")
    if len(body) > at_most * 4 // 3 + 4:
        raise _too_large(at_most)
    try:
        raw = base64.b64decode(body, validate=True) if event.get("isBase64Encoded") else body.encode()
    except (binascii.Error, ValueError) as error:
        raise MalformedJson("the body cannot be decoded") from error
    if len(raw) > at_most:
        raise _too_large(at_most)
    return raw


def _too_large(at_most: int) -> BodyTooLarge:
    return BodyTooLarge(f"the body has at most {at_most} bytes")


def _parse(raw: bytes) -> object:
    if not raw.strip():
        raise MalformedJson("the body is empty")
    try:
        return json.loads(raw.decode("utf-8-sig"), parse_constant=_no_constant, object_pairs_hook=_without_repeats)
    except UnicodeDecodeError as error:
        raise MalformedJson("the body is not UTF-8") from error
    except json.JSONDecodeError as error:
        raise MalformedJson(f"line {error.lineno}, column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise MalformedJson("the body is nested too deeply") from error
    except ValueError as error:  # an integer of thousands of digits
        raise MalformedJson("the body has a number that is too long") from error


def _no_constant(name: str) -> NoReturn:
    raise json.JSONDecodeError(f"{name} is not JSON", name, 0)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object. Raises InvalidInput for a repeated name, because parsers differ about which value counts."""
    found = dict(pairs)
    if len(found) < len(pairs):
        ((repeated, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise InvalidInput(repeated[:100], "this field is given twice")
    return found
