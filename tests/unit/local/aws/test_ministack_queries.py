"""Queries of MiniStack are cheap, and give what its own code gives."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from feedward_local.aws.ministack_queries import make_queries_cheap

ITEM = {"host": {"S": "a.example"}, "rank": {"N": "7"}, "bytes": {"B": "AA=="}}
NAMES = {"#h": "host", "#r": "rank"}
VALUES = {
    ":h": {"S": "a.example"},
    ":other": {"S": "b.example"},
    ":r": {"N": "7"},
    ":6": {"N": "6.99"},
    ":10": {"N": "10"},
    ":a": {"S": "a."},
    ":none": {"N": "nothing"},
    ":bytes": {"B": "AA=="},
}


@pytest.fixture
def dynamodb() -> ModuleType:
    """A module with the functions of MiniStack that are replaced. It evaluates by saying that it did."""
    module = ModuleType("dynamodb")
    vars(module).update(
        _tokenize=list,
        _condition_syntax_error=lambda _text, _slot: None,
        _evaluate_condition=lambda expression, *_, slot: ("evaluated", slot, expression),
        _scan=lambda _asked: None,
        _INDEX_MEMBERS="members",
        _index_key_schemas=lambda _table: [("hosts", ["host"], ["rank"]), ("ranks", ["rank"], [])],
        _index_members=lambda table: table["members"],
        _index_partition=lambda _item, *keys: ("found", *keys),
        _index_order_value=lambda _item, name, kind: ("ordered", name, kind),
    )
    make_queries_cheap(module)
    return module


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("#h = :h", True),
        ("  host=:h ", True),
        ("#h = :other", False),
        ("#r = :r", True),
        ("#r = :10", False),
        ("#r = :r AND #h <= :h", True),
        ("#h = :h AND #r <= :r", True),
        ("#h = :h AND rank <= :6", False),
        ("#h = :h AND #r <= :10", True),
        ("#h = :other AND #r <= :10", False),
        ("#h = :h AND #r BETWEEN :6 AND :r", True),
        ("#h = :h AND #r BETWEEN :r AND :10", True),
        ("#h = :h AND #r BETWEEN :10 AND :10", False),
        ("#h = :h AND #h BETWEEN :h AND :other", True),
        ("#h = :h AND begins_with(#h, :a)", True),
        ("#h = :h AND begins_with( host , :other )", False),
    ],
)
def test_a_key_condition_is_compared(dynamodb: ModuleType, expression: str, expected: bool) -> None:
    slot = "KeyConditionExpression"
    assert dynamodb._evaluate_condition(expression, ITEM, VALUES, NAMES, slot=slot) is expected


@pytest.mark.parametrize(
    ("expression", "slot"),
    [
        ("#h = :h AND #r < :r", "KeyConditionExpression"),
        ("#r = :h", "KeyConditionExpression"),
        ("#h = :h AND #r <= :h", "KeyConditionExpression"),
        ("#h = :h AND #missing <= :r", "KeyConditionExpression"),
        ("#h = :h AND #r <= :missing", "KeyConditionExpression"),
        ("#h = :h AND #r <= :none", "KeyConditionExpression"),
        ("#h = :h AND #r <= :bytes", "KeyConditionExpression"),
        ("#h = :h AND #r BETWEEN :10 AND :6", "KeyConditionExpression"),
        ("#h = :h AND begins_with(#r, :r)", "KeyConditionExpression"),
        ("#r <= :r AND #h = :h", "KeyConditionExpression"),
        ("#h = :missing", "KeyConditionExpression"),
        ("#missing = :h", "KeyConditionExpression"),
        ("#h = :h", "FilterExpression"),
        ("#h = :h", "ConditionExpression"),
    ],
)
def test_any_other_condition_is_evaluated(dynamodb: ModuleType, expression: str, slot: str) -> None:
    assert dynamodb._evaluate_condition(expression, ITEM, VALUES, NAMES, slot=slot) == ("evaluated", slot, expression)


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("host", "S", "a.example"),
        ("rank", "N", ("ordered", "rank", "N")),
        ("rank", "S", ("ordered", "rank", "S")),
        ("missing", "S", ("ordered", "missing", "S")),
    ],
)
def test_texts_are_sorted_as_they_are(dynamodb: ModuleType, name: str, kind: str, expected: Any) -> None:
    assert dynamodb._index_order_value(ITEM, name, kind) == expected


def test_an_expression_is_parsed_once(dynamodb: ModuleType) -> None:
    assert dynamodb._tokenize("a = b") is dynamodb._tokenize("a = b")


@pytest.mark.parametrize(
    ("hashes", "ranges", "expected"),
    [
        (["host"], [], "a.example"),
        (["host"], ["rank"], "a.example"),
        (["missing"], ["rank"], None),
        (["host"], ["missing"], ("found", ["host"], ["missing"])),
        (["rank"], ["host"], "7"),
        (["bytes"], [], ("found", ["bytes"], [])),
        (["host", "rank"], [], ("found", ["host", "rank"], [])),
    ],
)
def test_the_partition_of_an_index_is_its_key(
    dynamodb: ModuleType, hashes: list[str], ranges: list[str], expected: Any
) -> None:
    assert dynamodb._index_partition(ITEM, hashes, ranges) == expected


def test_the_members_of_all_indexes_are_found_once(dynamodb: ModuleType) -> None:
    table = {"items": {"1": {"FEED": ITEM, "META": {"host": {"S": "b.example"}}}}}
    expected = {"hosts": {"a.example": {("1", "FEED"): None}}, "ranks": {"7": {("1", "FEED"): None}}}
    assert dynamodb._index_members(table) == expected
    assert dynamodb._index_members(table | {"items": {}}) == expected
