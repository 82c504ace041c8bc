"""A deadline and its users: no work begins after it; a port with a deadline is another object."""

from __future__ import annotations

import math
from typing import Any

import pytest

from feedward.adapters.aws_calls import OnFirstUse
from feedward.deadline import NO_DEADLINE, Deadline
from feedward.errors import BusUnavailable, StoreUnavailable
from feedward.model import OutboxEntry
from tests.fakes.bodies import FakeBodies
from tests.fakes.event_bus import FakeEventBus
from tests.fakes.feed_store import FakeFeedStore
from tests.fakes.frontier import FakeFrontierStore
from tests.fakes.frontier_queue import FakeFrontierQueue
from tests.fakes.lineage import FakeLineageStore
from tests.fakes.site_store import FakeSiteStore
from tests.fakes.subscriptions import fake_subscriptions

OVER = Deadline.after(0)
EVENT = OutboxEntry(feed_id="A", entry_id="1", detail_type="FeedMoved", detail={})


def at(now: float) -> Deadline:
    return Deadline(10.0, lambda: now)


def test_the_remaining_time_is_never_negative() -> None:
    assert (at(4).left_s(), at(10).left_s(), at(11).left_s(), NO_DEADLINE.left_s()) == (6.0, 0.0, 0.0, math.inf)


def test_the_nearer_deadline_holds_and_some_of_it_can_be_kept_for_later_steps() -> None:
    assert (at(4).at_most(2).left_s(), at(4).at_most(20).left_s(), at(4).before(1).left_s()) == (2.0, 6.0, 5.0)
    assert Deadline.after(None).ends_at == math.inf


@pytest.mark.parametrize(
    "call",
    [
        lambda feeds: feeds.within(OVER).find(["https://a.example/"]),
        lambda feeds: FakeSiteStore(feeds).within(OVER).repoint("A", now=1),
        lambda feeds: FakeFrontierStore(feeds).within(OVER).row("A"),
        lambda feeds: FakeLineageStore(feeds).within(OVER).run("A"),
        lambda feeds: fake_subscriptions(feeds).within(OVER).repoint("A", now=1),
        lambda feeds: list(FakeLineageStore(feeds).within(OVER).open_runs(before=1)),
    ],
)
def test_a_store_whose_time_is_over_is_not_asked(call: Any) -> None:
    feeds = FakeFeedStore()
    with pytest.raises(StoreUnavailable):
        call(feeds)
    assert feeds.faults.calls == []
    assert feeds.find(["https://a.example/"]) is None


def test_a_queue_a_bus_and_a_bucket_whose_time_is_over_are_not_asked() -> None:
    queue, bus, bodies = FakeFrontierQueue(), FakeEventBus(), FakeBodies()
    with pytest.raises(BusUnavailable):
        bus.within(OVER).publish([EVENT])
    with pytest.raises(StoreUnavailable):
        bodies.within(OVER).keep(b"body")
    assert (queue.within(OVER).send_batch([]), bus.events.calls, bodies.s3.puts) == ([], [], [])
    assert bodies.read(bodies.keep(b"body")) == b"body"


def test_ports_that_are_bound_share_one_client() -> None:
    made: list[int] = []
    client = OnFirstUse(lambda: made.append(1))
    for _ in range(2):
        client()
    assert made == [1]
