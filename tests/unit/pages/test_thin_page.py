"""Thinned markup keeps all but noscript and formatting, wherever the runs that it is read in end."""

from __future__ import annotations

import pytest

from feedward.pages.tags import mentions
from feedward.pages.thin_page import MAX_ATTRIBUTES, MAX_TAGS, SMALL, thin_page
from feedward.reading_budget import ReadingBudget

A_RUN = 1000  # tags that the pattern takes at once
PART = 100_000  # characters that are searched at once
MANY = "<p>" * (SMALL + 1)
COSTLY = "<p " + " ".join(f"a{n}" for n in range(MAX_ATTRIBUTES + 1)) + ">"


def thin(html: str) -> str:
    return thin_page(html, ReadingBudget()).html


@pytest.mark.parametrize("kept", [SMALL, A_RUN - 1, A_RUN, A_RUN + 1, 2 * A_RUN, 3 * A_RUN])
@pytest.mark.parametrize(
    ("dropped", "rest"),
    [
        ("", ""),
        ("<b>", ""),
        ("<b x>", "<p>"),
        ("</i>", "a"),
        ("<noscript><p>no</noscript>", "a"),
        ("<b><i><em>", "<a-b>"),
        ("", "<p>a<bold>"),
        ("", "<!-- <b> -->"),
        ("", "<script><b></script>"),
    ],
)
def test_what_is_dropped_is_found_behind_a_run_of_any_length(kept: int, dropped: str, rest: str) -> None:
    html = "<p>" * kept + "<p>" + dropped + rest
    assert thin(html) == "<p>" * kept + "<p>" + rest
    assert thin_page(html, ReadingBudget()).is_cheap


@pytest.mark.parametrize("dropped", [SMALL, A_RUN, A_RUN + 1, 2 * A_RUN])
def test_a_run_of_formatting_of_any_length_is_dropped(dropped: int) -> None:
    assert thin("<p>a" + "<b>" * dropped + "</b>" * dropped + "c<p>") == "<p>ac<p>"


@pytest.mark.parametrize("kept", [A_RUN - 1, A_RUN, A_RUN + 1])
def test_a_tag_with_too_many_attributes_is_found_behind_a_run_of_any_length(kept: int) -> None:
    html = "<p>" * kept + COSTLY + "<b>"
    assert thin_page(html, ReadingBudget()) == (html, False)


def test_tags_are_counted_without_those_that_are_dropped() -> None:
    formatting = "<b>" * MAX_TAGS
    assert thin_page(formatting + "<p>" * MAX_TAGS, ReadingBudget()) == ("<p>" * MAX_TAGS, True)
    html = formatting + "<p>" * (MAX_TAGS + 1)
    assert thin_page(html, ReadingBudget()) == (html, False)


@pytest.mark.parametrize("attribute", ["hidden", "HIDDEN", "x=1 hidden", "popover", "PopOver=auto"])
@pytest.mark.parametrize("at", [0, PART - 4, PART, 2 * PART + 1])
def test_formatting_that_hides_stays_wherever_it_is(attribute: str, at: int) -> None:
    html = MANY + "." * (at - len(MANY)) + f"<b {attribute}>no</b><i>a</i>"
    assert ("<b" in thin(html), "<i" in thin(html)) == (True, False)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", False),
        ("hidde n", False),
        ("hidden", True),
        ("a HIDden b", True),
        ("." * (PART - 3) + "hidden", True),
        ("." * (PART - 6) + "hidden", True),
        ("." * PART + "hidden", True),
        ("\u0130" * PART + "hidden", True),
        ("hid" + "." * PART + "den", False),
    ],
)
def test_a_word_is_found_in_any_part_of_a_text(text: str, found: bool) -> None:
    assert mentions(text, "hidden") is found
