"""Readers of JSON values: each takes a value and its JSON path, and returns the typed value or raises InvalidInput."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from feedward.api.body import kind_of
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
