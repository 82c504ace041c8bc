"""Public bug reports on feed readers, each as a small story with the right ending.

Told elsewhere, because they are about later events of a stored feed: repeated observations of a move, a
captive portal for many hosts, a frozen redirect target, a stale proxy (health and moves), fetching from the stored URL.
"""

from __future__ import annotations

from typing import Any

import pytest

from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.result import Reason
from feedward.model import Outcome
from tests.unit.canonical.documents import HTML, OTHER_FEED, atom, redirect, run, serving


def json_feed(feed_url: str, item: str) -> str:
    return (
        '{"version": "https://jsonfeed.org/version/1.1", "title": "Blog", '
        f'"feed_url": "{feed_url}", "items": [{{"id": "{item}", "title": "{item}"}}]}}'
    )


def rss(*, new_feed_url: str) -> str:
    return (
        '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Pod</title>'
        f"<itunes:new-feed-url>{new_feed_url}</itunes:new-feed-url><item><guid>1</guid></item></channel></rss>"
    )


CATEGORY = "https://example.com/category/featured/feed/json/"
HOME = "https://example.com/feed/json/"
PROXY = "https://proxy.example.net/?url=https://example.com/feed"
FEED_URL = "https://example.com/feed"
CHALLENGE: dict[str, Any] = {"status": 403, "headers": {"cf-mitigated": "challenge"}, "body": HTML}


@pytest.mark.parametrize(
    ("url", "self_url", "there"),
    [
        # The self link drops the parameter that selects the channel.
        (
            "https://www.youtube.com/feeds/videos.xml?channel_id=UC123",
            "http://www.youtube.com/feeds/videos.xml",
            {"status": 404},
        ),
        (
            "https://www.youtube.com/feeds/videos.xml?channel_id=UC123",
            "http://www.youtube.com/feeds/videos.xml",
            {"body": HTML},
        ),
        # A proxy that a person chose is not replaced by a self link that cannot be fetched.
        (PROXY, FEED_URL, CHALLENGE),
        # The self link of an https feed says http.
        (FEED_URL, "http://example.com/feed", {"body": atom()}),
    ],
)
def test_a_self_link_without_proof_changes_nothing(url: str, self_url: str, there: dict[str, Any]) -> None:
    network = serving(url, body=atom(self_url=self_url)) | {self_url: there, self_url.replace("http:", "https:"): there}
    network |= serving(url, body=atom(self_url=self_url))
    assert run(url, network).url == url


def test_the_feed_url_of_a_json_feed_is_a_hint_like_a_self_link() -> None:
    network = serving(CATEGORY, body=json_feed(HOME, "a")) | serving(HOME, body=json_feed(HOME, "b"))
    assert run(CATEGORY, network).url == CATEGORY
    assert run(CATEGORY, serving(CATEGORY, HOME, body=json_feed(HOME, "a"))).url == HOME


def test_neither_a_hub_nor_the_link_of_an_entry_is_the_feeds_self_link() -> None:
    entry = "<entry><id>1</id><link rel='self' href='https://example.org/u/1.atom'/></entry>"
    links = "<link rel='hub' href='http://hub.example.com/'/><link rel='self' href='https://example.org/u.atom'/>"
    body = f"<feed xmlns='http://www.w3.org/2005/Atom'><title>U</title>{links}{entry}</feed>"
    assert (
        run("https://example.org/u.atom", serving("https://example.org/u.atom", body=body)).self_url
        == "https://example.org/u.atom"
    )


def test_a_captive_portal_is_no_feed_and_no_move() -> None:
    network = {
        "https://a.example/feed": redirect(302, "https://wifi.example/portal/1"),
        "https://wifi.example/portal/1": {"body": HTML},
    }
    result = run("https://a.example/feed", network)
    assert (result.url, result.outcome, result.temporary_redirect) == (None, Outcome.NOT_FEED, True)


def test_a_308_is_a_permanent_redirect() -> None:
    result = run("https://example.com/old", {"https://example.com/old": redirect(308, "/feed")} | serving(FEED_URL))
    assert (result.url, result.temporary_redirect) == (FEED_URL, False)


@pytest.mark.parametrize("status", [301, 302])
def test_both_spellings_of_a_feed_that_redirects_to_https_are_one(status: int) -> None:
    network = {"http://example.com/feed": redirect(status, FEED_URL)} | serving(FEED_URL)
    assert {run(url, network).url for url in ("http://example.com/feed", FEED_URL)} == {FEED_URL}


def test_the_address_that_was_given_stays_an_alias() -> None:
    network = {"https://go.example.me/pod": redirect(301, "https://cloud.example/abc")} | serving(
        "https://cloud.example/abc"
    )
    result = run("https://go.example.me/pod", network)
    assert (result.url, result.aliases) == (
        "https://cloud.example/abc",
        ("https://go.example.me/pod", "https://cloud.example/abc"),
    )


@pytest.mark.parametrize("new", ["https://example.com/new.xml", "https://new.example/f.xml"])
def test_a_new_feed_url_is_not_followed_on_its_word(new: str) -> None:
    url = "https://example.com/new.xml"
    result = run(url, serving(url, new, body=rss(new_feed_url=new)))
    assert (result.url, result.requests) == (url, (url,))


def test_a_feed_that_redirects_to_an_article_is_a_failure() -> None:
    page = "https://example.com/episode-1"
    result = run(FEED_URL, {FEED_URL: redirect(301, page), page: {"body": HTML}})
    assert (result.url, result.reason, result.outcome) == (None, Reason.ERROR, Outcome.NOT_FEED)


def test_a_mixed_chain_that_ends_on_a_page_is_a_failure() -> None:
    chain = {
        "https://example.com/blogfeed": redirect(301, "/blog/feed"),
        "https://example.com/blog/feed": redirect(302, "/blog/static-feed"),
        "https://example.com/blog/static-feed": redirect(301, "/blog/static-feed/"),
    }
    end = "https://example.com/blog/static-feed/"
    assert run("https://example.com/blogfeed", chain | {end: {"body": HTML}}).outcome is Outcome.NOT_FEED
    found = run("https://example.com/blogfeed", chain | serving(end))
    assert found.temporary_redirect
    # A URL between a temporary redirect and the end is not stored.
    assert found.aliases == ("https://example.com/blogfeed", "https://example.com/blog/feed", end)


@pytest.mark.parametrize(
    ("asked", "landed", "status"),
    [
        ("https://example.com/wiki", "https://example.com/wiki/", 301),
        ("https://example.com/?qux=q&foo=b", "https://example.com/?foo=b&qux=q", 302),
    ],
)
def test_a_redirect_to_another_spelling_is_no_loop(asked: str, landed: str, status: int) -> None:
    assert run(asked, {asked: redirect(status, landed)} | serving(landed)).url == landed


def test_two_feeds_of_one_site_and_title_are_two() -> None:
    news, articles = "https://example.com/news.xml", "https://example.com/articles.xml"
    network = serving(news, body=atom("Site", self_url=articles, items=("n",)))
    network |= serving(articles, body=atom("Site", self_url=articles, items=("a",)))
    assert (run(news, network).url, run(articles, network).url) == (news, articles)


def test_one_feed_under_an_old_and_a_new_path_is_one() -> None:
    old, new = "https://example.com/All%20Feeds/Top%20Stories", "https://example.com/en/All%20Feeds/Top%20Stories.aspx"
    network = serving(old, body=atom(self_url=new)) | serving(new, body=atom(self_url=new, updated="2024-06-06"))
    assert {run(old, network).url, run(new, network).url} == {new}
    assert run(old, network).aliases == (old, new)


def test_an_address_that_is_a_feed_already_is_not_replaced_by_another() -> None:
    url = "https://example.com/sub/feed.xml"
    network = serving(url) | serving("https://example.com/feed.xml", body=OTHER_FEED)
    assert run(url, network, CanonicalizeOptions(probes=("wordpress",))).url == url
