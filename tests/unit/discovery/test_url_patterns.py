"""Patterns over paths: their matches, their misses, and the spelling of values in proposals."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.discovery.url_patterns import (
    account_label,
    as_query_value,
    fill,
    find,
    host_of,
    names,
    origin_of,
    query_value,
    read_url,
    segments,
)
from feedward.urls.parse import Url, parse_http_url
from tests.unit.urls.messy import plain_urls


def parsed(text: str) -> Url:
    url = parse_http_url(text)
    assert url is not None
    return url


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://WWW.GitHub.com/", "github.com"),
        ("https://github.com./", "github.com"),
        ("https://old.reddit.com/", "old.reddit.com"),
    ],
)
def test_a_host_is_read_without_www_and_its_last_dot(url: str, host: str) -> None:
    assert host_of(parsed(url)) == host


@pytest.mark.parametrize(
    ("url", "label"),
    [
        ("https://letters.substack.com/", "letters"),
        ("https://www.letters.substack.com/", "letters"),
        ("https://a.b.substack.com/", ""),
        ("https://substack.com/", ""),
        ("https://notsubstack.com/", ""),
    ],
)
def test_the_account_is_the_one_label_before_the_domain(url: str, label: str) -> None:
    assert account_label(parsed(url), "substack.com") == label


def test_an_origin_holds_no_credentials() -> None:
    assert origin_of(parsed("http://user:pass@x.example:8080/a")) == "http://x.example:8080"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("/%40name/%7Eme/a%2Db", "/@name/~me/a-b"),
        ("/did%3aplc%3ax", "/did:plc:x"),
        ("/%4Eame%31", "/Name1"),
        ("/caf%C3%A9/c%2B%2B/a%2Fb/c%23/100%25", "/caf%C3%A9/c%2B%2B/a%2Fb/c%23/100%25"),
        ("/%2540/%252F", "/%2540/%252F"),
        ("/a%2E%2E/%20", "/a%2E%2E/%20"),
    ],
)
def test_texts_that_need_no_escape_are_read_without(written: str, read: str) -> None:
    url = read_url(f"https://x.example{written}?q=%40")

    assert url is not None
    assert (url.pathname, url.search) == (read, "?q=%40")


def test_empty_parts_of_a_path_are_none() -> None:
    assert segments(parsed("https://x.example//a//b%2Fc/")) == ["a", "b%2Fc"]


def test_a_value_of_the_query_stays_as_it_was_sent() -> None:
    url = parsed("https://x.example/?a=1&q=a%20b+c&q=2")
    assert query_value(url, "q") == "a%20b+c"
    assert query_value(url, "z") == ""


def test_characters_with_a_meaning_in_a_query_are_escaped_and_escapes_stay() -> None:
    assert as_query_value("AT&T+%2B%20") == "AT%26T%2B%2B%20"


def found(pattern: str, path: str, reserved: str = "") -> Mapping[str, str] | None:
    url = parse_http_url(f"https://a.example{path}")
    assert url
    return find(pattern, url, names(reserved))


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("/", "", {}),
        ("/", "//", {}),
        ("/", "/x", None),
        ("/*", "/", {}),
        ("/*", "/x/y", {}),
        ("/c/{name}", "/c/x", {"name": "x"}),
        ("/c/{name}", "/C//x/", {"name": "x"}),
        ("/c/{name}", "/c/x/y", None),
        ("/c/{name}", "/c", None),
        ("/c/{name}/*", "/c/x/y/z", {"name": "x"}),
        ("/c/{name}/*", "/c/x", {"name": "x"}),
        ("/c/{name}", "/c/caf%C3%A9", {"name": "caf%C3%A9"}),
        ("/{id:[0-9]+}", "/12", {"id": "12"}),
        ("/{id:[0-9]+}", "/12a", None),
        ("/{id:UC[a-z]+}", "/ucabc", None),
        ("/@{user}/*", "/@me/x", {"user": "me"}),
        ("/{a}/{b:x?y|z}", "/1/xy", {"a": "1", "b": "xy"}),
        ("/x.php?id={id:[0-9]+}", "/x.php?a=b&id=7", {"id": "7"}),
        ("/x.php?id={id:[0-9]+}", "/x.php?id=7a", None),
        ("/x.php?id={id}", "/x.php?ID=7", None),
        ("/x.php?id={id}", "/x.php?id=", None),
        ("/x.php?id={id}", "/x.php?id=1&id=2", {"id": "1"}),
        ("/x?type=a&id={id}", "/x?id=1&type=a", {"id": "1"}),
        ("/x?type=a&id={id}", "/x?id=1&type=b", None),
        ("/s?q={q}", "/s?q=a+b/c%2Bd", {"q": "a%20b%2Fc%2Bd"}),
        ("/s?q={q}", "/s?q=..", None),
        ("/s?q={q}", "/s?q=%2E%2e", None),
    ],
)
def test_matches_of_a_pattern(pattern: str, path: str, expected: Mapping[str, str] | None) -> None:
    assert found(pattern, path) == expected


@pytest.mark.parametrize(
    ("pattern", "path", "is_met"),
    [
        ("/{user}", "/about", False),
        ("/{user}", "/ABOUT/", False),
        ("/{user}/*", "/about/x", False),
        ("/{user}", "/me", True),
        ("/@{user}", "/@about", True),
        ("/c/{user}", "/c/about", True),
        ("/about/{name}", "/about/x", True),
        ("/{place:about|terms}/{name}", "/about/x", True),
    ],
)
def test_reserved_names_stand_only_where_anything_might(pattern: str, path: str, is_met: bool) -> None:
    assert (found(pattern, path, "about") is not None) is is_met


@pytest.mark.parametrize(
    ("template", "value", "expected"),
    [
        ("/a/{x}.rss", "caf%C3%A9", "/a/caf%C3%A9.rss"),
        ("/a?x={x}", "caf%C3%A9", "/a?x=caf%C3%A9"),
        ("/a/{x}", "a+b&c=d'e@f:g", "/a/a+b&c=d'e@f:g"),
        ("/a?x={x}", "a+b&c=d'e@f:g", "/a?x=a%2Bb%26c%3Dd%27e@f:g"),
        ("/a/{x}?x={x}", "100%", "/a/100%?x=100%"),
        ("/a/{x}", "{x}", "/a/%7Bx%7D"),
        ("https://b.example/{x}?t=by%3A{x}%20z", "me", "https://b.example/me?t=by%3Ame%20z"),
    ],
)
def test_values_are_spelled_for_their_place_and_escapes_stay(template: str, value: str, expected: str) -> None:
    assert fill(template, {"x": value}) == expected


@given(plain_urls(), st.sampled_from(["/{a}", "/{a}/*", "/{a}/{b}", "/x/{a}/*", "/{a:[a-z]+}/*", "/{a}?b={b}"]))
def test_a_match_leads_back_to_its_path(text: str, pattern: str) -> None:
    url = parse_http_url(text)
    values = find(pattern, url) if url else None
    if not url or values is None or "?" in pattern:
        return
    again = parse_http_url(f"https://b.example{fill(pattern.removesuffix('/*').replace(':[a-z]+', ''), values)}")
    assert again
    assert find(pattern, again) == values
