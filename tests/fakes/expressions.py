"""Evaluates the condition, key and update expressions that feedward sends, as DynamoDB would: a small grammar.

It refuses unknown grammar, so that the fake never accepts an expression that DynamoDB would not.
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
    """The fake does not know the expression."""


def holds(expression: str, request: Mapping[str, Any], item: Mapping[str, Any]) -> bool:
    """Return whether a condition or key condition holds for an item of attribute values."""
    return _condition(expression)(_Asked(request, item))


@cache
def _condition(expression: str) -> Callable[[_Asked], bool]:
    """Parse a condition once: it is evaluated for every item of a partition."""
    parser = _Parser(expression)
    condition = parser.disjunction()
    parser.end()
    return condition


def updated(expression: str, request: Mapping[str, Any], item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the item as the update expression leaves it."""
    parser, asked = _Parser(expression), _Asked(request, item)
    result = dict(item)
    while parser.peek() is not None:
        clause = parser.take()
        if clause == "SET":
            parser.listed(lambda: parser.assign(asked, result))
        elif clause == "REMOVE":
            parser.listed(lambda: result.pop(asked.name(parser.take()), None))
        elif clause == "ADD":
            parser.listed(lambda: parser.add(asked, result))
        elif clause == "DELETE":
            parser.listed(lambda: parser.take_out(asked, result))
        else:
            raise ExpressionError(f"clause {clause} in {expression!r}")
    return result


class _Asked:
    """An item, and the values of an expression's aliases."""

    __slots__ = ("_names", "item", "values")

    def __init__(self, request: Mapping[str, Any], item: Mapping[str, Any]) -> None:
        self._names = request.get("ExpressionAttributeNames", {})
        self.values = request.get("ExpressionAttributeValues", {})
        self.item = item

    def name(self, alias: str) -> str:
        return str(self._names[alias])

    def get(self, alias: str) -> Any:
        return self.item.get(self._names[alias])


Condition = Callable[[_Asked], bool]
Operand = Callable[[_Asked], Any]


class _Parser:
    """Parses an expression into functions of its values."""

    def __init__(self, expression: str) -> None:
        self._tokens = list(_tokens(expression))

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

    def disjunction(self) -> Condition:
        terms = [self._conjunction()]
        while self.peek() == "OR":
            self.take("OR")
            terms.append(self._conjunction())
        return terms[0] if len(terms) == 1 else lambda asked: any(term(asked) for term in terms)

    def assign(self, asked: _Asked, result: dict[str, Any]) -> None:
        name = asked.name(self.take())
        self.take("=")
        value = self._operand()(asked)
        if self.peek() == "+":
            self.take("+")
            value = {"N": str(int(_number(value)) + int(_number(self._operand()(asked))))}
        result[name] = value

    def add(self, asked: _Asked, result: dict[str, Any]) -> None:
        """Add to a set of texts, or to a number."""
        name = asked.name(self.take())
        more = self._operand()(asked)
        if "N" in more:
            result[name] = {"N": str(int(_number(result.get(name, {"N": "0"}))) + int(_number(more)))}
        else:
            result[name] = {"SS": sorted({*result.get(name, {"SS": ()})["SS"], *more["SS"]})}

    def take_out(self, asked: _Asked, result: dict[str, Any]) -> None:
        """Remove from a set of texts; an empty set is deleted."""
        name = asked.name(self.take())
        less = self._operand()(asked)
        left = sorted({*result.get(name, {"SS": ()})["SS"]} - {*less["SS"]})
        result.pop(name, None)
        if left:
            result[name] = {"SS": left}

    def _conjunction(self) -> Condition:
        terms = [self._term()]
        while self.peek() == "AND":
            self.take("AND")
            terms.append(self._term())
        return terms[0] if len(terms) == 1 else lambda asked: all(term(asked) for term in terms)

    def _term(self) -> Condition:
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

    def _argument(self) -> str:
        """The alias that is a function's only argument."""
        self.take("(")
        alias = self.take()
        self.take(")")
        return alias

    def _existence(self, function: str) -> Condition:
        alias, expected = self._argument(), function == "attribute_exists"
        return lambda asked: (asked.name(alias) in asked.item) == expected

    def _begins_with(self) -> Condition:
        self.take("begins_with")
        self.take("(")
        alias = self.take()
        self.take(",")
        prefix = self._operand()
        self.take(")")
        return lambda asked: str((asked.get(alias) or {"S": ""})["S"]).startswith(prefix(asked)["S"])

    def _comparison(self) -> Condition:
        left = self._operand()
        compared = self.take()
        right = self._operand()
        if compared == "=":
            return lambda asked: (value := left(asked)) is not None and value == right(asked)
        if compared == "<>":
            return lambda asked: (value := left(asked)) is not None and value != right(asked)
        if compared == "BETWEEN":
            return self._between(left, right)
        if compared not in _ORDERS:
            raise ExpressionError(f"operator {compared}")
        order = _ORDERS[compared]
        return lambda asked: (value := left(asked)) is not None and order(_comparable(value), _comparable(right(asked)))

    def _between(self, operand: Operand, first: Operand) -> Condition:
        self.take("AND")
        last = self._operand()

        def is_between(asked: _Asked) -> bool:
            value, least, most = operand(asked), _comparable(first(asked)), _comparable(last(asked))
            if most < least:
                raise ExpressionError("BETWEEN has its bounds in the wrong order")
            return value is not None and least <= _comparable(value) <= most

        return is_between

    def _operand(self) -> Operand:
        token = self.take()
        if token == "if_not_exists":
            return self._if_not_exists()
        if token == "size":
            alias = self._argument()
            return lambda asked: None if (found := asked.get(alias)) is None else {"N": str(len(found["SS"]))}
        if token.startswith("#"):
            return lambda asked: asked.get(token)
        if token.startswith(":"):
            return lambda asked: asked.values[token]
        raise ExpressionError(f"{token!r} is neither an aliased name nor a value")

    def _if_not_exists(self) -> Operand:
        self.take("(")
        alias = self.take()
        self.take(",")
        default = self._operand()
        self.take(")")
        return lambda asked: default(asked) if (found := asked.get(alias)) is None else found


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
