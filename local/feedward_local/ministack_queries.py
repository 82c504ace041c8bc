"""Makes queries of MiniStack's DynamoDB cheap: each sorts and compares all items of its partition, for every page."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import ModuleType
from typing import Any

EXPRESSIONS = 4096
_EQUALITY = re.compile(r"\s*(#?\w+)\s*=\s*(:\w+)\s*")
_Values = Mapping[str, Any]


def make_queries_cheap(dynamodb: ModuleType) -> None:
    """Have MiniStack's DynamoDB keep the parsed expressions, and compare texts without evaluating an expression."""
    for name in ("_tokenize", "_condition_syntax_error"):
        vars(dynamodb)[name] = lru_cache(maxsize=EXPRESSIONS)(vars(dynamodb)[name])
    vars(dynamodb)["_evaluate_condition"] = _comparing(vars(dynamodb)["_evaluate_condition"])
    vars(dynamodb)["_index_order_value"] = _text_or(vars(dynamodb)["_index_order_value"])


def _comparing(evaluate: Callable[..., bool]) -> Callable[..., bool]:
    """Return `evaluate`, with a shorter way for a key condition that is one equality of texts."""

    def evaluated(
        expression: str, item: _Values, values: _Values, names: _Values, slot: str = "ConditionExpression"
    ) -> bool:
        found = _equality(expression) if slot == "KeyConditionExpression" else None
        if found:
            name, wanted = names.get(found[0], found[0]), values.get(found[1])
            if wanted and "S" in wanted and name in item:
                return bool(item[name] == wanted)
        return evaluate(expression, item, values, names, slot=slot)

    return evaluated


def _text_or(order_value: Callable[..., Any]) -> Callable[..., Any]:
    """Return `order_value`, the key by which items are sorted, with a shorter way for texts."""

    def ordered(item: _Values, name: str, type_hint: str) -> Any:
        value = item.get(name)
        return value["S"] if type_hint == "S" and value and "S" in value else order_value(item, name, type_hint)

    return ordered


@lru_cache(maxsize=EXPRESSIONS)
def _equality(expression: str) -> tuple[str, str] | None:
    """Return the name and the value of an expression that is one equality."""
    found = _EQUALITY.fullmatch(expression)
    return (found[1], found[2]) if found else None
