"""Makes reads of MiniStack's DynamoDB cheap. For each page, MiniStack sorts a whole partition or a whole table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from heapq import nsmallest
from types import ModuleType
from typing import Any

EXPRESSIONS = 4096
_EQUALITY = re.compile(r"\s*(#?\w+)\s*=\s*(:\w+)\s*")
_Values = Mapping[str, Any]


def make_queries_cheap(dynamodb: ModuleType) -> None:
    """Have MiniStack's DynamoDB keep parsed expressions, compare texts directly, and scan only the items of a page."""
    for name in ("_tokenize", "_condition_syntax_error"):
        vars(dynamodb)[name] = lru_cache(maxsize=EXPRESSIONS)(vars(dynamodb)[name])
    vars(dynamodb)["_evaluate_condition"] = _comparing(vars(dynamodb)["_evaluate_condition"])
    vars(dynamodb)["_index_order_value"] = _text_or(vars(dynamodb)["_index_order_value"])
    vars(dynamodb)["_scan"] = _scanning(dynamodb, vars(dynamodb)["_scan"])


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


# --- scans -----------------------------------------------------------------------------------------

_PLAIN_SCAN = {"TableName", "IndexName", "Limit", "ExclusiveStartKey", "ConsistentRead"}


def _scanning(dynamodb: ModuleType, scan: Callable[[_Values], Any]) -> Callable[[_Values], Any]:
    """Return `scan`, which gets only the items of its page to sort if it has no filter."""

    def scanned(asked: _Values) -> Any:
        name = dynamodb._normalize_table_name(asked.get("TableName"))
        table = dynamodb._tables.get(name)
        if table is None or not asked.keys() <= _PLAIN_SCAN or "Limit" not in asked:
            return scan(asked)
        index, start = asked.get("IndexName"), asked.get("ExclusiveStartKey")
        if index is not None and index not in dynamodb._index_members(table):
            return scan(asked)
        page: dict[str, dict[str, Any]] = {}
        for primary, sort in _places_of_page(dynamodb, table, index, start, int(asked["Limit"]) + 1):
            page.setdefault(primary, {})[sort] = table["items"][primary][sort]
        of_page = f"{name}.page"
        dynamodb._tables[of_page] = {**table, "items": page}
        try:
            return scan({**asked, "TableName": of_page})
        finally:
            del dynamodb._tables[of_page]

    return scanned


def _places_of_page(
    dynamodb: ModuleType, table: _Values, index: str | None, start: _Values | None, count: int
) -> list[tuple[str, str]]:
    """Return the first keys of a table or an index after a start, in MiniStack's order."""
    if index is None:
        return nsmallest(count, _places_of_table(dynamodb, table, start))
    _, ranges = dynamodb._index_key_lists(dynamodb._index_def(table, index))
    names = dynamodb._index_order_keys(table, ranges)
    value, items = dynamodb._index_order_value, table["items"]
    after = tuple([value(start, name, kind) for name, kind in names]) if start else None
    found = (
        (tuple([value(items[primary][sort], name, kind) for name, kind in names]), primary, sort)
        for members in dynamodb._index_members(table)[index].values()
        for primary, sort in members
        if sort in items.get(primary, ())
    )
    return [
        (primary, sort) for _, primary, sort in nsmallest(count, (one for one in found if not after or one[0] > after))
    ]


def _places_of_table(dynamodb: ModuleType, table: _Values, start: _Values | None) -> Iterator[tuple[str, str]]:
    """Yield the keys of a table after a start, in no order."""
    value = dynamodb._extract_key_val
    names = (table["pk_name"], table["sk_name"])
    after = tuple(value(start.get(name) or {}) for name in names) if start else None
    for primary, rows in table["items"].items():
        if after is None or primary >= after[0]:
            yield from ((primary, sort) for sort in rows if after is None or (primary, sort) > after)
