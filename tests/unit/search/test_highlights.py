"""Where a text has the words of a query, in code points of the text as it is stored (rule Q11)."""

from __future__ import annotations

from unicodedata import normalize

import pytest

from feedward.search.highlights import highlights


@pytest.mark.parametrize(
    ("query", "text", "marked"),
    [
        ("resume", "My Résumé, résumés", ["Résumé", "résumés"]),
        ("resume ", "My Résumé, résumés", ["Résumé"]),
        ("baker’s ho", "Baker's Hour", ["Baker's", "Hour"]),
        ("天气", "今日天气预报,天气", ["天气", "天气"]),
        ("night talk", "NightTalk radio", ["NightTalk"]),
        ("sailorschoice", "The Sailor's Choice", ["Sailor's Choice"]),
        ("alert", "<script>alert(1)</script>", ["alert"]),
        ("cafe", normalize("NFD", "😀 Café"), [normalize("NFD", "Café")]),
        ("ゲーム", "ｹﾞｰﾑ通信", ["ｹﾞｰﾑ"]),
        ("한", normalize("NFD", "한국"), [normalize("NFD", "한")]),
        ("equipe", "L'Équipe du matin", ["L'Équipe"]),
        ("tea -cup lang:en", "Tea cup en", ["Tea"]),
        ("kitchen", "", []),
        ("", "Kitchen", []),
        ("キロ", "5㌔", ["㌔"]),
    ],
)
def test_words_are_found_where_they_stand(query: str, text: str, marked: list[str]) -> None:
    assert [text[start:end] for start, end in highlights(query, text)] == marked


def test_offsets_count_code_points() -> None:
    assert highlights("tea", "😀😀 tea") == [(3, 6)]


def test_a_corrected_word_is_marked() -> None:
    assert highlights("pyhton", "Python day", {"pyhton": "python"}) == [(0, 6)]


def test_marks_that_touch_do_not_overlap() -> None:
    assert highlights("天气 气预", "天气预报") == [(0, 3)]
