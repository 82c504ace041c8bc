"""Which webhooks get which event, and that a fan-out that is killed or repeated doubles nothing."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.deadline import Deadline
from feedward.events import envelope
from feedward.scheduling.messages import json_object
from feedward.services.webhooks.fan_out import fan_out
from feedward.ulid import derived_ulid
from feedward.webhooks.events import BusEvent, read_event, read_message
from tests.fakes.directory import NOW, FakeDirectory
from tests.fakes.dynamodb_faults import Died
from tests.fakes.webhooks import RECEIVER, FakeWebhooks
from tests.unit.services.webhooks.notified import FEED, items_published

OTHER_FEED = derived_ulid(NOW, "other feed")


@pytest.fixture
def hooks() -> FakeWebhooks:
    return FakeWebhooks()


def types_at(hooks: FakeWebhooks, url: str = RECEIVER) -> list[str]:
    return [each.document["type"] for each in hooks.poster.got(url)]


def test_each_tenant_that_follows_the_feed_gets_the_event_and_no_other(hooks: FakeWebhooks) -> None:
    for tenant in ("a", "b", "c"):
        hooks.create(f"https://{tenant}.example/hook", tenant_id=tenant)
    hooks.follow(FEED, tenant_id="a", name="a")
    hooks.follow(FEED, tenant_id="b", name="b")

    hooks.work(items_published())

    assert {each.url for each in hooks.poster.got("https://a.example/hook")} == {"https://a.example/hook"}
    assert len(hooks.poster.got("https://a.example/hook")) == len(hooks.poster.got("https://b.example/hook")) == 1
    assert hooks.poster.got("https://c.example/hook") == []
    ids = {each.message_id for each in hooks.poster.requests if each.document["type"] != "webhook.test"}
    assert len(ids) == 2


def test_a_webhook_gets_the_types_that_it_asks_for(hooks: FakeWebhooks) -> None:
    hooks.create("https://items.example/hook", events=("items.published",))
    hooks.create("https://feeds.example/hook", events=("feed.*",))
    hooks.follow(FEED)
    stale = envelope.feed_stale(
        event_id=derived_ulid(NOW, "stale"), occurred_at=NOW, tenant_id=None, feed_id=FEED,
        url="https://a.example/feed", latest_item_published_at=None,
    )  # fmt: skip

    hooks.work(items_published(), read_event(envelope.FEED_STALE, stale))

    assert types_at(hooks, "https://items.example/hook") == ["items.published"]
    assert types_at(hooks, "https://feeds.example/hook") == ["feed.stale"]


def test_tags_restrict_a_webhook_to_feeds_that_are_followed_under_one_of_them(hooks: FakeWebhooks) -> None:
    hooks.create("https://news.example/hook", tags=("news",))
    hooks.create("https://all.example/hook")
    hooks.follow(FEED, name="one", tags=("news", "x"))
    hooks.follow(OTHER_FEED, name="two", tags=("cats",))

    hooks.work(items_published("1"), items_published("2", feed_id=OTHER_FEED))

    assert len(hooks.poster.got("https://news.example/hook")) == 1
    assert len(hooks.poster.got("https://all.example/hook")) == 2


def test_events_of_a_private_feed_go_to_its_owner_only(hooks: FakeWebhooks) -> None:
    for tenant in ("a", "b"):
        hooks.create(f"https://{tenant}.example/hook", tenant_id=tenant)
        hooks.follow(FEED, tenant_id=tenant, name=tenant)

    hooks.work(items_published(tenant_id="a"))

    assert len(hooks.poster.got("https://a.example/hook")) == 1
    assert hooks.poster.got("https://b.example/hook") == []


def test_an_event_of_a_subscription_goes_to_its_tenant_only(hooks: FakeWebhooks) -> None:
    for tenant in (None, "b"):
        hooks.create(f"https://{tenant}.example/hook", tenant_id=tenant, events=("subscription.*",))
    mine = hooks.follow(FEED, tenant_id="b", name="b")
    ready = envelope.subscription_ready(mine, event_id=derived_ulid(NOW, "ready"))

    hooks.work(read_event(envelope.SUBSCRIPTION_READY, ready))

    assert types_at(hooks, "https://b.example/hook") == ["subscription.ready"]
    assert types_at(hooks, "https://None.example/hook") == []


def test_followers_of_a_merged_feed_hear_of_its_move_once_whichever_feed_they_follow_by_now(
    hooks: FakeWebhooks,
) -> None:
    for tenant, feed in (("a", FEED), ("b", OTHER_FEED)):
        hooks.create(f"https://{tenant}.example/hook", tenant_id=tenant)
        hooks.follow(feed, tenant_id=tenant, name=tenant)
    moved = envelope.feed_moved(
        event_id=derived_ulid(NOW, "moved"), occurred_at=NOW, tenant_id=None, feed_id=FEED, reason="merged",
        before="https://a.example/feed", after="https://b.example/feed", merged_into=OTHER_FEED,
    )  # fmt: skip

    hooks.work(read_event(envelope.FEED_MOVED, moved))

    assert types_at(hooks, "https://a.example/hook") == types_at(hooks, "https://b.example/hook") == ["feed.moved"]


def test_a_webhook_that_was_never_tested_gets_nothing(hooks: FakeWebhooks) -> None:
    untested = hooks.create(is_live=False).webhook
    hooks.queue.take()
    hooks.follow(FEED)

    hooks.work(items_published())

    assert hooks.poster.requests == []
    stored = hooks.ports.deliveries.page(None, untested.webhook_id, after=None, limit=9)
    assert [each.type for each in stored] == ["webhook.test"]


@pytest.mark.parametrize("name", [envelope.REVIVAL_REQUESTED, "WebhookDisabled", "", None])
def test_internal_events_are_for_no_webhook(name: Any) -> None:
    with pytest.raises(Exception, match="webhooks do not get this event"):
        read_event(name, {"id": "1", "occurred_at": NOW, "feed_id": FEED})


def test_a_fan_out_without_time_goes_on_where_it_was(hooks: FakeWebhooks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feedward.services.webhooks.fan_out.FOLLOWERS_AT_ONCE", 2)
    for number in range(5):
        hooks.create(f"https://r{number}.example/hook", tenant_id=f"t{number}")
        hooks.follow(FEED, tenant_id=f"t{number}", name=f"n{number}")
    event: BusEvent | None = items_published()
    rounds = 0
    while event is not None:
        done = fan_out(event, ports=hooks.ports, deadline=Deadline.after(1.0, hooks.clock.monotonic))
        event = read_message(json_object(done.left.to_text())) if done.left else None
        rounds += 1
    hooks.work()

    assert rounds > 1
    assert [len(hooks.poster.got(f"https://r{number}.example/hook")) for number in range(5)] == [1] * 5


# --- kills ----------------------------------------------------------------------------------------


def world() -> FakeWebhooks:
    hooks = FakeWebhooks(FakeDirectory({}))
    for number in range(2):
        hooks.create(f"https://r{number}.example/hook", tenant_id=f"t{number}")
        hooks.follow(FEED, tenant_id=f"t{number}", name=f"n{number}")
    return hooks


def killed_at(call: int, *, makes_last: bool) -> list[int] | None:
    """How often each receiver gets the event if the worker dies at this call; None if it was over before."""
    hooks = world()
    hooks.directory.lifespan.end_at(call, makes_last=makes_last)
    try:
        hooks.work(items_published())
    except Died:
        hooks.directory.lifespan.live_on()
        hooks.queue.take()  # messages in flight come back later, if at all
        hooks.clock.advance(360)
        hooks.work(items_published())
        hooks.pass_time(240)
        return [len(hooks.poster.got(f"https://r{number}.example/hook")) for number in range(2)]
    return None


@pytest.mark.parametrize("makes_last", [False, True])
def test_a_worker_killed_at_any_call_loses_nothing_and_repeats_at_most_the_attempts_in_flight(
    makes_last: bool,
) -> None:
    ends: list[list[int]] = []
    while (end := killed_at(len(ends), makes_last=makes_last)) is not None:
        ends.append(end)

    assert len(ends) > 20
    assert [end for end in ends if min(end) < 1] == []
    assert sum(map(sum, ends)) / (2 * len(ends)) < 1.2
    assert max(max(end) for end in ends) <= 2
