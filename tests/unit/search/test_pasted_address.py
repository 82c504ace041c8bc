"""Which searches are addresses, and under which spellings they may be known."""

from __future__ import annotations

import pytest

from feedward.search.pasted_address import pasted_address


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


@pytest.mark.parametrize(
    "text",
    [
        "<https://garden.example/beds>",
        "(https://garden.example/beds),",
        "[https://garden.example/beds]",
        "„https://garden.example/beds“",
        "`https://garden.example/beds`;",
    ],
)
def test_an_address_may_be_pasted_with_punctuation_around_it(text: str) -> None:
    address = pasted_address(text)

    assert address is not None
    assert address.spellings[0] == "https://garden.example/beds"


def test_a_bracket_that_belongs_to_an_address_stays() -> None:
    address = pasted_address("https://garden.example/wiki/Wren_(bird)")

    assert address is not None
    assert address.spellings[0].endswith("Wren_(bird)")


@pytest.mark.parametrize("text", ["192.0.2.7", "192.0.2.7:8080/feed", "http://192.0.2.7/feed.xml"])
def test_an_ip_address_has_no_form_with_www(text: str) -> None:
    address = pasted_address(text)

    assert address is not None
    assert not any("www" in spelling for spelling in address.spellings)


def test_the_root_dot_of_a_host_does_not_count() -> None:
    address = pasted_address("garden.example.")

    assert address is not None
    assert address.host == "garden.example"
