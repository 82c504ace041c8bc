"""The JSON body of an HTTP API event (payload 2.0), and readers of its values.

A reader takes a value and its JSON path, and returns the typed value or raises an error with the path and the reason.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NoReturn

from feedward.api.problems import BodyTooLarge, MalformedJson, UnsupportedMediaType
from feedward.errors import InvalidInput

URL_CHARACTERS_AT_MOST: Final = 2048
# White space of the API and of its schema. Regular expressions of JavaScript and Python differ about other characters.
ASCII_WHITE_SPACE: Final = "\t\n\f\r "


def boolean(value: object, path: str) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise InvalidInput(path, f"expected a boolean, not {kind_of(value)}")
    return value


def integer(value: object, path: str, *, at_least: int, at_most: int) -> int:
    """Read a whole number within limits. 3.0 is one, as JSON has one type of number; true is not."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(path, f"expected a whole number, not {kind_of(value)}")
    if not at_least <= value <= at_most:
        raise InvalidInput(path, f"expected a whole number from {at_least} to {at_most}")
    return value


def text(value: object, path: str, *, at_most: int) -> str:
    """Read a string of 1 to `at_most` characters that is valid Unicode."""
    if not isinstance(value, str):
        raise InvalidInput(path, f"expected a string, not {kind_of(value)}")
    if not value.strip(ASCII_WHITE_SPACE):
        raise InvalidInput(path, "expected a string that is not empty")
    if len(value) > at_most:
        raise InvalidInput(path, f"expected at most {at_most} characters, not {len(value)}")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise InvalidInput(path, "expected Unicode text, found half of a surrogate pair")
    return value


def url_text(value: object, path: str) -> str:
    """Read the text of a URL. Canonicalization decides whether it is valid."""
    return text(value, path, at_most=URL_CHARACTERS_AT_MOST)


def array(value: object, path: str, *, at_least: int = 0, at_most: int) -> Sequence[Any]:
    """Read an array of `at_least` to `at_most` elements."""
    if not isinstance(value, list):
        raise InvalidInput(path, f"expected an array, not {kind_of(value)}")
    if not at_least <= len(value) <= at_most:
        raise InvalidInput(path, f"expected {at_least} to {at_most} elements, not {len(value)}")
    return value


def texts(value: object, path: str, *, at_most: int, characters: int) -> tuple[str, ...]:
    """Read an array of strings. An error names the element, as `path[3]`."""
    elements = enumerate(array(value, path, at_most=at_most))
    return tuple(text(element, f"{path}[{index}]", at_most=characters) for index, element in elements)


def choice(value: object, path: str, *, of: Collection[str]) -> str:
    """Read one of the names `of`."""
    if not isinstance(value, str):
        raise InvalidInput(path, f"expected a string, not {kind_of(value)}")
    if value not in of:
        raise InvalidInput(path, f"expected one of {', '.join(of)}, not {value[:100]!r}")
    return value


def names(value: object, path: str, *, of: Collection[str]) -> tuple[str, ...]:
    """Read true for all names `of`, false for none, or an array of some of them."""
    if isinstance(value, bool):
        return tuple(of) if value else ()
    if not isinstance(value, list):
        raise InvalidInput(path, f"expected a boolean or an array of names, not {kind_of(value)}")
    elements = enumerate(array(value, path, at_most=len(of)))
    return tuple(choice(element, f"{path}[{index}]", of=of) for index, element in elements)


def known_fields(given: Collection[str], known: Collection[str], prefix: str = "") -> None:
    """Raise InvalidInput for a field that is not in `known`: a misspelt option must not be ignored silently."""
    for name in given:
        if name not in known:
            raise InvalidInput(f"{prefix}{name[:100]}", f"unknown field; known fields: {', '.join(known) or 'none'}")


BODY_BYTES_AT_MOST: Final = 512 * 1024
TAKEN_AS_JSON: Final = ("", "application/json", "application/x-www-form-urlencoded")


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

    A request without a type is accepted, and a form too: the type that `curl -d` sends by default.
    """
    sent = next((str(value or "") for name, value in headers.items() if name.lower() == "content-type"), "")
    media_type, _, parameters = sent.lower().partition(";")
    media_type = media_type.strip()
    if media_type not in TAKEN_AS_JSON and not media_type.endswith("+json"):
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
