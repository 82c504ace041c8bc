"""The tenants' subscriptions: unique by URL and by feed, under one tenant each, never half-way (rule R14)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.errors import Conflict, FeedwardError, InvalidInput, Throttled
from feedward.subscriptions.subscription import Failure, Subscription, asked_again, failed, told, tried_again
from tests.contract.benches.feeds import NOW, feed_id, new_feed
from tests.contract.benches.subscribed import (
    FEED,
    OTHER,
    OTHER_FEED,
    TENANTS,
    URL,
    made_at,
    new,
    opened,
    registered,
    subscribed,
)
from tests.contract.conftest import Bench
from tests.fakes.dynamodb_faults import FOR_EVER

LATER = NOW + 600


def stored(bench: Bench, subscription: Subscription) -> Subscription:
    found = bench.subscriptions.get(subscription.tenant_id, subscription.subscription_id)
    assert found is not None
    return found


def pending(bench: Bench, before: int = LATER, limit: int = 100) -> set[tuple[str | None, str]]:
    return set(bench.subscriptions.pending(before=before, limit=limit))


# --- opening ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("tenant", TENANTS)
def test_a_subscription_comes_back_as_it_was_written(bench: Bench, tenant: str | None) -> None:
    written = opened(bench, tenant_id=tenant, title="Näme", tags=("a", "b"))
    assert written == replace(new(tenant_id=tenant, title="Näme", tags=("a", "b")), rev=1)
    assert stored(bench, written) == written
    assert bench.contents.faults_of_subscriptions() == []


def test_the_same_url_returns_the_first_one(bench: Bench) -> None:
    first = opened(bench)
    assert opened(bench, "two") == first
    assert opened(bench, "three", "http://EXAMPLE.com/?utm_source=x#top") == first
    assert len(bench.contents.subscriptions()) == 1


def test_a_tenants_own_are_counted_up_to_a_limit(bench: Bench) -> None:
    for number in range(3):
        opened(bench, str(number), f"https://example.com/{number}")
    opened(bench, "other", tenant_id="other")
    tenant = opened(bench, "0", "https://example.com/0").tenant_id
    assert [bench.subscriptions.count(tenant, at_most=limit) for limit in (1, 3, 4, None)] == [1, 3, 3, 3]


def test_two_tenants_with_one_url_have_their_own(bench: Bench) -> None:
    written = [opened(bench, str(tenant), tenant_id=tenant) for tenant in TENANTS]
    assert len({each.subscription_id for each in written}) == 3
    assert bench.contents.faults_of_subscriptions() == []


def test_another_tenants_subscription_is_not_there(bench: Bench) -> None:
    mine = opened(bench, tenant_id="t1")
    for tenant in (None, "t2"):
        assert bench.subscriptions.get(tenant, mine.subscription_id) is None
        assert bench.subscriptions.page(tenant, limit=10) == []
        theirs = replace(mine, tenant_id=tenant)
        assert not bench.subscriptions.save(theirs)
        assert not bench.subscriptions.delete(theirs)
        assert bench.subscriptions.make_ready(theirs, feed_id=registered(bench), now=NOW) is None
    assert stored(bench, mine) == mine
    assert len(bench.contents.subscriptions()) == 1


@pytest.mark.parametrize("tenant", ["_self", ""])
def test_no_tenant_is_taken_for_the_deployments_own_user(bench: Bench, tenant: str) -> None:
    mine = opened(bench)
    with pytest.raises(InvalidInput, match="tenant"):
        bench.subscriptions.get(tenant, mine.subscription_id)
    with pytest.raises(InvalidInput, match="tenant"):
        bench.subscriptions.page(tenant, limit=10)
    with pytest.raises(InvalidInput, match="tenant"):
        opened(bench, "two", tenant_id=tenant)


def test_a_lost_answer_makes_no_second_subscription(bench: Bench) -> None:
    bench.faults.lost_answers = 1
    written = opened(bench)
    assert written.subscription_id == new().subscription_id
    assert bench.contents.faults_of_subscriptions() == []


# --- ready and failed -------------------------------------------------------------------------------


def test_a_pending_one_becomes_ready_with_its_feed(bench: Bench) -> None:
    feed, before = registered(bench), opened(bench)
    after = bench.subscriptions.make_ready(before, feed_id=feed, now=NOW + 9)
    assert after is not None
    assert (after.status, after.feed_id, after.duplicate_of, after.settled_at) == ("ready", feed, None, NOW + 9)
    assert stored(bench, before) == after
    assert bench.contents.claims("SUBFEED#") == {("_self", feed): before.subscription_id}
    assert bench.contents.faults_of_subscriptions() == []


def test_changes_since_the_read_are_not_overwritten(bench: Bench) -> None:
    feed, before = registered(bench), opened(bench)
    assert bench.subscriptions.save(tried_again(before, now=NOW + 1))
    assert not bench.subscriptions.save(failed(before, failure=Failure.NO_FEED, reason="none", now=NOW + 2))
    assert bench.subscriptions.make_ready(before, feed_id=feed, now=NOW + 2) is None
    assert not bench.subscriptions.delete(before)
    assert (stored(bench, before).tries, stored(bench, before).is_pending) == (2, True)
    assert bench.contents.claims("SUBFEED#") == {}


def test_a_second_one_to_the_feed_is_a_duplicate_and_the_first_gets_its_tags(bench: Bench) -> None:
    feed = registered(bench)
    first = subscribed(bench, feed, tags=("a",))
    second = subscribed(bench, feed, "two", OTHER, title="Blog", tags=("b", "a"))
    assert (second.status, second.feed_id, second.duplicate_of) == ("ready", feed, first.subscription_id)
    assert stored(bench, second) == second
    assert (stored(bench, first).title, stored(bench, first).tags) == ("Blog", ("a", "b"))
    assert bench.contents.faults_of_subscriptions() == []


def test_a_duplicate_that_brings_nothing_new_leaves_the_first_as_it_is(bench: Bench) -> None:
    feed = registered(bench)
    first = subscribed(bench, feed, title="Blog", tags=("a",))
    second = subscribed(bench, feed, "two", OTHER, title="Another", tags=("a",))
    assert second.duplicate_of == first.subscription_id
    assert stored(bench, first) == first


def test_two_tenants_with_one_feed_have_their_own(bench: Bench) -> None:
    feed = registered(bench)
    found = [subscribed(bench, feed, str(tenant), tenant_id=tenant) for tenant in TENANTS]
    assert [each.duplicate_of for each in found] == [None] * 3
    assert bench.contents.faults_of_subscriptions() == []


def test_ready_with_a_merged_feed_is_ready_with_the_surviving_feed(bench: Bench) -> None:
    winner, loser = merged(bench)
    assert subscribed(bench, loser).feed_id == winner
    assert bench.contents.faults_of_subscriptions() == []


def test_a_feed_that_does_not_exist_is_our_own_mistake(bench: Bench) -> None:
    with pytest.raises(FeedwardError, match="no feed"):
        subscribed(bench, feed_id("unknown"))
    assert bench.contents.claims("SUBFEED#") == {}


def test_a_failed_one_comes_back_with_its_reason_and_may_be_asked_for_again(bench: Bench) -> None:
    before = opened(bench)
    assert bench.subscriptions.save(failed(before, failure=Failure.REFUSED, reason="a wall", now=NOW + 5))
    after = stored(bench, before)
    assert (after.status, after.failure, after.reason) == ("failed", Failure.REFUSED, "a wall")
    assert bench.subscriptions.save(asked_again(after, url=URL, now=LATER))
    again = stored(bench, before)
    assert (again.status, again.failure, again.reason, again.settled_at) == ("pending", None, None, None)
    assert bench.contents.faults_of_subscriptions() == []


# --- deleting ---------------------------------------------------------------------------------------


def test_deleting_frees_the_url_and_the_feed_and_leaves_the_feed_in_the_directory(bench: Bench) -> None:
    feed = registered(bench)
    first = subscribed(bench, feed)
    assert bench.subscriptions.delete(first)
    assert bench.contents.subscriptions() == []
    assert (bench.contents.claims("SUBURL#"), bench.contents.claims("SUBFEED#")) == ({}, {})
    assert set(bench.contents.live()) == {feed}
    assert bench.subscriptions.get(None, first.subscription_id) is None
    again = subscribed(bench, feed, "again")
    assert (again.duplicate_of, again.feed_id) == (None, feed)
    assert bench.contents.faults_of_subscriptions() == []


def test_one_that_is_pending_or_failed_is_deleted_with_its_url(bench: Bench) -> None:
    waiting, lost = opened(bench), opened(bench, "two", OTHER)
    assert bench.subscriptions.save(failed(lost, failure=Failure.NO_FEED, reason="none", now=NOW))
    assert bench.subscriptions.delete(waiting)
    assert bench.subscriptions.delete(stored(bench, lost))
    assert (bench.contents.subscriptions(), bench.contents.claims("SUBURL#")) == ([], {})
    assert bench.subscriptions.make_ready(waiting, feed_id=registered(bench), now=NOW) is None
    assert bench.contents.claims("SUBFEED#") == {}


def test_deleting_a_duplicate_leaves_the_first(bench: Bench) -> None:
    feed = registered(bench)
    first, second = subscribed(bench, feed), subscribed(bench, feed, "two", OTHER)
    assert bench.subscriptions.delete(second)
    assert stored(bench, first) == first
    assert bench.contents.faults_of_subscriptions() == []


def test_deleting_the_first_deletes_its_duplicates_of_this_tenant_only(bench: Bench) -> None:
    feed = registered(bench)
    first = subscribed(bench, feed)
    for number in range(5):
        subscribed(bench, feed, f"more {number}", f"{OTHER}/{number}")
    theirs = subscribed(bench, feed, "theirs", tenant_id="t1")
    assert bench.subscriptions.delete(first)
    assert [item["sk"] for item in bench.contents.subscriptions()] == [f"SUB#{theirs.subscription_id}"]
    assert bench.contents.faults_of_subscriptions() == []


def test_deleting_succeeds_though_its_duplicates_cannot_be_seen(bench: Bench) -> None:
    feed = registered(bench)
    first, second = subscribed(bench, feed), subscribed(bench, feed, "two", OTHER)
    bench.faults.hidden = {feed}
    assert bench.subscriptions.delete(first)
    assert stored(bench, second).duplicate_of == first.subscription_id
    assert bench.subscriptions.get(None, first.subscription_id) is None


# --- lists ------------------------------------------------------------------------------------------


def test_pages_are_in_order_whole_and_without_duplicates(bench: Bench) -> None:
    feed = registered(bench)
    singles = [opened(bench, str(number), f"{URL}{number}") for number in range(8)]
    first = subscribed(bench, feed, "first", FEED)
    for number in range(5):
        subscribed(bench, feed, f"more {number}", f"{OTHER}/{number}")
    opened(bench, "theirs", tenant_id="t1")
    expected = sorted([*singles, first], key=lambda each: each.subscription_id)
    found: list[Subscription] = []
    while page := bench.subscriptions.page(None, after=found[-1].subscription_id if found else None, limit=4):
        assert len(page) == 4 or len(found) + len(page) == len(expected)
        found += page
    assert found == expected


def test_the_place_of_one_that_was_deleted_is_a_place_still(bench: Bench) -> None:
    all_of_them = sorted((opened(bench, str(n), f"{URL}{n}") for n in range(4)), key=lambda each: each.subscription_id)
    assert bench.subscriptions.delete(all_of_them[1])
    assert bench.subscriptions.page(None, after=all_of_them[1].subscription_id, limit=10) == all_of_them[2:]


# --- undelivered events -----------------------------------------------------------------------------


def test_unsent_work_is_found_from_its_time_on_and_not_after_it_was_sent(bench: Bench) -> None:
    feed = registered(bench)
    waiting = opened(bench)
    done = subscribed(bench, feed, "two", OTHER, tenant_id="t1")
    both = {(None, waiting.subscription_id), ("t1", done.subscription_id)}
    assert pending(bench, NOW - 1) == set()
    assert pending(bench, NOW) == {(None, waiting.subscription_id)}
    assert pending(bench, NOW + 9) == both
    assert len(pending(bench, limit=1)) == 1
    assert bench.subscriptions.save(told(done))
    assert pending(bench) == {(None, waiting.subscription_id)}
    assert bench.subscriptions.delete(waiting)
    assert pending(bench) == set()


# --- merged feeds -----------------------------------------------------------------------------------


def merged(bench: Bench, *, first: bool = True) -> tuple[str, str]:
    """Two feeds that are merged: the surviving and the merged id. `first`: register them, too."""
    winner, loser = feed_id("a"), feed_id("b", NOW + 1)
    if first:
        two_feeds(bench)
    bench.store.register(new_feed("c", "https://example.net/bridge", OTHER_FEED, FEED, now=NOW + 2))
    return winner, loser


def two_feeds(bench: Bench) -> tuple[str, str]:
    return registered(bench), registered(bench, "b", OTHER_FEED, now=NOW + 1)


def test_live_feeds_are_the_surviving_feeds(bench: Bench) -> None:
    winner, loser = merged(bench)
    other = registered(bench, "z", "https://z.example.com/feed", now=NOW + 5)
    assert bench.subscriptions.live_feeds([winner, loser, other, feed_id("unknown")]) == {
        winner: winner,
        loser: winner,
        other: other,
    }
    assert bench.subscriptions.live_feeds([]) == {}


def test_live_feeds_follow_a_chain_of_merges(bench: Bench) -> None:
    ids = [feed_id(str(number), NOW + number) for number in range(5)]
    for number, each in enumerate(ids):
        into = {"merged_into": ids[number - 1]} if number else {}
        bench.contents.put_feed_item(feed_id=each, sk="FEED", url=FEED, rev=1, **into)
    assert bench.subscriptions.live_feeds(ids[::-1]) == dict.fromkeys(ids, ids[0])


def test_a_subscription_to_a_merged_feed_is_re_pointed_with_its_claim(bench: Bench) -> None:
    winner, loser = two_feeds(bench)
    found = [subscribed(bench, loser, str(tenant), tenant_id=tenant) for tenant in TENANTS]
    merged(bench, first=False)
    assert bench.subscriptions.repoint(loser, now=LATER)
    assert {stored(bench, each).feed_id for each in found} == {winner}
    assert {feed for _, feed in bench.contents.claims("SUBFEED#")} == {winner}
    assert bench.contents.faults_of_subscriptions() == []


def test_two_that_end_on_one_feed_are_one_and_its_duplicate(bench: Bench) -> None:
    winner, loser = two_feeds(bench)
    kept = subscribed(bench, winner, tags=("a",))
    went = subscribed(bench, loser, "two", OTHER, title="Theirs", tags=("b",))
    follows = subscribed(bench, loser, "three", f"{OTHER}/3", tags=("c",))
    assert follows.duplicate_of == went.subscription_id
    merged(bench, first=False)
    assert bench.subscriptions.repoint(loser, now=LATER)
    assert stored(bench, kept).duplicate_of is None
    assert {stored(bench, each).duplicate_of for each in (went, follows)} == {kept.subscription_id}
    assert {stored(bench, each).feed_id for each in (kept, went, follows)} == {winner}
    assert (stored(bench, kept).title, set(stored(bench, kept).tags)) == ("Theirs", {"a", "b", "c"})
    assert bench.contents.claims("SUBFEED#") == {("_self", winner): kept.subscription_id}
    assert bench.contents.faults_of_subscriptions() == []


@pytest.mark.parametrize("tenant", TENANTS)
@pytest.mark.parametrize("goes_first", [True, False], ids=["the feed that goes", "the feed that stays"])
def test_of_two_whose_feeds_become_one_the_earlier_stands_for_both_and_all_their_duplicates(
    bench: Bench, goes_first: bool, tenant: str | None
) -> None:
    winner, loser = two_feeds(bench)
    first, second = (loser, winner) if goes_first else (winner, loser)
    late = made_at(bench, NOW + 5, second, "late", OTHER, tags=("late",), title="Theirs", tenant_id=tenant)
    late_two = made_at(bench, NOW - 9, second, "late two", f"{OTHER}/2", tenant_id=tenant)
    early = made_at(bench, NOW - 5, first, "early", URL, tags=("early",), tenant_id=tenant)
    early_two = made_at(bench, NOW + 9, first, "early two", f"{URL}2", tenant_id=tenant)
    others = made_at(bench, NOW + 9, winner, "others", URL, tenant_id="another")
    merged(bench, first=False)
    assert bench.subscriptions.repoint(loser, now=LATER)
    stands = stored(bench, early)
    assert (stands.duplicate_of, stands.feed_id, stands.title) == (None, winner, "Theirs")
    assert set(stands.tags) == {"early", "late"}
    assert {stored(bench, each).duplicate_of for each in (late, late_two, early_two)} == {early.subscription_id}
    assert stored(bench, others) == others
    assert [each.subscription_id for each in bench.subscriptions.page(tenant, limit=9)] == [early.subscription_id]
    assert bench.contents.faults_of_subscriptions() == []
    assert bench.subscriptions.delete(stands)
    assert [item["tenant_id"] for item in bench.contents.subscriptions()] == ["another"]


def test_of_two_of_one_second_the_smaller_id_stands_for_both(bench: Bench) -> None:
    winner, loser = two_feeds(bench)
    names = sorted(("one", "two"), key=lambda name: new(name).subscription_id)
    small = subscribed(bench, loser, names[0], URL)
    large = subscribed(bench, winner, names[1], OTHER)
    merged(bench, first=False)
    assert bench.subscriptions.repoint(loser, now=LATER)
    assert (stored(bench, small).duplicate_of, stored(bench, large).duplicate_of) == (None, small.subscription_id)
    assert bench.contents.claims("SUBFEED#") == {("_self", winner): small.subscription_id}


def test_re_pointing_again_or_without_a_merge_changes_nothing(bench: Bench) -> None:
    winner, loser = two_feeds(bench)
    kept, went = subscribed(bench, winner), subscribed(bench, loser, "two", OTHER)
    assert bench.subscriptions.repoint(loser, now=LATER)
    assert (stored(bench, kept), stored(bench, went)) == (kept, went)
    merged(bench, first=False)
    assert bench.subscriptions.repoint(loser, now=LATER)
    once = sorted(bench.contents.subscriptions(), key=lambda item: str(item["sk"]))
    for feed in (loser, winner, feed_id("unknown")):
        assert bench.subscriptions.repoint(feed, now=LATER + 1)
    assert sorted(bench.contents.subscriptions(), key=lambda item: str(item["sk"])) == once


def test_subscriptions_that_the_index_does_not_show_yet_are_re_pointed_later(bench: Bench) -> None:
    winner, loser = two_feeds(bench)
    went = subscribed(bench, loser)
    merged(bench, first=False)
    bench.faults.hidden = {loser}
    assert bench.subscriptions.repoint(loser, now=LATER)
    assert stored(bench, went).feed_id == loser
    bench.faults.hidden = set()
    assert bench.subscriptions.repoint(loser, now=LATER)
    assert stored(bench, went).feed_id == winner


def test_a_re_pointed_subscription_can_be_deleted_and_frees_the_feed(bench: Bench) -> None:
    _, loser = two_feeds(bench)
    went = subscribed(bench, loser)
    merged(bench, first=False)
    assert bench.subscriptions.repoint(loser, now=LATER)
    assert not bench.subscriptions.delete(went)
    assert bench.subscriptions.delete(stored(bench, went))
    assert bench.contents.claims("SUBFEED#") == {}


# --- bad days ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("knob", ["conflicts", "throttles", "lost_answers"])
def test_a_bad_day_ends_like_a_good_one(bench: Bench, knob: str) -> None:
    feed = registered(bench)
    setattr(bench.faults, knob, 2)
    first = subscribed(bench, feed)
    setattr(bench.faults, knob, 2)
    second = subscribed(bench, feed, "two", OTHER, tags=("b",))
    assert second.duplicate_of == first.subscription_id
    assert bench.contents.faults_of_subscriptions() == []
    setattr(bench.faults, knob, 2)
    assert bench.subscriptions.delete(stored(bench, first))
    assert bench.contents.subscriptions() == []


def test_a_day_that_stays_bad_is_told(bench: Bench) -> None:
    bench.faults.conflicts = FOR_EVER
    with pytest.raises(Conflict):
        opened(bench)
    bench.faults.conflicts, bench.faults.throttles = 0, FOR_EVER
    with pytest.raises(Throttled):
        opened(bench)
    assert bench.contents.subscriptions() == []
