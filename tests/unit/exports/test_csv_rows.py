"""CSV that a spreadsheet does not calculate, and that an import reads as it was (rule EX5)."""

from __future__ import annotations

import csv
import io

import pytest

from feedward.exports.csv_rows import COLUMNS, csv_head, csv_row, disarmed
from feedward.exports.export_entry import ExportEntry
from feedward.intake.read_file import read_file


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd", "'+cmd"),
        ("-x", "'-x"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("  =1", "'  =1"),
        ("\t=1", "'\t=1"),
        ("'=1", "''=1"),
        ("''=1", "'''=1"),
        ("'-5", "''-5"),
        ("-5", "-5"),
        ("+3,14", "+3,14"),
        ("it's =", "it's ="),
        ("'quoted'", "'quoted'"),
        ("", ""),
        ("-", "'-"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("\uff20SUM(A1)", "'\uff20SUM(A1)"),
    ],
)
def test_a_formula_gets_one_apostrophe(cell: str, written: str) -> None:
    assert disarmed(cell) == written


def test_the_file_is_utf8_with_a_bom_crlf_and_quotes() -> None:
    raw = (csv_head() + csv_row(ExportEntry(url="https://a.example/", title='Tea "and" cake'))).encode()

    assert raw.startswith(b"\xef\xbb\xbf" + b'"title","url"')
    assert raw.endswith(b'"Tea ""and"" cake","https://a.example/","","","","",""\r\n')


@pytest.mark.parametrize(
    "title", ["=HYPERLINK(1)", "'=x", "-5", "'-5", "@me", "Tea, cake; more", 'a "b" c', "'''=", "ümlaut"]
)
def test_an_import_reads_the_title_that_there_was(title: str) -> None:
    rows = (
        csv_head()
        + csv_row(ExportEntry(url="https://a.example/feed", title=title))
        + csv_row(ExportEntry(url="https://b.example/feed", title="plain"))
    )

    assert [entry.title for entry in read_file(rows.encode()).entries] == [title, "plain"]


def test_each_cell_stands_under_its_name() -> None:
    entry = ExportEntry(
        url="https://a.example/feed",
        title="A",
        site_url="https://a.example/",
        category="Food",
        language="de",
        description="Brot",
        folders=(("News", "World"), ("a/b",)),
    )
    [row] = csv.DictReader(io.StringIO((csv_head() + csv_row(entry)).removeprefix("\ufeff")))

    assert tuple(row) == COLUMNS
    assert row["folders"] == "News/World; a\\/b"
    assert list(row) == list(COLUMNS)
    assert (row["category"], row["language"], row["description"]) == ("Food", "de", "Brot")


@pytest.mark.parametrize(
    "folders",
    [(), (("News",),), (("News", "World"), ("Daily",)), (("a/b",),), (("a, b",),), (("a;b",), ("c|d", "e"))],
)
def test_an_import_reads_the_folders_that_there_were(folders: tuple[tuple[str, ...], ...]) -> None:
    rows = csv_head() + csv_row(ExportEntry(url="https://a.example/feed", title="A", folders=folders, category="Food"))
    rows += csv_row(ExportEntry(url="https://b.example/feed", title="B"))

    assert [entry.folders for entry in read_file(rows.encode()).entries] == [folders, ()]
