"""Faults of other searches that do not occur here."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.adapters.search.indexes import found, ids, index_of_titles


def test_a_chinese_word_within_a_run_of_text_is_found(tmp_path: Path) -> None:
    assert ids(index_of_titles(tmp_path, "今日天气预报", "科技新闻"), "天气") == ["今日天气预报"]


def test_a_japanese_word_within_a_title_is_found(tmp_path: Path) -> None:
    assert len(ids(index_of_titles(tmp_path, "週刊プログラミング通信"), "プログラミング")) == 1


def test_a_part_of_a_korean_compound_is_found(tmp_path: Path) -> None:
    assert len(ids(index_of_titles(tmp_path, "검색엔진 소식"), "검색")) == 1


def test_a_query_without_accents_finds_the_accented_word(tmp_path: Path) -> None:
    assert len(ids(index_of_titles(tmp_path, "Artículo del día"), "articulo")) == 1


def test_a_query_with_accents_finds_the_plain_word_and_the_exact_one_first(tmp_path: Path) -> None:
    index = index_of_titles(tmp_path, "Resume tips", "Tips: the résumé")

    assert ids(index, "résumé") == ["Tips: the résumé", "Resume tips"]
    assert ids(index, "resume") == ["Resume tips", "Tips: the résumé"]


@pytest.mark.parametrize("apostrophe", "'’‘ʼ＇´`")
def test_any_apostrophe_finds_the_title(tmp_path: Path, apostrophe: str) -> None:
    assert (
        ids(index_of_titles(tmp_path, "Hour of bakers", "Baker's Hour"), f"Baker{apostrophe}s Hour")[0]
        == "Baker's Hour"
    )


@pytest.mark.parametrize("text", ["sailors choice", "sailorschoice", "sailor's choice"])
def test_a_query_without_the_apostrophe_or_the_blank_finds_the_title(tmp_path: Path, text: str) -> None:
    assert len(ids(index_of_titles(tmp_path, "Sailor's Choice"), text)) == 1


@pytest.mark.parametrize("text", ["nora's", "(nora's", 'nora"s podcast', "nora*", "nora:", "nora's -", "-- nora"])
def test_signs_of_a_query_are_no_operators(tmp_path: Path, text: str) -> None:
    assert len(ids(index_of_titles(tmp_path, "Nora's Podcast"), text)) == 1


def test_the_near_exact_title_comes_before_a_common_word(tmp_path: Path) -> None:
    index = index_of_titles(tmp_path, "Finest City Podcast", "Nora's Podcast")

    assert ids(index, "Noras Podcast")[0] == "Nora's Podcast"
    assert ids(index, "Noras Podcast Hour")[0] == "Nora's Podcast"


def test_both_spellings_of_a_name_find_it(tmp_path: Path) -> None:
    index = index_of_titles(tmp_path, "NightTalk")

    assert len(ids(index, "Night Talk")) == len(ids(index, "nighttalk")) == 1


def test_news_is_not_taken_for_new(tmp_path: Path) -> None:
    assert ids(index_of_titles(tmp_path, "New York Daily", "World News"), "news")[0] == "World News"


def test_a_rare_word_finds_nothing_but_itself(tmp_path: Path) -> None:
    index = index_of_titles(tmp_path, "Ablative notes", "Able people", "Nominated works")

    assert ids(index, "ablative") == ["Ablative notes"]


def test_quotes_mean_exactly_this_word(tmp_path: Path) -> None:
    assert ids(index_of_titles(tmp_path, "Council expenses", "Expensive roads"), '"expenses"') == ["Council expenses"]


def test_a_german_genitive_finds_the_name_and_says_so(tmp_path: Path) -> None:
    answer = found(index_of_titles(tmp_path, "Nachrichten aus Afrika", language="de"), "Afrikas")

    assert len(answer.hits) == 1
    assert answer.corrected == {"Afrikas": "afrika"}
