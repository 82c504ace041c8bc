"""Which URLs need no request to be held for one (rules C6, C7.4, C7.5)."""

from __future__ import annotations

import pytest

from feedward.urls.compare import (
    has_white_space,
    is_same_but_for_parameters,
    only_adds_parameters,
    with_scheme,
    without_fragment,
    without_parameters,
)

FEED = "https://example.com/feed"


@pytest.mark.parametrize(
    ("landed", "requested", "expected"),
    [
        (f"{FEED}?utm_source=x", FEED, True),
        (f"{FEED}?doing_wp_cron=1.2", f"{FEED}#top", True),
        (f"{FEED}?a=1&utm_source=x&b", f"{FEED}?a=1&b", True),
        (f"{FEED}?utm_source=x&fbclid=y", f"{FEED}?utm_source=x", True),
        (FEED, FEED, True),
        (FEED, f"{FEED}?utm_source=x", False),
        (f"{FEED}?utm_source=y", f"{FEED}?utm_source=x", False),
        (f"{FEED}?id=1", FEED, False),
        (f"{FEED}/?utm_source=x", FEED, False),
        (f"{FEED}?utm_source=x", "http://example.com/feed", False),
    ],
)
def test_a_landing_url_that_only_adds_listed_parameters_is_no_move(landed: str, requested: str, expected: bool) -> None:
    assert only_adds_parameters(landed, requested) is expected


def test_the_list_may_be_the_callers_own() -> None:
    assert only_adds_parameters(f"{FEED}?from=mail", FEED, ["From"])
    assert not only_adds_parameters(f"{FEED}?utm_source=x", FEED, ["From"])


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (FEED, True),
        ("http://example.com/feed", True),
        ("HTTPS://EXAMPLE.com:443/feed#top", True),
        (f"{FEED}?utm_source=rss&cid=1", True),
        ("https://example.com/%66eed?", True),
        ("http://example.com:443/feed", False),
        (f"{FEED}/", False),
        (f"{FEED}?id=1", False),
        ("https://www.example.com/feed", False),
        ("https://example.com//feed", False),
    ],
)
def test_a_self_link_that_says_nothing_new_needs_no_fetch(other: str, expected: bool) -> None:
    assert is_same_but_for_parameters(FEED, other) is expected
    assert is_same_but_for_parameters(other, FEED) is expected


@pytest.mark.parametrize(
    ("url", "scheme", "expected"),
    [
        ("http://example.com/feed?a#b", "https", "https://example.com/feed?a#b"),
        ("http://example.com:8080/feed", "https", "https://example.com:8080/feed"),
        ("https://example.com/feed", "http", "http://example.com/feed"),
        ("https://example.com/feed", "https", "https://example.com/feed"),
    ],
)
def test_with_scheme(url: str, scheme: str, expected: str) -> None:
    assert with_scheme(url, scheme) == expected


def test_without_fragment_and_without_parameters_keep_the_rest() -> None:
    assert without_fragment("https://Example.com/a%2f?b=%zz#c#d") == "https://example.com/a%2f?b=%zz"
    assert without_fragment("https://example.com/?#") == "https://example.com/?"
    assert without_parameters("https://example.com/a%2f?b=2&utm_source=1&a=1#c") == "https://example.com/a%2f?b=2&a=1"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("https://a.example/b c", True), ("a\nb", True), (" https://a.example/b%20c\n", False), ("", False)],
)
def test_white_space_inside_is_told_from_white_space_around(text: str, expected: bool) -> None:
    assert has_white_space(text) is expected
