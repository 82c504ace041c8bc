"""Random values: the pieces of a value distinguish keys and ids from words, names and dates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.urls.token_parts import looks_random


@pytest.mark.parametrize(
    "value",
    [
        "9f3a71c2",
        "abc123",
        "a8d1f0c2b3e4958671a0",
        "0123456789abcdef0123456789abcdef",
        "deadbeef12345678",
        "s3cr3tt0k3nvalue1",
        "123e4567-e89b-12d3-a456-426614174000",
        "AbC-d3F_gH9iJk2lM",
        "QXwVTzPlmKJHgfdSRt",
        "dGhpcyBpcyBhIGtleQ%3D%3D",
        "dGhpcyBpcyBhIGtleQ==",
        "1234567890123456",
    ],
)
def test_made_by_a_machine(value: str) -> None:
    assert looks_random(value, at_least=6)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "news",
        "comments-rss2",
        "2024-09-02-tokens-and-more",
        "a-word-that-is-long",
        "mysteryofthemissingdog",
        "TheMysteryOfTheDog",
        "RSSFeedOfTheDay",
        "SHOUTED_WORDS_HERE",
        "formula1",
        "john42",
        "20240902",
        "the-22nd-of-may",
        "news/world/2024/09",
        "https%3A%2F%2Fexample.com%2Frss2x9z",
        "two words 12ab34cd",
        "12ab",
    ],
)
def test_made_by_people(value: str) -> None:
    assert not looks_random(value, at_least=6)


@given(st.text(), st.integers(0, 40))
def test_any_text_is_judged(value: str, at_least: int) -> None:
    assert looks_random(value, at_least=at_least) in (True, False)


@given(st.binary(min_size=16, max_size=32).filter(lambda raw: len(set(raw)) > 12))
def test_hexadecimal_is_random(raw: bytes) -> None:
    assert looks_random(raw.hex(), at_least=16) or raw.hex().isalpha()
