"""Every store of subscriptions to hubs: conditional writes, trust that is counted once, due subscriptions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from feedward.adapters.dynamodb.push.hub_rows import DynamoHubs
from feedward.adapters.dynamodb.push.subscriptions import DynamoPush
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.push.hub import HubStanding, with_missed
from feedward.push.hub_news import HubNews, Told
from feedward.push.push_record import Former, PushRecord, SubscriptionState, Trust
from feedward.registration import NewFeed
from tests.contract.benches.feeds import NOW
from tests.contract.benches.subscribed import registered
from tests.contract.conftest import Bench
from tests.fakes.feed_store import PATIENT

HUB = "https://hub.example/"
URL = "https://example.com/feed"


class Pushes:
    """The stores in the tables of a bench, with a feed."""

    def __init__(self, bench: Bench) -> None:
        self.tables = Tables(bench.faults, bench.contents.names, PATIENT)  # type: ignore[arg-type]
        self.push, self.hubs = DynamoPush(self.tables), DynamoHubs(self.tables)
        self.bench = bench
        self.feed_id = registered(bench, URL)

    def record(self, **members: Any) -> PushRecord:
        given: dict[str, Any] = {"try_at": NOW, **members}
        return PushRecord(
            feed_id=self.feed_id, hub=HUB, topic=URL, hubs=(HUB,), topics=(URL,), token_hash="h", sealed="s",
            state_since=NOW, **given,
        )  # fmt: skip

    def saved(self, **members: Any) -> PushRecord:
        stored = self.push.save(None, self.record(**members))
        assert stored is not None
        return stored

    @property
    def feed(self) -> dict[str, Any]:
        return self.bench.contents.feeds()[self.feed_id]


@pytest.fixture
def pushes(bench: Bench) -> Pushes:
    return Pushes(bench)


def test_a_record_is_read_as_it_was_written(pushes: Pushes) -> None:
    former = (Former(token_hash="o", hub="https://old.example/", topic=URL, until=NOW + 60),)
    stored = pushes.saved(
        state=SubscriptionState.VERIFIED, trust=Trust.ON_TRIAL, lease_until=NOW + 9, former=former, has_tried_topic=True
    )

    assert pushes.push.get(pushes.feed_id) == stored
    assert stored.rev == 1
    assert pushes.push.get("unknown") is None


def test_of_two_writers_one_wins_and_a_new_record_is_made_once(pushes: Pushes) -> None:
    with ThreadPoolExecutor(4) as pool:
        made = [each for each in pool.map(lambda _: pushes.push.save(None, pushes.record()), range(4)) if each]
    assert len(made) == 1

    first = pushes.push.save(made[0], replace(made[0], tries=1))
    assert first is not None
    assert pushes.push.save(made[0], replace(made[0], tries=2)) is None
    assert pushes.push.get(pushes.feed_id) == first


def test_a_planned_check_is_written_without_the_rev_and_stops_a_writer_that_did_not_see_it(pushes: Pushes) -> None:
    seen = pushes.saved()

    assert pushes.push.save_push_check(seen, replace(seen, push_check_at=NOW + 60, pushed_at=NOW))
    assert not pushes.push.save_push_check(seen, replace(seen, push_check_at=NOW + 61, pushed_at=NOW))
    assert pushes.push.save(seen, replace(seen, tries=1)) is None
    planned = pushes.push.get(pushes.feed_id)
    assert planned == replace(seen, push_check_at=NOW + 60, pushed_at=NOW)
    assert pushes.push.save(planned, replace(planned, tries=1)) is not None


def test_due_subscriptions_are_listed_from_their_time_on(pushes: Pushes) -> None:
    stored = pushes.saved(try_at=NOW + 100)

    assert list(pushes.push.due(now=NOW + 99)) == []
    assert list(pushes.push.due(now=NOW + 100)) == [pushes.feed_id]
    ended = pushes.push.save(stored, replace(stored, state=SubscriptionState.ENDED, try_at=None))
    assert ended is not None
    assert list(pushes.push.due(now=NOW + 10**6)) == []


def test_a_feed_that_trusts_its_hub_is_counted_and_listed_once_and_freed_once(pushes: Pushes) -> None:
    stored, rev = pushes.saved(state=SubscriptionState.VERIFIED), pushes.feed["rev"]

    trusted = pushes.push.trust(stored, replace(stored, trust=Trust.TRUSTED, rate=500), every=240)
    assert trusted is not None
    again = pushes.push.trust(trusted, replace(trusted, told=3), every=1440)
    assert again is not None
    assert pushes.push.trust(trusted, replace(trusted, told=4), every=1440) is None
    standing = pushes.hubs.get(HUB)
    assert (standing.trusted, standing.rate) == (1, 500)
    assert list(pushes.push.trusting(HUB)) == [pushes.feed_id]
    assert (pushes.feed["failures"], pushes.feed["rev"]) == ({"push_every": 1440}, rev + 2)

    freed = pushes.push.free(again, replace(again, trust=Trust.DISTRUSTED, rate=0), at=NOW + 7)
    assert freed is not None
    assert pushes.push.free(again, replace(again, trust=Trust.DISTRUSTED), at=NOW + 8) is None
    standing = pushes.hubs.get(HUB)
    assert (standing.trusted, standing.rate) == (0, 0)
    assert list(pushes.push.trusting(HUB)) == []
    feed = pushes.feed
    assert (feed["next_check_at"], "slot" in feed, "failures" in feed) == (NOW + 7, False, False)


def test_a_feed_that_changes_meanwhile_is_not_freed_by_halves(pushes: Pushes) -> None:
    stored = pushes.saved(state=SubscriptionState.VERIFIED)
    trusted = pushes.push.trust(stored, replace(stored, trust=Trust.TRUSTED), every=240)
    assert trusted is not None
    pushes.bench.faults.conflicts = 1

    assert pushes.push.free(trusted, replace(trusted, trust=Trust.NONE), at=NOW) is not None


def test_a_write_whose_answer_was_lost_counts(pushes: Pushes) -> None:
    stored = pushes.saved()
    pushes.bench.faults.lost_answers = 1

    after = pushes.push.save(stored, replace(stored, tries=3))

    assert after is not None
    assert pushes.push.get(pushes.feed_id) == after


def test_a_standing_is_written_under_its_rev_and_its_counts_are_kept(pushes: Pushes) -> None:
    before = pushes.hubs.get(HUB)
    assert before == HubStanding(hub=HUB)

    after = pushes.hubs.save(before, with_missed(before, "f1", NOW))
    assert after is not None
    assert pushes.hubs.save(before, before) is None
    assert pushes.hubs.get(HUB) == after
    assert after.missed == {"f1": NOW}


def test_the_news_of_a_hub_is_counted_by_all_writers_at_once_and_whoever_saves_its_standing(pushes: Pushes) -> None:
    before = pushes.hubs.get(HUB)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda at: pushes.hubs.note_told(HUB, now=NOW + at, told=2, slow=at % 2), range(20)))
    after = pushes.hubs.save(
        before, replace(before, news=HubNews(told=7, noted=(Told(NOW, 1, 0), Told(NOW + 9, 5, 1))))
    )

    assert after is not None
    assert (after.news.told, after.news.slow, after.news.noted) == (40, 10, (Told(NOW, 1, 0), Told(NOW + 9, 5, 1)))
    pushes.hubs.note_told(HUB, now=NOW + 60)
    assert pushes.hubs.get(HUB) == replace(after, told_at=NOW + 60)


def test_a_standing_whose_answer_was_lost_was_saved_and_news_counts_twice_at_most(pushes: Pushes) -> None:
    before = pushes.hubs.get(HUB)
    pushes.bench.faults.lost_answers = 1
    assert pushes.hubs.save(before, replace(before, probed_at=NOW)) == replace(before, probed_at=NOW, rev=1)
    pushes.bench.faults.lost_answers = 1

    pushes.hubs.note_told(HUB, now=NOW, told=1)

    assert 1 <= pushes.hubs.get(HUB).news.told <= 2


def test_the_item_of_a_hub_has_room_for_the_evidence_of_200_feeds_and_its_counts(pushes: Pushes) -> None:
    feeds = {f"01K{number:023d}": NOW for number in range(200)}
    noted = tuple(Told(NOW + 300 * each, 10**9, 10**9) for each in range(25))
    full = replace(pushes.hubs.get(HUB), missed=feeds, untold=feeds, late=feeds, news=HubNews(noted=noted))

    assert pushes.hubs.save(pushes.hubs.get(HUB), full) == replace(full, rev=1)


def test_hubs_that_are_watched_are_named_until_they_are_not(pushes: Pushes) -> None:
    assert pushes.hubs.watched() == ()
    pushes.hubs.watch(HUB, is_on=True)
    pushes.hubs.watch("https://b.example/", is_on=True)
    assert set(pushes.hubs.watched()) == {HUB, "https://b.example/"}
    pushes.hubs.watch(HUB, is_on=False)
    assert pushes.hubs.watched() == ("https://b.example/",)


def test_new_feeds_that_name_hubs_are_listed_until_they_were_looked_at(pushes: Pushes) -> None:
    shared, other = "01SHARED", "01PRIVATE"
    for feed_id, scope in ((shared, ""), (other, "tenant")):
        url = f"https://{feed_id.lower()}.example/feed"
        new = NewFeed(feed_id=feed_id, url=url, aliases=(url,), now=NOW, scope=scope, hub_urls=(HUB,))
        pushes.bench.store.register(new)

    named = {feed_id: (url, list(hubs)) for feed_id, url, hubs in pushes.push.newly_named(now=NOW)}
    assert named[shared] == ("https://01shared.example/feed", [HUB])
    assert other not in named
    pushes.push.seen_named(shared)
    pushes.push.seen_named(shared)
    assert shared not in {feed_id for feed_id, _, _ in pushes.push.newly_named(now=NOW)}
    assert pushes.push.get(shared) is None
