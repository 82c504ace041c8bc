"""Which searches are addresses, and under which spellings they may be known."""

from __future__ import annotations

import pytest

from feedward.search.pasted import pasted_address


@pytest.mark.parametrize(
    "text", ["garden.example", " www.garden.example/ ", "https://garden.example", "GARDEN.example"]
)
def test_a_domain_is_one(text: str) -> None:
    address = pasted_address(text)

    assert address is not None
    assert address.host == "garden.example"


@pytest.mark.parametrize(
    "text", ["garden.example/feed", "http://www.garden.example/feed?x=1", "feed://garden.example/a"]
)
def test_the_address_of_a_page_is_one_without_a_host(text: str) -> None:
    address = pasted_address(text)

    assert address is not None
    assert address.host is None


def test_an_address_may_be_known_with_and_without_www_and_in_cleaner_forms() -> None:
    address = pasted_address("http://www.garden.example/feed/?utm_source=x")

    assert address is not None
    assert address.spellings[0] == "http://www.garden.example/feed/?utm_source=x"
    assert {"http://garden.example/feed", "http://www.garden.example/feed"} <= set(address.spellings)


@pytest.mark.parametrize(
    "text",
    ["", "garden", "garden notes", "garden. example", "...", "C++", "node", "a" * 3000, "-x", "localhost", "\0."],
)
def test_words_are_none(text: str) -> None:
    assert pasted_address(text) is None
