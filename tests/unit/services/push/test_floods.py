"""Pushes by the thousand: one check a minute for a feed, with a trailing edge, and fewer where they bring nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

from feedward.push.hub_signature import signature
from feedward.services.push.receive import PushResult, receive_push
from tests.fakes.push import FakePush, Hub

FEED = "01FEED"


class Closed:
    """A key service that must not be called."""

    def open(self, *_: Any, **__: Any) -> bytes:
        raise AssertionError


def subscribed() -> tuple[FakePush, Hub, str]:
    push = FakePush()
    request = push.subscribed(FEED)
    push.sent()
    return push, push.hubs[request.url], request.topic


def test_a_flood_of_notifications_makes_one_check_and_one_write_a_minute() -> None:
    push, hub, topic = subscribed()
    calls, checks = push.directory.faults.calls, 0
    calls.clear()

    for _ in range(3):
        for _ in range(400):  # 10,000 a minute
            push.clock.time += 0.006
            hub.publish(topic)
            checks += len(push.sent())
        push.clock.time += 57.6

    assert 4 <= checks <= 5  # with both edges
    assert Counter(calls)["update_item"] == checks
    assert Counter(calls)["get_item"] == 1_200 + checks  # the record, and the feed for each check


def test_a_push_that_a_planned_check_covers_decrypts_no_secret() -> None:
    push, hub, topic = subscribed()
    callback = hub.asked[0].callback
    hub.publish(topic)
    hub.publish(topic)
    closed = replace(push.ports, secrets=Closed())  # type: ignore[arg-type]
    feed_id, token = hub.asked[0].place
    signatures = (signature("sha256", b"x", hub.asked[0].secret), "sha1=0", None)

    answers = [receive_push(feed_id, token, body=b"x", signature=each, ports=closed) for each in signatures]

    assert {each.result for each in answers} == {PushResult.COVERED}
    push.clock.advance(120)
    assert push.post(callback, b"x", "sha1=0").result is PushResult.BADLY_SIGNED


def test_a_push_within_the_minute_causes_one_more_check_after_it() -> None:
    push, hub, topic = subscribed()

    for _ in range(3):
        hub.publish(topic)
        push.clock.advance(5)

    assert [delay for _, delay in push.sent()] == [0, 55]


def test_a_push_after_the_check_of_the_trailing_edge_is_not_lost() -> None:
    push, hub, topic = subscribed()
    hub.publish(topic)
    push.clock.advance(1)
    hub.publish(topic)
    push.sent()

    push.clock.advance(59)  # the check of the trailing edge begins in this second
    hub.publish(topic)

    assert [delay for _, delay in push.sent()] == [60]


def test_pushes_that_bring_nothing_are_damped_up_to_the_class_and_news_resets_that() -> None:
    push, hub, topic = subscribed()
    checks, under_way = dict[int, None](), list[int]()

    for _ in range(1_800):  # three hours
        push.clock.advance(6)
        hub.publish(topic)
        checks[push.record(FEED).push_check_at or 0] = None
        under_way += [push.clock.now() + delay for _, delay in push.sent()]
        for at in [each for each in under_way if each <= push.clock.now()]:
            under_way.remove(at)
            push.check(FEED, pushed_at=at, own_every=15)
    gaps = [later - earlier for earlier, later in pairwise(checks)]
    push.check(FEED, pushed_at=push.clock.now(), new_items=1)
    push.clock.advance(900)
    push.sent()
    hub.publish(topic)
    hub.publish(topic)

    assert gaps[:2] == [60, 60]
    assert gaps == sorted(gaps)
    assert {60, 120, 240, 480, 900} == set(gaps)
    assert [delay for _, delay in push.sent()] == [0, 60]


def test_a_push_that_brings_nothing_is_looked_at_again_after_two_and_ten_minutes() -> None:
    push, hub, topic = subscribed()
    hub.publish(topic)
    push.sent()

    looks = []
    for _ in range(3):
        push.check(FEED, pushed_at=push.clock.now())
        for _, delay in push.sent():
            looks.append(delay)
            push.clock.advance(delay)

    assert looks == [120, 600]
    assert (push.record(FEED).empty, push.record(FEED).look_at) == (1, None)


def test_a_look_that_finds_the_news_counts_as_told_first() -> None:
    push, hub, topic = subscribed()
    hub.publish(topic)
    push.check(FEED, pushed_at=push.clock.now())
    push.clock.advance(120)

    note = push.check(FEED, pushed_at=push.clock.now() - 120, new_items=1)

    assert note is not None
    assert note.told_after_s == 120
    assert (push.record(FEED).told, push.record(FEED).look_at) == (1, None)


def test_a_new_push_does_not_wait_for_the_second_look() -> None:
    push, hub, topic = subscribed()
    hub.publish(topic)
    push.check(FEED, pushed_at=push.clock.now())
    push.sent()
    push.clock.advance(90)

    hub.publish(topic)

    assert [delay for _, delay in push.sent()] == [0]
