"""Files as they are found, malformed ones too, are read into numbered entries (rules IM1 to IM3, IM6, IM7)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from feedward.intake.entry import Beyond, Entry, FileKind, UnusableFile
from feedward.intake.limits import ENTRIES, FILE_BYTES
from feedward.intake.read_file import read_file

A, B = "https://a.example/feed", "https://b.example/feed"


def entries(text: str | bytes) -> tuple[Entry, ...]:
    return read_file(text.encode() if isinstance(text, str) else text).entries


def opml(inside: str) -> str:
    return f'<?xml version="1.0"?><opml version="2.0"><body>{inside}</body></opml>'


def shown(text: str | bytes) -> list[tuple[Any, ...]]:
    return [(each.url, each.title, each.folders) for each in entries(text)]


# --- kinds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "empty"),
        (b" \r\n\t", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"PK\x03\x04rest", "zip"),
        (b"\x1f\x8b\x08rest", "gzip"),
        (b"%PDF-1.7", "PDF"),
        (b"BZh91AY&SYrest", "archive"),
        (b"7z\xbc\xaf\x27\x1crest", "archive"),
        (b"\x28\xb5\x2f\xfdrest", "archive"),
        (b"bplist00rest", "property list"),
        (b"{\\rtf1 https://a.example/feed}", "text document"),
        (b"\x89PNG\r\n", "image"),
        (bytes(range(256)) * 40, "binary"),
        (b"<!DOCTYPE html><html><body>", "HTML"),
        (b"<!-- x --><HTML><a href='https://a.example/feed'>", "HTML"),
        (b"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>", "HTML"),
        (b"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META charset='UTF-8'>\n<TITLE>Bookmarks</TITLE>", "HTML"),
        (b"<meta charset=utf-8><title>404</title> https://a.example/feed", "HTML"),
        (b"<center><a href='https://a.example/feed'>A</a>", "HTML"),
        (b"<?xml version='1.0'?><rss version='2.0'/>", "subscribe to its URL"),
        (b"<feed xmlns='http://www.w3.org/2005/Atom'/>", "subscribe to its URL"),
        (b"<rdf:RDF xmlns:rdf='x'/>", "subscribe to its URL"),
        (b'{"version": "https://jsonfeed.org/version/1.1", "items": []}', "subscribe to its URL"),
        (b"<urlset xmlns='x'><url/></urlset>", "not OPML"),
        (b'{"a": 1}', "not an array of feeds"),
        (b"[1, 2]", "not an array of feeds"),
        (b"[]", "not an array of feeds"),
        (b"<opml><body></body></opml>", "No entry"),
        (b"just some words\nand more of them\n", "No entry"),
        (b" " * (FILE_BYTES + 1), "larger than 10 MB"),
    ],
)
def test_a_file_without_a_list_of_feeds_is_refused_with_a_sentence(body: bytes, says: str) -> None:
    with pytest.raises(UnusableFile, match=says) as caught:
        read_file(body)
    assert str(caught.value).endswith((".", "URL."))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (opml(f'<outline xmlUrl="{A}"/>'), FileKind.OPML),
        (f'<outline xmlUrl="{A}"/>', FileKind.OPML),
        (f'garbage before\n<opml><outline xmlUrl="{A}"/>', FileKind.OPML),
        (json.dumps([{"url": A}]), FileKind.SEEDS),
        (json.dumps({"title": "x", "feeds": [{"url": A}]}), FileKind.SEEDS),
        (json.dumps([A]), FileKind.SEEDS),
        (f"title,url\nA,{A}\n", FileKind.CSV),
        (f"title,url\n<opml> explained,{A}\n", FileKind.CSV),
        (f'{A} "~All <opml> <outline> tags"\n', FileKind.LIST),
        (f'<h1 align="center">Feeds</h1>\n\n- [A]({A})\n', FileKind.LIST),
        (f'<p><img src="x.png"></p>\n<a name="top"></a>\n\n* A: {A}\n', FileKind.LIST),
        (f"{A}\n", FileKind.LIST),
        (f"[A]({A})\n", FileKind.LIST),
        (f"<{A}>\n", FileKind.LIST),
        (f"<!-- links -->\n- [A]({A})\n", FileKind.LIST),
        (f"[Feeds]\nurl={A}\n", FileKind.LIST),
        (f"[A][1]\n\n[1]: {A}\n", FileKind.LIST),
        (f"{A} // first\n; words\n-- more\n", FileKind.LIST),
        (f"&lt;opml&gt;&lt;outline xmlUrl=&quot;{A}&quot;/&gt;&lt;/opml&gt;", FileKind.OPML),
        (json.dumps({"urls": [A]}), FileKind.SEEDS),
        (f'[{{"url": "{A}",}},]', FileKind.SEEDS),
    ],
)
def test_the_kind_is_told_by_the_content(text: str, kind: FileKind) -> None:
    read = read_file(text.encode())
    assert (read.kind, [each.url for each in read.entries]) == (kind, [A])


# --- OPML as it is found ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ('<outline text="A & B" xmlUrl="https://a.example/?x=1&y=2"/>', ("https://a.example/?x=1&y=2", "A & B")),
        (
            '<outline text="A &amp; B" xmlUrl="https://a.example/?x=1&amp;y=2"/>',
            ("https://a.example/?x=1&y=2", "A & B"),
        ),
        ('<outline text="x &copy=1 && y" xmlUrl="https://a.example/"/>', ("https://a.example/", "x &copy=1 && y")),
        (
            '<outline text="caf&eacute; &#8211; &#x2014;" xmlUrl="https://a.example/"/>',
            ("https://a.example/", "café – —"),
        ),
        (
            '<outline text="a <a href="https://x.example">b</a> c" xmlUrl="https://a.example/"/>',
            ("https://a.example/", "a b c"),
        ),
        ('<outline text="say "hello" now" xmlUrl="https://a.example/"/>', ("https://a.example/", 'say "hello" now')),
        ("<outline text='it's here' xmlUrl='https://a.example/'/>", ("https://a.example/", "it's here")),
        ("<outline text=A xmlUrl=https://a.example/ />", ("https://a.example/", "A")),
        ('<outline text="A", xmlUrl="https://a.example/",/>', ("https://a.example/", "A")),
        ('<outline text="A"xmlUrl="https://a.example/"/>', ("https://a.example/", "A")),
        ('<OUTLINE TEXT="A" XMLURL="https://a.example/"></OUTLINE>', ("https://a.example/", "A")),
        ('<outline title="A" xmlUrl="https://a.example/"/>', ("https://a.example/", "A")),
        ('<outline text="" title="A" xmlUrl="https://a.example/"/>', ("https://a.example/", "A")),
        ('<outline text="https://a.example/" xmlUrl="https://a.example/"/>', ("https://a.example/", None)),
        ('<outline text="Untitled" xmlUrl="https://a.example/"/>', ("https://a.example/", None)),
        ('<outline type="link" text="A" url="https://a.example/"/>', ("https://a.example/", "A")),
        ('<outline type="atom" text="A" url="https://a.example/"/>', ("https://a.example/", "A")),
        ('<outline text="A" htmlUrl="https://a.example/"/>', ("https://a.example/", "A")),
        ('<outline text="A" xmlUrl="" htmlUrl="https://a.example/"/>', ("https://a.example/", "A")),
        ('<outline text="https://a.example/"/>', ("https://a.example/", None)),
        ('<outline text="1 < 2 > 0" xmlUrl="https://a.example/"/>', ("https://a.example/", "1 < 2 > 0")),
        ('<o:outline xmlns:o="x" text="A" xmlUrl="https://a.example/" o:num="3"/>', ("https://a.example/", "A")),
        ('<outline\n  text="A"\n  xmlUrl="https://a.example/"\n/>', ("https://a.example/", "A")),
        ('<outline text="A" xmlUrl="feed://a.example/"/>', ("feed://a.example/", "A")),
        ('<outline htmlUrl="https://s.example?a=1&b=2" xmlUrl="https://a.example/"/>', ("https://a.example/", None)),
        ("<outline title='Syntax & Style' xmlurl='https://a.example/'/>", ("https://a.example/", "Syntax & Style")),
        ('<outline text="" xmlUrl="" text="A" xmlUrl="https://a.example/"/>', ("https://a.example/", "A")),
        (
            '<outline text="<![CDATA[A & B]]>" xmlUrl="<![CDATA[https://a.example/]]>"/>',
            ("https://a.example/", "A & B"),
        ),
        ('<outline text="A" <!-- x --> xmlUrl="https://a.example/"/>', ("https://a.example/", "A")),
        ('<outline text="A xmlUrl="https://a.example/"/>', ("https://a.example/", "A")),
        ("<outline text=“A b” type=“rss” xmlUrl=“https://a.example/”/>", ("https://a.example/", "A b")),
        ('<outline text="A" title="https://a.example/"/>', ("https://a.example/", "A")),
        ('<outline text="A\x08\x1b" xmlUrl="https://a.example/"/>', ("https://a.example/", "A")),
    ],
)
def test_a_malformed_outline_is_read(inside: str, expected: tuple[str, str | None]) -> None:
    (entry,) = entries(opml(inside))
    assert (entry.url, entry.title, entry.problem) == (*expected, None)


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("<opml><outline text='Grüße' xmlUrl='https://a.example/'/></opml>".encode("utf-16"), "Grüße"),
        (
            "<?xml version='1.0' encoding='ISO-8859-1'?><opml><outline text='Grüße' xmlUrl='https://a.example/'/></opml>".encode(
                "latin-1"
            ),
            "Grüße",
        ),
        (
            "<?xml version='1.0' encoding='UTF-8'?><opml><outline text='Grüße' xmlUrl='https://a.example/'/></opml>".encode(
                "cp1252"
            ),
            "Grüße",
        ),
        ("<opml><outline text='Привет' xmlUrl='https://a.example/'/></opml>".encode(), "Привет"),
        (b"\xef\xbb\xbf" + "<opml><outline text='Grüße' xmlUrl='https://a.example/'/></opml>".encode(), "Grüße"),
    ],
)
def test_any_encoding_is_read(body: bytes, title: str) -> None:
    assert [each.title for each in entries(body)] == [title]


def test_folders_are_paths_and_an_address_is_none_of_them() -> None:
    text = opml(
        f'<outline text="a/b"><outline text="c" type="rss"><outline text="X" xmlUrl="{A}"/></outline></outline>'
        f'<outline text="parent" xmlUrl="{B}"><outline text="Y" xmlUrl="https://c.example/"/></outline>'
        '<outline text="D" category="/Politics/World,Tech" xmlUrl="https://d.example/"/><outline text="empty"/>'
        '<outline text="no end"><outline text="E" xmlUrl="https://e.example/">'
    )
    assert shown(text) == [
        (A, "X", (("a/b", "c"),)),
        (B, "parent", ()),
        ("https://c.example/", "Y", ()),
        ("https://d.example/", "D", (("Politics", "World"), ("Tech",))),
        ("https://e.example/", "E", (("no end",),)),
    ]


def test_the_same_address_again_is_joined_and_gives_its_folders_to_the_first() -> None:
    text = opml(
        f'<outline xmlUrl="{A}"/><outline text="x"><outline text="T" xmlUrl="http://a.example/feed/"/></outline>'
        f'<outline text="y"><outline xmlUrl="{A}"/></outline>'
    )
    first, second, third = entries(text)
    assert (first.folders, first.title, first.repeats) == ((("x",), ("y",)), "T", None)
    assert (second.repeats, third.repeats) == (1, 1)


def test_entries_without_an_address_are_reported_with_their_line_and_no_foreign_data_is_kept() -> None:
    text = (
        "<opml>\n<head><title>x</title><cookie>secret</cookie></head>\n<body>\n"
        '<outline type="rss" text="one"/>\n<outline type="include" url="https://a.example/more.opml"/>\n'
        f'<!-- <outline xmlUrl="https://hidden.example/"/> -->\n<settings proxy="p"/>\n<outline xmlUrl="{A}"/>\n'
        '<outline xmlUrl="javascript:alert(1)"/>\n<outline text="cut" xmlUrl="https://c.exam'
    )
    assert [(each.line, each.url, each.problem) for each in entries(text)] == [
        (4, "", "this outline has no address"),
        (5, "https://a.example/more.opml", "this includes another file, which is not read"),
        (8, A, None),
        (9, "javascript:alert(1)", "this is not an http(s) URL"),
        (10, "", "the file ends inside this outline"),
    ]


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("https://u:p@a.example/feed", "user"),
        ("http://127.0.0.1/feed", ""),
        ("https://a.example/" + "x" * 2100, "longer than 2048"),
        ("file:///etc/passwd", "not an http"),
        ("not a url", "not an http"),
    ],
)
def test_an_address_that_can_never_be_fetched_is_invalid(url: str, problem: str) -> None:
    (entry,) = entries(opml(f'<outline type="rss" xmlUrl="{url}"/>'))
    assert entry.problem is not None
    assert problem in entry.problem
    assert "u:p" not in entry.url


# --- seed files --------------------------------------------------------------------------------------------


def test_a_seed_is_taken_without_its_volatile_state_and_a_bad_one_is_named() -> None:
    seeds = [
        {"title": "A", "url": A, "site_url": "https://a.example/", "category": "News", "language": "de",
         "description": "d", "etag": "x", "last_modified": "y", "next_check": 5},
        {"title": "no url"}, 7, {"url": 5}, "https://s.example/feed", {"url": B, "title": 9},
    ]  # fmt: skip
    found = entries("[\n" + ",\n".join(json.dumps(each) for each in seeds) + ",\n{broken}\n]")
    first = found[0]
    assert (first.title, first.site_url, first.category, first.language, first.description) == (
        "A", "https://a.example/", "News", "de", "d",
    )  # fmt: skip
    assert [(each.line, each.problem) for each in found[1:]] == [
        (3, "this entry has no url"),
        (4, "an entry is an object with a url"),
        (5, "url is not a text"),
        (6, None),
        (7, "title is not a text"),
        (8, "this entry is not JSON, or the file ends inside of it"),
    ]


def test_half_a_surrogate_pair_which_no_store_takes_is_kept_nowhere() -> None:
    half = r"\ud800"
    text = (
        f'[{{"url": "{A}{half}"}}, {{"url": "{B}", "site_url": "{B}{half}", "title": "{half}", "category": "{half}"}}]'
    )
    bad, good = entries(text)
    assert bad.problem == "the address has half of a surrogate pair, which is not a character"
    assert bad.url == f"{A}\ufffd"
    assert (good.problem, good.site_url, good.title, good.category) == (None, None, None, None)


def test_a_truncated_seed_file_keeps_its_complete_entries() -> None:
    found = entries(f'[{{"url": "{A}"}}, {{"url": "{B}')
    assert [(each.url, each.problem is None) for each in found] == [(A, True), ("", False)]


# --- CSV and lists -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"\ufefftitle;url\nÄ;{A}\n", [(A, "Ä", ())]),
        (f"sep=;\ntitle;url\nT;{A}\n", [(A, "T", ())]),
        (f"{A},T\n{B},U\n", [(A, "T", ()), (B, "U", ())]),
        (f"T\t{A}\nU\t{B}\n", [(A, "T", ()), (B, "U", ())]),
        (f'Channel Id,Channel Url,Channel Title\nx1,{A},"One, two"\n', [(A, "One, two", ())]),
        (f"Nom;Adresse\nT;{A}\nU;{B}\n", [(A, "T", ()), (B, "U", ())]),
        (f"url,title,tags\n{A},T,x/y; z\n", [(A, "T", (("x", "y"), ("z",)))]),
        (f"title,url\n'=SUM(1),{A}\n'''quoted,{B}\n", [(A, "=SUM(1)", ()), (B, "'''quoted", ())]),
        (f'title,url\n"no end,{A}\nU,{B}\n', [(A, '"no end', ()), (B, "U", ())]),
        (f"site,feed,name\nhttps://a.example/,{A},T\n", [(A, "T", ())]),
        ("title,url\nT,\n", [("", "T", ())]),
        (f'title, url\n"T, t", "{A}"\n', [(A, "T, t", ())]),
        (f"title,url\nOne, two,{A}\n{B}\n", [(A, "One", ()), (B, None, ())]),
        (f"# mine\ntitle,url\nT,{A}\n# not,\n", [(A, "T", ())]),
        (f"#,title,url\n1,T,{A}\n", [(A, "T", ())]),
        (f"Name;Adresse;Ordner\nT;{A};x\n", [(A, "T", (("x",),))]),
    ],
)
def test_csv_columns_are_recognized_by_their_content(text: str, expected: list[Any]) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"# a comment\n\n{A}\n  {B}  \n", [(A, None), (B, None)]),
        (f"- [Alpha]({A}): words\n* [Beta]({B})\n", [(A, "Alpha"), (B, "Beta")]),
        (f"| Name | Feed |\n|---|---|\n| Alpha | [rss]({A}) |\n| Beta | {B} |\n", [(A, "Alpha"), (B, "Beta")]),
        (f"Alpha: {A}.\n", [(A, "Alpha")]),
        (f"见 {A}。\n({B})\n", [(A, "见"), (B, None)]),
        ("https://a.example/x_(y)\n", [("https://a.example/x_(y)", None)]),
        (f"```\n{A}\n```\n{B}\n", [(B, None)]),
        (f"<!-- {A}\n{A} -->\n{B}\n", [(B, None)]),
        (f"<{A}>\n{B}\n", [(A, None), (B, None)]),
        ("https://a.example/a,b;c\n", [("https://a.example/a,b;c", None)]),
        ("example.com\nblog.example.org/feed\n", [("example.com", None), ("blog.example.org/feed", None)]),
        (f"![logo](https://img.example/x.png)\n[A]({A})\n", [(A, "A")]),
        (f"- [![logo](https://img.example/x.png)]({A})\n", [(A, None)]),
        (f"** [[{A}][Alpha]]\n[url={B}]Beta[/url]\n", [(A, None), (B, None)]),
        (f"{A}, {B}\n", [(A, None), (B, None)]),
        (f"一：{A}，{B}。\n", [(A, "一"), (B, None)]),
        (f"{A}\u200b\nBeta → {B}\n", [(A, None), (B, "Beta")]),
        (f"url: \"{A}\"\n'{B}' !\n", [(A, None), (B, None)]),
        ("https://\n203.0.113.9/feed\n", [("https://", None), ("203.0.113.9/feed", None)]),
    ],
)
def test_lists_are_read_without_comments_and_code(text: str, expected: list[Any]) -> None:
    assert [(each.url, each.title) for each in entries(text)] == expected


def test_in_a_table_the_address_of_a_site_is_no_entry_beside_that_of_its_feed() -> None:
    site = "https://a.example/"
    text = (
        f"| Name | About | Website | RSS |\n|---|:-:|---|--:|\n| Alpha | words | {site} | {A} |\n"
        f"| [Beta]({site}) | words | | [feed]({B}) |\n| Gamma | words | https://c.example/ | |\n"
    )
    assert [(each.url, each.title, each.site_url) for each in entries(text)] == [
        (A, "Alpha", site),
        (B, "Beta", site),
        ("https://c.example/", "Gamma", None),
    ]


def test_lines_of_json_are_read_as_an_array_with_their_lines() -> None:
    text = json.dumps({"url": A}) + "\n" + json.dumps({"url": B, "title": "b"}) + "\n" + json.dumps({"title": "c"})
    assert [(each.line, each.url, each.problem) for each in entries(text)] == [
        (1, A, None),
        (2, B, None),
        (3, "", "this entry has no url"),
    ]


def test_the_lists_of_terminal_readers_have_titles_and_tags_and_run_nothing() -> None:
    text = f'{A} "~My name" news "long tag"\n"query:x:y = 1"\nexec:/bin/rm -rf\nfilter:x:{A}\n'
    first, *others = entries(text)
    assert (first.title, first.folders) == ("My name", (("news",), ("long tag",)))
    assert [each.problem for each in others] == [
        f"{name}: is a command of a reader, which is not run" for name in ("query", "exec", "filter")
    ]


# --- limits and hostile files --------------------------------------------------------------------------------


def test_parts_beyond_the_limits_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ENTRIES == 20_000
    monkeypatch.setattr("feedward.intake.read_file.ENTRIES", 20)
    many = read_file("\n".join(f"https://h{number}.example/" for number in range(25)).encode())
    assert (len(many.entries), dict(many.beyond)) == (20, {Beyond.ENTRIES: 5})
    deep = opml(
        '<outline text="f">' * 101 + f'<outline xmlUrl="{A}"/>' + "</outline>" * 101 + f'<outline xmlUrl="{B}"/>'
    )
    read = read_file(deep.encode())
    assert ([each.url for each in read.entries], dict(read.beyond)) == ([B], {Beyond.DEPTH: 1})


def test_a_file_whose_entries_all_lie_beyond_the_limits_says_so() -> None:
    body = "<opml><body>" + '<outline text="x">' * 1000 + f'<outline xmlUrl="{A}"/>'
    with pytest.raises(UnusableFile, match=r"No entry was found in this file. Beyond its limits: depth 1\."):
        read_file(body.encode())
    long = opml(f'<outline text="{"x" * 70_000}" xmlUrl="{A}"/><outline xmlUrl="{B}"/>')
    read = read_file(long.encode())
    assert ([each.url for each in read.entries], dict(read.beyond)) == ([B], {Beyond.TAG: 1})


@pytest.mark.parametrize(
    "text",
    [
        "<!DOCTYPE opml [" + '<!ENTITY a "aaaaaaaaaa">' + "".join(
            f'<!ENTITY a{number} "&a;&a;&a;&a;&a;&a;&a;&a;">' for number in range(50)
        ) + f']><opml><outline text="&a9;" xmlUrl="{A}"/></opml>',
        '<!DOCTYPE opml SYSTEM "http://evil.example/x.dtd"><opml><outline xmlUrl="' + A + '"/></opml>',
        "<opml>" + "<outline text='f'>" * 30_000 + "</outline>" * 30_000 + f'<outline xmlUrl="{A}"/>',
        "<opml><outline " + " ".join(f'a{number}="{number}"' for number in range(40_000))
        + f'/><outline xmlUrl="{A}"/>',
        "<opml><outline text='" + '" ' * 100_000 + f"'/><outline xmlUrl=\"{A}\"/>",
        "<opml>" + "<!--" * 50_000 + f'<outline xmlUrl="{A}"/>',
        "<opml>" + "<outline " * 30_000 + f'<outline xmlUrl="{A}"/>',
        f'<opml><outline xmlUrl="{A}"/>' + "<" * 200_000,
        f'[{{"url": "{A}"}}, ' + "[" * 100_000,
        f'[{{"url": "{A}"}}, "' + '\\"' * 100_000,
        f"{A}\n" + "(" * 100_000,
        f"{A}\n" + "[](" * 40_000,
        f'title,url\nT,{A}\n' + '"' * 50_001,
        f'title,url\nT,{A}\n' + "#,,,,,,,,,,,,,,,,,,\n" * 20_000,
        "<opml>" + ('<outline a="' + "<!--" * 16_000) * 3 + f'"/><outline xmlUrl="{A}"/>',
        "<opml>" + ('<outline a="-->' + "<![CDATA[" * 7_000) * 3 + f'"/><outline xmlUrl="{A}"/>',
        f'[{{"url": "{A}"}}, {{"url": "x"' + "," * 60_000 + "}]",
    ],
    ids=["entities", "dtd", "depth", "attributes", "quotes", "comments", "starts", "signs", "arrays", "escapes",
         "brackets", "links", "csv", "csv comments", "comments in a tag", "cdata in a tag", "commas"],
)  # fmt: skip
def test_a_hostile_file_is_read_in_linear_time_and_its_good_entry_is_kept(text: str) -> None:
    good = [each for each in entries(text) if each.problem is None]
    assert [each.url for each in good] == [A]
    assert all(len(each.title or "") < 600 for each in good)


def test_episodes_within_the_outline_of_a_feed_are_no_entries() -> None:
    episodes = (
        '<outline type="podcast-episode" title="1" url="https://a.example/1"/><outline url="https://a.example/2"/>'
    )
    podcast = f'<outline text="Casts"><outline text="A" xmlUrl="{A}">{episodes}</outline></outline>'

    assert shown(opml(f'{podcast}<outline text="B" url="{B}"/>')) == [(A, "A", (("Casts",),)), (B, "B", ())]


def test_feeds_within_an_unclosed_outline_of_a_feed_are_entries() -> None:
    assert [each.url for each in entries(opml(f'<outline xmlUrl="{A}"><outline type="rss" url="{B}">'))] == [A, B]


def test_tags_of_a_terminal_reader_need_no_quotes_beside_a_title() -> None:
    assert shown(f'{A} news "two words" "~The title" !\n{B} Some words\n') == [
        (A, "The title", (("news",), ("two words",))),
        (B, "Some words", ()),
    ]


def test_an_escaped_bar_in_a_table_is_text() -> None:
    text = f"| Name | Site | RSS |\n|---|---|---|\n| This \\| That | https://a.example | {A} |\n"

    assert shown(text) == [(A, "This | That", ())]


def test_a_single_line_of_json_is_an_array_of_one() -> None:
    assert shown(f'{{"url": "{A}", "title": "A"}}\n') == [(A, "A", ())]


@pytest.mark.parametrize(
    ("title", "encoding"),
    [
        ("Новости дня", "cp1251"),
        ("Новости дня", "koi8-r"),
        ("Été à la forêt", "cp1252"),
        ("“À propos” — Œuvre", "cp1252"),
        ("Zeitung für Bücher", "latin-1"),
    ],
)
def test_a_table_without_a_declared_encoding_is_read(title: str, encoding: str) -> None:
    assert shown(f"name;url\n{title};{A}\n".encode(encoding)) == [(A, title, ())]
