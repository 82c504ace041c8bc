"""The key finds stored URLs: spellings of one URL share it, different resources do not (rule C4)."""

from __future__ import annotations

from hashlib import sha256

import pytest

from feedward.errors import InvalidInput
from feedward.urls.key import key, key_or_text, url_hash


@pytest.mark.parametrize(
    "spellings",
    [
        ["http://example.com/feed", "https://example.com/feed/", "example.com/feed", "feed://example.com/feed#x"],
        [
            "https://example.com/feed?",
            "https://example.com//feed?&",
            "https://EXAMPLE.com.:443/feed",
            "http://example.com:80/feed",
        ],
        [
            "https://example.com/a?b=2&a=1",
            "https://example.com/a?a=1&b=2",
            "https://example.com/a?&a=1&&b=2&utm_source=x&fbclid",
        ],
        ["https://example.com", "http://example.com/", "https://example.com/?", "https://example.com//"],
        ["https://example.com:8443/x", "http://example.com:8443/x"],
        ["https://example%2Ecom/%7ea/%c3%a9", "https://example.com/~a/é"],
        ["http://münchen.example/x", "https://xn--mnchen-3ya.example/x/"],
        ["http://localhost./x", "https://localhost/x"],
        ["https://[::1]/x", "http://[0:0::1]:80/x/"],
        ["https://example.com/?a&amp;b", "https://example.com/?b&a"],
        ["https://example.com/dir;x/a%7Eb", "https://example.com/dir;x/a~b"],
    ],
)
def test_spellings_of_one_url_share_a_key(spellings: list[str]) -> None:
    assert len({key(url) for url in spellings}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://www.example.com/feed", "https://example.com/feed"),
        ("https://example.com/Feed", "https://example.com/feed"),
        ("http://example.com:443/feed", "https://example.com/feed"),
        ("https://example.com:80/feed", "http://example.com/feed"),
        ("https://example.com:8080/feed", "https://example.com/feed"),
        ("https://example.com/feed?a=1&a=2", "https://example.com/feed?a=2&a=1"),
        ("https://example.com/feed?a", "https://example.com/feed?a="),
        ("https://example.com/a+b", "https://example.com/a%20b"),
        ("https://example.com/a%2Fb", "https://example.com/a/b"),
        ("https://example.com/a?b=%2F", "https://example.com/a?b=/"),
        ("https://xn--ascii-.example/x", "https://ascii.example/x"),
        ("https://u@example.com/x", "https://example.com/x"),
        ("https://www3288.com/feed", "https://www57912.com/feed"),
    ],
)
def test_different_resources_have_different_keys(one: str, other: str) -> None:
    assert key(one) != key(other)


@pytest.mark.parametrize(
    "name",
    "cid preview preview_id preview_nonce ts timestamp _ cb rand random referrer referer campaign_id trk".split(),  # noqa: SIM905
)
def test_listed_names_that_often_choose_the_feed_count(name: str) -> None:
    assert key(f"https://example.com/feed?{name}=1") != key("https://example.com/feed")
    assert key(f"https://example.com/feed?{name}=1&utm_source=2") == key(f"https://example.com/feed?{name}=1")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.com/feed", "https://example.com/feed"),
        ("http://example.com:443/feed", "http://example.com:443/feed"),
        ("https://example.com:80/feed/", "https://example.com:80/feed"),
        ("http://example.com?z=1&a=1#yolo", "https://example.com/?a=1&z=1"),
        ("http://example.com/?sig=a%2Fb%3D&id=2", "https://example.com/?id=2&sig=a%2Fb%3D"),
        ("https://example.com/?lt;=1&a=2", "https://example.com/?lt;=1&a=2"),
    ],
)
def test_the_form_of_a_key(url: str, expected: str) -> None:
    assert key(url) == expected
    assert key(expected) == expected


def test_a_text_that_is_no_url_has_no_key() -> None:
    with pytest.raises(InvalidInput) as raised:
        key("not a url")
    assert raised.value.field == "url"


@pytest.mark.parametrize("text", ["", "urn:uuid:1", "tag:example.com,2024:1", "not a url"])
def test_a_text_that_is_no_url_is_compared_as_written(text: str) -> None:
    assert key_or_text(text) == text
    assert key_or_text("http://EXAMPLE.com/feed/") == key("https://example.com/feed")


def test_url_hash_is_sha256_of_scope_line_feed_and_key() -> None:
    url = "http://www.example.com/feed/?utm_source=x"
    assert url_hash(url) == sha256(b"\nhttps://www.example.com/feed").hexdigest()
    assert url_hash(url, "tenant-1") == sha256(b"tenant-1\nhttps://www.example.com/feed").hexdigest()
    assert url_hash(url, "tenant-1") != url_hash(url)
