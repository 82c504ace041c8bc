"""Builds transactions and conditions. All attribute names are aliased, because many are reserved words.

The token of a transaction is a uuid5 of its writes: a repeated call is applied once (rule R5).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from uuid import UUID, uuid5

from feedward.adapters.dynamodb.store.codec import encode, encode_value

_TOKENS = UUID("5f0f54a5-7a0c-4d0e-9a54-6c1f7f1a0c6e")


class Aliases:
    """The `#name` and `:value` placeholders of one request."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: dict[str, Any] = {}

    def name(self, attribute: str) -> str:
        """Return the placeholder of an attribute name."""
        self.names[f"#{attribute}"] = attribute
        return f"#{attribute}"

    def value(self, value: Any) -> str:
        """Return the placeholder of a value."""
        placeholder = f":v{len(self.values)}"
        self.values[placeholder] = encode_value(value)
        return placeholder

    def texts(self, values: Set[str]) -> str:
        """Return the placeholder of a string set, which must not be empty."""
        placeholder = f":v{len(self.values)}"
        self.values[placeholder] = {"SS": sorted(values)}
        return placeholder

    def request(self) -> dict[str, Any]:
        """Return the request members that define the placeholders. DynamoDB refuses empty ones."""
        members = {"ExpressionAttributeNames": self.names, "ExpressionAttributeValues": self.values}
        return {member: aliases for member, aliases in members.items() if aliases}


Condition: TypeAlias = Callable[[Aliases], str]


def absent(attribute: str) -> Condition:
    """Require that the item lacks the attribute, or that there is no item."""
    return lambda aliases: f"attribute_not_exists({aliases.name(attribute)})"


def present(attribute: str) -> Condition:
    """Require an item with the attribute."""
    return lambda aliases: f"attribute_exists({aliases.name(attribute)})"


def equals(attribute: str, value: Any) -> Condition:
    """Require an item with this value of the attribute."""
    return lambda aliases: f"{aliases.name(attribute)} = {aliases.value(value)}"


def of_owner(owner: str | None) -> Condition:
    """Require that the item belongs to this tenant, or with None that it is shared (rule TN5)."""
    return equals("owner", owner) if owner else absent("owner")


def differs(attribute: str, value: Any) -> Condition:
    """Require another value of the attribute. Combine it with `absent` if the attribute may be missing."""
    return lambda aliases: f"{aliases.name(attribute)} <> {aliases.value(value)}"


def at_most(attribute: str, value: int) -> Condition:
    """Require a number of at most `value`."""
    return lambda aliases: f"{aliases.name(attribute)} <= {aliases.value(value)}"


def at_least(attribute: str, value: int) -> Condition:
    """Require a number of at least `value`."""
    return lambda aliases: f"{aliases.name(attribute)} >= {aliases.value(value)}"


def less_than(attribute: str, value: int | str) -> Condition:
    """Require a number or text below `value`."""
    return lambda aliases: f"{aliases.name(attribute)} < {aliases.value(value)}"


def holds_fewer(attribute: str, number: int) -> Condition:
    """Require that the string set is missing or has fewer than `number` members."""
    return lambda aliases: (
        f"(attribute_not_exists({aliases.name(attribute)})"
        f" OR size({aliases.name(attribute)}) < {aliases.value(number)})"
    )


def holds_exactly(attribute: str, number: int) -> Condition:
    """Require that the string set has exactly `number` members; with 0, that it is missing."""
    if number == 0:
        return absent(attribute)
    return lambda aliases: f"size({aliases.name(attribute)}) = {aliases.value(number)}"


def both(*conditions: Condition) -> Condition:
    """Require all of the conditions."""
    return lambda aliases: " AND ".join(condition(aliases) for condition in conditions)


def either(*conditions: Condition) -> Condition:
    """Require at least one of the conditions."""
    return lambda aliases: f"({' OR '.join(condition(aliases) for condition in conditions)})"


@dataclass(slots=True)
class Transaction:
    """Up to 100 writes that are applied together or not at all. No item may occur twice."""

    items: list[dict[str, Any]] = field(default_factory=list)

    def put(self, table: str, item: Mapping[str, Any], when: Condition | None = None) -> None:
        """Add a put, if the condition holds. Without one, another write of the transaction guards this one."""
        self._add("Put", table, when, Aliases(), Item=encode(item))

    def update(
        self,
        table: str,
        key: Mapping[str, str],
        when: Condition | None,
        *,
        assign: Mapping[str, Any] | None = None,
        assign_once: Mapping[str, Any] | None = None,
        increment: Iterable[str] = (),
        remove: Iterable[str] = (),
        unite: Mapping[str, Set[str]] | None = None,
        take_out: Mapping[str, Set[str]] | None = None,
        add: Mapping[str, int] | None = None,
    ) -> None:
        """Add an update of attributes, if the condition holds. `assign_once` keeps existing values.

        `unite` adds members to string sets. `take_out` removes members; an empty set is deleted. `add` adds to numbers;
        a missing number counts as 0.
        """
        aliases = Aliases()
        sets = [f"{aliases.name(name)} = {aliases.value(value)}" for name, value in (assign or {}).items()]
        sets += [_once(aliases, name, value) for name, value in (assign_once or {}).items()]
        sets += [f"{aliases.name(name)} = {aliases.name(name)} + {aliases.value(1)}" for name in increment]
        removes = [aliases.name(name) for name in remove]
        adds = [f"{aliases.name(name)} {aliases.texts(values)}" for name, values in (unite or {}).items() if values]
        adds += [f"{aliases.name(name)} {aliases.value(number)}" for name, number in (add or {}).items()]
        deletes = [f"{aliases.name(name)} {aliases.texts(texts)}" for name, texts in (take_out or {}).items() if texts]
        clauses = {"SET": sets, "REMOVE": removes, "ADD": adds, "DELETE": deletes}
        expression = " ".join(f"{verb} {', '.join(parts)}" for verb, parts in clauses.items() if parts)
        self._add("Update", table, when, aliases, Key=encode(key), UpdateExpression=expression)

    def delete(self, table: str, key: Mapping[str, str], when: Condition) -> None:
        """Add a delete, if the condition holds."""
        self._add("Delete", table, when, Aliases(), Key=encode(key))

    def check(self, table: str, key: Mapping[str, str], when: Condition) -> None:
        """Add a condition check without a write."""
        self._add("ConditionCheck", table, when, Aliases(), Key=encode(key))

    @property
    def token(self) -> str:
        """Return the ClientRequestToken. It is equal for equal writes: a repeated call is applied once."""
        # The writes contain no circle: encoding bounds their depth.
        return str(uuid5(_TOKENS, json.dumps(self.items, sort_keys=True, check_circular=False)))

    def _add(self, verb: str, table: str, when: Condition | None, aliases: Aliases, **members: Any) -> None:
        asked = {"ConditionExpression": when(aliases), "ReturnValuesOnConditionCheckFailure": "ALL_OLD"} if when else {}
        write = {"TableName": table, **asked, **members, **aliases.request()}
        self.items.append({verb: write})


def _once(aliases: Aliases, attribute: str, value: Any) -> str:
    name = aliases.name(attribute)
    return f"{name} = if_not_exists({name}, {aliases.value(value)})"
