"""The indexed tokens of a document, field by field: every engine gets them (rule Q22)."""

from __future__ import annotations

import pytest

from feedward.search.fields import tokens_of, topic_token
from tests.unit.search.judged_set import document


def test_the_fields_of_a_document() -> None:
    found = tokens_of(
        document(
            "a",
            title="NightTalk: the Résumé",
            site_title="München",
            domain="blog.my-site.co.uk",
            url="https://blog.my-site.co.uk/feed",
            description="A walk",
            items=["Green tea", "L'équipe"],
            topics=["Web Development"],
            language="pt-BR",
            state="degraded",
            main=False,
        )
    ).fields

    assert found["title"] == ["nighttalk", "the", "resume"]
    assert found["site"] == ["munchen"]
    assert found["domain"] == ["blog", "my", "site"]
    assert found["forms"] == ["night", "talk", "nighttalkthe", "theresume", "muenchen", "blogmy", "mysite"]
    assert found["exact"] == ["résumé", "~resume", "münchen", "~munchen"]
    assert found["topics"] == ["web", "development"]
    assert found["description"] == ["a", "walk"]
    assert found["items"] == ["green", "tea", "|", "lequipe", "|", "equipe"]
    assert [token.partition("=")[0] for token in found["whole"]] == ["t", "a", "e", "s", "d"]
    assert [token for token in found["facets"] if token[:2] not in ("t:", "u:")] == [
        *("h:blog.my-site.co.uk", "hh:my-site.co.uk", "hh:co.uk", "l:pt", "l:pt-br", "s:degraded", "k:beside"),
    ]


def test_words_for_typing_errors_are_those_of_names_and_topics() -> None:
    found = tokens_of(
        document("a", title="Tea 猫", domain="x.example", topics=["Food"], items=["cup"], description="pan")
    )

    assert found.spelled == {"tea", "x", "food"}


@pytest.mark.parametrize("name", ["web-development", "Web Development", "web_development", "WebDevelopment"])
def test_a_topic_has_one_token(name: str) -> None:
    assert topic_token(name) == topic_token("web development")
    assert topic_token("...") == ""


def test_long_texts_are_cut() -> None:
    found = tokens_of(
        document("a", title="tea " * 10_000, items=["cup " * 10_000] * 50, description="pan " * 10_000)
    ).fields

    assert (len(found["title"]), found["items"].count("|"), len(found["description"])) == (75, 9, 150)


def test_a_document_without_texts_has_its_facets() -> None:
    found = tokens_of(document("a", domain="")).fields

    assert {name for name, tokens in found.items() if tokens} == {"domain", "whole", "facets"}


@pytest.mark.parametrize("name", ["Tech", "technology", "TECHNOLOGY"])
def test_a_synonym_has_the_token_of_its_topic(name: str) -> None:
    assert topic_token(name) == topic_token("Technology")
