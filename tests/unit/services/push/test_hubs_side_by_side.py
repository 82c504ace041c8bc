"""A pass asks hubs side by side, each one request at a time, and a hub with many feeds keeps no other from its own."""

from __future__ import annotations

import threading
from typing import Any

from feedward.push.push_record import SubscriptionState
from feedward.services.push.subscribe import Asked
from tests.fakes.push import FakePush, Hub

WITHIN_S = 20


def named(push: FakePush, hub: Hub, feeds: int, prefix: str) -> list[str]:
    feed_ids = [f"{number:04d}{prefix}" for number in range(feeds)]
    for feed_id in feed_ids:
        push.names(feed_id, push.feed(feed_id), hub.url)
    return feed_ids


def test_a_hub_that_is_slow_keeps_no_other_waiting() -> None:
    push = FakePush()
    slow, quick = push.hub("https://slow.example/"), push.hub("https://quick.example/")
    was_quick, seen = threading.Event(), list[bool]()
    named(push, slow, 1, "SLOW")
    push.clock.advance(1)
    named(push, quick, 1, "QUICK")
    posts = slow.post, quick.post

    def post_slowly(request: Any) -> Any:
        seen.append(was_quick.wait(WITHIN_S))
        return posts[0](request)

    def post_quickly(request: Any) -> Any:
        was_quick.set()
        return posts[1](request)

    slow.post, quick.post = post_slowly, post_quickly  # type: ignore[method-assign]
    report = push.drive()

    assert seen == [True]
    assert report.asked == {Asked.ASKED: 2}
    assert {hub: dict(results) for hub, results in report.by_hub.items()} == {
        slow.url: {Asked.ASKED: 1},
        quick.url: {Asked.ASKED: 1},
    }


def test_a_hub_gets_one_request_at_a_time_under_all_its_urls() -> None:
    push = FakePush()
    hubs = [push.hub("https://hub.example/a"), push.hub("https://hub.example/b")]
    at_once, most = list[str](), list[int]()
    for hub in hubs:
        named(push, hub, 4, hub.url[-1].upper())
        hub.post = counted(hub, at_once, most)  # type: ignore[method-assign]

    push.drive()

    assert most == [1] * 8


def test_hubs_that_moved_to_one_host_are_asked_there_one_at_a_time() -> None:
    push = FakePush()
    new = push.hub("https://new.example/hub")
    for name in ("a", "b"):
        named(push, push.hub(f"https://{name}.example/", status=308, location=new.url), 3, name.upper())
    push.pass_time(60)
    records = [push.record(f"{number:04d}{name}") for number in range(3) for name in "AB"]
    assert {each.sent_to for each in records} == {new.url}
    at_once, most = list[str](), list[int]()
    new.post = counted(new, at_once, most)  # type: ignore[method-assign]
    push.clock.time = max(float(each.try_at or 0) for each in records)

    push.drive()

    assert most == [1] * 6


def counted(hub: Hub, at_once: list[str], most: list[int]) -> Any:
    """The hub's `post`, which records the number of concurrent requests."""
    post = hub.post

    def counting(request: Any) -> Any:
        at_once.append(hub.url)
        threading.Event().wait(0.002)
        most.append(len(at_once))
        at_once.pop()
        return post(request)

    return counting


def test_a_hub_with_more_feeds_than_a_pass_can_ask_hides_no_other_and_gets_them_all_in_time() -> None:
    push = FakePush()
    large, small = push.hub("https://large.example/"), push.hub("https://small.example/")
    many = named(push, large, 70, "LARGE")
    push.clock.advance(1)
    (last,) = named(push, small, 1, "SMALL")
    was_asked, posts = threading.Event(), (large.post, small.post)

    def post_to_large(request: Any) -> Any:
        was_asked.wait(WITHIN_S)  # each request takes a second of the common clock
        return posts[0](request)

    def post_to_small(request: Any) -> Any:
        answer = posts[1](request)
        was_asked.set()
        return answer

    large.post, small.post = post_to_large, post_to_small  # type: ignore[method-assign]
    push.drive()
    is_served = push.record(last).state is SubscriptionState.VERIFIED
    push.pass_time(11 * 60)

    assert is_served
    assert {push.record(each).state for each in many} == {SubscriptionState.VERIFIED}
    assert len(large.asked) == len(many)
