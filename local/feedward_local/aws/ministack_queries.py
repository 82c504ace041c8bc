"""Makes reads of MiniStack's DynamoDB cheap. For each page, MiniStack sorts a whole partition or a whole table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from heapq import nsmallest
from types import ModuleType
from typing import Any

EXPRESSIONS = 4096
# A key condition as feedward writes them: one equality, and perhaps a limit of the sort key.
_KEY_CONDITION = re.compile(
    r"\s*(?P<partition>#?\w+)\s*=\s*(?P<wanted>:\w+)\s*"
    r"(?:AND\s+(?:(?P<at_most>#?\w+)\s*<=\s*(?P<last>:\w+)"
    r"|(?P<between>#?\w+)\s+BETWEEN\s+(?P<low>:\w+)\s+AND\s+(?P<high>:\w+)"
    r"|begins_with\(\s*(?P<begins>#?\w+)\s*,\s*(?P<prefix>:\w+)\s*\))\s*)?"
)
_Values = Mapping[str, Any]


def make_queries_cheap(dynamodb: ModuleType) -> None:
    """Have MiniStack's DynamoDB keep parsed expressions, compare keys directly, and scan only the items of a page."""
    for name in ("_tokenize", "_condition_syntax_error"):
        vars(dynamodb)[name] = lru_cache(maxsize=EXPRESSIONS)(vars(dynamodb)[name])
    vars(dynamodb)["_evaluate_condition"] = _comparing(vars(dynamodb)["_evaluate_condition"])
    vars(dynamodb)["_index_order_value"] = _text_or(vars(dynamodb)["_index_order_value"])
    vars(dynamodb)["_index_partition"] = _one_key_or(vars(dynamodb)["_index_partition"])
    vars(dynamodb)["_index_members"] = _building(dynamodb, vars(dynamodb)["_index_members"])
    vars(dynamodb)["_scan"] = _scanning(dynamodb, vars(dynamodb)["_scan"])


# --- queries ---------------------------------------------------------------------------------------


def _comparing(evaluate: Callable[..., bool]) -> Callable[..., bool]:
    """Return `evaluate`, with a shorter way for key conditions of the known forms."""

    def evaluated(
        expression: str, item: _Values, values: _Values, names: _Values, slot: str = "ConditionExpression"
    ) -> bool:
        found = _key_condition(expression) if slot == "KeyConditionExpression" else None
        is_found = _is_found(found, item, values, names) if found else None
        if is_found is not None:
            return is_found
        return evaluate(expression, item, values, names, slot=slot)

    return evaluated


@lru_cache(maxsize=EXPRESSIONS)
def _key_condition(expression: str) -> dict[str, str] | None:
    """Return the named parts of a key condition of the known forms."""
    found = _KEY_CONDITION.fullmatch(expression)
    return {name: text for name, text in found.groupdict().items() if text} if found else None


def _is_found(found: Mapping[str, str], item: _Values, values: _Values, names: _Values) -> bool | None:
    """Whether an item meets a key condition. None if its types need MiniStack's own comparison."""
    partition = _text_or_number(item.get(names.get(found["partition"], found["partition"])))
    wanted = _text_or_number(values.get(found["wanted"]))
    if partition is None or type(partition) is not type(wanted):
        return None
    return partition == wanted and _is_within(found, item, values, names)


def _is_within(found: Mapping[str, str], item: _Values, values: _Values, names: _Values) -> bool | None:
    """Whether the sort key is within its limits, if there are any. None as above."""
    attribute = found.get("at_most") or found.get("between") or found.get("begins")
    if attribute is None:
        return True
    key = _text_or_number(item.get(names.get(attribute, attribute)))
    limits = [_text_or_number(values.get(found[one])) for one in ("low", "last", "high", "prefix") if one in found]
    if key is None or any(type(one) is not type(key) for one in limits):
        return None
    if "prefix" in found:
        return key.startswith(limits[0]) if isinstance(key, str) else None
    if "low" in found:
        return limits[0] <= key <= limits[1] if limits[0] <= limits[1] else None  # MiniStack refuses other limits
    return bool(key <= limits[0])


def _text_or_number(value: _Values | None) -> Any:
    """The text or number of an attribute. None if it is something else, or missing."""
    if not value:
        return None
    return value["S"] if "S" in value else _number(value["N"]) if "N" in value else None


@lru_cache(maxsize=EXPRESSIONS)
def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _text_or(order_value: Callable[..., Any]) -> Callable[..., Any]:
    """Return `order_value`, the key by which items are sorted, with a shorter way for texts."""

    def ordered(item: _Values, name: str, type_hint: str) -> Any:
        value = item.get(name)
        return value["S"] if type_hint == "S" and value and "S" in value else order_value(item, name, type_hint)

    return ordered


def _one_key_or(partition: Callable[..., Any]) -> Callable[..., Any]:
    """Return `partition`, that of an item in an index, with a shorter way for one key that is a text or a number."""

    def found(item: _Values, hashes: Sequence[str], ranges: Sequence[str]) -> Any:
        if len(hashes) != 1:
            return partition(item, hashes, ranges)
        value = item.get(hashes[0])
        if value is None:
            return None
        key = value.get("S") or value.get("N")
        return key if key and all(map(item.__contains__, ranges)) else partition(item, hashes, ranges)

    return found


def _building(dynamodb: ModuleType, members: Callable[[_Values], _Values]) -> Callable[[dict[str, Any]], _Values]:
    """Return `members`, which first puts the items of a table into its indexes, with a shorter way to those without."""

    def built(table: dict[str, Any]) -> _Values:
        if dynamodb._INDEX_MEMBERS not in table:
            table[dynamodb._INDEX_MEMBERS] = _members(dynamodb, table)
        return members(table)

    return built


def _members(dynamodb: ModuleType, table: _Values) -> dict[str, dict[Any, dict[tuple[str, str], None]]]:
    found: dict[str, dict[Any, dict[tuple[str, str], None]]] = {}
    indexes = [
        (found.setdefault(name, {}), {*hashes, *ranges}, hashes, ranges)
        for name, hashes, ranges in dynamodb._index_key_schemas(table)
    ]
    partition = dynamodb._index_partition
    for primary, rows in table["items"].items():
        for sort, item in rows.items():
            for of_index, keys, hashes, ranges in indexes:
                if item.keys() >= keys:
                    of_index.setdefault(partition(item, hashes, ranges), {})[primary, sort] = None
    return found


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
