"""Titles and tags are in one spelling, and their faults are named."""

from __future__ import annotations

import re
import sys
import unicodedata

import pytest

from feedward.errors import InvalidInput
from feedward.subscriptions.labels import SHOWN, TAG_CHARS, TAGS_AT_MOST, TITLE_CHARS, clean_tags, clean_title


@pytest.mark.parametrize(
    ("title", "clean"),
    [
        (None, None),
        ("", None),
        (" \t\n", None),
        ("  A  blog \n about\u00a0it ", "A blog about it"),
        ("a\u202eb\x00c", "abc"),
        ("e\u0301", "\u00e9"),
        ("x" * TITLE_CHARS, "x" * TITLE_CHARS),
    ],
)
def test_a_title_is_cleaned(title: str | None, clean: str | None) -> None:
    assert clean_title(title) == clean


def test_a_title_that_is_too_long_is_named() -> None:
    with pytest.raises(InvalidInput, match="500") as caught:
        clean_title("x" * (TITLE_CHARS + 1))
    assert caught.value.field == "title"


def test_tags_are_each_there_once_in_their_order() -> None:
    assert clean_tags([" news ", "Art", "news", "art"]) == ("news", "Art", "art")
    assert clean_tags([]) == ()


@pytest.mark.parametrize("wrong", ["", "  ", "\x00", "x" * (TAG_CHARS + 1)])
def test_a_tag_that_is_none_is_named_by_its_place(wrong: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        clean_tags(["news", wrong])
    assert caught.value.field == "tags[1]"


def test_there_are_not_more_tags_than_a_subscription_has() -> None:
    most = [str(number) for number in range(TAGS_AT_MOST)]
    assert len(clean_tags([*most, "0"])) == TAGS_AT_MOST
    with pytest.raises(InvalidInput) as caught:
        clean_tags([*most, "more"])
    assert caught.value.field == "tags"


def characters(*categories: str) -> list[str]:
    every = map(chr, range(sys.maxunicode + 1))
    return [each for each in every if unicodedata.category(each) in categories]


def test_a_tag_of_controls_and_white_space_alone_is_empty() -> None:
    for character in characters("Cc", "Cf", "Zs", "Zl", "Zp"):
        assert not re.search(SHOWN, character)
        with pytest.raises(InvalidInput):
            clean_tags([f" {character}"])


@pytest.mark.parametrize("tag", ["a", "\u0301", "\u3042", "\U0001f96f", "\U0001fae9", "\ue000", "\u2800"])
def test_any_other_character_is_shown_and_makes_a_tag(tag: str) -> None:
    assert re.search(SHOWN, tag)
    assert clean_tags([tag]) == (tag,)


def test_a_tag_that_composition_makes_longer_is_not_too_long() -> None:
    (tag,) = clean_tags(["\u0958" * TAG_CHARS])
    assert len(tag) == 2 * TAG_CHARS


@pytest.mark.parametrize(
    ("tag", "clean"),
    [
        ("Tech / AI", "Tech/AI"),
        ("/news//world/", "news/world"),
        ("a \\/ b", "a \\/ b"),
        ("/", "\\/"),
        ("c:\\", "c:\\\\"),
        ("a\\ / b", "a\\\\/b"),
    ],
)
def test_a_tag_that_is_a_path_has_one_spelling(tag: str, clean: str) -> None:
    assert clean_tags([tag]) == (clean,)
    assert clean_tags([clean]) == (clean,)
