"""A cursor leads back to its place in its own list, and nothing else is one."""

from __future__ import annotations

import base64
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.cursor import decode_cursor, encode_cursor
from feedward.errors import InvalidInput

TYPES = {str: str, int: int}


@given(st.text(), st.lists(st.one_of(st.text(max_size=50), st.integers()), max_size=4))
def test_a_cursor_leads_back_to_its_place(of: str, place: list[str | int]) -> None:
    cursor = encode_cursor(of, *place)
    assert re.fullmatch(r"[A-Za-z0-9_-]*", cursor)
    if len(cursor) <= 2000:
        assert decode_cursor(of, cursor, parts=[type(part) for part in place]) == tuple(place)


@given(st.text())
def test_any_text_is_refused_and_breaks_nothing(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        decode_cursor("feeds", text, parts=(str,))
    assert caught.value.field == "cursor"


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
        decode_cursor("feeds", cursor, parts=(str,))
