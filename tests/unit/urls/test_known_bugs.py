"""Faults that users of other feed readers and URL normalizers reported in public; each has its right ending here.

Not followed, because a rule decides otherwise: that `/rss` and `/rss/` (or `/index?a=b` and `/index/?a=b`)
have different keys. A key only finds stored URLs (rule C4); which of the two is fetched and kept is decided by
fetching them.
"""

from __future__ import annotations

import pytest

from feedward.urls.key import key
from feedward.urls.parse import parse_url
from feedward.urls.presets import PRESETS, preset_url
from feedward.urls.resolve import resolve_input, resolve_url

RESOURCE_KEPT = [
    (
        "scrapy/w3lib#91",
        "https://example.com/a/foo%20bar%20%2376?x=1#frag",
        "https://example.com/a/foo%20bar%20%2376?x=1",
    ),
    ("scrapy/w3lib#131", "https://example.com/sale/Off%25", "https://example.com/sale/Off%25"),
    ("scrapy/w3lib#290", "http://example.com/dir;x/a%7Eb", "http://example.com/dir;x/a~b"),
    ("scrapy/w3lib#290", "http://example.com/public;/../admin/feed", "http://example.com/admin/feed"),
    ("scrapy/w3lib#136", "  https://example.com/feed \n", "https://example.com/feed"),
    ("seomoz/url-py#20", "http://example.com/Lyon,FR%27EU", "http://example.com/Lyon,FR%27EU"),
    ("crawler-commons/crawler-commons#559", "https://example.org/p%2d1/p%2d2?q=f", "https://example.org/p-1/p-2?q=f"),
    (
        "crawler-commons/crawler-commons#263",
        "https://example.com/songs/50%+of+it",
        "https://example.com/songs/50%25+of+it",
    ),
    ("python-hyper/hyperlink#61", "https://example.com/%%%", "https://example.com/%25%25%25"),
    ("medialize/URI.js#264", "https://example.com/foo/..bar", "https://example.com/foo/..bar"),
    ("medialize/URI.js#264", "https://example.com/foo/%2E%2E/bar", "https://example.com/bar"),
    ("crawler-commons/crawler-commons#275", "http://example.com?feed=rss2", "http://example.com/?feed=rss2"),
    ("profullstack/sh1pt#731", "https://example.com/search?q=/", "https://example.com/search?q=/"),
    (
        "sindresorhus/normalize-url#189",
        "https://example.com/f?sig=a%2Fb%3D&id=2",
        "https://example.com/f?sig=a%2Fb%3D&id=2",
    ),
    (
        "sindresorhus/normalize-url#149",
        "https://example.com/p?url=http://e.org/f",
        "https://example.com/p?url=http://e.org/f",
    ),
    (
        "glanceapp/glance#691",
        "https://example.com/t?;pins;u=1;tp=abc;private",
        "https://example.com/t?;pins;u=1;tp=abc;private",
    ),
    ("sindresorhus/normalize-url#52", "https://example.com/feed", "https://example.com/feed"),
    ("sindresorhus/normalize-url#112", "https://example.com/?WikiFeed", "https://example.com/?WikiFeed"),
    ("webignition/url#5", "http://example.com/feed?q=test+value", "http://example.com/feed?q=test+value"),
    ("mediacloud/metadata-lib#72", "http://192.0.2.4/hello/feed.xml", "http://192.0.2.4/hello/feed.xml"),
    ("internetarchive/surt#28", "https://www1234.com/feed", "https://www1234.com/feed"),
    ("internetarchive/webarchive-commons#17", "http://example.com/feed?utm_source=x", "http://example.com/feed"),
    (
        "AdguardTeam/AdguardBrowserExtension#1397",
        "https://example.com/f?utm_campaign&next=https%3A%2F%2Fexample.org%2F%3Futm_campaign%3Dz",
        "https://example.com/f?next=https%3A%2F%2Fexample.org%2F%3Futm_campaign%3Dz",
    ),
    ("scrapy/scurl#23", "https://example.com/Feed/RSS.XML", "https://example.com/Feed/RSS.XML"),
    ("garycourt/uri-js#16", "http://[2001:db8::1]:80/feed", "http://[2001:db8::1]/feed"),
    ("whatwg/url#603", "https://xn--xn---epa.example/feed", "https://xn--xn---epa.example/feed"),
]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize(("source", "url", "expected"), RESOURCE_KEPT)
def test_no_preset_names_another_resource(source: str, url: str, expected: str, name: str) -> None:
    assert preset_url(url, name) == expected
    assert preset_url(expected, name) == expected


@pytest.mark.parametrize(
    ("source", "one", "other", "same"),
    [
        ("scrapy/w3lib#290", "http://example.com/dir;x/a%7Eb", "http://example.com/dir;x/a~b", True),
        ("scrapy/w3lib#178", "https://example.com/O'Brien/feed", "https://example.com/O%27Brien/feed", False),
        ("crawler-commons/crawler-commons#303", "https://example%2Ecom/feed", "https://example.com/feed", True),
        ("crawler-commons/crawler-commons#247", "https://example.com/feed?", "https://example.com/feed", True),
        ("Norconex/commons-lang#2", "http://example.com?z=1&a=1#yolo", "http://example.com/?a=1&z=1", True),
        ("mediacloud/metadata-lib#72", "https://example.com/a+b/feed", "https://example.com/a%20b/feed", False),
        ("internetarchive/surt#28", "https://www1234.com/feed", "https://www56789.com/feed", False),
        ("tox-dev/turbohtml#501", "https://xn--ascii-.example/", "https://ascii.example/", False),
        ("scrapy/scurl#23", "https://example.com/Feed/RSS.XML", "https://example.com/feed/rss.xml", False),
    ],
)
def test_keys_merge_spellings_and_nothing_else(source: str, one: str, other: str, same: bool) -> None:
    assert (key(one) == key(other)) is same


def test_userinfo_is_kept_out_of_idna() -> None:
    """scrapy/w3lib#174"""
    parsed = parse_url("https://reader@例子.中国:8443/feed")
    assert parsed is not None
    assert (parsed.username, parsed.hostname, parsed.port) == ("reader", "xn--fsqu00a.xn--fiqs8s", "8443")


def test_the_limit_of_a_label_is_not_one_of_the_url() -> None:
    """zacharyvoase/urlobject#9"""
    url = "https://example.com/feed?one=aaaaaa&two=bbbbbb&three=12345678&four=cccc&five=dddd&six=eeee"
    assert resolve_url(url) == url


@pytest.mark.parametrize("scheme", ["https", "http"])
def test_feed_in_front_of_a_whole_url_is_taken_off(scheme: str) -> None:
    """ViennaRSS/vienna-rss#1165, fogleman/FeedNotifier#102"""
    assert resolve_url(f"feed:{scheme}://example.org/test/") == f"{scheme}://example.org/test/"


def test_an_address_without_scheme_is_tried_over_https_then_http() -> None:
    """jangernert/FeedReader#720"""
    resolved = resolve_input("example.com/feeds/medley/")
    assert resolved is not None
    assert resolved.url == "https://example.com/feeds/medley/"
    assert resolved.may_be_http


@pytest.mark.parametrize(
    ("source", "base", "reference", "expected"),
    [
        (
            "AntennaPod/AntennaPod#1446",
            "http://example.com/redirect/path",
            "/redirect/foo",
            "http://example.com/redirect/foo",
        ),
        (
            "AntennaPod/AntennaPod#1446",
            "http://example.com/redirect/rel-path",
            "foo",
            "http://example.com/redirect/foo",
        ),
        (
            "RssBandit/RssBandit#233",
            "http://example.com/shelf/book/rss.xml",
            "../rss.xml",
            "http://example.com/shelf/rss.xml",
        ),
        ("psf/requests#3078", "http://example.com/a", "/ブ/", "http://example.com/%E3%83%96/"),
        ("lwindolf/liferea#87", "https://example.com/root/", "feed.xml", "https://example.com/root/feed.xml"),
        ("jkphl/micrometa#9", "https://example.com/log/feed/index.htm", "../", "https://example.com/log/"),
        ("cakuki/feed-finder#5", "https://www.example.com/", "https://example.com/feed", "https://example.com/feed"),
        ("minutils/feed-on-feeds#56", "https://example.org/blog/", "/blog/feed", "https://example.org/blog/feed"),
        ("nextcloud/news#1385", "https://example.cz/", "rss.xml", "https://example.cz/rss.xml"),
        ("miniflux/v2#2338", "https://links.example.com/", "https:///feed/atom?", None),
        ("martinrotter/rssguard#2284", "https://example.net/", "./feed.xml", "https://example.net/feed.xml"),
        ("stringer-rss/stringer#1548", "https://example.com/", "file:///etc/passwd", None),
    ],
)
def test_references_meet_their_base(source: str, base: str, reference: str, expected: str | None) -> None:
    assert resolve_url(reference, base) == expected
