"""A cursor leads back to its place in its own list, and nothing else is one."""

from __future__ import annotations

import base64
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.errors import InvalidInput
from feedward.page_cursor import decode_cursor, encode_cursor, is_count, is_entry_id, is_text, is_ulid
from feedward.ulid import derived_ulid


@given(st.text(), st.lists(st.one_of(st.text(max_size=50), st.integers(0, 2**31)), max_size=4))
def test_a_cursor_leads_back_to_its_place(of: str, place: list[str | int]) -> None:
    cursor = encode_cursor(of, *place)
    assert re.fullmatch(r"[A-Za-z0-9_-]*", cursor)
    if len(cursor) <= 2000:
        assert decode_cursor(
            of, cursor, parts=[is_count if isinstance(part, int) else is_text for part in place]
        ) == tuple(place)


@given(st.text())
def test_any_text_is_refused_and_breaks_nothing(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        decode_cursor("feeds", text, parts=(is_text,))
    assert caught.value.field == "cursor"


@pytest.mark.parametrize("number", [-1, 2**31 + 1, 2**70])
def test_a_number_that_is_no_count_is_refused(number: int) -> None:
    with pytest.raises(InvalidInput):
        decode_cursor("feeds", encode_cursor("feeds", number), parts=(is_count,))


def written(said: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(said).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "cursor",
    [
        encode_cursor("sites", "a"),
        encode_cursor("feeds"),
        encode_cursor("feeds", "a", "b"),
        encode_cursor("feeds", 1),
        encode_cursor("feeds", "a") + "=",
        encode_cursor("feeds", "a") + "\n",
        encode_cursor("feeds", "a" * 5000),
        written(["feeds", True]),
        written(["feeds", None]),
        written({"feeds": "a"}),
        written("feeds"),
        "[" * 1500,
        base64.urlsafe_b64encode(b"[" * 1400).decode(),
        "\ud800",
        "",
    ],
)
def test_a_cursor_of_another_list_and_a_similar_text_are_refused(cursor: str) -> None:
    with pytest.raises(InvalidInput):
        decode_cursor("feeds", cursor, parts=(is_text,))


@given(st.integers(0, 10_000_000_000), st.text())
def test_every_ulid_has_the_form_of_one(now: int, part: str) -> None:
    assert is_ulid(derived_ulid(now, part))
    assert is_entry_id(f"{now:011d}#{derived_ulid(now, part)}")


@pytest.mark.parametrize(
    "other", ["", "0" * 25, "0" * 27, "o" * 26, "0" * 25 + "U", "0" * 26 + "\n", "\u0663" * 26, 26, None]
)
def test_anything_else_is_no_id(other: object) -> None:
    assert not is_ulid(other)
    assert not is_entry_id(f"00000000001#{other}")
    assert not is_entry_id("0000000001#" + "0" * 26)
