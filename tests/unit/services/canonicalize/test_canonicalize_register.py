"""Canonicalize and register (rules C10, R9)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Self

from feedward.canonical.result import CanonicalResult, Reason
from feedward.deadline import Deadline
from feedward.model import FeedFormat, Known
from feedward.registration import NewFeed, Registration
from feedward.services.canonicalize.register import canonicalize_and_register
from tests.fakes.feed_store import FakeFeedStore
from tests.fakes.fetcher import FakeFetcher
from tests.unit.canonical.documents import FEED, atom, serving

NOW = 1_710_000_000
BEFORE_THE_ITEM = 1_700_000_000
CLEAN = "https://example.com/feed"
DIRTY = "https://www.example.com/feed/"


class Recorder:
    """A store that knows one feed, or none, and records its registrations."""

    def __init__(self, known: Known | None = None, winner: Registration | None = None) -> None:
        self.known = known
        self.winner = winner
        self.scopes: list[str] = []
        self.registered: list[NewFeed] = []
        self.attached: list[tuple[str, tuple[str, ...], str]] = []

    def within(self, _: Deadline) -> Self:
        return self

    def find(self, urls: Sequence[str], *, scope: str = "") -> Known | None:
        self.scopes.append(scope)
        return self.known

    def owners(self, urls: Sequence[str], *, scope: str = "") -> Mapping[str, str]:
        raise AssertionError((urls, scope))

    def register(self, feed: NewFeed) -> Registration:
        self.registered.append(feed)
        return self.winner or Registration(feed_id=feed.feed_id, url=feed.url, created=True)

    def attach(self, feed_id: str, urls: Sequence[str], *, scope: str = "") -> None:
        self.attached.append((feed_id, tuple(urls), scope))

    def respell(self, feed_id: str, url: str, *, now: int) -> str:
        return url


def register(store: Recorder, network: dict[str, Any], url: str = DIRTY, scope: str = "") -> CanonicalResult:
    fetcher = FakeFetcher(network)
    return canonicalize_and_register(
        url, fetcher=fetcher, store=store, now=NOW, scope=scope, new_id=lambda now: f"id at {now}"
    )


def test_a_new_feed_is_stored_with_its_aliases_and_the_data_of_its_document() -> None:
    store = Recorder()
    result = register(store, serving(DIRTY, CLEAN), scope="tenant")
    assert (result.url, result.feed_id, result.created) == (CLEAN, f"id at {NOW}", True)
    (feed,) = store.registered
    assert (feed.url, feed.aliases, feed.now, feed.scope) == (CLEAN, (DIRTY, CLEAN), NOW, "tenant")
    assert (feed.title, feed.format, feed.http_status) == ("Blog", FeedFormat.ATOM, 200)
    assert feed.content_hash == hashlib.sha256(FEED.encode()).hexdigest()
    assert feed.latest_item_published_at == 1_704_067_200
    assert store.scopes == ["tenant"]


def test_an_item_of_the_future_counts_as_now() -> None:
    store = Recorder()
    canonicalize_and_register(CLEAN, fetcher=FakeFetcher(serving(CLEAN)), store=store, now=BEFORE_THE_ITEM)
    assert store.registered[0].latest_item_published_at == BEFORE_THE_ITEM


def test_a_new_feed_knows_how_often_it_publishes_and_how_often_it_wants_to_be_asked() -> None:
    items = "".join(f"<item><guid>{day}</guid><pubDate>0{day} Mar 2024 00:00 GMT</pubDate></item>" for day in (1, 2, 5))
    rss = f"<rss version='2.0'><channel><title>Blog</title><ttl>90</ttl>{items}</channel></rss>"
    network = serving(CLEAN, body=rss)
    network[CLEAN]["headers"] = {"Cache-Control": "public, max-age=7200"}
    store = Recorder()
    register(store, network, url=CLEAN)
    (feed,) = store.registered
    assert (feed.median_gap_s, feed.hint_s, feed.latest_item_published_at) == (2 * 86_400, 7200, 1_709_596_800)


def test_validators_are_those_of_the_url_that_is_stored() -> None:
    network = serving(DIRTY, CLEAN)
    network[DIRTY]["headers"] = {"ETag": '"dirty"'}
    network[CLEAN]["headers"] = {"ETag": '"clean"'}
    store = Recorder()
    register(store, network)
    assert store.registered[0].validators.etag == '"clean"'


def test_a_known_feed_is_not_written_anew_but_gets_the_urls_that_lead_to_it() -> None:
    store = Recorder(known=Known(url=CLEAN, data={"feed_id": "F"}))
    result = register(store, serving(DIRTY), scope="tenant")
    assert (result.url, result.feed_id, result.created, result.reason) == (CLEAN, "F", False, Reason.EXISTS_IN_DB)
    assert store.registered == []
    assert store.attached == [("F", (DIRTY,), "tenant")]


def test_an_old_address_that_redirects_to_a_known_feed_is_known_from_then_on() -> None:
    old = "https://old.example.org/rss"
    network = {old: {"status": 301, "headers": {"location": CLEAN}}} | serving(CLEAN)
    store, fetcher = FakeFeedStore(), FakeFetcher(network)
    first = canonicalize_and_register(CLEAN, fetcher=fetcher, store=store, now=NOW)
    assert store.find([old]) is None
    canonicalize_and_register(old, fetcher=fetcher, store=store, now=NOW)
    assert store.find([old]) == Known(url=CLEAN, data={"feed_id": first.feed_id})


def test_a_permanent_redirect_to_a_signed_url_is_not_stored() -> None:
    signed = "https://cdn.example.org/feed.xml?Expires=17&Signature=abc&Key-Pair-Id=K"
    network = {CLEAN: {"status": 301, "headers": {"location": signed}}} | serving(signed)
    store = Recorder()
    assert register(store, network, CLEAN).url == CLEAN
    assert [feed.url for feed in store.registered] == [CLEAN]


def test_an_uncompared_spelling_is_not_attached_to_the_feed() -> None:
    www = "https://www.example.com/feed"
    store, fetcher = FakeFeedStore(), FakeFetcher(serving(CLEAN, www))
    canonicalize_and_register(CLEAN, fetcher=fetcher, store=store, now=NOW)
    again = canonicalize_and_register(www, fetcher=fetcher, store=store, now=NOW)
    assert again.reason is Reason.EXISTS_IN_DB
    assert store.find([www]) is None


def test_a_failure_is_not_stored() -> None:
    store = Recorder()
    result = register(store, {DIRTY: {"status": 404}})
    assert (result.url, result.feed_id, result.created, store.registered) == (None, None, None, [])


def test_a_loser_of_the_race_answers_with_the_winning_feed() -> None:
    store = Recorder(winner=Registration(feed_id="W", url="https://feeds.example.net/blog", created=False))
    result = register(store, serving(DIRTY, CLEAN))
    assert (result.url, result.feed_id, result.created) == ("https://feeds.example.net/blog", "W", False)
    assert result.reason is Reason.EXISTS_IN_DB


def test_a_race_for_the_same_url_keeps_the_proof() -> None:
    store = Recorder(winner=Registration(feed_id="W", url=CLEAN, created=False))
    result = register(store, serving(DIRTY, CLEAN))
    assert (result.url, result.feed_id, result.created, result.reason) == (CLEAN, "W", False, Reason.CONTENT_VERIFIED)


def test_nothing_is_fetched_or_parsed_again_to_register() -> None:
    fetcher = FakeFetcher(serving(CLEAN, body=atom()))
    canonicalize_and_register(CLEAN, fetcher=fetcher, store=Recorder(), now=NOW)
    assert fetcher.fetched == [CLEAN]


def test_a_second_spelling_of_a_feed_is_not_created_again() -> None:
    store, fetcher = FakeFeedStore(), FakeFetcher(serving(DIRTY, CLEAN, f"{CLEAN}?utm_source=x"))
    first = canonicalize_and_register(DIRTY, fetcher=fetcher, store=store, now=NOW)
    second = canonicalize_and_register(f"{CLEAN}?utm_source=x", fetcher=fetcher, store=store, now=NOW)
    assert (first.created, second.created) == (True, False)
    assert (second.url, second.feed_id) == (CLEAN, first.feed_id)
