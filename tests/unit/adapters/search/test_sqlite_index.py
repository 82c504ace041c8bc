"""Searches of an index file: order, filters, typing errors, fewer words, pages, and a file that cannot be read."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from feedward.adapters.search import sqlite_index
from feedward.adapters.search.sqlite_apply import apply
from feedward.adapters.search.sqlite_build import build
from feedward.adapters.search.sqlite_index import SqliteSearchIndex
from feedward.errors import SearchUnavailable
from feedward.model import FeedState
from feedward.search.document import FeedDocument
from feedward.search.results import SearchFilters
from tests.unit.adapters.search.indexes import changed, found, ids, index_of, index_of_titles
from tests.unit.search.judged_set import document

TEA: dict[str, Any] = {"title": "Tea Leaves", "domain": "tea.example"}


# --- the order (rules Q3, Q4) ---------------------------------------------------------------------------------------


def test_tiers_come_one_after_the_other(tmp_path: Path) -> None:
    documents = [
        document("address", title="Nothing", url="https://lemon.example/feed.xml", domain="lemon.example"),
        document("host", title="Nothing", domain="lemon.example", url="https://lemon.example/other.xml"),
        document("name", title="lemon.example"),
        document("elsewhere", title="Nothing", items=["lemon example"]),
    ]

    assert ids(index_of(documents, tmp_path), "https://www.lemon.example/feed.xml")[:2] == ["address", "host"]


def test_names_come_before_texts_and_whole_words_before_beginnings(tmp_path: Path) -> None:
    documents = [
        document("item", title="A", items=["On the lemon"]),
        document("description", title="B", description="A lemon a day"),
        document("topic", title="C", topics=["Lemon"]),
        document("prefix", title="Lemonade"),
        document("site", title="D", site_title="Lemon and others"),
        document("title", title="The lemon and others"),
        document("whole-site", title="E", site_title="Lemon"),
        document("whole", title="Lemon"),
    ]
    expected = ["whole", "whole-site", "title", "site", "prefix", "topic", "description", "item"]

    assert ids(index_of(documents, tmp_path), "lemon") == expected


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"canonical": True}, {}),
        ({}, {"stale": True}),
        ({}, {"state": "degraded"}),
        ({"state": "degraded"}, {"state": "unhealthy"}),
        ({"canonical": True, "stale": True, "state": "unhealthy"}, {}),
        ({"state": "degraded"}, {"state": "paused"}),
        ({"stale": True}, {"state": "degraded"}),
        ({"state": "unhealthy", "stale": True}, {"main": False}),
    ],
)
def test_of_feeds_with_equal_names_the_better_one_comes_first(
    tmp_path: Path, better: dict[str, Any], worse: dict[str, Any]
) -> None:
    documents = [document("a-worse", **TEA, **worse), document("z-better", **TEA, **better)]
    index = index_of(documents, tmp_path)

    assert ids(index, "tea leaves") == ids(index, "leaves") == ids(index, "tea") == ["z-better", "a-worse"]


def test_comments_come_after_the_feed_that_they_comment_however_it_matches(tmp_path: Path) -> None:
    documents = [
        document("comments", title="Tea", main=False),
        document("main", title="Latest posts", site_title="Tea and toast", stale=True, state="unhealthy"),
    ]

    assert ids(index_of(documents, tmp_path), "tea") == ["main", "comments"]


def test_a_short_name_says_more_and_the_id_decides_at_last(tmp_path: Path) -> None:
    documents = [
        document("c", title="Everything about tea and many other things"),
        document("b", title="About tea"),
        document("a", title="More tea"),
    ]

    assert ids(index_of(documents, tmp_path), "tea") == ["a", "b", "c"]


def test_the_parts_of_a_score_add_up(tmp_path: Path) -> None:
    documents = [document("a", **TEA, canonical=True, stale=True, state="degraded"), document("b", items=["tea"])]
    hits = found(index_of(documents, tmp_path), "tea").hits

    assert [hit.score for hit in hits] == [sum(hit.parts.values()) for hit in hits]
    assert set(hits[0].parts) == {"tier", "match", "canonical", "main", "state", "fresh", "brevity"}
    assert hits[0].place == (-hits[0].score, "a")


def test_words_spread_over_names_and_items_meet(tmp_path: Path) -> None:
    documents = [document("a", **TEA, items=["A walk in Darjeeling"]), document("b", title="Darjeeling")]

    assert ids(index_of(documents, tmp_path), "tea darjeeling") == ["a"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"garden kitchen"', ["Garden Kitchen Planner"]),
        ('"kitchen garden" planner', ["Kitchen Garden Planner"]),
        ('"café garden"', ["Café Garden"]),
        ('"garden café"', []),
        ('planner -"garden kitchen"', ["Kitchen Garden Planner"]),
    ],
)
def test_words_in_quotes_are_found_in_this_order_only(tmp_path: Path, text: str, expected: list[str]) -> None:
    index = index_of_titles(tmp_path, "Kitchen Garden Planner", "Garden Kitchen Planner", "Café Garden")

    assert ids(index, text) == expected


def test_a_phrase_does_not_reach_from_one_title_into_the_next(tmp_path: Path) -> None:
    documents = [document("a", title="One", items=["green tea", "leaves fall"]), document("b", items=["tea leaves"])]
    index = index_of(documents, tmp_path)

    assert ids(index, '"tea leaves"') == ["b"]
    assert ids(index, "tea leaves") == ["b", "a"]


# --- filters and exclusions (rules Q2, Q13) -------------------------------------------------------------------------


@pytest.fixture
def filtered(tmp_path: Path) -> SqliteSearchIndex:
    documents = [
        document("a", title="Tea one", domain="one.example", language="pt-BR", topics=["Web Development"]),
        document("b", title="Tea two", domain="blog.one.example", language="pt", state="unhealthy"),
        document("c", title="Tea three", domain="two.example", language="en", items=["cup"]),
        document("d", title="Other", domain="other.example", items=["tea"]),
    ]
    return index_of(documents, tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tea lang:pt", ["a", "b"]),
        ("tea lang:pt-br", ["a"]),
        ("tea -lang:pt", ["c", "d"]),
        ("tea site:one.example", ["a", "b"]),
        ("tea site:https://www.one.example/x", ["a", "b"]),
        ("tea site:blog.one.example", ["b"]),
        ("tea -site:one.example", ["c", "d"]),
        ("tea state:unhealthy", ["b"]),
        ("tea topic:web-development", ["a"]),
        ("tea -cup", ["a", "b", "d"]),
        ("tea -other", ["a", "b", "c"]),
        ('tea -"tea two"', ["a", "c", "d"]),
        ("site:one.example", ["a", "b"]),
        ("lang:en state:unhealthy", []),
        ("-tea", []),
        ("-tea lang:pt", []),
    ],
)
def test_filters_and_exclusions(filtered: SqliteSearchIndex, text: str, expected: list[str]) -> None:
    assert sorted(ids(filtered, text)) == expected


def test_filters_beside_the_text(filtered: SqliteSearchIndex) -> None:
    assert ids(filtered, "tea", language="pt", state=FeedState.UNHEALTHY) == ["b"]
    assert ids(filtered, "tea", topic="web development") == ["a"]
    assert ids(filtered, "", topic="web development") == ["a"]
    assert ids(filtered, "tea", topic="...") == []
    assert ids(filtered, "tea", language="PT_br") == ["a"]


# --- typing errors and fewer words (rules Q3, Q8) -------------------------------------------------------------------


@pytest.mark.parametrize("text", ["libary", "librrary", "libtary", "lirbary", "ilbrary", "libraryy", "xibrary"])
def test_one_edit_finds_the_word_and_says_so(tmp_path: Path, text: str) -> None:
    answer = found(index_of_titles(tmp_path, "The Library", "Librettos"), text)

    assert ([hit.feed_id for hit in answer.hits], answer.corrected) == (["The Library"], {text: "library"})


@pytest.mark.parametrize(
    "text", ["liby", '"libary"', "libary2", "librarian", "lbrry", "libary.example", "libary2024", "site:libary.example"]
)
def test_short_quoted_and_distant_words_and_digits_and_hosts_are_not_corrected(tmp_path: Path, text: str) -> None:
    assert found(index_of_titles(tmp_path, "The Library", "Web2024"), text).corrected == {}


def test_a_word_that_is_there_is_not_corrected(tmp_path: Path) -> None:
    documents = [document("a", title="Green tea"), document("b", title="Greek tea"), document("c", items=["greens"])]
    index = index_of(documents, tmp_path)

    assert (ids(index, "greens "), found(index, "greens ").corrected) == (["c"], {})


def test_the_word_of_more_feeds_is_taken(tmp_path: Path) -> None:
    index = index_of_titles(tmp_path, "Grocer one", "Groper one", "Groper two")

    assert found(index, "grober ").corrected == {"grober": "groper"}


def test_the_word_of_a_feed_that_is_gone_is_not_taken(tmp_path: Path) -> None:
    build([document("a", title="Library"), document("b", title="Tea")], tmp_path / "i", generation="1")
    apply(tmp_path / "i", changed([document("a", title="Coffee", version=2)]))

    assert found(SqliteSearchIndex(tmp_path / "i"), "libary ").hits == ()


def test_words_of_topics_are_corrected_too(tmp_path: Path) -> None:
    assert ids(index_of([document("a", title="Look up", topics=["Astronomy"])], tmp_path), "astronmy") == ["a"]


def test_fewer_words_are_looked_for_where_no_feed_has_all_and_this_is_said(tmp_path: Path) -> None:
    index = index_of_titles(tmp_path, "Nora's Podcast", "Finest City Podcast", "Tea")
    answer = found(index, "noras podcast nonsense")

    assert answer.hits[0].feed_id == "Nora's Podcast"
    assert answer.ignored == ("nonsense",)
    assert "Tea" not in ids(index, "noras podcast nonsense")


def test_a_row_of_signs_is_looked_for_in_parts_where_no_feed_has_the_whole(tmp_path: Path) -> None:
    index = index_of_titles(tmp_path, "东京今日天气", "大阪新闻")

    assert ids(index, "东京天气") == ["东京今日天气"]
    assert ids(index_of_titles(tmp_path, "서울 저녁 신문", "부산"), "서울신문") == ["서울 저녁 신문"]


# --- pages (rules Q6, Q10) ------------------------------------------------------------------------------------------


def many() -> list[FeedDocument]:
    titles = ["About tea", "Tea", "Tea"]
    return [
        document(f"f{n:02}", title=titles[n % 3], items=["tea"], stale=n % 2 == 0, canonical=n % 5 == 0)
        for n in range(40)
    ]


def test_pages_follow_each_other_without_gaps_and_doubles(tmp_path: Path) -> None:
    index = index_of(many(), tmp_path)
    whole = [hit.place for hit in found(index, "tea", limit=50).hits]
    paged: list[tuple[float | int | str, ...]] = []
    while True:
        page = index.search("tea", SearchFilters(), limit=7, after=paged[-1] if paged else None)
        paged += [hit.place for hit in page.hits]
        if not page.has_more:
            break

    assert paged == whole == sorted(whole)
    assert len(whole) == 40


def test_pages_go_on_over_changes_of_the_index(tmp_path: Path) -> None:
    build(many(), tmp_path / "i", generation="1")
    first = SqliteSearchIndex(tmp_path / "i").search("tea", SearchFilters(), limit=10)
    apply(tmp_path / "i", changed([document(f"n{n}", title="Tea", canonical=True) for n in range(5)]))
    rest = SqliteSearchIndex(tmp_path / "i").search("tea", SearchFilters(), limit=50, after=first.hits[-1].place)
    seen = [hit.feed_id for hit in (*first.hits, *rest.hits)]

    assert len(seen) == len(set(seen))
    assert {one.feed_id for one in many()} <= set(seen)


def test_pages_end_at_the_thousandth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_index, "MOST_PLACES", 20)
    answer = found(index_of(many(), tmp_path), "tea", limit=30)

    assert (len(answer.hits), answer.has_more, answer.is_partial) == (20, False, True)


def test_the_answer_names_the_generation(tmp_path: Path) -> None:
    build([], tmp_path / "i", generation="g7")

    assert found(SqliteSearchIndex(tmp_path / "i"), "tea").generation == "g7"


# --- an index that cannot be read (rule Q14) ------------------------------------------------------------------------


def test_no_index_is_no_empty_answer(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no index")
    for name in ("missing", "text"):
        with pytest.raises(SearchUnavailable):
            SqliteSearchIndex(tmp_path / name)


@pytest.mark.parametrize("name", ["analyser", "schema"])
def test_an_index_of_another_version_is_not_read(tmp_path: Path, name: str) -> None:
    build([document("a", **TEA)], tmp_path / "i", generation="1")
    with sqlite3.connect(tmp_path / "i") as connection:
        connection.execute("UPDATE about SET value = 'other' WHERE name = ?", (name,))
    connection.close()

    with pytest.raises(SearchUnavailable, match="another version"):
        SqliteSearchIndex(tmp_path / "i")
    with pytest.raises(SearchUnavailable, match="another version"):
        apply(tmp_path / "i", [])


def test_a_sqlite_without_fts5_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feedward.adapters.search.sqlite_schema.SCHEMA", "CREATE VIRTUAL TABLE t USING fts9 (a);")

    with pytest.raises(SearchUnavailable, match="cannot make the index"):
        build([], tmp_path / "i", generation="1")


def test_a_file_that_breaks_while_it_is_read_is_said(tmp_path: Path) -> None:
    index = index_of([document(f"f{n}", title=f"Tea {n}") for n in range(300)], tmp_path)
    index.close()

    with pytest.raises(SearchUnavailable):
        index.search("tea", SearchFilters(), limit=5)
