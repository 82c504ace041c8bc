"""The outbox: a feed's events are in it from its registration until they were sent, and no longer."""

from __future__ import annotations

import pytest

from feedward.deadline import Deadline
from feedward.errors import StoreUnavailable, Throttled
from feedward.events.envelope import FEED_DISCOVERED
from feedward.scheduling.shards import PENDING_SHARDS
from tests.contract.benches.feeds import NOW, feed_id, new_feed
from tests.contract.conftest import Bench
from tests.fakes.dynamodb_faults import FOR_EVER

URL = "https://example.com/feed"


def test_a_registered_feed_has_its_discovery_event_in_the_outbox(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    (event,) = bench.outbox.outbox_entries(feed_id("a"))
    assert (event.feed_id, event.detail_type) == (feed_id("a"), FEED_DISCOVERED)
    assert event.detail == {
        "version": 1,
        "id": event.entry_id,
        "occurred_at": NOW,
        "tenant_id": None,
        "feed_id": feed_id("a"),
        "url": URL,
    }


def test_a_sent_event_is_deleted_from_the_outbox(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    events = bench.outbox.outbox_entries(feed_id("a"))
    bench.outbox.events_sent(events)
    assert list(bench.outbox.outbox_entries(feed_id("a"))) == []
    assert bench.contents.pending("event") == []
    marked = [bench.contents.indexed("pending", "pending_shard", f"out#{shard}") for shard in range(PENDING_SHARDS)]
    assert not any(marked)


def test_crossing_out_again_is_harmless(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    events = bench.outbox.outbox_entries(feed_id("a"))
    bench.outbox.events_sent(events)
    bench.outbox.events_sent(events)
    assert bench.contents.under(feed_id("a"), "OUT#") == []


def test_the_outbox_of_a_feed_has_only_its_own_entries(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    bench.store.register(new_feed("b", "https://example.org/feed"))
    bench.outbox.events_sent(bench.outbox.outbox_entries(feed_id("a")))
    assert [event.feed_id for event in bench.outbox.outbox_entries(feed_id("b"))] == [feed_id("b")]


def test_urls_to_re_point_are_no_events(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    bench.store.register(new_feed("b", "https://example.org/feed", now=NOW + 1))
    bench.store.register(new_feed("bridge", URL, "https://example.org/feed", now=NOW + 2))
    loser = feed_id("b", NOW + 1)
    assert len(bench.contents.under(loser, "OUT#")) == 2
    events = bench.outbox.outbox_entries(loser)
    assert [event.detail_type for event in events] == [FEED_DISCOVERED]
    bench.outbox.events_sent(events)
    assert [entry["kind"] for entry in bench.contents.under(loser, "OUT#")] == ["repoint"]


def test_events_come_oldest_first(bench: Bench) -> None:
    ids = ["01A", "01C", "01B"]
    for entry_id in ids:
        bench.contents.put_feed_item(
            feed_id="f", sk=f"OUT#{entry_id}", kind="event", detail_type=FEED_DISCOVERED, detail={"id": entry_id}
        )
    assert [event.entry_id for event in bench.outbox.outbox_entries("f")] == sorted(ids)


def test_without_time_nothing_is_asked(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    events = bench.outbox.outbox_entries(feed_id("a"))
    with pytest.raises(StoreUnavailable):
        bench.outbox.within(Deadline.after(0)).outbox_entries(feed_id("a"))
    with pytest.raises(StoreUnavailable):
        bench.outbox.within(Deadline.after(0)).events_sent(events)
    assert len(bench.contents.pending("event")) == 1


def test_a_store_that_stays_busy_says_so(bench: Bench) -> None:
    bench.faults.throttles = FOR_EVER
    with pytest.raises(Throttled):
        bench.outbox.outbox_entries(feed_id("a"))
