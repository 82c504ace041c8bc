"""Items to DynamoDB's attribute values and back, with all that DynamoDB would refuse taken out first.

What strangers' documents say ends up here: titles of any length, lone surrogates, numbers beyond 38 digits
(security D1, D2, X7). Nothing of that may raise.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, TypeAlias

Item: TypeAlias = dict[str, Any]

_LARGEST = 10**38 - 1
_DEEPEST = 8


def encode(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the item as attribute values; attributes that are None or numbers out of range are left out."""
    clean = {name: _clean(value, _DEEPEST) for name, value in item.items()}
    return {name: _attribute(value) for name, value in clean.items() if value is not None}


def encode_value(value: Any) -> Any:
    """Return one value as an attribute value."""
    return _attribute(_clean(value, _DEEPEST))


def decode(attributes: Mapping[str, Any]) -> Item:
    """Return the item of an answer, with numbers as ints."""
    return {name: _plain(value) for name, value in attributes.items()}


def text(value: str | None, limit: int) -> str | None:
    """Return at most `limit` characters of a text, or None for an empty one."""
    return value[:limit] or None if value else None


def _clean(value: Any, depth: int) -> Any:
    match value:
        case bool() | None:
            return value
        case str():
            return value.encode("utf-8", "replace").decode("utf-8")
        case int() | float():
            return _whole(value)
        case Mapping() if depth:
            return {_clean(str(k), 0): _clean(v, depth - 1) for k, v in value.items()}
        case list() | tuple() if depth:
            return [_clean(each, depth - 1) for each in value]
        case _:
            return None


def _whole(number: float) -> int | None:
    is_storable = abs(number) <= _LARGEST  # false for NaN too
    return int(number) if is_storable else None


def _attribute(value: Any) -> dict[str, Any]:
    """A clean value as an attribute value. boto3 has the same in its types module, at the price of importing boto3."""
    match value:
        case None:
            return {"NULL": True}
        case bool():
            return {"BOOL": value}
        case str():
            return {"S": value}
        case dict():
            return {"M": {k: _attribute(v) for k, v in value.items()}}
        case list():
            return {"L": [_attribute(each) for each in value]}
        case _:
            return {"N": str(value)}


def _plain(attribute: Mapping[str, Any]) -> Any:
    ((kind, value),) = attribute.items()
    match kind:
        case "NULL":
            return None
        case "N":
            return int(Decimal(value))
        case "M":
            return {k: _plain(v) for k, v in value.items()}
        case "L":
            return [_plain(each) for each in value]
        case _:
            return value
