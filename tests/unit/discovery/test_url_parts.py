from __future__ import annotations

import pytest

from feedward.discovery.url_parts import (
    account_label,
    as_query_value,
    host_of,
    origin_of,
    query_value,
    read_url,
    segments,
)
from feedward.urls.parse import Url, parse_http_url


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
