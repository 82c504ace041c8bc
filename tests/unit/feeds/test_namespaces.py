"""Elements are known by the namespace declared for them; an undeclared prefix has its usual meaning."""

from __future__ import annotations

import re

import pytest

from feedward.feeds.parse import parse_feed
from feedward.model import Feed

CHANNEL = "<channel><title>t</title><item><title>1</title></item></channel>"
LINK = 'link rel="self" href="https://example.com/feed"'


def prefixed(prefix: str, document: str) -> str:
    return re.sub(r"<(/?)", rf"<\1{prefix}:", document)


def feed(document: str) -> Feed:
    found = parse_feed(document.encode())
    assert isinstance(found, Feed), found
    return found


@pytest.mark.parametrize(
    ("declaration", "prefix"),
    [
        ('xmlns:atom="http://www.w3.org/2005/Atom"', "atom"),
        ('xmlns:a="http://www.w3.org/2005/Atom"', "a"),
        ('xmlns:dc="http://www.w3.org/2005/Atom"', "dc"),
        ('xmlns:atom="http://www.w3.org/2005/Atom/"', "atom"),
        ('xmlns:atom="https://www.w3.org/2005/atom"', "atom"),
        ('xmlns:atom10="http://purl.org/atom/ns#"', "atom10"),
        ("", "atom"),
        ("", "atom10"),
    ],
)
def test_the_self_link_is_found_under_any_prefix_of_atom(declaration: str, prefix: str) -> None:
    found = feed(f"<rss {declaration}><channel><title>t</title><{prefix}:{LINK}/></channel></rss>")
    assert found.self_url == "https://example.com/feed"


def test_a_prefix_declared_for_another_namespace_is_foreign() -> None:
    found = feed(f'<rss xmlns:atom="urn:x"><channel><title>t</title><atom:{LINK}/></channel></rss>')
    assert found.self_url is None


def test_a_namespace_declared_on_the_element_itself_holds_there_only() -> None:
    document = f"""<rss><channel><title>t</title><x:{LINK} xmlns:x="http://www.w3.org/2005/Atom"/>
      <item><x:title>no</x:title><title xmlns="http://search.yahoo.com/mrss/">no</title><title>yes</title></item>
      </channel></rss>"""
    found = feed(document)
    assert (found.self_url, found.items[0].title) == ("https://example.com/feed", "yes")


@pytest.mark.parametrize(
    "document",
    [
        f'<rss xmlns="http://backend.userland.com/rss2">{CHANNEL}</rss>',
        f'<rss xmlns="http://unknown.example/ns">{CHANNEL}</rss>',
        f'<rss xmlns="http://www.w3.org/2005/Atom">{CHANNEL}</rss>',
        prefixed("rss", f"<rss>{CHANNEL}</rss>"),
        prefixed("r", f'<rss xmlns:r="urn:x">{CHANNEL}</rss>'),
        """<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:p="http://purl.org/rss/1.0/">
        <p:channel><p:title>t</p:title></p:channel><p:item><p:title>1</p:title></p:item></r:RDF>""",
        '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>t</a:title><a:entry><a:title>1</a:title></a:entry></a:feed>',
        '<feed xmlns="http://www.w3.org/2005/atom"><title>t</title><entry><title>1</title></entry></feed>',
        "<feed><title>t</title><entry><title>1</title></entry></feed>",
    ],
)
def test_any_namespace_of_the_root_is_the_documents_own(document: str) -> None:
    found = feed(document)
    assert (found.title, [item.title for item in found.items]) == ("t", ["1"])


NAMESPACES = (
    "http://apache.org/cocoon/i18n/2.1",
    "http://www.w3.org/1999/xhtml",
    "http://search.yahoo.com/mrss/",
    "http://www.w3.org/2005/Atom",
    "http://purl.org/rss/1.0/",
    "http://purl.org/dc/elements/1.1/",
    "urn:x",
    "",
)


@pytest.mark.parametrize("namespace", NAMESPACES)
@pytest.mark.parametrize("hidden", ["channel", "item", "title", "link", "guid", "pubDate", "description"])
def test_a_redeclared_default_namespace_hides_nothing_of_rss(hidden: str, namespace: str) -> None:
    document = """<rss version="2.0"><channel><title>t</title><link>https://e.example/</link>
      <description>d</description><item><title>1</title><link>https://e.example/1</link>
      <guid isPermaLink="false">i</guid><pubDate>Mon, 15 Jan 2024 10:00:00 GMT</pubDate></item></channel></rss>"""
    changed = feed(re.sub(rf"<{hidden}(?=[ >])", f'<{hidden} xmlns="{namespace}"', document))
    assert changed == feed(document)


@pytest.mark.parametrize("namespace", NAMESPACES)
@pytest.mark.parametrize("hidden", ["entry", "title", "link", "id", "updated", "subtitle"])
def test_a_redeclared_default_namespace_hides_nothing_of_atom(hidden: str, namespace: str) -> None:
    document = """<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><link href="https://e.example/"/>
      <link rel="self" href="https://e.example/feed"/><subtitle>s</subtitle><entry><title>1</title><id>tag:1</id>
      <link href="https://e.example/1"/><updated>2024-01-15T10:00:00Z</updated></entry></feed>"""
    changed = feed(re.sub(rf"<{hidden}(?=[ >])", f'<{hidden} xmlns="{namespace}"', document))
    assert changed == feed(document)


@pytest.mark.parametrize("before", [True, False])
def test_an_own_value_counts_before_one_in_another_namespace(before: bool) -> None:
    other = '<link xmlns="urn:x">https://e.example/x</link><title xmlns="urn:x">x</title>'
    own = "<link>https://e.example/1</link><title>own</title>"
    found = feed(f"<rss><channel><item>{other + own if before else own + other}</item></channel></rss>")
    assert (found.items[0].title, found.items[0].url) == ("own", "https://e.example/1")


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("foreign", ["media:title", "itunes:title", "m:title"])
def test_a_foreign_title_never_takes_the_place_of_the_title(foreign: str, before: bool) -> None:
    other, own = f"<{foreign}>other</{foreign}>", "<title>own</title>"
    titles = other + own if before else own + other
    document = f'<rss xmlns:m="http://search.yahoo.com/mrss/"><channel>{titles}<item>{titles}</item></channel></rss>'
    found = feed(document)
    assert (found.title, found.items[0].title) == ("own", "own")


def test_dublin_core_stands_in_only_where_the_format_says_nothing() -> None:
    document = """<rss xmlns:d="http://purl.org/dc/elements/1.1/"><channel><d:title>stand-in</d:title><title>own</title>
      <d:language>fr</d:language><item><d:title>stand-in</d:title><d:date>2024-01-01</d:date></item></channel></rss>"""
    found = feed(document)
    assert (found.title, found.language) == ("own", "fr")
    assert (found.items[0].title, found.items[0].published_at) == ("stand-in", 1704067200)


def test_an_undeclared_prefix_is_reported_and_harmless() -> None:
    found = feed(
        "<rss><channel><title>t</title><item><title>1</title><content:encoded>x</content:encoded></item></channel></rss>"
    )
    assert (found.items[0].title, found.repairs) == ("1", ("undeclared_prefix",))
