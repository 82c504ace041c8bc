"""Converts items to DynamoDB's attribute values and back, without values that DynamoDB would refuse.

Items hold texts of foreign documents: titles of any length, lone surrogates, numbers beyond 38 digits (rules R1, R2,
rule X7). None of them may raise.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, TypeAlias

Item: TypeAlias = dict[str, Any]

_LARGEST = 10**38 - 1
_DEEPEST = 8
_NULL = {"NULL": True}


def encode(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the item as attribute values, without None, empty sets and numbers that are too large."""
    return {
        name: attribute
        for name, value in item.items()
        if value is not None and (attribute := _attribute(value, _DEEPEST)) is not None
    }


def encode_value(value: Any) -> Any:
    """Return one value as an attribute value."""
    return _attribute(value, _DEEPEST) or _NULL


def decode(attributes: Mapping[str, Any]) -> Item:
    """Return the item of a response, with numbers as ints and string sets as sorted lists."""
    return {name: value["S"] if "S" in value else _plain(value) for name, value in attributes.items()}


def text(value: str | None, limit: int) -> str | None:
    """Return at most `limit` characters of a text, or None for an empty one."""
    return value[:limit] or None if value else None


def _attribute(value: Any, depth: int) -> dict[str, Any] | None:
    """Return the attribute value, or None for a value that is empty or cannot be stored.

    boto3's TypeSerializer would raise for values that are cleaned here, and importing boto3 is slow.
    """
    match value:
        case str():
            return {"S": _storable(value)}
        case bool():
            return {"BOOL": value}
        case int() | float():
            return {"N": str(int(value))} if abs(value) <= _LARGEST else None  # false for NaN too
        case list() | tuple() if depth:
            return {"L": [_attribute(each, depth - 1) or _NULL for each in value]}
        case dict() | Mapping() if depth:
            return {"M": {_storable(str(k)): _attribute(v, depth - 1) or _NULL for k, v in value.items()}}
        case _:
            return _texts(value)


def _texts(value: Any) -> dict[str, Any] | None:
    """Return a string set, or None for an empty one, which DynamoDB does not have."""
    return {"SS": sorted(map(_storable, value))} if value and isinstance(value, set | frozenset) else None


def _storable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _plain(attribute: Mapping[str, Any]) -> Any:
    ((kind, value),) = attribute.items()
    match kind:
        case "N":
            return int(value) if value.isdecimal() else int(Decimal(value))
        case "NULL":
            return None
        case "M":
            return decode(value)
        case "L":
            return [_plain(each) for each in value]
        case "SS":
            return sorted(value)
        case _:
            return value
