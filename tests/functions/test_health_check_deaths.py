"""A process that is killed while sweeping or checking leaves work that the next delivery, sweep or pass completes."""

from __future__ import annotations

import contextlib
import io

import pytest

from feedward.scheduling.sweep_cursors import Cursor
from tests.fakes.dynamodb_faults import Died
from tests.functions.health_check import HealthCheck, feed_page, feed_url
from tests.store_contents import due_at
from tests.unit.services.check.checked import moved, page, rss, status

HOST = "crowded.example"
WELL, FRESH, GONE, MOVED = (feed_url(number, HOST) for number in range(4))
NEW = f"https://{HOST}/new.xml"
VISIBILITY_S = 360


def story() -> HealthCheck:
    """One host's feeds: one is unchanged, one has a new item, one answers 410, one has moved."""
    function = HealthCheck(io.StringIO(), WELL, FRESH, GONE, MOVED)
    function.serve(page(rss("item-1", "another", title="Feed 1")), FRESH)
    function.serve(status(410), GONE)
    function.serve(moved(301, NEW), MOVED)
    function.serve(feed_page(3), NEW)
    function.let_all_be_due()
    slots, now = function.directory.services().slots, function.directory.clock.now()
    for shard in slots.minutes():  # no minute of a slot was missed
        slots.move_cursor(shard, cursor=Cursor(due_at=now - now % 60, due_id="~"), busy={}, lease_until=0)
    function.directory.lifespan.live_on()
    return function


# So many calls are made, as the last test holds.
CHECK, SWEEP = 36, 31


@pytest.mark.parametrize("makes_last", [False, True])
@pytest.mark.parametrize("call", range(CHECK))
def test_a_death_at_any_call_of_a_batch(call: int, makes_last: bool) -> None:
    function = story()
    text = function.message()
    function.directory.lifespan.end_at(call, makes_last=makes_last)
    with contextlib.suppress(Died):
        function.deliver(text)
    function.directory.lifespan.live_on()
    function.wait(VISIBILITY_S)

    assert function.deliver(text) == []

    function.wait(120)
    assert function.do("reconcile")["complete"] is True
    feeds = [function.directory.contents.feeds()[feed_id] for feed_id in function.feed_ids]
    assert [feed["state"] for feed in feeds] == ["healthy", "healthy", "degraded", "healthy"]
    assert [feed["consecutive_failures"] for feed in feeds] == [0, 0, 1, 0]
    now = function.directory.clock.now()
    assert all(due_at(feed, now) > now - VISIBILITY_S for feed in feeds)
    for detail_type in ("ItemsPublished", "FeedStateChanged"):
        assert len({told["id"] for told in function.told(detail_type)}) == 1, detail_type
    assert function.directory.contents.pending("event") == []
    # A move that was seen and not made is seen again.
    function.deliver(*function.swept())
    assert function.directory.contents.feeds()[function.feed_ids[3]]["url"] == NEW
    assert len({told["id"] for told in function.told("FeedMoved")}) == 1


@pytest.mark.parametrize("makes_last", [False, True])
@pytest.mark.parametrize("call", range(SWEEP))
def test_a_death_at_any_call_of_a_sweep(call: int, makes_last: bool) -> None:
    function = story()
    function.directory.lifespan.end_at(call, makes_last=makes_last)
    with contextlib.suppress(Died):
        function.do("sweep")
    function.directory.lifespan.live_on()

    for _ in range(3):  # a lease outlives its holder by a minute or two
        function.wait(60)
        function.do("sweep")

    assert set(function.queue.feed_ids) == set(function.feed_ids)
    assert function.deliver(*function.taken()) == []
    assert sorted(set(function.requests)) == sorted([WELL, FRESH, GONE, MOVED, NEW])


def test_no_call_is_left_out() -> None:
    function = story()
    text = function.message()
    function.directory.lifespan.live_on()
    function.deliver(text)
    assert len(function.directory.lifespan.calls) <= CHECK

    other = story()
    other.do("sweep")
    assert len(other.directory.lifespan.calls) <= SWEEP
