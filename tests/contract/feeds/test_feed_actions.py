"""Every store of actions makes one write under the rev that was read, with its audit row and its event."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from feedward.adapters.dynamodb.feeds.actions import DynamoFeedActions
from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.events.envelope import RevivalRequested
from feedward.health.decision import RevivalReason
from feedward.health.directory_feed import DirectoryFeed
from feedward.health.state_machine import pause, resume
from tests.contract.benches.feeds import feed_id, new_feed
from tests.contract.benches.moves import LATER, faults, write
from tests.contract.conftest import Bench
from tests.contract.feeds.test_feed_reader import read
from tests.fakes.feed_store import PATIENT


def actions(bench: Bench) -> DynamoFeedActions:
    client: Any = bench.faults
    return DynamoFeedActions(Tables(client, bench.contents.names, PATIENT))


def registered(bench: Bench, name: str = "a") -> DirectoryFeed:
    bench.store.register(new_feed(name, f"https://example.com/{name}"))
    feed = read(bench, name)
    assert feed is not None
    return feed


def paused(bench: Bench, feed: DirectoryFeed) -> bool:
    return actions(bench).apply(feed, pause(feed.health), action="paused", by="ann", now=LATER, why="too loud")


def test_a_paused_feed_is_not_due_and_is_listed_as_paused(bench: Bench) -> None:
    feed = registered(bench)

    assert paused(bench, feed)

    stored = bench.contents.feeds()[feed.feed_id]
    assert (stored["state"], stored["rev"], stored["state_shard"].partition("#")[0]) == ("paused", 2, "paused")
    assert not {"due_shard", "next_check_at", "slot", "slot_from"} & stored.keys()
    assert faults(bench) == []


def test_an_action_is_in_the_history_and_in_the_outbox(bench: Bench) -> None:
    feed = registered(bench)
    paused(bench, feed)

    client: Any = bench.faults
    newest, _ = DynamoFeedMoves(Tables(client, bench.contents.names, PATIENT)).entries(feed.feed_id)
    assert (newest.action, newest.by, newest.at, newest.details["why"]) == ("paused", "ann", LATER, "too loud")
    assert (newest.details["state_before"], newest.details["state_after"]) == ("healthy", "paused")
    _, event = bench.outbox.outbox_entries(feed.feed_id)
    assert (event.detail_type, event.detail["from"], event.detail["to"]) == ("FeedStateChanged", "healthy", "paused")


def test_a_resumed_feed_is_due_again_with_its_validators(bench: Bench) -> None:
    feed = registered(bench)
    paused(bench, feed)
    before = read(bench, "a")
    assert before is not None

    assert actions(bench).apply(before, resume(before.health, LATER), action="resumed", by="ann", now=LATER)

    after = bench.contents.feeds()[feed.feed_id]
    assert (after["state"], after["rev"]) == ("healthy", 3)
    assert after["next_check_at"] > LATER
    assert after["etag"] == 'W/"abc"'
    assert faults(bench) == []


def test_a_feed_that_was_written_meanwhile_is_left_as_it_is(bench: Bench) -> None:
    feed = registered(bench)
    write(bench, feed.feed_id, last_news_at=1)

    assert not paused(bench, feed)

    assert bench.contents.feeds()[feed.feed_id]["state"] == "healthy"
    assert len(bench.contents.under(feed.feed_id, "AUDIT#")) == 1


def test_the_same_action_twice_at_the_same_rev_is_done_once(bench: Bench) -> None:
    feed = registered(bench)
    bench.faults.lost_answers = 1

    assert paused(bench, feed)

    assert len(bench.contents.under(feed.feed_id, "AUDIT#")) == 2
    assert bench.contents.feeds()[feed.feed_id]["rev"] == 2


def asked(feed: DirectoryFeed) -> RevivalRequested:
    return RevivalRequested(
        event_id="0" * 26,
        feed_id=feed.feed_id,
        reason=RevivalReason.REQUESTED,
        occurred_at=LATER,
        requested_by="ann",
    )


def test_a_requested_revival_is_in_the_outbox_until_it_is_sent(bench: Bench) -> None:
    feed = registered(bench)

    assert actions(bench).ask_for_revival(asked(feed))

    (event,) = (each for each in bench.outbox.outbox_entries(feed.feed_id) if each.detail_type == "RevivalRequested")
    assert (event.detail["requested_by"], event.detail["reason"]) == ("ann", "requested")


def test_an_unknown_feed_has_no_revival_in_its_outbox(bench: Bench) -> None:
    unknown = replace(registered(bench), feed_id=feed_id("unknown"))

    assert not actions(bench).ask_for_revival(asked(unknown))
    assert bench.contents.under(unknown.feed_id, "") == []
