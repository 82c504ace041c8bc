"""Advertised links: rel tokens and types, by the letter; each URL once, as its best (rules D2, D5)."""

from __future__ import annotations

import pytest
from urllib3 import HTTPHeaderDict

from feedward.adapters.fetching.head import header_map
from feedward.discovery.candidate import DiscoveredFrom, Lead, Source
from feedward.discovery.page import read_page
from feedward.urls.safety import refuse_url

SITE = "https://example.com/"
RSS = "application/rss+xml"


def leads(html: str, url: str = SITE, **headers: str) -> list[Lead]:
    return list(read_page(html.encode(), url=url, headers=headers).links)


def source_of(attributes: str) -> Source | None:
    found = leads(f"<link href=/f {attributes}>")
    return found[0].source if found else None


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        (f"rel=alternate type={RSS}", Source.LINK),
        (f"rel=' ALTERNATE\n' type=' {RSS.upper()} ; charset=utf-8'", Source.LINK),
        (f"rel='home alternate x' type={RSS}", Source.LINK),
        (f"rel='alternate feed' type={RSS}", Source.LINK),
        ("rel=feed", Source.REL_FEED),
        ("rel='x FeeD y'", Source.REL_FEED),
        *((f"rel={rel}", Source.REL_FEED) for rel in ("rss", "RSS", "atom")),
        (f"rel=rss type={RSS}", Source.REL_FEED),
        (f"rel=alternative type={RSS}", Source.LINK),
        ("rel=alternative type=rss", Source.LINK),
        (f"rel='alternative stylesheet' type={RSS}", None),
        ("rel=rss type=text/html", None),
        ("type=rss", Source.LINK),
        ("rel='feed stylesheet'", Source.REL_FEED),
        ("rel='alternate feed' type=application/json", Source.REL_FEED),
        ("rel=feed type=text/html", None),
        (f"type={RSS}", Source.LINK),
        (f"rel='' type={RSS}", Source.LINK),
        ("type=text/xml", None),
        ("type=text/xml title='RSS feed'", Source.LINK_GENERIC),
        ("type=text/xml title=Search", None),
        ("rel=search type=text/xml title='RSS feed'", None),
        (f"rel=service.feed type={RSS}", Source.REL_FEED),
        (f"rel='alternate stylesheet' type={RSS}", None),
        *(
            (f"rel={rel} type={RSS}", None)
            for rel in ("alternates", "alternate-like", "x-alternate", "canonical", "me")
        ),
        *((f"rel={rel} type={RSS}", None) for rel in ("stylesheet", "service.post", "blogroll", "self", "preload")),
        ("rel=alternate", None),
        ("rel=alternate hreflang=de", None),
        ("rel=alternate type=text/html", None),
        ("", None),
    ],
)
def test_rel_and_type(attributes: str, expected: Source | None) -> None:
    assert source_of(attributes) is expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        *(
            (f"application/{name}", Source.LINK)
            for name in ("rss+xml", "atom+xml", "rdf+xml", "feed+json", "json+feed")
        ),
        *((f"application/{name}", Source.LINK) for name in ("x.atom+xml", "x-atom+xml", "x-rss+xml", "rss", "atom")),
        *((f"text/{name}", Source.LINK) for name in ("rss+xml", "atom+xml", "rss", "atom")),
        *((f"application/{name}", Source.LINK_GENERIC) for name in ("json", "xml")),
        *((f"text/{name}", Source.LINK_GENERIC) for name in ("json", "xml", "XML; charset=utf-8")),
        ("application/json+oembed", None),
        ("text/xml+oembed", None),
        ("application/atom+xml;type=entry", None),
        ("application/atom+xml; charset=x; Type = 'Entry'", None),
        ("application/atom+xml;type=feed", Source.LINK),
        ("application/ld+json", None),
        ("application/opensearchdescription+xml", None),
        *((f"application/{name}", Source.LINK) for name in ("rss xml", "rss+xmlx", "rss/xml", "feed")),
        *((name, Source.LINK) for name in ("rss", "RSS", "atom", "rss+xml", "text/xml+rss")),
        ("application/atomsvc+xml", None),
        ("application/atomcat+xml", None),
        ("image/svg+xml", None),
    ],
)
def test_types_count_by_name_also_misspelt(kind: str, expected: Source | None) -> None:
    assert source_of(f'rel=alternate type="{kind}"') is expected


@pytest.mark.parametrize(
    ("href", "more", "expected"),
    [
        ("/feed.xml", "", Source.LINK_GENERIC),
        ("/blog/rss/", "", Source.LINK_GENERIC),
        ("/feed/", "type=''", Source.LINK_GENERIC),
        ("/de/feed/", "hreflang=de", None),
        ("/m/feed/", "media=handheld", None),
        ("/feed/", "type=text/html", Source.LINK_GENERIC),
        ("/news/out.rss", "type='Text/HTML; charset=utf-8' title=RSS", Source.LINK_GENERIC),
        ("/news/out.php", "type=text/html title=RSS", None),
        ("/rss.xml", "type=text/plain", Source.LINK_GENERIC),
        ("/notes.txt", "type=text/plain", None),
        ("/f", "type=xml", Source.LINK_GENERIC),
        ("/m/feed/", "type=text/html media=handheld", None),
        ("/what-is-rss/", "", Source.LINK_GENERIC),
        ("/rss-explained/", "", None),
        ("/de/", "", None),
    ],
)
def test_an_alternate_that_says_nothing_of_itself_counts_by_its_path(
    href: str, more: str, expected: Source | None
) -> None:
    found = leads(f"<link rel=alternate href={href} {more}>")

    assert [lead.source for lead in found] == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("/f?a=1&amp;b=2&#38;c=3#part", "https://example.com/f?a=1&b=2&c=3"),
        ("//feeds.example.org/f", "https://feeds.example.org/f"),
        ("?type=9818", "https://example.com/blog/post?type=9818"),
        ("feed.xml", "https://example.com/blog/feed.xml"),
        (" /f\n", "https://example.com/f"),
        ("/my feed", "https://example.com/my%20feed"),
        ("feed://example.com/f", "https://example.com/f"),
        ("feed:https://example.com/f", "https://example.com/f"),
        ("feed:http://example.com/f", "http://example.com/f"),
        ("pcast://example.com/f", "https://example.com/f"),
        ("https://例え.jp/f", "https://xn--r8jz45g.jp/f"),
        ("http://example.com:8080/f", "http://example.com:8080/f"),
        *((bad, None) for bad in ("", "#", "#f", "post", "post#f", "http://[bad", "javascript:go()", "mailto:a@b.c")),
        *(
            (bad, None)
            for bad in ("data:text/xml,x", "file:///etc/passwd", "ftp://example.com/f", "//u:p@example.com/f")
        ),
        ("/" + "x" * 3000, None),
    ],
)
def test_hrefs_become_urls_that_can_be_fetched_and_a_bad_one_costs_itself_only(href: str, expected: str | None) -> None:
    link = f"<link rel=alternate type={RSS} href="

    found = leads(f'{link}"{href}">{link}/good>', url="https://example.com/blog/post")

    assert [lead.url for lead in found] == [*filter(None, [expected]), "https://example.com/good"]


@pytest.mark.parametrize(
    ("href", "kept"),
    [
        ("http://localhost/f", "http://localhost/f"),
        ("http://[::1]/f", "http://[::1]/f"),
        ("http://169.254.169.254/f", "http://169.254.169.254/f"),
        ("http://2130706433/f", "http://127.0.0.1/f"),
        ("http://example.com:22/f", "http://example.com:22/f"),
    ],
)
def test_link_to_a_forbidden_address_stays_for_its_refusal_to_be_told(href: str, kept: str) -> None:
    found = leads(f'<link rel=alternate type={RSS} href="{href}">', url="https://example.com/blog/post")

    assert [lead.url for lead in found] == [kept]
    assert refuse_url(kept) is not None


def test_a_port_that_the_page_came_from_is_good_for_its_feeds() -> None:
    html = f"<link rel=alternate type={RSS} href=/f>"

    assert [lead.url for lead in leads(html, url="http://example.com:4000/")] == ["http://example.com:4000/f"]


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        (f"type={RSS} href=''", True),
        (f"type={RSS} href=' '", True),
        (f"type={RSS} href=/blog/post", True),
        (f"type={RSS} href=post", True),
        (f"type={RSS} href='?a=1'", False),
        (f"type={RSS} href='#'", False),
        ("type='application/atom+xml;type=entry' href=''", False),
        ("type=application/json href=''", False),
        ("href=''", False),
    ],
)
def test_a_page_may_say_that_it_is_a_feed_itself(attributes: str, expected: bool) -> None:
    html = f"<link rel=alternate {attributes}>".encode()
    assert read_page(html, url="https://example.com/blog/post", headers={}).advertises_itself is expected


@pytest.mark.parametrize("tag", ["<a {}>x</a>", "<area {}>"])
def test_rel_counts_on_a_and_area(tag: str) -> None:
    (alternate,) = leads(tag.format(f"rel='nofollow alternate' type={RSS} href=/f"))
    (feed,) = leads(tag.format("rel=feed href=/f"))

    assert (alternate.source, feed.source) == (Source.LINK, Source.REL_FEED)
    assert leads(tag.format("rel=alternate href=/f")) == []
    assert leads(tag.format("rel=nofollow href=/f")) == []


def test_a_duplicate_counts_once_in_its_first_place_as_the_best_typed() -> None:
    found = leads(
        f"""<link rel=alternate type=application/json href=/f title=One><link rel=alternate type={RSS} href=/g>
        <link rel=alternate type={RSS} href=/f title=Two hreflang=en><link rel=alternate type=image/x href=/f>"""
    )

    assert [(lead.url, lead.source, lead.position) for lead in found] == [
        ("https://example.com/f", Source.LINK, 0),
        ("https://example.com/g", Source.LINK, 1),
    ]
    assert (found[0].title, found[0].language) == ("One", "en")


def test_an_unknown_type_hides_no_feed_of_the_same_url() -> None:
    (lead,) = leads(f"<link rel=alternate type=x/y href=/f><link rel=alternate type={RSS} href=/f>")

    assert lead.source is Source.LINK


def test_a_lead_says_in_words_where_it_was_found() -> None:
    html = f"""<link rel=Alternate type='{RSS}; charset=utf-8' href=/1 title=' News &amp;\n more ' hreflang=pt_BR>
        <link rel=feed href=/2><link type={RSS} href=/3><a rel=alternate type={RSS} href=/4>x</a>"""
    found = leads(html, link=f"</5>; rel=alternate; type={RSS}")

    assert [lead.why for lead in found] == [
        f"link rel=alternate type={RSS}",
        "link rel=feed",
        f"link type={RSS}",
        f"a rel=alternate type={RSS}",
        f"Link header rel=alternate type={RSS}",
    ]
    assert (found[0].title, found[0].language, found[0].page_url) == ("News & more", "pt-br", SITE)


# --- Link headers ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (f"</f>; rel=alternate; type={RSS}", ["/f"]),
        ('</f>; rel="x ALTERNATE"; type="text/xml"', ["/f"]),
        ("</f>; rel=feed", ["/f"]),
        ("</feed.xml>; rel=alternate", ["/feed.xml"]),
        ("</de/>; rel=alternate; hreflang=de", []),
        (f"</f>; type={RSS}", []),
        (f"</f>; rel=canonical; type={RSS}", []),
        (f"</f>; rel='alternate stylesheet'; type={RSS}", []),
        (f"</f>; rel=alternate; type={RSS}; anchor=/other", []),
        (f"</f>; rel=alternate; type={RSS}; anchor='#top'", ["/f"]),
        (f"<#f>; rel=alternate; type={RSS}", []),
        (f"<javascript:0>; rel=alternate; type={RSS}, </f>; rel=feed", ["/f"]),
        ("<https://example.com/wp-json/>; rel='https://api.w.org/'", []),
        ("</wp-json/wp/v2/posts/1>; rel=alternate; type=application/json", []),
    ],
)
def test_link_headers(header: str, expected: list[str]) -> None:
    found = leads("", link=header)

    assert [lead.url.removeprefix("https://example.com") for lead in found] == expected
    assert {lead.source.discovered_from for lead in found} <= {DiscoveredFrom.HEADERS}


def test_several_link_headers_are_as_good_as_one() -> None:
    answer = HTTPHeaderDict()
    answer.add("Link", '</feed.atom>; rel="alternate"; type="application/atom+xml", </c.css>; rel=stylesheet')
    answer.add("Link", f"</news.rss>; rel=alternate; type={RSS}; title='a, b'")

    found = leads("", **header_map(answer))

    assert [lead.url for lead in found] == ["https://example.com/feed.atom", "https://example.com/news.rss"]


# --- faults that others had -----------------------------------------------------------------------


def test_oembed_is_no_feed() -> None:
    html = """<link rel=alternate type='application/json+oembed' href='/wp-json/oembed/1.0/embed?url=x'>
        <link rel=alternate type='text/xml+oembed' href='/wp-json/oembed/1.0/embed?url=x&amp;format=xml'>"""

    assert leads(html) == []
    assert [lead.url for lead in leads(f"{html}<link rel=alternate type={RSS} href='/feed/'>")] == [SITE + "feed/"]


def test_a_feed_that_only_an_anchor_in_the_footer_advertises() -> None:
    html = f"<footer><a href='/categories/blog/index.xml' rel=alternate type='{RSS}'>x</a></footer>"
    (lead,) = leads(html, url="https://example.se/categories/blog/")

    assert lead.url == "https://example.se/categories/blog/index.xml"


def test_links_of_a_head_that_ended_early() -> None:
    html = f"<head><title>x</title><div></div><link rel=alternate type='{RSS}' href='/feed/'></head><body>"

    assert [lead.url for lead in leads(html)] == [SITE + "feed/"]


def test_a_json_feed_by_the_type_that_its_first_version_had() -> None:
    (lead,) = leads("<link rel=alternate href='feed.json' type='application/json'>", url="https://example.org/")

    assert (lead.url, lead.source) == ("https://example.org/feed.json", Source.LINK_GENERIC)
