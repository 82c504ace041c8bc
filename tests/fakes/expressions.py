"""Evaluates the condition, key and update expressions that feedward sends, as DynamoDB would: a small grammar.

It refuses unknown grammar, so that the fake never accepts an expression that DynamoDB would not.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
}
_TOKEN = re.compile(r"\s*(#\w+|:\w+|\w+|<=|>=|<>|[=<>(),+-])")
_KEY_CONDITION = re.compile(
    r"(#\w+) = (:\w+)(?: AND "
    r"(?:begins_with\((?P<begins>#\w+), (?P<prefix>:\w+)\)"
    r"|(?P<up_to>#\w+) <= (?P<last>:\w+)"
    r"|(?P<between>#\w+) BETWEEN (?P<low>:\w+) AND (?P<high>:\w+)))?"
)
_LAST_TEXT = "\U0010ffff"


class ExpressionError(Exception):
    """The fake does not know the expression."""


def holds(expression: str, request: Mapping[str, Any], item: Mapping[str, Any]) -> bool:
    """Return whether a condition holds for an item of attribute values."""
    return _condition(expression)(_Asked(request, item))


@cache
def _condition(expression: str) -> Condition:
    """Parse a condition once: tests send the same ones again and again."""
    parser = _Parser(expression)
    condition = parser.disjunction()
    parser.end()
    return condition


def updated(expression: str, request: Mapping[str, Any], item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the item as the update expression leaves it."""
    asked, result = _Asked(request, item), dict(item)
    for change in _changes(expression):
        change(asked, result)
    return result


@cache
def _changes(expression: str) -> Sequence[Change]:
    """Parse an update expression once."""
    parser = _Parser(expression)
    clauses = {"SET": parser.assignment, "REMOVE": parser.removal, "ADD": parser.addition, "DELETE": parser.taking_out}
    changes: list[Change] = []
    while parser.peek() is not None:
        clause = parser.take()
        if clause not in clauses:
            raise ExpressionError(f"clause {clause} in {expression!r}")
        changes += parser.listed(clauses[clause])
    return changes


@dataclass(frozen=True, slots=True)
class KeyRange:
    """A partition, and limits of the sort key that are within it; None for none."""

    names: tuple[str, ...]
    partition: int | str
    least: int | str | None = None
    most: int | str | None = None


def key_range(request: Mapping[str, Any]) -> KeyRange:
    """Return the keys that a query asks for."""
    found = _key_condition(request["KeyConditionExpression"])
    names, values = request["ExpressionAttributeNames"], request["ExpressionAttributeValues"]

    def value(place: int | str) -> int | str:
        return plain(values[found[place]])

    sort = found["begins"] or found["up_to"] or found["between"]
    attributes = tuple(names[alias] for alias in (found[1], sort) if alias)
    if found["begins"]:
        return KeyRange(attributes, value(2), value("prefix"), f"{value('prefix')}{_LAST_TEXT}")
    if found["up_to"]:
        return KeyRange(attributes, value(2), None, value("last"))
    if not found["between"]:
        return KeyRange(attributes, value(2))
    if value("high") < value("low"):  # type: ignore[operator]
        raise ExpressionError("BETWEEN has its bounds in the wrong order")
    return KeyRange(attributes, value(2), value("low"), value("high"))


@cache
def _key_condition(expression: str) -> re.Match[str]:
    found = _KEY_CONDITION.fullmatch(expression)
    if found is None:
        raise ExpressionError(f"key condition {expression!r}")
    return found


def plain(value: Mapping[str, Any]) -> int | str:
    """Return the number or the text of an attribute value."""
    return int(value["N"]) if "N" in value else str(value["S"])


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
Change = Callable[[_Asked, dict[str, Any]], None]


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

    def listed(self, one: Callable[[], Change]) -> list[Change]:
        found = [one()]
        while self.peek() == ",":
            self.take(",")
            found.append(one())
        return found

    def disjunction(self) -> Condition:
        terms = [self._conjunction()]
        while self.peek() == "OR":
            self.take("OR")
            terms.append(self._conjunction())
        return terms[0] if len(terms) == 1 else lambda asked: any(term(asked) for term in terms)

    def assignment(self) -> Change:
        alias = self.take()
        self.take("=")
        value, more = self._operand(), None
        if self.peek() == "+":
            self.take("+")
            more = self._operand()

        def assign(asked: _Asked, result: dict[str, Any]) -> None:
            result[asked.name(alias)] = value(asked) if more is None else _sum(value(asked), more(asked))

        return assign

    def removal(self) -> Change:
        alias = self.take()

        def remove(asked: _Asked, result: dict[str, Any]) -> None:
            result.pop(asked.name(alias), None)

        return remove

    def addition(self) -> Change:
        """Add to a set of texts, or to a number."""
        alias, operand = self.take(), self._operand()

        def add(asked: _Asked, result: dict[str, Any]) -> None:
            name, more = asked.name(alias), operand(asked)
            if "N" in more:
                result[name] = _sum(result.get(name, {"N": "0"}), more)
            else:
                result[name] = {"SS": sorted({*result.get(name, {"SS": ()})["SS"], *more["SS"]})}

        return add

    def taking_out(self) -> Change:
        """Remove from a set of texts; an empty set is deleted."""
        alias, operand = self.take(), self._operand()

        def take_out(asked: _Asked, result: dict[str, Any]) -> None:
            name = asked.name(alias)
            left = sorted({*result.get(name, {"SS": ()})["SS"]} - {*operand(asked)["SS"]})
            result.pop(name, None)
            if left:
                result[name] = {"SS": left}

        return take_out

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

    def _comparison(self) -> Condition:
        left = self._operand()
        compared = self.take()
        right = self._operand()
        if compared == "=":
            return lambda asked: (value := left(asked)) is not None and value == right(asked)
        if compared == "<>":
            return lambda asked: (value := left(asked)) is not None and value != right(asked)
        if compared not in _ORDERS:
            raise ExpressionError(f"operator {compared}")
        order = _ORDERS[compared]
        return lambda asked: (value := left(asked)) is not None and order(plain(value), plain(right(asked)))

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


def _sum(one: Any, other: Any) -> dict[str, str]:
    return {"N": str(_number(one) + _number(other))}


def _number(value: Any) -> int:
    if not isinstance(value, dict) or "N" not in value:
        raise ExpressionError(f"{value!r} is no number")
    return int(value["N"])
