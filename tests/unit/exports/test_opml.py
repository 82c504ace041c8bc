"""OPML that other readers take (rules EX2, EX6)."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

from feedward.exports.document import pieces
from feedward.exports.export_entry import ExportEntry
from feedward.exports.job import ExportFormat, ExportQuery

NOW = 1_790_000_000
OWN = ExportQuery(format=ExportFormat.OPML, tag="")
SHARED = ExportQuery(format=ExportFormat.OPML)


def document(*entries: ExportEntry, query: ExportQuery = OWN) -> str:
    return b"".join(piece.body for piece in pieces(query, entries, now=NOW)).decode()


def feed(name: str, *folders: tuple[str, ...], **members: str) -> ExportEntry:
    return ExportEntry(url=f"https://{name}.example/feed", title=name, folders=folders, **members)  # type: ignore[arg-type]


def test_a_document_as_readers_take_it() -> None:
    given = ExportEntry(
        url="https://tea.example/feed?a=1&b=2", title='Tea & "Cake" <daily>', site_url="https://tea.example/"
    )

    assert document(given) == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<opml version="2.0">\n'
        "  <head>\n"
        "    <title>feedward: subscriptions</title>\n"
        "    <dateCreated>Mon, 21 Sep 2026 14:13:20 GMT</dateCreated>\n"
        "  </head>\n"
        "  <body>\n"
        '    <outline type="rss" text="Tea &amp; &quot;Cake&quot; &lt;daily&gt;"'
        ' title="Tea &amp; &quot;Cake&quot; &lt;daily&gt;"'
        ' xmlUrl="https://tea.example/feed?a=1&amp;b=2" htmlUrl="https://tea.example/"/>\n'
        "  </body>\n"
        "</opml>\n"
    )


def test_a_feed_is_in_each_of_its_folders_and_each_folder_is_there_once() -> None:
    text = document(feed("a", ("News", "World"), ("Daily",)), feed("b", ("News",)), feed("c"))
    body = Xml.fromstring(text).find("body")
    assert body is not None

    def shape(node: Xml.Element) -> list[object]:
        return [each.get("text") if each.get("xmlUrl") else {each.get("text"): shape(each)} for each in node]

    assert shape(body) == [{"Daily": ["a"]}, {"News": [{"World": ["a"]}, "b"]}, "c"]


def test_the_order_does_not_depend_on_that_of_the_subscriptions() -> None:
    feeds = [feed("b", ("x",)), feed("a", ("y",), ("x",)), feed("C")]

    assert document(*feeds) == document(*reversed(feeds))


def test_characters_that_xml_forbids_are_left_out_and_a_missing_title_is_the_address() -> None:
    text = document(feed("a\x00\x0b\ud800\ufffe b\nc"), ExportEntry(url="https://bare.example/feed"))

    names = [outline.get("title") for outline in Xml.fromstring(text).iter("outline")]
    assert sorted(map(str, names)) == ["a b c", "https://bare.example/feed"]


def test_a_shared_export_has_one_line_for_each_feed_and_no_folders() -> None:
    lines = document(feed("a", ("own",)), feed("b"), query=SHARED).splitlines()

    assert [line.count("<outline") for line in lines if "xmlUrl" in line] == [1, 1]
    assert all("<outline text" not in line for line in lines)


def test_a_document_goes_on_behind_a_place() -> None:
    feeds = [ExportEntry(url=f"https://{n}.example/", place=f"{n}") for n in range(5)]
    for form in ExportFormat:
        query = ExportQuery(format=form)
        whole = b"".join(piece.body for piece in pieces(query, feeds, now=NOW))
        first = b"".join(piece.body for piece in [*pieces(query, feeds[:3], now=NOW)][:-1])
        rest = b"".join(piece.body for piece in pieces(query, feeds[3:], now=NOW, after="2"))

        assert first + rest == whole
