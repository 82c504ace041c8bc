"""Hostile queries and documents end well: signs are text, work is bounded, markup stays text (rules Q1, Q2, Q6)."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from string import printable

import pytest

from feedward.adapters.search.sqlite_apply import apply_to, words_like
from feedward.adapters.search.sqlite_index import SqliteSearchIndex
from feedward.adapters.search.sqlite_schema import open_index, write_words
from feedward.search.results import SearchFilters
from tests.unit.adapters.search.indexes import changed, found, ids, index_of, index_of_titles
from tests.unit.search.judged_set import document, judged_documents

OPERATORS = [
    *("AND OR NOT", "NOT", "NEAR(tea cup, 2)", "title:tea", "{title site} : tea", "^tea", "tea*", "* : *", "tea + cup"),
    *('"tea" "', '""', '"', "''", "(((((((", "(" * 300, "tea) OR (cup", "-", "--", "- -", "-*", "~tea", "t=00", "|"),
    *(
        "h:x.example",
        "s:healthy",
        "k:beside",
        "\\",
        ";DROP TABLE docs;--",
        "%",
        "_",
        "?1",
        "<b>tea</b>",
        '{"query":{}}',
    ),
    *("tea\x00cup", "\x00", "\ud800", "tea \udfff cup", "\u202e", "\u200b", "\ufeff", "🍵", "site:", "lang:", "topic:"),
    *(
        "state:",
        "site:*",
        "site:[::1]",
        "lang:**",
        'topic:"',
        "state:dead",
        "site:" + "a." * 900,
        "https://",
        "http://[",
    ),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> SqliteSearchIndex:
    return index_of(judged_documents(), tmp_path_factory.mktemp("hostile"))


@pytest.mark.parametrize("text", OPERATORS, ids=range(len(OPERATORS)))
def test_no_sign_is_an_operator_or_an_error(index: SqliteSearchIndex, text: str) -> None:
    assert len(found(index, text).hits) <= 20
    assert len(found(index, f"{text} quietkitchen").hits) <= 20


@pytest.mark.parametrize(
    "signs", ["((", "*", "^", "+", "~", "{}", "\\", ";--", "%", "<>", "\x00", "\ud800", "\u200b", "🍵", "|", "="]
)
def test_signs_beside_a_word_change_nothing(index: SqliteSearchIndex, signs: str) -> None:
    expected = ids(index, "kitchen ")

    assert ids(index, f"{signs} kitchen ") == ids(index, f"{signs}kitchen{signs} ") == expected


@pytest.mark.parametrize("sign", printable)
def test_each_ascii_sign_may_stand_anywhere(index: SqliteSearchIndex, sign: str) -> None:
    for text in (sign, f"{sign}kitchen", f"kitchen{sign}", f"kit{sign}chen", f"quiet {sign} kitchen", sign * 40):
        found(index, text)
    assert ids(index, f"quiet {sign} kitchen")[0] == "kitchen"


LONG = ["kitchen " * 2000, "x" * 10_000, "-a " * 3000, '"' * 10_000, "a" + "\u0301" * 10_000, "猫" * 10_000]
LONG += ["site:" * 2000, " ".join(f"w{n}" for n in range(2000)), "(" * 10_000, "\x00" * 10_000, "\ud800" * 10_000]


@pytest.mark.parametrize("text", LONG, ids=range(len(LONG)))
def test_a_query_of_10_kb_runs_few_statements(index: SqliteSearchIndex, text: str) -> None:
    statements: list[str] = []
    index._connection.set_trace_callback(statements.append)
    found(index, text)
    index._connection.set_trace_callback(None)

    assert len(statements) < 400
    assert max(map(len, statements), default=0) < 20_000


def test_the_ignored_parts_of_a_long_query_are_named(index: SqliteSearchIndex) -> None:
    assert found(index, " ".join(f"word{n}" for n in range(20)) + " kitchen").ignored[0].startswith("word16")
    assert found(index, "kitchen " + "y" * 300).ignored[0].startswith("yyy")


def test_markup_in_a_title_is_text(tmp_path: Path) -> None:
    index = index_of_titles(tmp_path, "<script>alert('tea')</script>", "Tea")

    assert ids(index, "tea")[0] == "Tea"
    assert ids(index, "<script>") == ["<script>alert('tea')</script>"]


def test_documents_with_anything_in_them_are_indexed(tmp_path: Path) -> None:
    texts = [
        "\x00",
        "\ud800tea",
        '"quoted"',
        "a" * 100_000,
        "\u0301" * 100_000,
        "漢" * 100_000,
        "|",
        "t=00 ~x k:beside",
        "=1+1",
    ]
    documents = [
        document(
            f"f{n}", title=text, site_title=text, description=text, items=[text] * 20, topics=[text], language=text
        )
        for n, text in enumerate(texts)
    ]
    index = index_of(documents, tmp_path)

    assert ids(index, "tea") == ["f1"]
    assert ids(index, "quoted") == ["f2"]
    assert "f5" in ids(index, "漢漢")
    assert all(hit.parts["main"] == 0 for hit in found(index, "tea").hits)


def test_any_number_of_words_that_differ_in_one_letter_may_be_in_the_index(tmp_path: Path) -> None:
    index_of_titles(tmp_path, "gardens", "kitchen").close()
    connection = open_index(tmp_path / "index.sqlite", is_written=True)
    connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 100)  # how many SQLite takes depends on its build
    write_words(connection, (f"gar{chr(0x4E00 + number)}den" for number in range(1100)), 1000)

    apply_to(connection, changed([document("new", title="garden")]))

    assert words_like(connection, "garxden") >= {"garden", "gar\u4e00den"}
    assert len(words_like(connection, "garden")) <= 7 * 1000
    assert words_like(connection, "gardens") >= {"garden", "gardens"}


def test_a_document_is_no_filter_of_another(tmp_path: Path) -> None:
    """Tokens of filters are in a column of their own, so that no title can contain one."""
    index = index_of([document("a", title="l:en s:healthy h:b.example", language="fr", state="degraded")], tmp_path)

    assert ids(index, "site:b.example") == ids(index, "lang:en") == ids(index, "state:healthy") == []


def test_work_without_end_is_cut_and_said(index: SqliteSearchIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feedward.adapters.search.sqlite_index._MOST_CALLS", 0)
    monkeypatch.setattr("feedward.adapters.search.sqlite_index._STEPS_AT_ONCE", 10)

    answer = index.search("kitchen", SearchFilters(), limit=20)

    assert answer.is_partial
    assert not answer.has_more


@pytest.mark.parametrize(("steps", "is_cut"), [(100_000, False), (1, True)])
def test_a_search_leaves_the_file_unlocked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int, is_cut: bool
) -> None:
    monkeypatch.setattr("feedward.adapters.search.sqlite_index._MOST_CALLS", 0)
    monkeypatch.setattr("feedward.adapters.search.sqlite_index._STEPS_AT_ONCE", steps)
    index = index_of(judged_documents(), tmp_path)

    answer = found(index, "the a", limit=3)

    assert answer.is_partial == is_cut
    writer = sqlite3.connect(tmp_path / "index.sqlite", timeout=0, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    writer.close()
