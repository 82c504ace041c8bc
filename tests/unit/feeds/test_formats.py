"""Each format gives the same facts: title, links, hubs, language, hints, items (rule P1)."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.feeds.parse import parse_feed
from feedward.model import Feed, FeedFormat, Rejection, RejectionReason

RSS_20 = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"
     xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
  <itunes:title>Podcast title</itunes:title>
  <image><title>Logo</title><link>https://example.com/logo</link></image>
  <title>Tea &amp; Cake</title>
  <link>https://example.com/</link>
  <atom:link rel="self" href="https://example.com/feed"/>
  <atom:link rel="hub" href="https://hub.example/"/>
  <atom:link rel="hub" href="https://hub2.example/"/>
  <description>All about &lt;b&gt;tea&lt;/b&gt;</description>
  <language>en_US</language>
  <ttl>60</ttl>
  <sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency>
  <sy:updateBase>2000-01-01T12:00+00:00</sy:updateBase>
  <itunes:new-feed-url>https://new.example/feed</itunes:new-feed-url>
  <item>
    <media:title>Picture</media:title>
    <title>First</title>
    <link>https://example.com/1</link>
    <guid isPermaLink="false">one</guid>
    <pubDate>Mon, 01 Jan 2024 10:00:00 +0100</pubDate>
    <atom:updated>2024-01-02T00:00:00Z</atom:updated>
  </item>
</channel></rss>"""

ATOM_10 = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de">
  <title type="html">Tea &amp;amp; &lt;b&gt;Cake&lt;/b&gt;</title><subtitle>About tea</subtitle><id>urn:feed</id>
  <link href="https://example.com/"/><link rel="self" href="https://example.com/atom"/>
  <link rel="hub" href="https://hub.example/"/>
  <entry><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">The <i>first</i> &lt;one&gt;</div></title>
    <id>urn:1</id><link rel="via" href="https://other.example/"/><link href="https://example.com/1"/>
    <published>2024-01-01T09:00:00Z</published><updated>2024-01-02T00:00:00Z</updated>
    <source><title>Elsewhere</title><id>urn:elsewhere</id></source></entry></feed>"""

RSS_10 = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
    xmlns:dc="http://purl.org/dc/elements/1.1/">
  <channel rdf:about="https://example.com/"><title>Tea</title><link>https://example.com/</link><dc:language>FR</dc:language>
    <items><rdf:Seq><rdf:li rdf:resource="https://example.com/1"/></rdf:Seq></items></channel>
  <item rdf:about="https://example.com/1"><title>First</title><link>https://example.com/1?a</link>
    <dc:date>2024-01-01T09:00:00Z</dc:date></item></rdf:RDF>"""

JSON_11 = """{"version": "https://jsonfeed.org/version/1.1", "title": "Tea &amp; <b>Cake</b>", "language": "en-GB",
  "home_page_url": "https://example.com/", "feed_url": "https://example.com/feed.json", "description": "About tea",
  "hubs": [{"type": "WebSub", "url": "https://hub.example/"}],
  "items": [{"id": 1, "url": "https://example.com/1", "title": "First", "date_published": "2024-01-01T09:00:00Z"},
            {"id": "2", "external_url": "https://other.example/2", "date_modified": "2024-01-02T00:00:00Z"}]}"""


def feed(document: str | bytes, **options: Any) -> Feed:
    found = parse_feed(document.encode() if isinstance(document, str) else document, **options)
    assert isinstance(found, Feed), found
    return found


def reason(document: str | bytes) -> RejectionReason:
    found = parse_feed(document.encode() if isinstance(document, str) else document)
    assert isinstance(found, Rejection), found
    return found.reason


def test_rss_gives_every_field() -> None:
    found = feed(RSS_20)
    assert found.format is FeedFormat.RSS
    assert found.title == "Tea & Cake"
    assert found.description == "All about tea"
    assert (found.site_url, found.self_url) == ("https://example.com/", "https://example.com/feed")
    assert found.hub_urls == ("https://hub.example/", "https://hub2.example/")
    assert (found.language, found.ttl, found.new_feed_url) == ("en-us", "60", "https://new.example/feed")
    assert (found.update_period, found.update_frequency, found.update_base) == ("hourly", "2", "2000-01-01T12:00+00:00")
    item = found.items[0]
    assert (item.id, item.url, item.title) == ("one", "https://example.com/1", "First")
    assert (item.published_at, item.updated_at) == (1704099600, 1704153600)
    assert (found.repairs, found.truncated) == ((), False)


def test_atom_gives_every_field() -> None:
    found = feed(ATOM_10)
    assert found.format is FeedFormat.ATOM
    assert (found.title, found.description, found.language) == ("Tea & Cake", "About tea", "de")
    assert (found.site_url, found.self_url) == ("https://example.com/", "https://example.com/atom")
    assert found.hub_urls == ("https://hub.example/",)
    item = found.items[0]
    assert (item.id, item.url, item.title) == ("urn:1", "https://example.com/1", "The first <one>")
    assert (item.published_at, item.updated_at) == (1704099600, 1704153600)


def test_rdf_gives_the_same_as_rss() -> None:
    found = feed(RSS_10)
    assert (found.format, found.title, found.language) == (FeedFormat.RDF, "Tea", "fr")
    item = found.items[0]
    assert (item.id, item.url) == ("https://example.com/1", "https://example.com/1?a")
    assert item.published_at == 1704099600


def test_json_feed_gives_every_field() -> None:
    found = feed(JSON_11)
    assert (found.format, found.title, found.language) == (FeedFormat.JSON_FEED, "Tea & Cake", "en-gb")
    assert (found.site_url, found.self_url) == ("https://example.com/", "https://example.com/feed.json")
    assert found.hub_urls == ("https://hub.example/",)
    assert [(item.id, item.url) for item in found.items] == [
        ("1", "https://example.com/1"),
        ("2", "https://other.example/2"),
    ]
    assert (found.items[0].published_at, found.items[1].updated_at) == (1704099600, 1704153600)


def test_atom_03_tells_plain_from_escaped_titles() -> None:
    document = """<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title mode="escaped" type="text/html">a
      &lt;b&gt;b&lt;/b&gt;</title><tagline>1 &lt; 2</tagline><entry><title mode="base64">SGk=</title><id>1</id>
      <issued>2004-01-01</issued><modified>2004-01-02</modified></entry></feed>"""
    found = feed(document)
    assert (found.title, found.description, found.items[0].title) == ("a b", "1 < 2", "Hi")
    assert (found.items[0].published_at, found.items[0].updated_at) == (1072915200, 1073001600)


def test_the_first_of_several_values_counts() -> None:
    document = """<rss><channel><title></title><title>A</title><title>B</title><link/><link>https://example.com/a</link>
      <link>https://example.com/b</link><item><title>1</title><title>2</title><pubDate>rubbish</pubDate>
      <pubDate>2024-01-01</pubDate><pubDate>2025-01-01</pubDate></item></channel></rss>"""
    found = feed(document)
    assert (found.title, found.site_url) == ("A", "https://example.com/a")
    assert (found.items[0].title, found.items[0].published_at) == ("1", 1704067200)


def test_the_id_of_an_item_is_its_guid_else_its_link() -> None:
    document = """<rss><channel><item><link>https://example.com/1</link></item>
      <item><guid> https://example.com/2 </guid></item><item><guid isPermaLink="false">https://example.com/3</guid></item>
      <item><guid>tag:4</guid></item></channel></rss>"""
    assert [(item.id, item.url) for item in feed(document).items] == [
        ("https://example.com/1", "https://example.com/1"),
        ("https://example.com/2", "https://example.com/2"),
        ("https://example.com/3", None),
        ("tag:4", None),
    ]


def test_a_link_without_rel_is_the_site_and_self_is_not() -> None:
    document = """<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title>
      <link rel="self" href="http://example.com/blog/feed.xml"/>
      <link rel="alternate" type="application/json" href="http://example.com/feed.json"/>
      <link href="http://example.com/blog"/></feed>"""
    found = feed(document)
    assert (found.site_url, found.self_url) == ("http://example.com/blog", "http://example.com/blog/feed.xml")


def test_an_empty_self_link_is_passed_over() -> None:
    document = """<rss xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>t</title>
      <atom:link rel="self" href=""/><atom:link rel="self hub" href="https://example.com/feed"/></channel></rss>"""
    found = feed(document)
    assert (found.self_url, found.hub_urls) == ("https://example.com/feed", ("https://example.com/feed",))


def test_xml_base_resolves_relative_urls_and_leaves_absolute_ones_as_written() -> None:
    document = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://example.com/x/"><title>t</title>
      <link rel="self" href="f.xml"/><link href="HTTP://Example.com"/>
      <entry xml:base="y/"><id>1</id><link href="z"/></entry><entry><id>2</id><link href="z"/></entry></feed>"""
    found = feed(document)
    assert (found.self_url, found.site_url) == ("http://example.com/x/f.xml", "HTTP://Example.com")
    assert [item.url for item in found.items] == ["http://example.com/x/y/z", "http://example.com/x/z"]


def test_without_base_a_self_link_stays_as_written_and_links_follow_the_document() -> None:
    document = """<rss xmlns:atom="http://www.w3.org/2005/Atom"><channel><atom:link rel="self" href="/feed"/>
      <link>/</link><item><link>/1</link></item></channel></rss>"""
    bare, located = feed(document), feed(document, url="https://example.com/a/feed")
    assert (bare.self_url, bare.site_url, bare.items[0].url) == ("/feed", "/", "/1")
    assert located.self_url == "/feed"
    assert (located.site_url, located.items[0].url) == ("https://example.com/", "https://example.com/1")


@pytest.mark.parametrize(
    "link",
    [
        *("javascript:alert(1)", " JavaScript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "vbscript:x"),
        *("&lt;site-url-not-set&gt;/post/1", "https://example.com/" + "a" * 2048, "", " \n"),
    ],
)
@pytest.mark.parametrize("base", ["", ' xml:base="https://example.com/"'])
def test_a_link_that_must_not_be_followed_is_dropped(link: str, base: str) -> None:
    items = f"<channel><title>t</title><link>{link}</link><item><title>i</title><link>{link}</link></item></channel>"
    for url in (None, "https://example.com/feed"):
        found = feed(f"<rss{base}>{items}</rss>", url=url)
        assert (found.site_url, found.items[0].url) == (None, None)


@pytest.mark.parametrize(
    "document",
    [
        "<rss><channel/></rss>",
        '<feed xmlns="http://www.w3.org/2005/Atom"/>',
        '{"version":"https://jsonfeed.org/version/1","items":[]}',
        '{"version":"https://jsonfeed.org/version/1.1","title":"T","items":null}',
        '{"version":"https://jsonfeed.org/version/1.1","title":"Comments on: A","user_comment":"none yet"}',
    ],
)
def test_a_valid_feed_without_items_is_a_feed(document: str) -> None:
    assert feed(document).items == ()


def test_items_beside_the_channel_and_upper_case_tags_are_read() -> None:
    found = feed("<RSS><Channel><Title>T</Title></Channel><Item><Title>1</Title></Item></RSS>")
    assert (found.title, [item.title for item in found.items]) == ("T", ["1"])


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (b"", "empty"),
        (b" \n\t\0", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        ("<!DOCTYPE html><html><body>feed</body></html>", "html"),
        ("<!doctype HTML>\n<title>x</title><p>y", "html"),
        ("<!doctype html>", "html"),
        ("<html><rss><channel><title>t</title></channel></rss></html>", "html"),
        ("<div>moved <a href='x'>here</a></div>", "html"),
        ("Service unavailable", "not_a_feed"),
        ("<opml version='2.0'><body/></opml>", "not_a_feed"),
        ("<urlset><url/></urlset>", "not_a_feed"),
        ("<Error><Code>AccessDenied</Code></Error>", "not_a_feed"),
        ("<svg xmlns='http://www.w3.org/2000/svg'><title>t</title></svg>", "not_a_feed"),
        ("<entry xmlns='http://www.w3.org/2005/Atom'><title>t</title></entry>", "not_a_feed"),
        (
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:f='urn:f'><f:Person/></rdf:RDF>",
            "not_a_feed",
        ),
        ('[{"version":"96.0"}]', "not_a_feed"),
        ('{"items":[]}', "not_a_feed"),
        ('{"version":"https://jsonfeed.org/version/1","items":{}}', "malformed"),
        ('{"version":"https://jsonfeed.org/version/1"}', "malformed"),
        ("<rss/>", "malformed"),
        ("<rss><channel", "malformed"),
        (b"\x1f\x8b\x08\0\0\0\0\0", "not_a_feed"),
    ],
)
def test_a_document_that_is_no_feed_is_rejected_with_a_reason(document: str | bytes, why: str) -> None:
    assert reason(document) == why


def test_rdf_about_other_things_is_no_feed_though_it_has_titles() -> None:
    known = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:dc='http://purl.org/dc/elements/1.1/'"
    facts = "<rdf:Description rdf:about='urn:x'><dc:title>t</dc:title></rdf:Description><dc:title>t</dc:title>"
    assert reason(f"<rdf:RDF {known}>{facts}</rdf:RDF>") == "not_a_feed"
    channel = "<channel xmlns='http://purl.org/rss/1.0/'><title>T</title></channel>"
    found = feed(f"<rdf:RDF {known}>{facts}{channel}</rdf:RDF>")
    assert (found.title, found.description) == ("T", None)


def test_the_root_decides_not_the_doctype_nor_the_content_type() -> None:
    document = "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0//EN' 'http://site.invalid/'><rss><channel><title>t</title></channel></rss>"
    assert feed(document, content_type="text/html; charset=utf-8").title == "t"
    assert feed(ATOM_10, content_type="text/plain").format is FeedFormat.ATOM
    assert feed(JSON_11, content_type="application/feed+json; charset=utf-8").format is FeedFormat.JSON_FEED


def test_json_whose_content_speaks_of_rss_is_a_json_feed() -> None:
    document = (
        '{"version":"https://jsonfeed.org/version/1.1","title":"T","items":'
        '[{"id":"1","content_html":"<rss version=\\"2.0\\"><channel><title>evil</title>"}]}'
    )
    assert (feed(document).format, feed(document).title) == (FeedFormat.JSON_FEED, "T")


def test_rss_1_1_has_its_items_in_a_wrapper() -> None:
    rdf = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'"
    item = "<item rdf:about='http://e.com/1'><title>1</title></item>"
    found = feed(
        f"<Channel xmlns='http://purl.org/net/rss1.1#' {rdf} xml:lang='en'>"
        f"<title>T</title><items rdf:parseType='Collection'>{item}</items></Channel>"
    )
    assert (found.format, found.title, found.language) == (FeedFormat.RSS, "T", "en")
    assert [(item.id, item.url, item.title) for item in found.items] == [("http://e.com/1", "http://e.com/1", "1")]


def test_the_language_may_stand_on_the_channel() -> None:
    assert feed("<rss><channel xml:lang='pt_BR'><title>T</title></channel></rss>").language == "pt-br"
    assert feed("<rss xml:lang='en'><channel xml:lang='de'><language>fr</language></channel></rss>").language == "fr"


def test_breaks_stand_between_words_under_any_prefix_and_in_any_case() -> None:
    xhtml = "<h:div xmlns:h='http://www.w3.org/1999/xhtml'>a<h:br/>b<h:BR/>c<h:b>d</h:b></h:div>"
    assert (
        feed(f"<feed xmlns='http://www.w3.org/2005/Atom'><title type='xhtml'>{xhtml}</title></feed>").title == "a b cd"
    )


def test_an_episode_may_have_only_the_title_for_podcast_apps() -> None:
    namespace = 'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
    items = "<item><itunes:title>One</itunes:title></item><item><itunes:title>2</itunes:title><title>Two</title></item>"
    found = feed(f"<rss {namespace}><channel><itunes:title>Show</itunes:title>{items}</channel></rss>")
    assert (found.title, [item.title for item in found.items]) == ("Show", ["One", "Two"])


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ("www.tea.example/post/1?a=b", "https://www.tea.example/post/1?a=b"),
        ("WWW.tea.example", "https://WWW.tea.example"),
        ("www.html", "https://tea.example/www.html"),
        ("post/www.tea.example", "https://tea.example/post/www.tea.example"),
    ],
)
def test_a_link_that_lost_its_scheme_is_a_url(link: str, url: str) -> None:
    found = feed(f"<rss><channel><item><link>{link}</link></item></channel></rss>", url="https://tea.example/feed")
    assert found.items[0].url == url
