"""The parts of a query: words, phrases, exclusions, filters, addresses, ignored parts (rules Q1, Q2, Q9, Q13)."""

from __future__ import annotations

import pytest

from feedward.search.condition import AnyOf, Term
from feedward.search.query import Query, read_query
from feedward.search.query_plan import tiers_of


def words_of(query: Query) -> list[str]:
    return [" ".join(word.folded for word in asked.words) for asked in query.words]


@pytest.mark.parametrize(
    ("text", "words", "excluded"),
    [
        ("quiet kitchen", ["quiet", "kitchen"], []),
        ('"quiet kitchen" recipes', ["quiet kitchen", "recipes"], []),
        ("“quiet kitchen” «pan»", ["quiet kitchen", "pan"], []),
        ('"quiet kitchen', ["quiet", "kitchen"], []),
        ("kitchen -recipes", ["kitchen"], ["recipes"]),
        ('kitchen -"quiet pan"', ["kitchen"], ["quiet pan"]),
        ("multi-agent - b --c", ["multi agent", "b", "c"], []),
        ("foo:bar 12:30 http", ["foo bar", "12 30", "http"], []),
        ("lang:english state:dead site:nowhere topic:", ["lang english", "state dead", "site nowhere", "topic"], []),
    ],
)
def test_words_phrases_and_exclusions(text: str, words: list[str], excluded: list[str]) -> None:
    query = read_query(text)

    assert words_of(query) == words
    assert [" ".join(word.folded for word in asked.words) for asked in query.excluded] == excluded


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("lang:pt", {"l:pt"}),
        ("language:PT_br", {"l:pt-br"}),
        ("state:Unhealthy", {"s:unhealthy"}),
        ("site:example.com", {"h:example.com", "hh:example.com"}),
        ("SITE:https://www.Example.com/feed?x", {"h:example.com", "hh:example.com"}),
        ("site:bücher.example", {"h:xn--bcher-kva.example", "hh:xn--bcher-kva.example"}),
    ],
)
def test_filters_are_facets(text: str, tokens: set[str]) -> None:
    (condition,) = read_query(f"tea {text}").filters
    terms = condition.parts if isinstance(condition, AnyOf) else (condition,)

    assert {token for term in terms if isinstance(term, Term) for token in term.tokens} == tokens
    assert read_query(f"tea -{text}").excluded_filters == (condition,)


def test_a_topic_is_the_same_by_id_and_by_label() -> None:
    assert read_query("topic:web-development").filters == read_query('topic:"Web Development"').filters


@pytest.mark.parametrize(
    ("text", "goes_on"),
    [
        ("pyth", True),
        ("py", True),
        ("p", False),
        ("pyth ", False),
        ('"pyth"', False),
        ("猫", True),
        ("猫 ", True),
        ("-pyth", None),
    ],
)
def test_the_last_word_may_go_on(text: str, goes_on: bool | None) -> None:
    words = read_query(text).words

    assert (words[-1].goes_on(prefix=True) if words else None) == goes_on


@pytest.mark.parametrize(
    ("text", "host", "url"),
    [
        ("example.com", "example.com", ""),
        ("www.example.com/feed", "example.com", "www.example.com/feed"),
        ("https://blog.example.com/feed", "blog.example.com", "https://blog.example.com/feed"),
        ("kitchen", "", ""),
        ("example.com kitchen", "", ""),
        ("12.30", "", ""),
    ],
)
def test_an_address_alone_is_one(text: str, host: str, url: str) -> None:
    query = read_query(text)

    assert (query.host, query.url) == (host, url)


def test_16_words_and_256_characters_count() -> None:
    many = read_query(" ".join(f"w{n}" for n in range(20)))
    long = read_query("kitchen " * 100)

    assert (len(many.words), many.ignored) == (16, ("w16", "w17", "w18", "w19"))
    assert long.ignored
    assert len(read_query("x" * 300).ignored) == 1


def test_a_word_is_not_cut_in_two() -> None:
    assert words_of(read_query("a" * 250 + " kitchen"))[-1] == "a" * 64
    assert not read_query("a" * 250 + " kitchen").words[-1].is_prefix


def test_names_with_a_prefix_repeat_no_exact_match() -> None:
    """The tier of whole words found these before."""
    points = {tier.name: {stage.points for stage in tier.stages} for tier in tiers_of(read_query("quiet kitch"))}

    assert points["words_in_names"] - points["prefix_in_names"] == {600, 400}
    assert points["prefix_in_names"] == {500, 300, 200, 100}
