"""Evaluates the condition, key and update expressions that feedward sends, as DynamoDB would: a small grammar.

What it does not know it refuses, so that the fake never says yes to what DynamoDB would not.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
}
_TOKEN = re.compile(r"\s*(#\w+|:\w+|\w+|<=|>=|<>|[=<>(),+-])")


class ExpressionError(Exception):
    """The expression is none that the fake knows."""


def holds(expression: str, request: Mapping[str, Any], item: Mapping[str, Any]) -> bool:
    """Return whether a condition or key condition holds for an item of attribute values."""
    parser = _Parser(expression, request, item)
    result = parser.disjunction()
    parser.end()
    return result


def updated(expression: str, request: Mapping[str, Any], item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the item as the update expression leaves it."""
    parser = _Parser(expression, request, item)
    result = dict(item)
    while parser.peek() is not None:
        clause = parser.take()
        if clause == "SET":
            parser.listed(lambda: parser.assign(result))
        elif clause == "REMOVE":
            parser.listed(lambda: result.pop(parser.name(), None))
        elif clause == "ADD":
            parser.listed(lambda: parser.add(result))
        elif clause == "DELETE":
            parser.listed(lambda: parser.take_out(result))
        else:
            raise ExpressionError(f"clause {clause} in {expression!r}")
    return result


class _Parser:
    def __init__(self, expression: str, request: Mapping[str, Any], item: Mapping[str, Any]) -> None:
        self._tokens = list(_tokens(expression))
        self._names = request.get("ExpressionAttributeNames", {})
        self._values = request.get("ExpressionAttributeValues", {})
        self._item = item

    def peek(self) -> str | None:
        return self._tokens[0] if self._tokens else None

    def take(self, expected: str | None = None) -> str:
        token = self._tokens.pop(0) if self._tokens else ""
        if not token or (expected and token != expected):
            raise ExpressionError(f"{expected or 'a token'} expected, {token!r} found")
        return token

    def end(self) -> None:
        if self._tokens:
            raise ExpressionError(f"left over: {self._tokens}")

    def listed(self, one: Callable[[], object]) -> None:
        one()
        while self.peek() == ",":
            self.take(",")
            one()

    def disjunction(self) -> bool:
        result = self._conjunction()
        while self.peek() == "OR":
            self.take("OR")
            result = self._conjunction() or result
        return result

    def name(self) -> str:
        return str(self._names[self.take()])

    def assign(self, result: dict[str, Any]) -> None:
        name = self.name()
        self.take("=")
        value = self._operand()
        if self.peek() == "+":
            self.take("+")
            value = {"N": str(int(_number(value)) + int(_number(self._operand())))}
        result[name] = value

    def add(self, result: dict[str, Any]) -> None:
        """Add to a set of texts, or to a number."""
        name = self.name()
        more = self._operand()
        if "N" in more:
            result[name] = {"N": str(int(_number(result.get(name, {"N": "0"}))) + int(_number(more)))}
        else:
            result[name] = {"SS": sorted({*result.get(name, {"SS": ()})["SS"], *more["SS"]})}

    def take_out(self, result: dict[str, Any]) -> None:
        """Take out of a set of texts, which goes when it is empty."""
        name = self.name()
        less = self._operand()
        left = sorted({*result.get(name, {"SS": ()})["SS"]} - {*less["SS"]})
        result.pop(name, None)
        if left:
            result[name] = {"SS": left}

    def _conjunction(self) -> bool:
        result = self._term()
        while self.peek() == "AND":
            self.take("AND")
            result = self._term() and result
        return result

    def _term(self) -> bool:
        token = self.peek() or ""
        if token == "(":
            self.take("(")
            result = self.disjunction()
            self.take(")")
            return result
        if token in ("attribute_exists", "attribute_not_exists"):
            return self._existence(self.take())
        if token == "begins_with":
            return self._begins_with()
        return self._comparison()

    def _existence(self, function: str) -> bool:
        self.take("(")
        is_there = self.name() in self._item
        self.take(")")
        return is_there == (function == "attribute_exists")

    def _begins_with(self) -> bool:
        self.take("begins_with")
        self.take("(")
        found = self._item.get(self.name(), {"S": ""})
        self.take(",")
        prefix = self._operand()
        self.take(")")
        return str(found["S"]).startswith(prefix["S"])

    def _comparison(self) -> bool:
        left = self._operand()
        compared = self.take()
        right = self._operand()
        if compared == "=":
            return left is not None and left == right
        if compared == "<>":
            return left is not None and left != right
        if compared == "BETWEEN":
            return self._between(left, right)
        if compared in _ORDERS:
            return left is not None and _ORDERS[compared](_comparable(left), _comparable(right))
        raise ExpressionError(f"operator {compared}")

    def _between(self, value: Any, first: Any) -> bool:
        self.take("AND")
        last = self._operand()
        if _comparable(last) < _comparable(first):
            raise ExpressionError("BETWEEN has its bounds in the wrong order")
        return value is not None and _comparable(first) <= _comparable(value) <= _comparable(last)

    def _operand(self) -> Any:
        token = self.take()
        if token == "if_not_exists":
            self.take("(")
            found = self._item.get(self.name())
            self.take(",")
            default = self._operand()
            self.take(")")
            return default if found is None else found
        if token == "size":
            self.take("(")
            found = self._item.get(self.name())
            self.take(")")
            return None if found is None else {"N": str(len(found["SS"]))}
        if token.startswith("#"):
            return self._item.get(str(self._names[token]))
        if token.startswith(":"):
            return self._values[token]
        raise ExpressionError(f"{token!r} is neither an aliased name nor a value")


def _comparable(value: Any) -> Any:
    return int(value["N"]) if "N" in value else str(value["S"])


@cache
def _tokens(expression: str) -> tuple[str, ...]:
    tokens, at = list[str](), 0
    while at < len(expression):
        found = _TOKEN.match(expression, at)
        if not found:
            raise ExpressionError(f"cannot read {expression[at:]!r}")
        tokens.append(found[1])
        at = found.end()
    return tuple(tokens)


def _number(value: Any) -> str:
    if not isinstance(value, dict) or "N" not in value:
        raise ExpressionError(f"{value!r} is no number")
    return str(value["N"])
