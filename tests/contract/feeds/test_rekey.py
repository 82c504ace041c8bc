"""The registry moves to another key: every owner is found by the new hash and by the old one, despite kills
(rule C4).
"""

from __future__ import annotations

import contextlib
import hashlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.frontier.frontier_store import DynamoFrontierStore
from feedward.adapters.dynamodb.registry.rekey import DynamoRekeyStore
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import feed_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Transaction, equals
from feedward.errors import Conflict
from feedward.frontier.row import FrontierRow
from feedward.ulid import derived_ulid
from feedward.urls.key import KEY_VERSION, url_hash
from feedward.urls.rekey import Duplicate, Rekeyed, Rekeying, RekeyResult, plan_rekey
from tests.contract.benches.feeds import NOW, new_feed
from tests.contract.conftest import Bench
from tests.fakes.dynamodb_faults import Died
from tests.fakes.feed_store import PATIENT
from tests.fakes.lifespan import Lifespan, Mortal

NEXT = "2"
FEEDS = 9


def next_hash(url: str, scope: str = "") -> str:
    """The hash under a key that distinguishes schemes and drops queries."""
    return hashlib.sha256(f"{scope}\n2:{url.partition('?')[0].rstrip('/')}".encode()).hexdigest()


@dataclass
class Registry:
    """A registry under test, and the store that moves it."""

    bench: Bench
    store: DynamoRekeyStore
    frontier: DynamoFrontierStore

    def add_feed(self, name: str, *urls: str, **members: Any) -> str:
        return self.bench.store.register(new_feed(name, *urls, **members)).feed_id

    def add_row(self, name: str, url: str, owner: str | None = None) -> str:
        row = FrontierRow(
            row_id=derived_ulid(NOW, name),
            url=url,
            url_hash=url_hash(url, owner or ""),
            host="example.com",
            created_at=NOW,
            next_fetch_at=NOW + 60,
            owner=owner,
        )
        return self.frontier.submit(row).row.row_id

    def urls(self) -> dict[str, Item]:
        return self.bench.contents.urls()

    def found(self, url: str, scope: str = "") -> Item:
        """The row of the registry that the URL finds under the new key."""
        return self.urls().get(next_hash(url, scope), {})

    def feed(self, feed: str) -> Item:
        return self.bench.contents.feeds()[feed]

    def move(self, *, at_most: int = 4, holder: str = "w", now: int = NOW, client: Any = None) -> Rekeying | None:
        """Re-key the registry to the end, as the service does. None: another worker has the job."""
        store = DynamoRekeyStore(Tables(client, self.bench.contents.names, PATIENT)) if client else self.store
        held = store.take(NEXT, holder=holder, now=now, lease_until=now + 60)
        while held is not None and not held.done:
            page = store.outdated(held, at_most=at_most)
            for url in page.urls:
                store.rekey(url, plan_rekey(url, next_hash), version=NEXT)
            held = store.advanced(held, page.place, lease_until=now + 60)
        return held


@pytest.fixture
def registry(bench: Bench) -> Registry:
    client: Any = bench.faults
    return Registry(
        bench,
        DynamoRekeyStore(Tables(client, bench.contents.names, PATIENT)),
        DynamoFrontierStore(Tables(client, bench.contents.names, PATIENT)),
    )


def some_feeds(registry: Registry) -> list[str]:
    """Feeds of two URLs each."""
    return [
        registry.add_feed(f"f{n}", f"https://site{n}.example.com/feed", f"https://site{n}.example.com/rss")
        for n in range(FEEDS)
    ]


def the_move(registry: Registry, **members: Any) -> Rekeying:
    done = registry.move(**members)
    assert done is not None
    assert done.done
    return done


def check_some_feeds(registry: Registry, feeds: list[str]) -> None:
    urls, items = registry.urls(), registry.bench.contents.feeds()
    for n, feed in enumerate(feeds):
        for path in ("feed", "rss"):
            url = f"https://site{n}.example.com/{path}"
            assert urls[next_hash(url)]["feed_id"] == feed
            assert urls[next_hash(url)]["key_version"] == NEXT
            assert urls[url_hash(url)]["feed_id"] == feed, "the old hash is an alias"
        assert items[feed]["url_hash"] == next_hash(f"https://site{n}.example.com/feed")


# --- results by owner ----------------------------------------------------------------------------


@pytest.mark.parametrize("at_most", [1, 4, 1000])
def test_every_url_finds_its_feed_by_both_hashes(registry: Registry, at_most: int) -> None:
    feeds = some_feeds(registry)
    before = registry.urls()
    done = the_move(registry, at_most=at_most)

    check_some_feeds(registry, feeds)
    assert (done.claimed, done.duplicate, done.unusable, done.unowned) == (2 * FEEDS, 0, 0, 0)
    assert registry.store.rekeying(NEXT) == done
    after = registry.urls()
    for old_hash, row in before.items():
        assert after[old_hash] == {**row, "rekeyed": NEXT}


def test_a_feed_is_found_by_its_next_writer(registry: Registry) -> None:
    """Its revision changed with its hash, so that a running check decides again."""
    feed = registry.add_feed("f", "https://example.com/feed")
    the_move(registry)

    assert registry.feed(feed)["rev"] == 2
    assert registry.feed(feed)["url"] == "https://example.com/feed"


def test_a_frontier_row_is_found_by_both_hashes(registry: Registry) -> None:
    row_id = registry.add_row("r", "https://example.com/page?a=1")
    the_move(registry)

    row = registry.frontier.row(row_id)
    assert row is not None
    assert (row.url_hash, row.rev) == (next_hash("https://example.com/page"), 2)
    assert registry.found("https://example.com/page")["row_id"] == row_id
    assert registry.urls()[url_hash("https://example.com/page?a=1")]["row_id"] == row_id


def test_a_feed_and_a_row_of_one_url_move_together(registry: Registry) -> None:
    feed = registry.add_feed("f", "https://example.com/feed")
    row_id = registry.add_row("r", "https://example.com/feed")
    done = the_move(registry)

    found = registry.found("https://example.com/feed")
    assert (found["feed_id"], found["row_id"]) == (feed, row_id)
    assert done.claimed == 1


def test_a_private_url_stays_private(registry: Registry) -> None:
    url = "https://example.com/feed"
    own = registry.add_feed("own", url, scope="acme")
    shared = registry.add_feed("shared", url)
    the_move(registry)

    assert registry.found(url, "acme")["feed_id"] == own
    assert registry.found(url)["feed_id"] == shared


def test_a_spelling_that_the_new_key_tells_apart_is_found_too(registry: Registry) -> None:
    feed = registry.add_feed("f", "http://example.com/feed")
    registry.bench.contents.put_url(
        url_hash=url_hash("https://example.com/feed"),
        url="https://example.com/feed",
        key_version=KEY_VERSION,
        feed_id=feed,
    )
    the_move(registry)

    assert registry.found("https://example.com/feed")["feed_id"] == feed
    assert registry.found("http://example.com/feed")["feed_id"] == feed
    assert registry.feed(feed)["url_hash"] == next_hash("http://example.com/feed")


def test_two_feeds_that_are_one_under_the_new_key_are_reported_and_both_found(registry: Registry) -> None:
    first = registry.add_feed("a", "https://example.com/feed?a=1")
    second = registry.add_feed("b", "https://example.com/feed?a=2")
    done = the_move(registry)

    new = next_hash("https://example.com/feed")
    (duplicate,) = registry.store.duplicates(NEXT)
    assert {duplicate.owner_id, duplicate.other_id} == {first, second}
    assert duplicate == Duplicate(
        url_hash=new, kind="feed", owner_id=duplicate.owner_id, other_id=registry.urls()[new]["feed_id"]
    )
    assert (done.claimed, done.duplicate) == (1, 1)
    for feed, query in ((first, "a=1"), (second, "a=2")):
        old = url_hash(f"https://example.com/feed?{query}")
        assert registry.urls()[old]["feed_id"] == feed
        assert registry.feed(feed)["url_hash"] == (old if feed == duplicate.owner_id else new)


def test_two_rows_that_are_one_under_the_new_key_are_reported(registry: Registry) -> None:
    ids = {registry.add_row(f"r{n}", f"https://example.com/page?a={n}") for n in range(3)}
    done = the_move(registry)

    duplicates = list(registry.store.duplicates(NEXT))
    assert (done.claimed, done.duplicate) == (1, 2)
    assert {duplicate.kind for duplicate in duplicates} == {"row"}
    assert {duplicate.owner_id for duplicate in duplicates} | {duplicate.other_id for duplicate in duplicates} == ids


def test_a_hash_that_is_right_under_both_versions_is_no_alias(registry: Registry) -> None:
    feed = registry.add_feed("f", "https://example.com/feed")
    old = url_hash("https://example.com/feed")
    held = registry.store.take(NEXT, holder="w", now=NOW, lease_until=NOW + 60)
    assert held is not None
    (url,) = registry.store.outdated(held, at_most=10).urls
    registry.store.rekey(url, plan_rekey(url, url_hash), version=NEXT)

    assert set(registry.urls()) == {old}
    assert registry.urls()[old]["key_version"] == NEXT
    assert registry.feed(feed)["rev"] == 1, "nothing of the feed changed"


def test_the_url_of_a_merged_feed_is_claimed_for_the_surviving_one(registry: Registry) -> None:
    first = registry.add_feed("a", "https://example.com/feed")
    second = registry.add_feed("b", "https://example.com/rss", now=NOW + 1)
    registry.bench.store.register(new_feed("c", "https://example.com/rss", "https://example.com/feed", now=NOW + 2))
    assert registry.feed(second)["merged_into"] == first
    registry.bench.contents.put_url(
        url_hash=url_hash("https://example.com/rss"),
        url="https://example.com/rss",
        key_version=KEY_VERSION,
        feed_id=second,
    )
    done = the_move(registry)

    assert registry.found("https://example.com/rss")["feed_id"] == first
    assert done.duplicate == 0


def test_urls_without_an_owner_and_texts_that_are_no_urls_are_counted(registry: Registry) -> None:
    put = registry.bench.contents.put_url
    put(url_hash="0" * 64, url="https://example.com/gone", key_version=KEY_VERSION, feed_id="0GONE")
    put(url_hash="1" * 64, url="https://example.com/unknown", key_version=KEY_VERSION)
    done = the_move(registry)

    assert (done.claimed, done.unowned) == (0, 2)


def test_rows_of_the_new_version_are_let_be(registry: Registry) -> None:
    some_feeds(registry)
    the_move(registry)
    before, feeds = registry.urls(), registry.bench.contents.feeds()
    held = Rekeying(version=NEXT)

    assert registry.store.outdated(held, at_most=1000).urls == []
    assert registry.move() is None
    assert (registry.urls(), registry.bench.contents.feeds()) == (before, feeds)


def test_a_row_that_is_done_twice_is_counted_once(registry: Registry) -> None:
    registry.add_feed("f", "https://example.com/feed")
    held = registry.store.take(NEXT, holder="w", now=NOW, lease_until=NOW + 60)
    assert held is not None
    (url,) = registry.store.outdated(held, at_most=10).urls
    results = [registry.store.rekey(url, plan_rekey(url, next_hash), version=NEXT) for _ in range(3)]

    assert results == [RekeyResult(rekeyed=Rekeyed.CLAIMED)] * 3
    assert registry.store.rekeying(NEXT).claimed == 1


# --- in the middle of things ---------------------------------------------------------------------


def _write_feed(registry: Registry, feed: str, **assign: Any) -> None:
    transaction = Transaction()
    names = registry.bench.contents.names
    transaction.update(names.feeds, feed_key(feed), equals("feed_id", feed), assign=assign, increment=("rev",))
    registry.bench.faults.transact_write_items(TransactItems=transaction.items, ClientRequestToken=transaction.token)


def test_a_feed_that_was_written_meanwhile_gets_its_hash_all_the_same(registry: Registry) -> None:
    feed = registry.add_feed("f", "https://example.com/feed")
    held = registry.store.take(NEXT, holder="w", now=NOW, lease_until=NOW + 60)
    assert held is not None
    (url,) = registry.store.outdated(held, at_most=10).urls
    _write_feed(registry, feed, last_news_at=3)
    registry.store.rekey(url, plan_rekey(url, next_hash), version=NEXT)

    assert registry.feed(feed)["url_hash"] == next_hash("https://example.com/feed")
    assert registry.feed(feed)["last_news_at"] == 3


def test_a_feed_that_was_respelled_meanwhile_is_read_again(registry: Registry) -> None:
    feed = registry.add_feed("f", "http://example.com/feed")
    held = registry.store.take(NEXT, holder="w", now=NOW, lease_until=NOW + 60)
    assert held is not None
    (url,) = registry.store.outdated(held, at_most=10).urls
    _write_feed(registry, feed, url="https://example.com/feed")

    with pytest.raises(Conflict):
        registry.store.rekey(url, plan_rekey(url, next_hash), version=NEXT)
    the_move(registry)
    assert registry.feed(feed)["url_hash"] == next_hash("https://example.com/feed")
    assert registry.found("https://example.com/feed")["feed_id"] == feed


def test_a_feed_that_moved_meanwhile_keeps_where_it_is(registry: Registry) -> None:
    feed = registry.add_feed("f", "https://example.com/feed")
    held = registry.store.take(NEXT, holder="w", now=NOW, lease_until=NOW + 60)
    assert held is not None
    (url,) = registry.store.outdated(held, at_most=10).urls
    _write_feed(registry, feed, url="https://example.com/moved", url_hash="moved")
    registry.store.rekey(url, plan_rekey(url, next_hash), version=NEXT)

    assert registry.feed(feed)["url_hash"] == "moved"
    assert registry.found("https://example.com/feed")["feed_id"] == feed


@pytest.mark.parametrize("makes_last", [False, True])
def test_after_a_kill_at_any_call_another_worker_continues(registry: Registry, makes_last: bool) -> None:
    feeds = some_feeds(registry)
    row_id = registry.add_row("r", "https://site0.example.com/feed")
    killed = 0
    for call in range(0, 80, 1 if registry.bench.contents.names.urls == "UrlsTable" else 7):
        lifespan = Lifespan()
        lifespan.end_at(call % 11, makes_last=makes_last)
        with contextlib.suppress(Died):
            registry.move(holder=f"w{call}", now=NOW + 100 * call, client=Mortal(registry.bench.faults, lifespan))
        killed += len(lifespan.calls) == call % 11 + 1
    assert killed
    done = registry.store.rekeying(NEXT)
    if not done.done:
        done = the_move(registry, holder="last", now=NOW + 10**6)

    check_some_feeds(registry, feeds)
    assert registry.found("https://site0.example.com/feed")["row_id"] == row_id
    assert (done.claimed, done.duplicate) == (2 * FEEDS, 0)


def test_conflicts_throttling_and_lost_answers_change_nothing(fake_bench: Bench) -> None:
    client: Any = fake_bench.faults
    names = fake_bench.contents.names
    patient = Backoff(attempts=9, sleep=lambda _: None)
    registry = Registry(
        fake_bench,
        DynamoRekeyStore(Tables(client, names, patient)),
        DynamoFrontierStore(Tables(client, names, PATIENT)),
    )
    feeds = some_feeds(registry)
    for knob, number in (("conflicts", 5), ("throttles", 5), ("lost_answers", 2), ("unprocessed", 3)):
        setattr(fake_bench.faults, knob, number)
    done = the_move(registry)

    check_some_feeds(registry, feeds)
    assert done.claimed == 2 * FEEDS


# --- the lease of the job ------------------------------------------------------------------------


def test_the_job_is_one_workers_until_its_lease_ends(registry: Registry) -> None:
    take = registry.store.take
    held = take(NEXT, holder="a", now=NOW, lease_until=NOW + 60)
    assert held is not None

    assert take(NEXT, holder="b", now=NOW + 59, lease_until=NOW + 120) is None
    assert take(NEXT, holder="b", now=NOW + 60, lease_until=NOW + 120) is not None
    assert registry.store.advanced(held, "somewhere", lease_until=NOW + 60) is None
    assert registry.store.rekeying(NEXT).place is None


def test_of_concurrent_workers_one_gets_the_job(registry: Registry) -> None:
    def take(n: int) -> Rekeying | None:
        return registry.store.take(NEXT, holder=f"w{n}", now=NOW, lease_until=NOW + 60)

    with ThreadPoolExecutor(8) as pool:
        held = [each for each in pool.map(take, range(16)) if each]

    assert len(held) == 1


def test_a_job_that_is_done_is_not_taken(registry: Registry) -> None:
    the_move(registry)

    assert registry.store.take(NEXT, holder="b", now=NOW + 999, lease_until=NOW + 1059) is None
    assert registry.store.take("3", holder="b", now=NOW + 999, lease_until=NOW + 1059) is not None
