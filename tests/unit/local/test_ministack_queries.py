"""Queries of MiniStack are cheap, and give what its own code gives."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from feedward_local.ministack_queries import make_queries_cheap

ITEM = {"host": {"S": "a.example"}, "rank": {"N": "7"}}
NAMES = {"#h": "host", "#r": "rank"}
VALUES = {":h": {"S": "a.example"}, ":other": {"S": "b.example"}, ":r": {"N": "7"}}


@pytest.fixture
def dynamodb() -> ModuleType:
    """A module with the functions of MiniStack that are replaced. It evaluates by saying that it did."""
    module = ModuleType("dynamodb")
    vars(module).update(
        _tokenize=list,
        _condition_syntax_error=lambda _text, _slot: None,
        _evaluate_condition=lambda expression, *_, slot: ("evaluated", slot, expression),
        _scan=lambda _asked: None,
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
    ],
)
def test_one_equality_of_texts_is_compared(dynamodb: ModuleType, expression: str, expected: bool) -> None:
    slot = "KeyConditionExpression"
    assert dynamodb._evaluate_condition(expression, ITEM, VALUES, NAMES, slot=slot) is expected


@pytest.mark.parametrize(
    ("expression", "slot"),
    [
        ("#h = :h AND #r < :r", "KeyConditionExpression"),
        ("#r = :r", "KeyConditionExpression"),
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
