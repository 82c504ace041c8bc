"""Every element that may fill a field fills it; of several, the first one of the table counts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from feedward.feeds.parse import parse_feed
from feedward.model import Feed, Item

DATE, DATE_S = "2024-01-01T00:00:00Z", 1704067200
EARLIER = "2023-01-01T00:00:00Z"
RSS_DESCRIPTIONS = (
    "description",
    "tagline",
    "atom:subtitle",
    "dc:description",
    "itunes:summary",
    "itunes:subtitle",
)
ATOM_DESCRIPTIONS = ("subtitle", "tagline", "itunes:summary", "itunes:subtitle")
RSS_PUBLISHED = (
    *("pubDate", "dc:date", "dcterms:issued", "dcterms:created", "atom:published", "published", "issued", "date"),
    "prism:publicationDate",
)
ATOM_PUBLISHED = ("published", "dc:date", "issued", "created", "pubDate", "dcterms:issued", "dcterms:created", "date")
RSS_UPDATED = ("atom:updated", "dcterms:modified", "updated", "modified")
ATOM_UPDATED = ("updated", "modified", "dcterms:modified")
RSS_IDS = ("guid", "atom:id", "dc:identifier")


def rss(inside: str) -> Feed:
    found = parse_feed(f"<rss><channel><title>t</title>{inside}</channel></rss>".encode())
    assert isinstance(found, Feed), found
    return found


def atom(inside: str) -> Feed:
    found = parse_feed(f"<feed xmlns='http://www.w3.org/2005/Atom'><title>t</title>{inside}</feed>".encode())
    assert isinstance(found, Feed), found
    return found


def rss_item(inside: str) -> Item:
    (item,) = rss(f"<item>{inside}</item>").items
    return item


def atom_item(inside: str) -> Item:
    (item,) = atom(f"<entry>{inside}</entry>").items
    return item


def in_both_orders(first: str, second: str) -> tuple[str, str]:
    return first + second, second + first


@pytest.mark.parametrize("name", RSS_DESCRIPTIONS)
def test_each_description_of_rss_counts_alone(name: str) -> None:
    assert rss(f"<{name}>words</{name}>").description == "words"


@pytest.mark.parametrize("name", ATOM_DESCRIPTIONS)
def test_each_description_of_atom_counts_alone(name: str) -> None:
    assert atom(f"<{name}>words</{name}>").description == "words"


@pytest.mark.parametrize("name", RSS_DESCRIPTIONS[2:])
def test_the_description_of_rss_comes_before_its_stand_ins(name: str) -> None:
    for inside in in_both_orders("<description>own</description>", f"<{name}>other</{name}>"):
        assert rss(inside).description == "own"


@pytest.mark.parametrize("name", RSS_PUBLISHED)
def test_each_date_of_an_rss_item_counts_alone(name: str) -> None:
    item = rss_item(f"<{name}>{DATE}</{name}>")
    assert (item.published_at, item.updated_at) == (DATE_S, None)


@pytest.mark.parametrize("name", ATOM_PUBLISHED)
def test_each_date_of_an_atom_entry_counts_alone(name: str) -> None:
    item = atom_item(f"<{name}>{DATE}</{name}>")
    assert (item.published_at, item.updated_at) == (DATE_S, None)


@pytest.mark.parametrize(
    ("build", "names"), [(rss_item, RSS_PUBLISHED), (atom_item, ATOM_PUBLISHED)], ids=["rss", "atom"]
)
def test_the_formats_own_date_comes_before_its_stand_ins(build: Callable[[str], Any], names: tuple[str, ...]) -> None:
    own, *others = names
    for other in others:
        for inside in in_both_orders(f"<{own}>{DATE}</{own}>", f"<{other}>{EARLIER}</{other}>"):
            assert build(inside).published_at == DATE_S


@pytest.mark.parametrize(
    "date",
    [
        f'&lt;time datetime="{DATE}" class="datetime"&gt;Monday, 1 January&lt;/time&gt;',
        f'<![CDATA[<time datetime="{DATE}">1 Jan</time>]]>',
        f"<![CDATA[\n<span class='date' content='{DATE}'>1 January</span>\n]]>",
        "&lt;p&gt;Mon, 01 Jan 2024 00:00:00 GMT&lt;/p&gt;",
        "<![CDATA[<time datetime='soon'>1 January 2024</time>]]>",
        f'<time datetime="soon">{DATE}</time>',
    ],
)
def test_a_date_in_markup_is_that_of_its_attribute_or_text(date: str) -> None:
    assert rss_item(f"<pubDate>{date}</pubDate>").published_at == DATE_S


@pytest.mark.parametrize(
    "namespace",
    [
        "http://prismstandard.org/namespaces/basic/2.0/",
        "http://prismstandard.org/namespaces/2.0/basic/",
        "http://prismstandard.org/namespaces/1.2/basic/",
        "http://purl.org/rss/1.0/modules/prism/",
    ],
)
def test_journals_date_their_articles_in_the_vocabulary_of_publishers(namespace: str) -> None:
    date = f"<p:publicationDate xmlns:p='{namespace}'>{DATE}</p:publicationDate>"
    assert rss_item(date).published_at == DATE_S


@pytest.mark.parametrize("name", RSS_UPDATED)
def test_each_change_of_an_rss_item_counts_alone(name: str) -> None:
    item = rss_item(f"<{name}>{DATE}</{name}>")
    assert (item.published_at, item.updated_at) == (None, DATE_S)


@pytest.mark.parametrize("name", ATOM_UPDATED)
def test_each_change_of_an_atom_entry_counts_alone(name: str) -> None:
    item = atom_item(f"<{name}>{DATE}</{name}>")
    assert (item.published_at, item.updated_at) == (None, DATE_S)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"date_published": DATE, "published": EARLIER}, (DATE_S, None)),
        ({"date_published": "soon", "published": DATE}, (DATE_S, None)),
        ({"pubDate": "Mon, 01 Jan 2024 00:00:00 GMT"}, (DATE_S, None)),
        ({"date_published": DATE_S, "date_modified": DATE_S * 1000}, (DATE_S, DATE_S)),
        ({"date_published": "1970-01-01T00:00:00Z", "published": DATE, "updated": DATE}, (0, DATE_S)),
    ],
)
def test_a_json_feed_may_have_the_dates_of_another_format(
    said: dict[str, str | int], expected: tuple[int, int]
) -> None:
    document = {"version": "https://jsonfeed.org/version/1.1", "title": "t", "items": [{"id": "1", **said}]}
    found = parse_feed(json.dumps(document).encode())
    assert isinstance(found, Feed)
    assert (found.items[0].published_at, found.items[0].updated_at) == expected


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (" https://example.com/1 ", "https://example.com/1"),
        ("https://example.com/a b", "https://example.com/a b"),
        ("1.html", "1.html"),
        ("Read more", None),
    ],
)
def test_the_text_of_an_atom_link_counts_if_it_is_an_address(text: str, url: str | None) -> None:
    assert atom_item(f"<id>urn:1</id><link>{text}</link>").url == url


@pytest.mark.parametrize("name", RSS_IDS)
def test_each_id_of_an_rss_item_counts_before_its_link(name: str) -> None:
    assert rss_item(f"<link>https://example.com/1</link><{name}>tag:1</{name}>").id == "tag:1"


def test_an_entry_may_have_its_id_under_the_other_formats_name() -> None:
    assert atom_item("<guid>https://example.com/1</guid>").url == "https://example.com/1"
    assert atom_item("<guid>1</guid><id>urn:2</id>").id == "urn:2"
    assert rss_item("<link>https://example.com/1</link><id>tag:1</id>").id == "tag:1"


@pytest.mark.parametrize("build", [rss_item, atom_item], ids=["rss", "atom"])
def test_an_item_may_be_called_by_its_dublin_core_title(build: Callable[[str], Any]) -> None:
    assert build("<dc:title>stand-in</dc:title>").title == "stand-in"


@pytest.mark.parametrize("build", [rss, atom], ids=["rss", "atom"])
def test_a_feed_may_say_its_language_by_dublin_core(build: Callable[[str], Any]) -> None:
    assert build("<dc:language>pt_BR</dc:language>").language == "pt-br"


def test_an_atom_feed_says_how_often_it_changes_and_where_it_moved() -> None:
    found = atom(
        "<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency>"
        "<sy:updateBase>2000-01-01</sy:updateBase><itunes:new-feed-url>https://new.example/f</itunes:new-feed-url>"
    )
    assert (found.update_period, found.update_frequency, found.update_base) == ("hourly", "2", "2000-01-01")
    assert found.new_feed_url == "https://new.example/f"


@pytest.mark.parametrize(
    ("attributes", "url"),
    [
        ("", "https://example.com/1"),
        ("isPermaLink='true'", "https://example.com/1"),
        ("isPermaLink='False'", None),
        ("ispermalink=' false '", None),
        ("xml:lang='false'", "https://example.com/1"),
        ("xml:lang='en' isPermaLink='false'", None),
    ],
)
def test_a_guid_is_the_link_unless_it_says_that_it_is_none(attributes: str, url: str | None) -> None:
    assert rss_item(f"<guid {attributes}>https://example.com/1</guid>").url == url


ALTERNATE = "<link rel='alternate' href='https://e.example/{}'/>"


@pytest.mark.parametrize(
    ("inside", "url"),
    [
        ("<id>https://e.example/1</id>", "https://e.example/1"),
        ("<id> HTTP://e.example/1\n</id>", "HTTP://e.example/1"),
        ("<id>urn:uuid:1</id>", None),
        ("<id>tag:e.example,2024:1</id>", None),
        ("<id>1</id>", None),
        ("<id>e.example/1</id>", None),
        ("<id>tag:1</id><link> https://e.example/1 </link>", "https://e.example/1"),
        ("<id>https://e.example/id</id><link>https://e.example/1</link>", "https://e.example/1"),
        ("<id>https://e.example/id</id><link>nostr:naddr1</link>", "https://e.example/id"),
        ("<id>https://e.example/id</id><link rel='self' href='https://e.example/atom'/>", "https://e.example/id"),
        ("<id>tag:1</id><content src='https://e.example/1' type='text/html'/>", "https://e.example/1"),
        ("<id>tag:1</id><content src='ftp://e.example/1'/>", None),
        ("<id>https://e.example/1</id><content src='https://e.example/1.mp3'/>", "https://e.example/1"),
        ("<content src='https://e.example/2'/>" + ALTERNATE.format(1), "https://e.example/1"),
        ("<link>https://e.example/2</link>" + ALTERNATE.format(1), "https://e.example/1"),
        ("<link href='nostr:naddr1'/>" + ALTERNATE.format(1), "https://e.example/1"),
        ("<link href='gemini://e.example/1'/><link href='web+ap://e.example/1'/>" + ALTERNATE.format(1),
         "https://e.example/1"),
        ("<id>tag:1</id><link href='nostr:naddr1'/>", None),
        ("<id>tag:1</id><link href='/1'/>", "/1"),
    ],
)  # fmt: skip
def test_an_entry_has_the_first_address_on_the_web_that_it_gives(inside: str, url: str | None) -> None:
    assert atom_item(inside).url == url


def test_links_of_other_relations_do_not_count_as_invalid_values() -> None:
    enclosures = "<link rel='enclosure' href='https://e.example/1.mp3'/>" * 9
    last = f"<entry><title>last</title>{ALTERNATE.format(1)}</entry>"
    assert atom(f"<entry>{enclosures}</entry>" * 4000 + last).items[-1].title == "last"


@pytest.mark.parametrize(
    ("inside", "url"),
    [
        ("<link>nostr:naddr1</link><guid>https://e.example/1</guid>", "https://e.example/1"),
        ("<link>nostr:naddr1</link><atom:link href='https://e.example/1'/>", "https://e.example/1"),
        ("<link>magnet:?xt=urn:btih:1</link><guid isPermaLink='false'>1</guid>", "magnet:?xt=urn:btih:1"),
        ("<atom:link>https://e.example/1</atom:link>", "https://e.example/1"),
    ],
)
def test_an_rss_item_has_an_address_on_the_web_before_any_other(inside: str, url: str) -> None:
    assert rss_item(inside).url == url


def test_the_site_of_a_feed_is_on_the_web_too() -> None:
    assert atom("<link href='nostr:nprofile1'/><link href='https://e.example/'/>").site_url == "https://e.example/"
    assert atom("<id>https://e.example/feed</id><link>https://e.example/</link>").site_url == "https://e.example/"
    assert atom("<id>https://e.example/feed</id>").site_url is None


@pytest.mark.parametrize(
    ("item", "url"),
    [
        ('{"id": "https://e.example/1"}', "https://e.example/1"),
        ('{"id": "1"}', None),
        ('{"id": "1", "url": "nostr:naddr1", "external_url": "https://e.example/1"}', "https://e.example/1"),
    ],
)
def test_an_item_of_a_json_feed_has_the_address_that_it_gives(item: str, url: str | None) -> None:
    found = parse_feed(f'{{"version": "https://jsonfeed.org/version/1.1", "items": [{item}]}}'.encode())
    assert isinstance(found, Feed)
    assert found.items[0].url == url
