"""Which URL a feed is stored at: a cleaner spelling that was proven (rule H6), and no temporary target (rule F2)."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.canonical.result import CanonicalResult
from feedward.model import Outcome
from feedward.services.canonicalize.canonicalize import canonicalize
from feedward.services.canonicalize.register import canonicalize_and_register
from feedward.services.subscribe.discover import discover_for_subscription
from feedward.services.subscribe.subscribe import find_subscription, subscribe
from feedward.services.subscribe.subscription_events import news_of
from tests.fakes.directory import NOW
from tests.unit.services.check.checked import Checked, moved, page, rss, status

HTTP, HTTPS = "http://rss.example.ca/x.xml", "https://rss.example.ca/x.xml"
DEAD = {"error": "connect_error"}
POSTS = rss("a", "b")
NEWS = rss("c", "a", "b")


def register(checked: Checked, url: str) -> CanonicalResult:
    return canonicalize_and_register(
        url, fetcher=checked.directory.fetcher, store=checked.directory.store, now=NOW + 60
    )


@pytest.mark.parametrize(
    ("stored", "asked", "url"),
    [
        (HTTP, HTTPS, HTTPS),
        ("https://example.com/feed/", "https://example.com/feed", "https://example.com/feed"),
        ("http://example.com/feed/", "https://example.com/feed/", "https://example.com/feed/"),
        (HTTPS, HTTP, HTTPS),
        ("https://example.com/feed", "https://example.com/feed/", "https://example.com/feed"),
    ],
)
def test_a_registered_cleaner_spelling_that_works_becomes_the_feeds_url(stored: str, asked: str, url: str) -> None:
    checked = Checked({stored: page(POSTS)}, stored)
    checked.serve(DEAD, stored)
    checked.serve(page(NEWS), asked)
    result = register(checked, asked)
    assert (result.url, result.feed_id, result.created) == (url, checked.feed_id, False)
    assert (checked.feed["url"], len(checked.directory.contents.live())) == (url, 1)


def test_a_spelling_that_somebody_registers_replaces_one_that_failed_its_check_though_it_is_less_clean() -> None:
    stored, asked = "https://example.com/feed", "https://example.com/feed/"
    checked = Checked({stored: page(POSTS)}, stored)
    checked.serve(status(404), stored)
    assert checked.check_when_due().outcome is Outcome.NOT_FOUND
    checked.serve(page(NEWS), asked)
    result = register(checked, asked)
    assert (result.url, result.feed_id, checked.feed["url"]) == (asked, checked.feed_id, asked)


def test_a_call_that_registers_nothing_answers_the_spelling_that_works_and_moves_nothing() -> None:
    checked = Checked({HTTP: page(POSTS)}, HTTP)
    checked.serve(page(NEWS), HTTPS)
    result = canonicalize(HTTPS, fetcher=checked.directory.fetcher, exists=checked.directory.store.find)
    assert (result.url, result.feed_id, checked.feed["url"]) == (HTTPS, checked.feed_id, HTTP)


def test_a_move_that_a_person_undid_is_not_done_again_by_a_registration() -> None:
    checked = Checked({HTTP: page(POSTS)}, HTTP)
    checked.serve(page(NEWS), HTTPS)
    register(checked, HTTPS)
    checked.ports.moves.undo(checked.feed_id, by="ada", now=NOW + 120)
    assert (register(checked, HTTPS).url, checked.feed["url"]) == (HTTP, HTTP)


# --- redirects ------------------------------------------------------------------------------------

PODCAST, HOSTED = "https://www.example.com/podcast/", "https://x.host.example/rss.xml"
SELF = f'<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="{HOSTED}"/>'


def registered(network: dict[str, Any], url: str) -> tuple[str, Checked]:
    checked = Checked(network, url)
    return checked.feed["url"], checked


@pytest.mark.parametrize("code", [302, 303, 307])
@pytest.mark.parametrize("body", [POSTS, rss("a", "b", more=SELF)], ids=["no self link", "names its host"])
def test_a_new_feed_is_stored_at_the_url_before_the_first_temporary_redirect(code: int, body: str) -> None:
    stored, checked = registered({PODCAST: moved(code, HOSTED), HOSTED: page(body, etag='"1"')}, PODCAST)
    assert stored == PODCAST
    assert (checked.feed["validators_url"], checked.directory.store.find([HOSTED])) == (HOSTED, None)
    elsewhere = "https://y.host.example/feed"
    checked.serve(moved(code, elsewhere), PODCAST)
    checked.serve(status(404), HOSTED)
    checked.serve(page(rss("c", "a", "b")), elsewhere)
    answer = checked.check_when_due()
    assert (answer.new_items, checked.feed["url"]) == (1, PODCAST)


@pytest.mark.parametrize(
    ("chain", "stored"),
    [
        (["https://a.example/f", 301, "https://b.example/f", 302, "https://c.example/f"], "https://b.example/f"),
        (["https://a.example/f", 302, "https://b.example/f", 301, "https://c.example/f"], "https://a.example/f"),
        (["http://a.example/f", 302, "https://a.example/f"], "https://a.example/f"),
        (["http://a.example/f", 302, "https://a.example/f", 302, "https://c.example/f"], "https://a.example/f"),
        (["https://a.example/f", 301, "https://b.example/f"], "https://b.example/f"),
        (["https://a.example/r", 308, "https://a.example/r?t=1"], "https://a.example/r"),
        (["https://a.example/r", 301, "https://a.example/r;jsessionid=0A1B"], "https://a.example/r"),
        (["https://a.example/app/r", 301, "https://a.example/app/(S(x1y2))/r"], "https://a.example/app/r"),
        (["https://a.example/r;v=1", 301, "https://a.example/r"], "https://a.example/r"),
        (["https://a.example/r;v=1", 301, "https://a.example/r;v=1?x=1"], "https://a.example/r;v=1"),
        (["https://a.example/r?x=1", 301, "https://a.example/r"], "https://a.example/r"),
    ],
)
def test_only_the_leading_permanent_redirects_lead_to_the_stored_url(chain: list[Any], stored: str) -> None:
    network: dict[str, Any] = {chain[-1]: page(POSTS)}
    for start, code, to in zip(chain[::2], chain[1::2], chain[2::2], strict=False):
        network[start] = moved(code, to)
    assert registered(network, chain[0])[0] == stored


def test_a_feed_that_is_subscribed_to_behind_a_temporary_redirect_is_stored_before_it() -> None:
    checked = Checked({HTTP: page(POSTS)}, HTTP)
    checked.serve(moved(302, HOSTED), PODCAST)
    checked.serve(page(rss("p", title="Podcast")), HOSTED)
    assert subscribed_url(checked, PODCAST) == PODCAST


def test_a_subscribed_cleaner_spelling_becomes_the_feeds_url() -> None:
    checked = Checked({HTTP: page(POSTS)}, HTTP)
    checked.serve(DEAD, HTTP)
    checked.serve(page(NEWS), HTTPS)
    assert (subscribed_url(checked, HTTPS), checked.feed["url"]) == (HTTPS, HTTPS)


def subscribed_url(checked: Checked, url: str) -> str:
    directory = checked.directory
    asked = subscribe(SELF_HOSTED, url, ports=directory).subscription
    discover_for_subscription(news_of(asked).detail, directory=directory)
    feed_id = find_subscription(SELF_HOSTED, asked.subscription_id, ports=directory).feed_id
    assert feed_id is not None
    return str(directory.contents.feeds()[feed_id]["url"])
