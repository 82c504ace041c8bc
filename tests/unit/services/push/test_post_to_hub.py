"""Requests to hubs: the limits of hosts hold for renewals, ends and redirect targets too (rules I9, W6, W12)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from feedward.deadline import Deadline
from feedward.push.hub import FAILURES_IN_ROW, HubStanding, failed
from feedward.push.hub_choice import Named
from feedward.push.push_record import SubscriptionState
from feedward.push.trust import Found
from tests.fakes.push import HUB, FakePush, Hub

FEED, HOST = "0001HUB", "hub.example"
NEW, NEW_HOST = "https://new.example/hub", "new.example"
HOUR_S = 3600


def cooldown(push: FakePush, host: str) -> int:
    """The rest of the host's cooldown, in seconds."""
    now = push.clock.now()
    return max(push.ports.limiter.cooldown_until(host, now=now) - now, 0)


def cool_down(push: FakePush, host: str) -> None:
    now = push.clock.now()
    push.ports.limiter.cool_down(host, until=now + HOUR_S, now=now)


def moved(push: FakePush, status: int = 308) -> tuple[Hub, Hub]:
    """A hub that redirects to another host, and the hub there; a feed names the first one."""
    old, new = push.hub(status=status, location=NEW), push.hub(NEW)
    push.names(FEED, push.feed(FEED))
    return old, new


def end(push: FakePush, deadline: Deadline | None = None) -> None:
    """Have a check read a document that names no hub any more."""
    trusts = push.trusts.within(deadline) if deadline else push.trusts
    trusts.after_check(
        FEED, f"https://{FEED.lower()}.example/feed", None, found=Found(at=push.clock.now()), named=Named()
    )


# --- redirects ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [307, 308])
def test_no_redirect_is_followed_to_a_host_in_its_cooldown_until_that_ends(status: int) -> None:
    push = FakePush()
    _, new = moved(push, status)
    cool_down(push, NEW_HOST)

    push.pass_time(55 * 60)
    assert new.asked == []

    push.pass_time(2 * HOUR_S)
    assert push.record(FEED).state is SubscriptionState.VERIFIED


def test_a_remembered_redirect_is_not_requested_during_the_cooldown_of_its_own_host() -> None:
    push = FakePush()
    _, new = moved(push)
    push.drive()
    push.clock.time = float(push.record(FEED).try_at or 0)
    cool_down(push, NEW_HOST)

    push.drive()

    assert len(new.asked) == 1


def test_a_retry_after_of_a_redirect_target_is_kept_under_the_host_that_sent_it() -> None:
    push = FakePush()
    _, new = moved(push)
    new.status, new.retry_after_s = 503, 1800

    push.drive()

    assert (cooldown(push, NEW_HOST), cooldown(push, HOST)) == (1800, 0)


def test_a_host_gets_one_request_a_second_behind_redirects_too() -> None:
    push = FakePush()
    hub, times = push.hub(status=307, location=HUB), list[float]()
    post = hub.post
    hub.post = lambda request: times.append(push.clock.time) or post(request)  # type: ignore[method-assign,func-returns-value]
    push.clock.advance(0.95)

    push.subscribed(FEED, hub)

    assert len(times) == 4
    assert all(later - earlier >= 1 for earlier, later in pairwise(times))


def test_a_429_without_a_time_starts_the_cooldown_that_it_starts_everywhere() -> None:
    push = FakePush()
    push.hub(status=429)
    push.names(FEED, push.feed(FEED))

    push.drive()

    assert cooldown(push, HOST) == HOUR_S


# --- the end of a subscription ------------------------------------------------------------------------


def test_the_end_of_a_subscription_is_not_sent_to_a_host_in_its_cooldown() -> None:
    push = FakePush()
    hub = push.hub()
    push.subscribed(FEED, hub)
    cool_down(push, HOST)

    end(push)

    assert [each.mode for each in hub.asked] == ["subscribe"]
    assert push.record(FEED).is_ended


def test_the_end_of_a_subscription_is_not_sent_to_a_hub_on_hold() -> None:
    push = FakePush()
    hub = push.hub()
    push.subscribed(FEED, hub)
    standing = push.standing()
    now = push.clock.now()
    push.ports.hubs.save(standing, failing(standing, now))

    end(push)

    assert [each.mode for each in hub.asked] == ["subscribe"]


def failing(standing: HubStanding, now: int) -> HubStanding:
    for _ in range(FAILURES_IN_ROW):
        standing = failed(standing, now)
    return standing


def test_the_answer_to_the_end_of_a_subscription_counts_for_the_hub_and_its_host() -> None:
    push = FakePush()
    hub = push.hub()
    push.subscribed(FEED, hub)
    hub.status, hub.retry_after_s = 503, 1800

    end(push)

    assert (push.standing().failures, cooldown(push, HOST)) == (1, 1800)


def test_a_check_with_little_time_left_ends_a_subscription_without_a_request() -> None:
    push = FakePush()
    hub = push.hub()
    push.subscribed(FEED, hub)

    end(push, Deadline.after(5.0, push.clock.monotonic))

    assert [each.mode for each in hub.asked] == ["subscribe"]
    assert push.record(FEED).is_ended


def test_a_check_without_time_left_calls_no_store_and_no_hub() -> None:
    push = FakePush()
    hub = push.hub()
    push.subscribed(FEED, hub)

    end(push, Deadline.after(0.0, push.clock.monotonic))

    assert [each.mode for each in hub.asked] == ["subscribe"]
    assert not push.record(FEED).is_ended
