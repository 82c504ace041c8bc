"""Any input becomes a legal, fetchable URL, or none (rules C4, C5)."""

from __future__ import annotations

import pytest

from feedward.urls.key import key
from feedward.urls.parse import parse_url, scalar_text
from feedward.urls.presets import preset_url
from feedward.urls.resolve import resolve_input, resolve_url
from tests.effort import costs_at_most

PAGE = "https://example.com/blog/posts/"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://example.com/feed", "https://example.com/feed"),
        ("HTTPS://EXAMPLE.com:443/Feed#top", "https://example.com/Feed#top"),
        ("http://example.com:443/feed", "http://example.com:443/feed"),
        ("https://example.com/feed?", "https://example.com/feed?"),
        ("\x00 https://example.com/fe\ted\n", "https://example.com/feed"),
        ("https://münchen.example/ü?ü#ü", "https://xn--mnchen-3ya.example/%C3%BC?%C3%BC#%C3%BC"),
        ("https://example。com/feed", "https://example.com/feed"),
        ("https://ＥＸＡＭＰＬＥ.com/", "https://example.com/"),
        ("https://faß.example/", "https://xn--fa-hia.example/"),
        ("https://[2001:DB8:0::1]:443/feed", "https://[2001:db8::1]/feed"),
        ("http://0x7f.1/feed", "http://127.0.0.1/feed"),
        ("https://example.com./feed", "https://example.com./feed"),
        ("https://a_b.example.com/feed", "https://a_b.example.com/feed"),
        ("https://example.com/90%+%zz", "https://example.com/90%+%zz"),
        ("https://user:p@ss@example.com/", "https://user:p%40ss@example.com/"),
        ("https://example.com\\feed\\", "https://example.com/feed/"),
        ("https://example.com/a b?c d#e f", "https://example.com/a%20b?c%20d#e%20f"),
        ("https://example.com/\ud83d\ude00\ud800", "https://example.com/%F0%9F%98%80%EF%BF%BD"),
        ("https://www.example.com/https://other.example/feed", "https://www.example.com/https://other.example/feed"),
    ],
)
def test_a_url_is_spelled_by_the_standard_and_otherwise_kept(text: str, expected: str) -> None:
    assert resolve_url(text) == expected


@pytest.mark.parametrize(
    "host",
    [
        "php.net",
        "pt.wikipedia.org",
        "http.cat",
        "sst.dev",
        "ph.news.yahoo.com",
        "hs.fi",
        "https.example.com",
        "t.co",
        "ttp.org",
    ],
)
def test_a_host_that_looks_like_a_broken_scheme_is_a_host(host: str) -> None:
    assert resolve_url(f"https://{host}/feed") == f"https://{host}/feed"
    assert resolve_url(f"{host}/feed") == f"https://{host}/feed"
    assert resolve_url(f"feed://{host}/feed") == f"https://{host}/feed"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("?a=1&amp;b=2", "?a=1&b=2"),
        ("?a=1&amp;amp;b=2", "?a=1&b=2"),
        ("?a=1&#38;b=2&#x26;c=3", "?a=1&b=2&c=3"),
        ("?a=1&#97;mp;b=2", "?a=1amp;b=2"),
        ("?a=1&am\np;b=2", "?a=1&b=2"),
        ("?a=1&a&Tab;mp;b=2", "?a=1&b=2"),
        ("?a=1&section=2&copy=3&region=4&param=5&notit;=6", "?a=1&section=2&copy=3&region=4&param=5&notit;=6"),
        ("?q=a&lt;b&quot;", "?q=a%3Cb%22"),
        ("caf&eacute;", "caf%C3%A9"),
        ("caf&#233;&#xe9;", "caf%C3%A9%C3%A9"),
        ("&nosuch;&;&#;&#x;", "&nosuch;&;&#;&#x;"),
    ],
)
def test_entities_are_decoded_only_if_they_end_in_a_semicolon(text: str, expected: str) -> None:
    assert resolve_url(f"https://example.com/{text}") == f"https://example.com/{expected}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("feed://example.com/x", "https://example.com/x"),
        ("FeeD:example.com/x", "https://example.com/x"),
        ("feed:///example.com/x", "https://example.com/x"),
        ("feed:https://example.com/x", "https://example.com/x"),
        ("feed:http://example.com/x", "http://example.com/x"),
        ("feed://http://example.com/x", "http://example.com/x"),
        ("feed:feed:rss://example.com/x", "https://example.com/x"),
        ("RSS://example.com:8080/x", "https://example.com:8080/x"),
        ("pcast://user:pw@example.com/x", "https://user:pw@example.com/x"),
        ("itpc:localhost:3000", "https://localhost:3000/"),
        ("podcast: https://example.com/x", "https://example.com/x"),
        ("feed:htp://example.com/x", "http://example.com/x"),
        ("feed:https://example.com/?a&amp;b", "https://example.com/?a&b"),
        ("feed://[::1]/x", "https://[::1]/x"),
    ],
)
def test_feed_like_schemes_give_way_to_https_or_to_the_scheme_inside(text: str, expected: str) -> None:
    assert resolve_url(text) == expected


@pytest.mark.parametrize(
    "text", ["feed:file:///etc/passwd", "feed:javascript:alert(1)", "feed:ftp://example.com", "rss:", "feed://x"]
)
def test_the_rest_of_a_feed_like_scheme_is_judged_like_any_input(text: str) -> None:
    assert resolve_url(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("example.com", "https://example.com/"),
        ("EXAMPLE.com:8080/Feed?a#b", "https://example.com:8080/Feed?a#b"),
        ("//example.com/feed", "https://example.com/feed"),
        ("////example.com/feed", "https://example.com/feed"),
        ("例え.jp/feed", "https://xn--r8jz45g.jp/feed"),
        ("192.0.2.1/feed", "https://192.0.2.1/feed"),
        ("[2001:db8::1]:8443/feed", "https://[2001:db8::1]:8443/feed"),
        ("localhost:3000/feed", "https://localhost:3000/feed"),
        ("example.com/my feed.xml", "https://example.com/my%20feed.xml"),
        ("example.com\\feed", "https://example.com/feed"),
        ("\ufeffexample.com/feed", "https://example.com/feed"),
    ],
)
def test_a_missing_scheme_is_guessed(text: str, expected: str) -> None:
    resolved = resolve_input(text)
    assert resolved is not None
    assert resolved.url == expected
    assert resolved.may_be_http


@pytest.mark.parametrize(
    ("text", "may_be_http"),
    [
        ("feed://example.com/x", True),
        ("pcast:example.com/x", True),
        ("example.com/x", True),
        ("//example.com/x", True),
        ("feed:https://example.com/x", True),
        ("feed:feed:htps://example.com/x", True),
        ("feed:http://example.com/x", False),
        ("http://example.com/x", False),
        ("htps://example.com/x", False),
        ("https:///example.com/x", False),
    ],
)
def test_only_https_for_a_feed_like_or_missing_scheme_may_turn_out_to_be_http(text: str, *, may_be_http: bool) -> None:
    resolved = resolve_input(text)
    assert resolved is not None
    assert resolved.may_be_http is may_be_http


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("htp://example.com/x", "http://example.com/x"),
        ("htps:/example.com/x", "https://example.com/x"),
        ("httpss://example.com", "https://example.com/"),
        ("ttp://example.com", "http://example.com/"),
        ("http//example.com", "http://example.com/"),
        ("https//:example.com", "https://example.com/"),
        ("http;//example.com", "http://example.com/"),
        ("http.//example.com", "http://example.com/"),
        ("http=//example.com", "http://example.com/"),
        ("http:::///example.com", "http://example.com/"),
        ("http(s)://example.com", "https://example.com/"),
        ("h:ttps//example.com", "https://example.com/"),
        ("https:http:https://example.com", "https://example.com/"),
        ("httphttp://example.com", "http://example.com/"),
        ("httphttps://example.com", "https://example.com/"),
        ("httpshttps://example.com", "https://example.com/"),
        ("https://httpshttps://example.com", "https://example.com/"),
        ("http://https://example.com/x", "https://example.com/x"),
        ("https://http/example.com/x", "http://example.com/x"),
        ("//http://example.com", "http://example.com/"),
        ("http:// example.com", "http://example.com/"),
        ("http:\\\\example.com", "http://example.com/"),
        ("http://,example.com/x", "http://example.com/x"),
        ("http://./example.com", "http://example.com/"),
        ("http://:/example.com", "http://example.com/"),
        ("http://(example.com)/x", "http://example.com/x"),
        ('https://"example.com"/x', "https://example.com/x"),
        ("http://example.com,/x", "http://example.com/x"),
        ("http://example.com;:8080/x", "http://example.com:8080/x"),
        ("https://.example.com/x", "https://example.com/x"),
        ("https://example..com/x", "https://example.com/x"),
        ("https://example.com../x", "https://example.com/x"),
        ("htp://http.cat/x", "http://http.cat/x"),
    ],
)
def test_broken_schemes_and_punctuation_around_the_host_are_repaired(text: str, expected: str) -> None:
    assert resolve_url(text) == expected


NO_URLS = r"""#
#top
?a
/
/feed
/example.com/feed
./feed.xml
../feed.xml
path/to/feed
feed.xml
index.html
rss
intranet/feed
//intranet/feed
3.14
8080
1.2/feed
not a url
exam ple.com
feed@example.com
mailto:feed@example.com
tel:12345
ftp://example.com
ssh://example.com
about:blank
javascript:alert(1)
data:text/xml,<rss/>
urn:isbn:123
s3://bucket/key
C:\feeds\x.xml
file:///x.y/z
http:
http://
http://#x
http://?x
http://.
http://https/
https://php:8080/feed
https:///feed/atom?
http:intranet
http:///intranet/x
https://exa mple.com
https://exa(mple.com
https://*.com
https://a.example:99999/
https://a.example:x/
https://a.example:80:80/
http://256.1.1.1/
http://1.2.3.4.5/
http://xn--a.com/
https://[fe80::1%25eth0]/
hthttp:8080
http://h:8080:1"""


@pytest.mark.parametrize("text", ["", "   ", "https://exa\ud800mple.com/", *NO_URLS.splitlines()])
def test_an_unfetchable_text_is_no_url(text: str) -> None:
    assert resolve_url(text) is None


@pytest.mark.parametrize(
    "url", ["http://intranet/feed", "http://wiki:8080/x", "https://nas/feed.com", "http://rss-bridge/?a=1"]
)
def test_one_plain_word_as_host_is_left_to_the_policy_of_fetching(url: str) -> None:
    assert resolve_url(url) == url


@pytest.mark.parametrize(
    ("text", "base", "expected"),
    [
        ("feed.xml", PAGE, "https://example.com/blog/posts/feed.xml"),
        ("./feed.xml", PAGE, "https://example.com/blog/posts/feed.xml"),
        ("../feed.xml", PAGE, "https://example.com/blog/feed.xml"),
        ("/blog/feed", PAGE, "https://example.com/blog/feed"),
        ("?feed=rss2&amp;x", PAGE, "https://example.com/blog/posts/?feed=rss2&x"),
        ("#top", "https://example.com/page?a", "https://example.com/page?a#top"),
        ("//other.example/feed", "http://example.com/", "http://other.example/feed"),
        ("https://other.example/feed", PAGE, "https://other.example/feed"),
        ("other.example/feed", PAGE, "https://example.com/blog/posts/other.example/feed"),
        ("feed://other.example/feed", PAGE, "https://other.example/feed"),
        ("htp://other.example/feed", PAGE, "http://other.example/feed"),
        ("https:feed.xml", PAGE, "https://example.com/blog/posts/feed.xml"),
        ("http:/blog/feed", "http://example.org/x", "http://example.org/blog/feed"),
        ("/https://other.example/feed", PAGE, "https://example.com/https://other.example/feed"),
        ("\\feed", PAGE, "https://example.com/feed"),
        ("feed", "http://intranet/x/y", "http://intranet/x/feed"),
        ("feed", "feed://example.com/x/y", "https://example.com/x/feed"),
        ("caf\ud800", PAGE, "https://example.com/blog/posts/caf%EF%BF%BD"),
        ("", PAGE, None),
        ("  ", PAGE, None),
        ("mailto:a@b.example", PAGE, None),
        ("javascript:alert(1)", PAGE, None),
        ("https:///feed/atom?", PAGE, None),
        ("//exa mple.com/", PAGE, None),
        ("feed.xml", "not a valid base", None),
        ("example.com/feed", "mailto:a@b.example", None),
        ("https://example.com/feed", "not a valid base", "https://example.com/feed"),
    ],
)
def test_references_are_resolved_against_their_base(text: str, base: str, expected: str | None) -> None:
    assert resolve_url(text, base) == expected


def test_a_base_is_taken_as_it_is_fetched() -> None:
    assert resolve_url("b", "https://example.com/a&amp;/") == "https://example.com/a&amp;/b"


def test_surrogates_are_converted_as_browsers_do() -> None:
    assert scalar_text("a\ud800b\udc00c\ud83d\ude00\ud83d") == "a\ufffdb\ufffdc\U0001f600\ufffd"
    parsed = parse_url("https://example.com/\udfff")
    assert parsed is not None
    assert parsed.pathname == "/%EF%BF%BD"


@pytest.mark.parametrize(
    "text",
    [
        "https://a.example/?" + "&amp;" * 60_000,
        "https://a.example/?&" + "amp;" * 60_000,
        "https://a.example/?" + "&" * 100_000 + ";" * 100_000,
        "https://a.example/&#" + "1" * 200_000 + ";",
        "h:" * 100_000,
        "feed:" * 50_000,
        "http:" + ";" * 200_000,
        "http://" + "," * 200_000 + "example.com",
        "https://" + "www." * 50_000 + "example.com/",
        "https://a" + "." * 200_000 + "com/",
        "https://a.example/" + "&%6Ct;" * 40_000,
        "https://a.example/?" + "b=1&utm_source=2&" * 12_000,
        "https://a.example" + "/" * 200_000,
        " " * 100_000 + "\u00a0" * 100_000 + "x",
    ],
    ids=lambda text: text[:24],
)
def test_long_inputs_take_time_in_proportion_to_their_length(text: str) -> None:
    """A pass over 200,000 characters takes a fraction of a second; a quadratic algorithm would take minutes."""

    def read() -> None:
        if resolve_url(text) is not None:
            key(text)
            preset_url(text, "aggressive")

    assert costs_at_most(5, read)


@pytest.mark.parametrize(
    "text", ["<https://example.com/a>", "<URL: https://example.com/a>", '"example.com/a"', "“feed://example.com/a”"]
)
def test_quotes_and_brackets_around_a_copied_url_are_removed(text: str) -> None:
    assert resolve_url(text) == "https://example.com/a"


@pytest.mark.parametrize("text", ["<>", '""', "<a b>", "<b>example.com</b>", "'a.example' 'b.example'"])
def test_a_quoted_text_that_is_no_url_is_none(text: str) -> None:
    assert resolve_url(text) is None


def test_colon_too_many_behind_a_feed_like_scheme_is_no_harm() -> None:
    assert resolve_url("feed:://example.com/feed.xml") == "https://example.com/feed.xml"
