"""A generator's own failure in the form of a feed is not a feed; a feed about errors is one (rule D3)."""

from __future__ import annotations

import pytest

from feedward.feeds.read_feed import is_error_feed
from feedward.model import Feed, FeedFormat, Item
from tests.effort import costs_at_most

HUB = "Latest posts - Powered by RSSHub"


def feed(*titles: str, title: str = "Example", description: str | None = None, site_url: str | None = None) -> Feed:
    posts = tuple(Item(id=str(n), title=text) for n, text in enumerate(titles))
    return Feed(format=FeedFormat.ATOM, title=title, description=description, site_url=site_url, items=posts)


@pytest.mark.parametrize(
    "document",
    [
        feed("Bridge returned error 404! (12345)", title="Gizmodo"),
        feed("Bridge returned error 0! (19876)", title="Twitter Bridge"),
        feed("  bridge returned error 503!  (20001) "),
        feed("Bridge returned error 500!"),
        feed("Facebook Bridge | Main Site was unable to receive or process the remote website's content!"),
        feed("RSSHub 发生了一些意外: Error: Request failed with status code 403", title="RSSHub"),
        feed("RSSHub Error: this route is empty", title="RSSHub"),
        feed("Error: Request failed with status code 404", title="Someone's posts", description=HUB),
        feed("HTTPError: Response code 403 (Forbidden)", title="RSSHub"),
        feed("Route not found", title="RSSHub Error"),
        feed("404 Not Found", title="RSSHub", site_url="https://rsshub.app/x/y"),
        feed("Error: Request failed with status code 429", title="Error"),
        feed("FetchError: request to https://example.com failed", title="Feed error"),
        feed("RSS reader not yet whitelisted!", title="Someone / @someone"),
    ],
)
def test_generator_s_failure(document: Feed) -> None:
    assert is_error_feed(document)


@pytest.mark.parametrize(
    "document",
    [
        feed(),
        feed("Hello"),
        feed("Error 404: an essay on lost pages"),
        feed("Error: a memoir", title="ReconcilePorts"),
        feed("TypeError: undefined is not a function, explained", title="Errors of the week"),
        feed("Why my bridge returned error 404! (a story)", title="Bridges"),
        feed("Bridge returned error 404! and what I did about it"),
        feed("Bridge returned error 404! (12345)", "Gizmodo is back"),
        feed("Bridge returned error 404! (12345)", "Bridge returned error 404! (12344)", title="Log of our bridge"),
        feed("503 reasons to love tea", title="Tea"),
        feed("404 Not Found", title="A band called 404"),
        feed("How RSSHub works", title="Blog", description=HUB),
        feed("Terror in the night", title="Movies", description=HUB),
        feed("RSSHub 1.0 released", title="RSSHub"),
        feed("Error", title="Example"),
        feed("", title="Error"),
        feed("Errors", title="Error"),
        feed("An error occurred in Spain", title="News", description=HUB),
        feed("Error handling in Rust", title="Errors and omissions"),
    ],
)
def test_honest_feed(document: Feed) -> None:
    assert not is_error_feed(document)


def test_item_without_title_is_no_failure() -> None:
    assert not is_error_feed(Feed(format=FeedFormat.RSS, title="Error", items=(Item(id="1"),)))


@pytest.mark.parametrize("text", ["Error: " + "x" * 200_000, "a" * 200_000, "Error " * 50_000, "was unable " * 20_000])
def test_long_titles_take_little_time(text: str) -> None:
    long = feed(text, title=text, description=text)

    assert costs_at_most(0.2, lambda: is_error_feed(long))
