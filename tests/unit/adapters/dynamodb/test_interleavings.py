"""Register and Merge in any interleaving of their calls, with any fault between them (I1, I3, security D6, D7)."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from feedward.adapters.dynamodb.feed_store import DynamoFeedStore
from feedward.errors import FeedwardError
from feedward.model import NewFeed
from feedward.ulid import derived_ulid
from tests.fakes.dynamodb_faults import Died
from tests.fakes.feed_store import PATIENT, FakeFeedStore
from tests.fakes.interleaving import run_interleaved

NOW = 1_790_000_000
URLS = [f"https://example.com/{n}" for n in range(6)]

url_sets = st.lists(st.sampled_from(URLS), min_size=1, max_size=3, unique=True)
schedules = st.lists(st.integers(0, 2), max_size=40)
deaths = st.none() | st.integers(0, 5)


def registration(n: int, urls: Sequence[str]) -> NewFeed:
    # Ids fall as registrations go on, so that the later one is often the winner of a merge.
    return NewFeed(feed_id=derived_ulid(NOW - n, str(n)), url=urls[0], aliases=tuple(urls[1:]), now=NOW + n)


def store(fake: FakeFeedStore, client: Any) -> DynamoFeedStore:
    """A store on the fake's tables, whose calls go through `client`."""
    return DynamoFeedStore(client, fake.contents.names, PATIENT)


def components(groups: Sequence[Sequence[str]]) -> list[set[str]]:
    """Join sets of URLs that share one, until none do."""
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


@settings(max_examples=150)
@given(st.lists(url_sets, min_size=2, max_size=3), st.lists(url_sets, max_size=3), schedules)
def test_registrations_side_by_side_leave_one_feed_for_what_hangs_together(
    racing: list[list[str]], before: list[list[str]], schedule: list[int]
) -> None:
    fake = FakeFeedStore()
    for n, urls in enumerate(before):
        fake.register(registration(n, urls))
    news = [registration(len(before) + n, urls) for n, urls in enumerate(racing)]
    jobs = [lambda client, new=new: store(fake, client).register(new) for new in news]
    run_interleaved(fake.faults, jobs, schedule)
    assert_one_feed_each(fake, before + racing)


@settings(max_examples=150)
@given(st.lists(st.tuples(url_sets, deaths, st.integers(0, 3), st.booleans()), min_size=1, max_size=6))
def test_deaths_conflicts_and_lag_leave_what_can_be_finished(
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
    """Let everybody ask again, and the sweep pay what is owed; then nothing may be left to do."""
    fake.faults.dies_before, fake.faults.conflicts, fake.faults.hidden = None, 0, set()
    for n, urls in enumerate(groups):
        fake.register(registration(n, urls))
    assert_one_feed_each(fake, groups)
    for owed in fake.contents.owed("repoint"):
        assert fake.repoint(owed["feed_id"], now=NOW + 1000)
    assert {row["feed_id"] for row in fake.contents.urls().values()} == set(fake.contents.live())
    assert fake.contents.owed("repoint") == []


@settings(max_examples=60)
@given(schedules)
def test_repointing_while_the_target_is_merged_away_ends_at_the_last_feed(schedule: list[int]) -> None:
    fake = FakeFeedStore()
    for n, url in enumerate(URLS[:3]):
        fake.register(registration(n, [url]))
    largest = registration(0, URLS).feed_id
    fake.faults.hidden = {largest}
    fake.register(registration(3, URLS[:2]))
    fake.faults.hidden = set()

    run_interleaved(
        fake.faults,
        [
            lambda client: store(fake, client).repoint(largest, now=NOW + 1000),
            lambda client: store(fake, client).register(registration(4, URLS[1:3])),
        ],
        schedule,
    )
    for feed_id in fake.contents.feeds():
        with contextlib.suppress(FeedwardError):
            fake.repoint(feed_id, now=NOW + 1000)
    assert_one_feed_each(fake, [URLS[:3]])
    assert {row["feed_id"] for row in fake.contents.urls().values()} == set(fake.contents.live())
