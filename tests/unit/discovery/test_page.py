"""A page is read once, whole and by a real parser; nothing in it can cost more than a second (rule D2)."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedward.discovery.candidate import Lead, Source
from feedward.discovery.page import Page, header_leads, is_html, read_page
from feedward.model import FetchResult, Outcome
from feedward.urls.parse import parse_http_url
from feedward.urls.safety import Refusal, admit_url
from tests.effort import costs_at_most

SITE = "https://example.com/"


def page(html: str | bytes, url: str = SITE, **headers: str) -> Page:
    body = html if isinstance(html, bytes) else html.encode()
    return read_page(body, url=url, headers={name.replace("_", "-"): value for name, value in headers.items()})


def paths(leads: tuple[Lead, ...]) -> list[str]:
    return [lead.url.removeprefix("https://example.com") for lead in leads]


def test_everything_that_a_page_says_of_itself() -> None:
    read = page(
        """<!doctype html><html lang="de_AT"><head><title>
        My   site</title><meta name="Generator" content=" Hugo 0.1 "><meta property="og:site_name" content="Site">
        <link rel="shortcut ICON" href="i.png"><link rel="canonical" href="/home"><link rel="hub" href="//hub.example/">
        <link rel="alternate" type="application/rss+xml" title="News" hreflang="de" href="feed.xml">
        <meta http-equiv="Refresh" content="0; url='/neu'"></head><body><a href="/rss">RSS</a></body></html>""",
        url="https://example.com/blog/#top",
    )

    assert read.url == read.base_url == "https://example.com/blog/"
    assert (read.title, read.language, read.generator) == ("My site", "de-at", "Hugo 0.1")
    assert read.favicon == "https://example.com/blog/i.png"
    assert read.canonical_url == "https://example.com/home"
    assert read.refresh_url == "https://example.com/neu"
    assert read.hub_urls == ("https://hub.example/",)
    assert read.meta == {"generator": "Hugo 0.1", "og:site_name": "Site"}
    assert [lead.url for lead in read.links] == ["https://example.com/blog/feed.xml"]
    assert [lead.url for lead in read.anchors] == ["https://example.com/rss"]
    assert "My   site" in read.html


def test_an_empty_page_says_nothing() -> None:
    read = page(b"")

    assert (read.title, read.links, read.anchors, read.favicon, read.refresh_url) == (None, (), (), None, None)


# --- base -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bases", "expected"),
    [
        ("", "https://example.com/a/f.xml"),
        ("<base href='/x/'>", "https://example.com/x/f.xml"),
        ("<base href='x/'>", "https://example.com/a/x/f.xml"),
        ("<base href='http://other.example/d/page'>", "http://other.example/d/f.xml"),
        ("<base target=_top><base href=/x/>", "https://example.com/x/f.xml"),
        ("<base href=/x/><base href=/y/>", "https://example.com/x/f.xml"),
        ("<base href='http://[bad'><base href=/y/>", "https://example.com/y/f.xml"),
        ("<base href='javascript:0'>", "https://example.com/a/f.xml"),
        ("<base href='data:text/html,x'>", "https://example.com/a/f.xml"),
        ("<base href='http://localhost:1313/'>", "https://example.com/a/f.xml"),
        ("<base href=''>", "https://example.com/a/f.xml"),
    ],
)
def test_the_first_base_that_is_one_counts(bases: str, expected: str) -> None:
    link = "<link rel=alternate type=application/atom+xml href=f.xml>"

    assert [lead.url for lead in page(bases + link, url="https://example.com/a/b").links] == [expected]
    assert [lead.url for lead in page(link + bases, url="https://example.com/a/b").links] == [expected]


def test_a_link_header_is_relative_to_the_page_and_not_to_its_base() -> None:
    read = page("<base href=/x/>", link="<f.xml>; rel=alternate; type=application/rss+xml")

    assert paths(read.links) == ["/f.xml"]


# --- where links stand ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "html",
    [
        "<!-- {link} -->",
        "<!--[if IE]>{link}<![endif]-->",
        "<script>var s = '{link}';</script>",
        "<style>{link}</style>",
        "<textarea>{link}</textarea>",
        "<title>{link}</title>",
        "<template>{link}</template>",
        "<template><template></template>{link}</template>",
        "<xmp>{link}</xmp>",
        "<iframe>{link}</iframe>",
        "<p title='{link}'>",
        "&lt;link rel=alternate type=application/rss+xml href=/f>",
        "<?php {link} ?>",
    ],
)
def test_a_body_without_markup_advertises_nothing(html: str) -> None:
    assert page(html.format(link='<link rel="alternate" type="application/rss+xml" href="/f">')).links == ()


@pytest.mark.parametrize(
    "html",
    [
        "<head>{link}</head>",
        "{link}",
        "<body><div><p>{link}",
        "<head><title>x</title><div></div>{link}</head><body>",
        "<noscript>{link}</noscript>",
        "<!-->{link}",
        "<!-- a --!>{link}",
        "<script src=/s.js />{link}",
        "<title/>{link}",
        "<table><tr>{link}",
        "<template></template>{link}",
        "<p title='a > b'>{link}",
        "<div><template shadowrootmode=open>{link}</template></div>",
        "\ufeff\n<?xml version='1.0'?><!DOCTYPE html><html xmlns='http://www.w3.org/1999/xhtml'><head>{link}</head></html>",
        "<svg><path d='M0'/><script>x</script></svg>{link}",
        "<select><option>a</select>{link}",
        "a < b {link}",
    ],
)
def test_a_link_counts_wherever_it_stands(html: str) -> None:
    read = page(html.replace("{link}", "<link rel=alternate type=application/rss+xml href=/f />"))

    assert paths(read.links) == ["/f"]


@pytest.mark.parametrize(
    "spelling", ['HREF="/f"', "href='/f'", "href=/f", "href = /f", "href=' /f\n'", 'x href=/f y="\'"']
)
def test_attributes_are_read_in_every_spelling(spelling: str) -> None:
    assert paths(page(f"<LINK REL=ALTERNATE TYPE=APPLICATION/RSS+XML {spelling}>").links) == ["/f"]


def test_links_of_the_markup_come_before_those_of_headers_and_each_once() -> None:
    header = "</h>; rel=alternate; type=application/atom+xml, </f>; rel=alternate; type=application/rss+xml"
    read = page(
        "<link rel=alternate type=application/rss+xml href=/f><a href=/f>RSS</a><a href=/h>RSS</a>", link=header
    )

    assert [(lead.url, lead.source) for lead in read.links] == [
        ("https://example.com/f", Source.LINK),
        ("https://example.com/h", Source.LINK_HEADER),
    ]
    assert read.anchors == ()


def test_plain_text_is_no_page_but_its_headers_count() -> None:
    link = "<link rel=alternate type=application/rss+xml href=/shown-as-code>"
    read = page(link, content_type="text/plain", link="</f>; rel=feed")

    assert (paths(read.links), read.html) == (["/f"], "")


def test_header_leads_are_those_of_any_answer() -> None:
    (lead,) = header_leads(SITE, {"link": '<f>; rel="alternate"; type="application/rss+xml"; title="T"'})

    assert (lead.url, lead.source, lead.title) == ("https://example.com/f", Source.LINK_HEADER, "T")
    assert header_leads(SITE, {}) == []


# --- refresh, title, language, icon, hubs ----------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("0;url=/x", "/x"),
        ("0; URL = /x ", "/x"),
        ("0 /x", "/x"),
        ("0, url=/x", "/x"),
        ("0;url='/x'", "/x"),
        ("0;url='/x' trailing", "/x"),
        ("5.5;url=/x", "/x"),
        ("10;url=/x", "/x"),
        ("0;url=/x#part", "/x"),
        ("11;url=/x", None),
        ("600", None),
        ("0", None),
        ("0;url=", None),
        ("", None),
        ("0;url=#part", None),
        ("0;url=/", None),
        ("url=/x", None),
        ("0;url=javascript:go()", None),
        ("0;url=http://127.0.0.1/", None),
    ],
)
def test_a_refresh_within_ten_seconds_leads_on(content: str, expected: str | None) -> None:
    read = page(f'<meta http-equiv="REFRESH" content="{content}">')

    assert read.refresh_url == (expected and f"https://example.com{expected}")


def test_a_refresh_counts_in_noscript_and_as_a_header() -> None:
    assert page("<noscript><meta http-equiv=refresh content='0;/x'></noscript>").refresh_url == "https://example.com/x"
    assert page("", refresh="0; url=/x").refresh_url == "https://example.com/x"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<title>A &amp; B</title>", "A & B"),
        ("<title> </title><title>Second</title>", "Second"),
        ("<title>a <b>c</b></title>", "a <b>c</b>"),
        ("<meta property=og:title content=Shared><body><svg><title>Logo</title></svg>", "Shared"),
        ("<a href=/><svg><title>RSS</title></svg></a>", None),
        ("<div></div><title>Late</title>", "Late"),
        ("", None),
    ],
)
def test_title(html: str, expected: str | None) -> None:
    assert page(html).title == expected


@pytest.mark.parametrize(
    ("html", "headers", "expected"),
    [
        ("<html lang=EN>", {}, "en"),
        ("<!-- <html lang=fr> --><html xml:lang='de'>", {}, "de"),
        ("<meta http-equiv=content-language content=pt_BR>", {}, "pt-br"),
        ("<html>", {"content_language": "nl"}, "nl"),
        ("<html lang=x-default>", {}, None),
        ("<html lang='no language'>", {}, None),
        ("<html lang>", {}, None),
    ],
)
def test_language(html: str, headers: dict[str, str], expected: str | None) -> None:
    assert page(html, **headers).language == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<link rel=icon href=/a.ico><link rel=icon href=/b.ico>", "/a.ico"),
        ("<link rel=apple-touch-icon href=/t.png><link rel='SHORTCUT Icon' href=/a.ico>", "/a.ico"),
        ("<link rel=apple-touch-icon href=/t.png>", "/t.png"),
        ("<link rel=icon href=data:image/png;base64,AA><link rel=icon href=/b.ico>", "/b.ico"),
        ("<link rel=mask-icon href=/m.svg>", None),
        ("", None),
    ],
)
def test_favicon(html: str, expected: str | None) -> None:
    assert page(html).favicon == (expected and f"https://example.com{expected}")


def test_hubs_are_those_of_headers_and_links_each_once() -> None:
    read = page("<link rel=hub href=//a.example/><link rel='hub self' href=//b.example>", link="<//b.example>; rel=hub")

    assert read.hub_urls == ("https://b.example/", "https://a.example/")


def test_canonical_of_a_header_counts_where_the_page_has_none() -> None:
    assert page("", link="</c>; rel=canonical").canonical_url == "https://example.com/c"
    assert page("<link rel=canonical href=/d>", link="</c>; rel=canonical").canonical_url == "https://example.com/d"


# --- documents that are pages ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        ("anything", "text/html; charset=utf-8", True),
        ("anything", None, True),
        ("anything", "Application/XHTML+XML", True),
        ("<!DOCTYPE html><p>", "text/plain", True),
        ("\n<!-- made by x -->\n<html>", "application/octet-stream", True),
        ("<?xml version='1.0'?><!DOCTYPE html><html>", "application/json", True),
        ("# <html> in Markdown", "text/plain", False),
        ("<htmlish>", "text/plain", False),
        ("{}", "application/json", False),
        ("GIF89a", "image/gif", False),
    ],
)
def test_a_page_is_recognized_by_its_type_or_its_beginning(body: str, content_type: str | None, expected: bool) -> None:
    headers = {"content-type": content_type} if content_type else {}

    assert is_html(FetchResult(outcome=Outcome.OK, url=SITE, body=body.encode(), headers=headers)) is expected


# --- hostile pages --------------------------------------------------------------------------------

READ = 2_000_000  # characters of a page
LARGE = READ // 4  # enough that more than linear time would be minutes


def filled(unit: str, size: int = LARGE) -> str:
    return unit * (size // len(unit))


HOSTILE = {
    "nested blocks": filled("<div>"),
    "nested formatting": "<p>" + "".join(f"<b id={n}>" for n in range(5000)) + "<p>x" * 75_000,
    "nested tables": filled("<table><td>"),
    "nested templates": filled("<template><a href=/feed>"),
    "nested drawings": filled("<svg><title>"),
    "one tag of many attributes": "<a " + " ".join(f"a{n}" for n in range(60_000)) + ">",
    "one root of many attributes": "".join(f"<html a{n}=1>" for n in range(25_000)),
    "an unclosed tag of many attributes": "<link " + " ".join(f"a{n}=" for n in range(60_000)),
    "a tag that never ends": filled("<a ='>' "),
    "unclosed scripts": filled("<script>"),
    "unclosed comments": filled("<!--"),
    "quotes": filled("<a =\"'>"),
    "angle brackets": filled("<"),
    "ends of nothing": filled("</a>"),
    "ampersands": filled("&amp"),
    "links": "".join(f"<a href=/{n}>x{n}</a>" for n in range(25_000)),
    "feeds": "".join(f"<a href=/feed/{n}>RSS</a>" for n in range(25_000)),
    "labels": "".join(f"<a href=/{n}>RSS</a>" for n in range(25_000)),
    "advertisements": "".join(f"<link rel=alternate type=text/xml href=/{n}>" for n in range(11_000)),
    "hubs": filled("<link rel=hub href=/x>"),
    "icons": filled("<a href=/x><img alt=rss>"),
    "bad references": filled("<link rel='feed canonical icon' href='http://[x'>"),
    "a long reference": f"<a href='/feed/{filled('&amp;')}'>RSS</a>",
    "a long label": f"<a href=/x>{filled('RSSS ')}</a>",
    "a long class": f"<a href=/x class='{filled('aB')}'>x</a>",
    "a long refresh": f"<meta http-equiv=refresh content='0{filled(' ')}x'>",
    "null bytes": filled("\0"),
}


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_page_costs_bounded_time_and_gives_bounded_lists(html: str) -> None:
    pages: list[Page] = []

    assert costs_at_most(1, lambda: pages.append(page(html.encode())))  # most take a tenth of that; unbounded, minutes
    (read,) = pages
    assert len(read.links) <= 1000
    assert len(read.anchors) <= 1000
    assert len(read.hub_urls) <= 10


def test_the_first_two_megabytes_are_read_and_no_more() -> None:
    link = "<link rel=feed href=/{}>"

    read = page(link.format("first") + filled("word ", READ) + link.format("late"))

    assert paths(read.links) == ["/first"]


def test_a_feed_link_behind_a_hundred_thousand_others_is_found() -> None:
    others = "".join(f"<a href=/{n}>{n}</a>" for n in range(60_000))

    assert paths(page(f"{others}<a href=/feed.xml>x</a>").anchors) == ["/feed.xml"]


PIECES = st.sampled_from(
    [
        *(
            "<a href=/feed>",
            "<a href='http://localhost/rss'>RSS",
            "</a>",
            "<a href=javascript:0>RSS",
            "<A HREF=/x title=rss>",
        ),
        *("<a href=mailto:a@b.c>Subscribe", "<a href='//user:pw@h.example/feed'>", "<a href='http://[::1]/feed'>"),
        *(
            "<link rel=alternate type=application/rss+xml href=",
            "'/f'>",
            '"/g">',
            "file:///etc/passwd>",
            "<base href=/b/>",
        ),
        *("<base href=file:///x>", "<link rel=icon href=data:,x>", "<link rel=canonical href=ftp://h.example/>"),
        *(
            "<link rel=hub href=http://169.254.169.254/>",
            "<meta http-equiv=refresh content='0;url=feed:x'>",
            "<!--",
            "-->",
        ),
        *(
            "<script>",
            "</script>",
            "<title>",
            "</title>",
            "<template>",
            "</template>",
            "<img alt=rss>",
            "<",
            ">",
            "'",
            '"',
        ),
        *("\0", "\ud800", "\u200b", " ", "&amp;", "&#0;", "<html lang=en>", "<area href=feed://h.example/f alt=feed>"),
    ]
)
HEADER = st.text(alphabet="<>;,=\"' \\/abrelt+xml*", max_size=60)


@given(st.lists(PIECES | st.text(max_size=8), max_size=25), HEADER)
def test_any_page_is_read_and_all_its_urls_can_be_fetched(pieces: list[str], header: str) -> None:
    body = "".join(pieces).encode("utf-8", "surrogatepass")
    headers = {"link": f"<feed>; rel=feed, {header}", "content-type": "text/html"}

    read = read_page(body, url=SITE, headers=headers)

    singles = [read.url, read.base_url, read.favicon, read.canonical_url, read.refresh_url]
    leads = [*read.links, *read.anchors]
    for url in [*filter(None, singles), *read.hub_urls]:
        assert not isinstance(admit_url(url), Refusal), url
    for lead in leads:
        admitted = admit_url(lead.url)
        assert not isinstance(admitted, Refusal) or admitted.outcome is Outcome.BLOCKED, lead.url
        parsed = parse_http_url(lead.url)
        assert parsed is not None
        assert (parsed.href, parsed.username, parsed.hash) == (lead.url, "", "")
    assert len({lead.url for lead in leads}) == len(leads)
    assert all(lead.why and lead.page_url == SITE for lead in leads)
    again = read_page(body, url=SITE, headers=headers)
    assert all(getattr(read, each.name) == getattr(again, each.name) for each in fields(Page))


@settings(max_examples=50)
@given(st.binary(max_size=300), st.sampled_from(["", "text/html", "text/html; charset=utf-16", "text/html;charset=x"]))
def test_any_bytes_are_read(body: bytes, content_type: str) -> None:
    assert page(b"<a href=/feed>" + body, content_type=content_type).url == SITE
