"""All data of documents can be stored (rules R1, R2, X7)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from botocore.session import Session
from botocore.validate import ParamValidator
from hypothesis import given
from hypothesis import strategies as st

from feedward.adapters.dynamodb.store.codec import decode, encode, text

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)
surrogates = st.text(st.characters(min_codepoint=0xD700, max_codepoint=0xE000))


@cache
def put_item_shape() -> Any:
    return Session().get_service_model("dynamodb").operation_model("PutItem").input_shape


@given(st.dictionaries(st.text(min_size=1, max_size=8), anything | surrogates, max_size=6))
def test_any_value_becomes_something_that_boto3_sends(item: dict[str, Any]) -> None:
    encoded = encode(item)
    repr(encoded).encode("utf-8", "strict")
    report = ParamValidator().validate({"TableName": "t", "Item": encoded}, put_item_shape())
    assert not report.has_errors(), report.generate_report()
    decode(encoded)


@given(st.dictionaries(st.text(min_size=1), st.text() | st.integers(-(10**37), 10**37) | st.booleans()))
def test_texts_whole_numbers_and_flags_come_back_as_they_went(item: dict[str, Any]) -> None:
    assert decode(encode(item)) == item


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf"), 10**38, -(10**38), 10**400])
def test_a_number_that_no_table_takes_is_left_out(number: float) -> None:
    assert encode({"at": number, "url": "u"}) == {"url": {"S": "u"}}


def depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(depth, inner), default=0)


@pytest.mark.parametrize("wrap", [lambda inner: [inner], lambda inner: {"a": inner}])
def test_values_deeper_than_a_table_takes_are_left_out(wrap: Callable[[Any], Any]) -> None:
    nested: Any = "x"
    for _ in range(200):
        nested = wrap(nested)
    assert 2 < depth(decode(encode({"deep": nested}))) <= 32


def test_numbers_come_back_as_ints() -> None:
    read = decode(encode({"rev": 3, "at": 1.9, "deep": {"list": [1, 2]}}))
    assert read == {"rev": 3, "at": 1, "deep": {"list": [1, 2]}}
    assert type(read["rev"]) is int
    assert type(read["deep"]["list"][0]) is int


def test_a_set_of_texts_comes_back_as_a_sorted_list_and_an_empty_one_is_left_out() -> None:
    item = {"runs": frozenset({"b", "a\ud800"}), "none": frozenset[str]()}
    assert encode(item) == {"runs": {"SS": ["a?", "b"]}}
    assert decode(encode(item)) == {"runs": ["a?", "b"]}


def test_lone_surrogates_are_replaced() -> None:
    assert decode(encode({"title": "a\ud800b"})) == {"title": "a?b"}


@pytest.mark.parametrize(("value", "kept"), [(None, None), ("", None), ("abc", "abc"), ("abcdef", "abcd")])
def test_texts_are_cut_and_empty_ones_are_none(value: str | None, kept: str | None) -> None:
    assert text(value, 4) == kept
