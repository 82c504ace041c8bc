"""Words and tokens of many scripts, in documents and in queries (rule Q22)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.search.analyser import text_tokens, words


def folded(text: str) -> list[str]:
    return [word.folded for word in words(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Quiet Kitchen", ["the", "quiet", "kitchen"]),
        ("Résumé ÉTÉ naïve", ["resume", "ete", "naive"]),
        ("Łódź Đường smørrebrød þing æther œuvre", ["lodz", "duong", "smorrebrod", "thing", "aether", "oeuvre"]),
        ("Große Straße GROSSE", ["grosse", "strasse", "grosse"]),
        ("İSTANBUL ISPARTA ığdır", ["istanbul", "isparta", "igdir"]),
        ("ﬁne Ⅳ ｆｕｌｌ ①", ["fine", "iv", "full", "1"]),
        ("Ёжик ежик йод иод", ["ежик", "ежик", "йод", "иод"]),
        ("Київ їжак", ["київ", "їжак"]),
        ("Αθήνας ΑΘΗΝΑΣ", ["αθηνασ", "αθηνασ"]),
        ("أخبار إخبار آخبار اخبار", ["اخبار"] * 4),
        ("مُدُنٌ مـدن", ["مدن", "مدن"]),
        ("کتاب ی كتاب ي ى", ["كتاب", "ي", "كتاب", "ي", "ي"]),
        ("٢٠٢٤ ۲۰۲۴ २०२४", ["2024"] * 3),
        ("חֲדָשׁוֹת חדשות צה״ל", ["חדשות", "חדשות", "צהל"]),
        ("हिन्दी हिंदी ज़मीन जमीन", ["हिंदी", "हिंदी", "जमीन", "जमीन"]),
        ("ガ か\u3099 ｶﾞ", ["ガ", "が", "ガ"]),
        ("\u1112\u1161\u11ab\u1100\u116e\u11a8", ["한국"]),
        ("Baker's Baker’s Bakerʼs Baker＇s", ["bakers"] * 4),
        ("soft\u00adhyphen zero\u200bwidth", ["softhyphen", "zero", "width"]),
        ("C++ C# F# .NET a+b tag# #tag", ["c++", "c#", "f#", "net", "a", "b", "tag", "tag"]),
        (
            "node.js 20.04 multi-agent snake_case AT&T",
            [*["node", "js", "20", "04", "multi", "agent", "snake", "case", "at", "t"]],
        ),
        ("葛\U000e0100城", ["葛城"]),
        ("… — !? 🍵 \x00", []),
    ],
)
def test_words_are_folded_by_script(text: str, expected: list[str]) -> None:
    assert folded(text) == expected


@pytest.mark.parametrize(
    ("text", "asked", "stored"),
    [
        ("天気予報", ["天気", "気予", "予報"], ["天気", "気予", "予報", "報"]),
        ("猫", ["猫"], ["猫"]),
        ("검색엔진", ["검색", "색엔", "엔진"], ["검색", "색엔", "엔진", "진"]),
        ("AI天気", ["ai", "天気"], ["ai", "天気", "気"]),
        ("天気ai", ["天気", "気", "ai"], ["天気", "気", "ai"]),
        ("ข่าว", ["ข่าว"], ["ข่าว", "ว"]),
        ("tea", ["tea"], ["tea"]),
    ],
)
def test_unspaced_scripts_are_cut_into_neighbours(text: str, asked: list[str], stored: list[str]) -> None:
    (word,) = words(text)

    assert (list(word.tokens), list(word.closing)) == (asked, stored)


@pytest.mark.parametrize(
    ("text", "exact"),
    [("résumé", "résumé"), ("resume", ""), ("한국", "한국"), ("Ёжик", "ёжик"), (".NET", ".net"), ("STRASSE", "")],
)
def test_the_exact_form_is_kept_where_it_says_more(text: str, exact: str) -> None:
    assert words(text)[0].exact == exact


@pytest.mark.parametrize(
    ("text", "parts", "inner"),
    [
        ("l'équipe", ("equipe",), ()),
        ("O’Reilly", ("reilly",), ()),
        ("don't", ("don",), ()),
        ("می\u200cخواهم", ("مي", "خواهم"), ()),
        ("الرياضة", ("رياضه",), ()),
        ("والرياضة", ("رياضه",), ()),
        ("NightTalk", (), ("night", "talk")),
        ("HTMLParser", (), ("html", "parser")),
        ("iPhone", (), ("phone",)),
        ("LOUD", (), ()),
        ("C++", (), ("c",)),
    ],
)
def test_words_within_words(text: str, parts: tuple[str, ...], inner: tuple[str, ...]) -> None:
    (word,) = words(text)

    assert (word.parts, word.inner) == (parts, inner)


def test_umlauts_are_two_letters_too() -> None:
    assert [word.transcribed for word in words("München smørrebrød Ålesund Paris")] == [
        "muenchen",
        "smoerrebroed",
        "aalesund",
        "",
    ]


def test_a_word_without_end_is_cut_and_a_row_of_signs_is_not() -> None:
    assert folded("a" * 1000) == ["a" * 64]
    assert len(words("漢字" * 100)[0].closing) == 200
    assert max(map(len, words("ก" + "่" * 10_000)[0].closing)) <= 10


def test_a_break_between_texts_stays() -> None:
    assert text_tokens("one | two") == (["one", "|", "two"], [])


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=80))
def test_plain_ascii_texts_have_the_words_that_every_other_text_would_have(text: str) -> None:
    beside = words(f"{text} é")  # one other letter, and the text takes the way of all texts

    assert words(text) == beside[:-1]
