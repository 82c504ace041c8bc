"""Register and Merge in any interleaving of their calls, with any fault between them (rules I1, I3, R6, R7)."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedward.adapters.dynamodb.feeds.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.registration import NewFeed
from feedward.ulid import derived_ulid
from tests.fakes.dynamodb_faults import Died
from tests.fakes.feed_store import PATIENT, FakeFeedStore
from tests.fakes.interleaving import run_interleaved

NOW = 1_790_000_000
LATER = NOW + 1000
URLS = [f"https://example.com/{n}" for n in range(6)]

url_sets = st.lists(st.sampled_from(URLS), min_size=1, max_size=3, unique=True)
# The next writer, and its number of calls: a short run, or one in which all others stand still.
runs = st.tuples(st.integers(0, 2), st.integers(1, 4) | st.just(30))
schedules = st.lists(runs, max_size=8).map(lambda turns: [worker for worker, calls in turns for _ in range(calls)])
deaths = st.none() | st.integers(0, 5)


def registration(n: int, urls: Sequence[str]) -> NewFeed:
    # Ids fall as registrations go on, so that the later one is often the winner of a merge.
    return NewFeed(feed_id=derived_ulid(NOW - n, str(n)), url=urls[0], aliases=tuple(urls[1:]), now=NOW + n)


def store(fake: FakeFeedStore, client: Any) -> DynamoFeedStore:
    """A store on the fake's tables, whose calls go through `client`."""
    return DynamoFeedStore(Tables(client, fake.contents.names, PATIENT))


def components(groups: Sequence[Sequence[str]]) -> list[set[str]]:
    """Join sets of URLs that share one, until no two share any."""
    joined: list[set[str]] = []
    for group in groups:
        touching = [each for each in joined if each & set(group)]
        joined = [each for each in joined if each not in touching] + [set(group).union(*touching)]
    return joined


def owner_of(fake: FakeFeedStore, url: str) -> object:
    known = fake.find([url])
    assert known is not None
    return known.data["feed_id"]


def assert_one_feed_each(fake: FakeFeedStore, groups: Sequence[Sequence[str]]) -> None:
    assert fake.contents.faults_of_form() == []
    owners = [{owner_of(fake, url) for url in group} for group in components(groups)]
    assert all(len(each) == 1 for each in owners)
    assert set().union(*owners) == set(fake.contents.live())


@settings(max_examples=60)
@given(st.lists(url_sets, min_size=2, max_size=3), st.lists(url_sets, max_size=3), schedules)
def test_concurrent_registrations_leave_one_feed_for_connected_urls(
    racing: list[list[str]], before: list[list[str]], schedule: list[int]
) -> None:
    fake = FakeFeedStore()
    for n, urls in enumerate(before):
        fake.register(registration(n, urls))
    news = [registration(len(before) + n, urls) for n, urls in enumerate(racing)]
    jobs = [lambda client, new=new: store(fake, client).register(new) for new in news]
    run_interleaved(fake.faults, jobs, schedule)
    assert_one_feed_each(fake, before + racing)


@settings(max_examples=60)
@given(url_sets, url_sets, url_sets, schedules)
def test_urls_attached_amid_registrations_name_a_live_feed_and_are_taken_from_no_other(
    known: list[str], attached: list[str], registered: list[str], schedule: list[int]
) -> None:
    fake = FakeFeedStore()
    first = registration(0, known)
    fake.register(first)
    new = registration(1, registered)
    jobs = [
        lambda client: store(fake, client).attach(first.feed_id, attached),
        lambda client: store(fake, client).register(new),
    ]
    run_interleaved(fake.faults, jobs, schedule)
    assert fake.contents.faults_of_form() == []
    assert len({owner_of(fake, url) for url in known}) == len({owner_of(fake, url) for url in registered}) == 1
    assert_nothing_names_a_tombstone(fake)


@settings(max_examples=60)
@given(st.lists(st.tuples(url_sets, deaths, st.integers(0, 3), st.booleans()), min_size=1, max_size=6))
def test_deaths_conflicts_and_lag_leave_work_that_can_be_finished(
    steps: list[tuple[list[str], int | None, int, bool]],
) -> None:
    fake = FakeFeedStore()
    for n, (urls, dies_before, conflicts, is_lagging) in enumerate(steps):
        fake.faults.dies_before, fake.faults.conflicts = dies_before, conflicts
        fake.faults.hidden = set(fake.contents.feeds()) if is_lagging else set()
        with contextlib.suppress(Died):
            fake.register(registration(n, urls))
        assert fake.contents.faults_of_form() == []
    finish(fake, [urls for urls, *_ in steps])


def finish(fake: FakeFeedStore, groups: list[list[str]]) -> None:
    """Let every writer retry, and the sweep relay the outbox; then no work may be left."""
    fake.faults.dies_before, fake.faults.conflicts, fake.faults.hidden = None, 0, set()
    for n, urls in enumerate(groups):
        fake.register(registration(n, urls))
    assert_one_feed_each(fake, groups)
    assert_nothing_names_a_tombstone(fake)


def two_feeds_and(fake: FakeFeedStore, *others: str) -> tuple[str, str]:
    """Register a feed for each URL, with falling ids, and return the ids of the first two."""
    for n, url in enumerate([URLS[0], URLS[1], *others]):
        fake.register(registration(n, [url]))
    return registration(0, URLS).feed_id, registration(1, URLS).feed_id


def assert_nothing_names_a_tombstone(fake: FakeFeedStore) -> None:
    """After every writer with a pending entry has processed it."""
    for merge in fake.contents.pending("repoint"):
        assert fake.repoint(merge["feed_id"], now=LATER)
    assert fake.contents.pending("repoint") == []
    assert {row["feed_id"] for row in fake.contents.urls().values()} == set(fake.contents.live())


def first_pauses_after(calls: int) -> list[int]:
    """The first of two workers makes some calls, then stands still until the second is done."""
    return [0] * calls + [1] * 60


@pytest.mark.parametrize("calls", range(1, 10))
def test_a_writer_resumed_long_after_a_merge_attaches_nothing_to_the_tombstone(calls: int) -> None:
    fake = FakeFeedStore()
    larger, _ = two_feeds_and(fake)

    def merge_and_pay(client: Any) -> None:
        store(fake, client).register(registration(8, URLS[:2]))
        store(fake, client).repoint(larger, now=LATER)

    def attach(client: Any) -> None:
        store(fake, client).register(registration(9, [URLS[0], URLS[3]]))

    run_interleaved(fake.faults, [attach, merge_and_pay], first_pauses_after(calls))
    assert_nothing_names_a_tombstone(fake)
    assert_one_feed_each(fake, [URLS[:2], [URLS[0], URLS[3]]])


@pytest.mark.parametrize("calls", range(1, 10))
def test_repointing_while_the_target_is_merged_away_ends_at_the_last_feed(calls: int) -> None:
    fake = FakeFeedStore()
    largest, middle = two_feeds_and(fake, URLS[2])
    fake.faults.hidden = {largest}
    fake.register(registration(7, URLS[:2]))
    fake.faults.hidden = set()

    def pay(client: Any) -> None:
        store(fake, client).repoint(largest, now=LATER)

    def merge_the_target_and_pay(client: Any) -> None:
        store(fake, client).register(registration(8, URLS[1:3]))
        store(fake, client).repoint(middle, now=LATER)

    run_interleaved(fake.faults, [pay, merge_the_target_and_pay], first_pauses_after(calls))
    assert_nothing_names_a_tombstone(fake)
    assert_one_feed_each(fake, [URLS[:3]])
