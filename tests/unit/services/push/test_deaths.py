"""A process that dies at any of its calls loses nothing: the next passes complete its work (rule I7)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace

import pytest

from feedward.errors import FeedwardError
from feedward.push.push_record import SubscriptionState, Trust
from tests.fakes.dynamodb_faults import Died
from tests.fakes.push import FakePush

FEED = "01FEED"


def dies_at_each_call(begin: Callable[[], FakePush], act: Callable[[FakePush], object]) -> list[FakePush]:
    """Worlds in which `act` died at one of its calls, before or after it, and another process took over."""
    worlds = []
    for makes_last in (False, True):
        for call in range(100):
            push = begin()
            lifespan = push.directory.lifespan
            lifespan.end_at(call, makes_last=makes_last)
            is_dead = True
            with contextlib.suppress(Died):
                act(push)
                is_dead = False
            lifespan.live_on()
            if not is_dead:
                break
            worlds.append(push)
    assert len(worlds) > 2
    return worlds


def wishing() -> FakePush:
    push = FakePush()
    push.hub()
    push.names(FEED, push.feed(FEED))
    return push


def subscribed() -> FakePush:
    push = FakePush()
    push.subscribed(FEED, push.hub())
    push.sent()
    return push


def trusted() -> FakePush:
    push = subscribed()
    for _ in range(2):
        told(push)
    return push


def told(push: FakePush) -> None:
    push.clock.advance(61)
    push.hubs["https://hub.example/"].publish("https://01feed.example/feed")
    push.check(FEED, pushed_at=push.clock.now(), new_items=1, last_news_at=push.record(FEED).told_at, own_every=60)


def every(push: FakePush) -> int | None:
    found: int | None = push.attributes(FEED).get("failures", {}).get("push_every")
    return found


def test_a_subscription_that_was_begun_is_verified_in_the_end() -> None:
    for push in dies_at_each_call(wishing, FakePush.drive):
        push.pass_time(6 * 3600, step_s=600)

        (hub,) = push.hubs.values()
        assert push.record(FEED).state is SubscriptionState.VERIFIED
        assert len(hub.asked) <= 2


def test_a_push_that_was_answered_or_not_causes_a_check_in_the_end() -> None:
    def receive(push: FakePush) -> None:
        push.hubs["https://hub.example/"].publish("https://01feed.example/feed")

    for push in dies_at_each_call(subscribed, receive):
        is_planned = push.record(FEED).push_check_at is not None
        push.pass_time(6 * 60)
        if not is_planned:  # the hub got no answer, and tries again
            receive(push)

        assert {feed.feed_id for feed, _ in push.sent()} == {FEED}


def test_trust_that_is_gained_is_counted_for_the_hub_exactly_once() -> None:
    def begin() -> FakePush:
        push = subscribed()
        told(push)
        return push

    for push in dies_at_each_call(begin, told):
        told(push)
        told(push)

        assert push.record(FEED).trust is Trust.TRUSTED
        assert every(push) == 240
        assert push.standing().trusted == 1
        assert list(push.ports.store.trusting("https://hub.example/")) == [FEED]


def test_a_hub_that_is_suspended_frees_all_its_feeds_in_the_end() -> None:
    def suspend() -> FakePush:
        push = trusted()
        standing = push.standing()
        push.ports.hubs.save(standing, replace(standing, suspended_until=push.clock.now() + 86_400, frees=True))
        push.ports.hubs.watch(standing.hub, is_on=True)
        return push

    for push in dies_at_each_call(suspend, FakePush.drive):
        push.pass_time(180)

        assert (push.record(FEED).trust, every(push)) == (Trust.DISTRUSTED, None)
        assert (push.standing().trusted, push.standing().frees) == (0, False)


@pytest.mark.parametrize("knob", ["throttles", "lost_answers", "conflicts"])
def test_a_store_that_throttles_or_loses_answers_changes_nothing_in_the_end(knob: str) -> None:
    push = wishing()
    setattr(push.directory.faults, knob, 3)
    with contextlib.suppress(FeedwardError):
        push.drive()
    push.pass_time(6 * 3600, step_s=600)

    assert push.record(FEED).state is SubscriptionState.VERIFIED


def test_a_push_during_a_throttled_minute_is_refused_so_that_the_hub_tries_again() -> None:
    push = subscribed()
    push.directory.faults.throttles = 1_000_000

    with pytest.raises(FeedwardError):
        push.hubs["https://hub.example/"].publish("https://01feed.example/feed")
