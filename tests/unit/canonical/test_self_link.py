"""The handling of a declared self URL before any fetch for it."""

from __future__ import annotations

import pytest

from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.self_link import is_mutual, read_self_link, tries_declared_form
from feedward.model import FetchResult, Outcome

RESPONSE = "https://example.com/blog/feed"
DEFAULT = CanonicalizeOptions()


@pytest.mark.parametrize(
    "declared",
    [
        None,
        "",
        "  \n ",
        "not a url",
        "https://example.com/my feed",
        "https://example.com/a\tb",
        "javascript:alert(1)",
        "data:text/xml,<feed/>",
        "mailto:me@example.com",
        "https://user:secret@example.com/rss",
        "feed://user@example.com/rss",
        "https://@example.com/rss",
        "//@example.com/rss",
    ],
)
def test_a_self_link_that_is_no_url_is_ignored(declared: str | None) -> None:
    link = read_self_link(declared, RESPONSE, DEFAULT)
    assert (link.url, link.attempts) == (None, ())
    assert link.why


@pytest.mark.parametrize(
    "declared",
    [
        RESPONSE,
        f"  {RESPONSE}\n",
        "https://EXAMPLE.com:443/blog/feed",
        "https://example.com/blog/x/../feed",
        "https://example.com/blog/feed#top",
        "http://example.com/blog/feed",
        "feed://example.com/blog/feed",
        "//example.com/blog/feed",
        "feed",
        "/blog/feed",
        "https://example.com/blog/feed?utm_source=rss",
        "http://example.com/blog/%66eed?utm_source=rss&gclid=1#x",
    ],
)
def test_a_self_link_that_says_the_same_needs_no_fetch(declared: str) -> None:
    assert read_self_link(declared, RESPONSE, DEFAULT).attempts == ()


@pytest.mark.parametrize(
    ("declared", "attempts"),
    [
        ("https://example.com/rss", ["https://example.com/rss"]),
        ("../rss.xml", ["https://example.com/rss.xml"]),
        ("https://example.com/rss#new", ["https://example.com/rss"]),
        ("https://www.example.com/blog/feed", ["https://www.example.com/blog/feed"]),
        ("https://example.com/blog/feed/", ["https://example.com/blog/feed/"]),
        ("https://example.com/blog/feed?id=1", ["https://example.com/blog/feed?id=1"]),
        ("http://example.com/rss", ["https://example.com/rss", "http://example.com/rss"]),
        ("feed:http://example.com/rss", ["https://example.com/rss", "http://example.com/rss"]),
        ("feed:https://example.com/rss", ["https://example.com/rss", "http://example.com/rss"]),
        ("feed://example.com/rss", ["https://example.com/rss", "http://example.com/rss"]),
        ("ITPC://example.com/rss", ["https://example.com/rss", "http://example.com/rss"]),
    ],
)
def test_forms_of_a_self_link_are_tried_https_first(declared: str, attempts: list[str]) -> None:
    assert list(read_self_link(declared, RESPONSE, DEFAULT).attempts) == attempts


def test_without_prefer_https_an_http_self_is_taken_at_its_word() -> None:
    link = read_self_link("http://example.com/rss", RESPONSE, CanonicalizeOptions(prefer_https=False))
    assert link.attempts == ("http://example.com/rss",)


def test_a_self_link_is_rewritten_if_rewrites_are_named() -> None:
    declared = "https://feedproxy.google.com/Blog?format=xml"
    assert read_self_link(declared, RESPONSE, CanonicalizeOptions(rewrites=("feedburner",))).attempts == (
        "https://feeds.feedburner.com/Blog",
    )
    assert read_self_link(declared, RESPONSE, DEFAULT).attempts == (declared,)


@pytest.mark.parametrize(
    ("declared", "outcome", "status", "goes_on"),
    [
        ("http://example.com/rss", Outcome.CONNECT_ERROR, None, True),
        ("http://example.com/rss", Outcome.TLS_ERROR, None, True),
        ("http://example.com/rss", Outcome.NOT_FOUND, 404, True),
        ("http://example.com/rss", Outcome.RATE_LIMITED, 429, False),
        ("http://example.com/rss", Outcome.SERVER_ERROR, 503, False),
        ("http://example.com/rss", Outcome.OK, 200, False),
        ("feed://example.com/rss", Outcome.CONNECT_ERROR, None, True),
        ("feed://example.com/rss", Outcome.NOT_FOUND, 404, False),
        ("feed://example.com/rss", Outcome.OK, 200, False),
    ],
)
def test_the_http_form_follows_only_a_failure_that_https_explains(
    declared: str, outcome: Outcome, status: int | None, *, goes_on: bool
) -> None:
    link = read_self_link(declared, RESPONSE, DEFAULT)
    fetch = FetchResult(outcome=outcome, url=link.attempts[0], status=status)
    assert tries_declared_form(link, fetch) is goes_on


def test_two_urls_are_mutual_if_the_second_names_the_first() -> None:
    there = "https://example.com/blog/rss"
    for declared in ("feed#x", "http://example.com/blog/feed", "https://example.com/blog/%66eed?utm_source=rss"):
        assert is_mutual(declared, there, RESPONSE, DEFAULT)
    for other in (there, None, "", "not a url", "https://www.example.com/blog/feed"):
        assert not is_mutual(other, there, RESPONSE, DEFAULT)
