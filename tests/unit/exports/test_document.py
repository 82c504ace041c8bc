"""An export is imported unchanged, in every format, with any texts (rule EX6)."""

from __future__ import annotations

import pytest

from feedward.exports.document import pieces
from feedward.exports.export_entry import ExportEntry
from feedward.exports.job import ExportFormat, ExportQuery
from feedward.intake.read_file import read_file
from feedward.subscriptions.folders import path_of
from feedward.subscriptions.labels import clean_tags, clean_title

TEXTS = [
    "Learning <canvas> & <script>alert(1)</script>",
    "Fish &amp; chips &lt;now&gt; &#39;",
    'say "x" xmlUrl="https://z.example/" type="rss',
    "it's =“curly” text=“x”",
    "]]> <![CDATA[ <!-- x --> -->",
    "=cmd|' /C calc'!A0",
    "'''=1+1",
    "-5",
    "# no comment // at all",
    "|---|---|",
    "query:name:x; y, z",
    "漢字 \U0001f600 \u0e02\u0e49\u0e32\u0e27",
    "c:\\path\\",
    "How <opml> and <outline xmlUrl='https://z.example/'/> work",
    "<opml>",
    "\uff1d1+1",
    "'\uff0bx",
]
TAGS = ["a/b", "x\\/y", "semi;colon", "bar|and, comma", "ends in \\", "Tech / AI", "//", "<b>bold</b>", "-7", "#1"]


def imported(form: ExportFormat, entry: ExportEntry) -> ExportEntry:
    body = b"".join(piece.body for piece in pieces(ExportQuery(format=form, tag=""), [entry], now=0))
    (read,) = {each.url: each for each in reversed(read_file(body).entries)}.values()
    return ExportEntry(
        url=read.url, title=read.title, site_url=read.site_url, folders=read.folders, description=read.description
    )


@pytest.mark.parametrize("form", ExportFormat)
@pytest.mark.parametrize("text", TEXTS)
def test_any_text_comes_back(form: ExportFormat, text: str) -> None:
    description = None if form is ExportFormat.OPML else text
    entry = ExportEntry(
        url="https://a.example/feed?a=1&lt=2;'",
        title=clean_title(text),
        site_url="https://a.example/?x=<y>",
        folders=(path_of(clean_tags([text])[0]),),
        description=description,
    )

    assert imported(form, entry) == entry


@pytest.mark.parametrize("form", ExportFormat)
def test_any_folders_come_back(form: ExportFormat) -> None:
    paths = sorted(path_of(tag) for tag in clean_tags(TAGS))
    entry = ExportEntry(url="https://a.example/feed", title="A", folders=tuple(paths))

    assert len(paths) == len(TAGS)
    assert sorted(imported(form, entry).folders) == paths
