"""Of two feeds that turn out to be one: the kept URL and health, and that it is checked soon (Merge, rules I3, I4).
rules I3, I4).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from feedward.health.due_feed import read_place
from feedward.health.moves import MoveReason
from feedward.model import Known
from feedward.registration import Registration
from feedward.scheduling.shards import due_shard
from feedward.urls.key import url_hash
from tests.contract.benches.feeds import NOW, new_feed
from tests.contract.benches.moves import LATER, a_move, faults, moves, write
from tests.contract.benches.sweeping import Sweeping
from tests.contract.conftest import Bench
from tests.unit.events.test_envelope import validator

PUBLISHER = "https://publisher.example.com/feed"
MIRROR = "https://mirror.example.net/feeds/1"
OTHER = "https://www.publisher.example.com/rss"
LONG_SICK: dict[str, Any] = {
    "state": "unhealthy",
    "consecutive_failures": 30,
    "failures": {"first_failure_at": NOW, "unhealthy_since": NOW},
    "next_check_at": LATER + 7 * 86_400,
}
PAUSED: dict[str, Any] = {"state": "paused", "state_shard": "paused#1", "next_check_at": None, "due_shard": None}


def feeds(bench: Bench, first: str, second: str) -> tuple[str, str]:
    """Two feeds, the first of which has the smaller id."""
    a = bench.store.register(new_feed("a", first)).feed_id
    return a, bench.store.register(new_feed("b", second, now=NOW + 1)).feed_id


def found_to_be_one(bench: Bench, url: str, *others: str) -> Registration:
    """Canonicalization chose `url`, which it fetched, and proved the others to be the same feed."""
    return bench.store.register(new_feed("c", url, *others, now=LATER))


def told_of(bench: Bench, feed_id: str) -> list[dict[str, Any]]:
    """The outbox entries of the feed's moves, in the outbox of either feed."""
    undelivered = [event for event in bench.contents.pending("event") if event["detail_type"] == "FeedMoved"]
    details = [event["detail"] for event in undelivered]
    for detail in details:
        validator("FeedMoved").validate(detail)
    return [detail for detail in details if detail["feed_id"] == feed_id]


# --- its URL ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_first", [True, False])
def test_the_url_that_canonicalization_chose_survives_whichever_id_does(bench: Bench, is_first: bool) -> None:
    """The publisher's own host, long unreachable, and a current mirror: the publisher's host answers again."""
    urls = (PUBLISHER, MIRROR) if is_first else (MIRROR, PUBLISHER)
    a, b = feeds(bench, *urls)
    write(bench, a if is_first else b, **LONG_SICK)
    assert found_to_be_one(bench, PUBLISHER, MIRROR) == Registration(feed_id=a, url=PUBLISHER, created=False)
    assert bench.contents.feeds()[b]["merged_into"] == a
    for url in (PUBLISHER, MIRROR):
        assert bench.store.find([url]) == Known(url=PUBLISHER, is_failing=is_first, data={"feed_id": a})
    assert faults(bench) == []


def test_a_move_to_the_publisher_survives_whichever_id_does(bench: Bench) -> None:
    for n, (first, second) in enumerate([(PUBLISHER, MIRROR), (MIRROR, PUBLISHER)]):
        a, b = feeds(bench, f"{first}?n={n}", f"{second}?n={n}")
        mirror, publisher = (b, a) if first == PUBLISHER else (a, b)
        write(bench, publisher, **LONG_SICK)
        to = f"{PUBLISHER}?n={n}"
        moves(bench).move(a_move(bench, mirror, to, reason=MoveReason.PERMANENT_REDIRECT, by="check"))
        item = bench.contents.feeds()[a]
        assert (item["url"], item["state"], item["consecutive_failures"]) == (to, "healthy", 0)
    assert faults(bench) == []


def test_the_feed_that_takes_over_a_url_is_healthy_there_and_asks_for_its_whole_document_soon(bench: Bench) -> None:
    a, _ = feeds(bench, MIRROR, PUBLISHER)
    write(bench, a, **LONG_SICK)
    found_to_be_one(bench, PUBLISHER, MIRROR)
    item = bench.contents.feeds()[a]
    assert (item["state"], item["host"], item["url_hash"]) == ("healthy", "publisher.example.com", url_hash(PUBLISHER))
    assert item["due_shard"] == due_shard("publisher.example.com")
    assert LATER + 60 <= item["next_check_at"] <= LATER + 180
    assert not {"etag", "last_modified", "content_hash", "failures"} & set(item)


def test_history_and_the_bus_are_told_that_it_took_over_a_url(bench: Bench) -> None:
    a, b = feeds(bench, MIRROR, PUBLISHER)
    found_to_be_one(bench, PUBLISHER, MIRROR)
    (entry,) = [entry for entry in moves(bench).entries(a) if entry.action == "moved"]
    told = {name: entry.details[name] for name in ("from", "to", "reason", "merged")}
    assert told == {"from": MIRROR, "to": PUBLISHER, "reason": "canonical", "merged": b}
    (event,) = told_of(bench, a)
    assert (event["from"], event["to"], event["reason"]) == (MIRROR, PUBLISHER, "canonical")
    assert event["merged_into"] is None


def test_a_url_that_neither_is_at_changes_nothing_of_where_they_are(bench: Bench) -> None:
    a, _ = feeds(bench, MIRROR, PUBLISHER)
    assert found_to_be_one(bench, OTHER, MIRROR, PUBLISHER).url == MIRROR
    assert bench.contents.feeds()[a]["url"] == MIRROR
    assert bench.store.find([OTHER]) == Known(url=MIRROR, data={"feed_id": a})


def test_of_three_the_chosen_url_survives(bench: Bench) -> None:
    a, b = feeds(bench, MIRROR, PUBLISHER)
    c = bench.store.register(new_feed("d", OTHER, now=NOW + 2)).feed_id
    assert found_to_be_one(bench, PUBLISHER, MIRROR, OTHER) == Registration(feed_id=a, url=PUBLISHER, created=False)
    assert [bench.contents.feeds()[each]["merged_into"] for each in (b, c)] == [a, a]
    assert faults(bench) == []


def test_a_paused_feed_does_not_move_and_is_not_due(bench: Bench) -> None:
    a, _ = feeds(bench, MIRROR, PUBLISHER)
    write(bench, a, **PAUSED)
    assert found_to_be_one(bench, PUBLISHER, MIRROR).url == MIRROR
    item = bench.contents.feeds()[a]
    assert (item["url"], item["state"]) == (MIRROR, "paused")
    assert read_place(item) is None


def test_a_merge_does_not_repeat_an_undone_move(bench: Bench) -> None:
    a, b = feeds(bench, MIRROR, OTHER)
    moves(bench).move(a_move(bench, b, PUBLISHER, now=NOW + 2))
    moves(bench).undo(b, by="ada", now=NOW + 3)
    write(bench, b, url=PUBLISHER, url_hash=url_hash(PUBLISHER))
    assert found_to_be_one(bench, PUBLISHER, MIRROR).url == MIRROR
    assert bench.contents.feeds()[a]["url"] == MIRROR


# --- events of the merged feed -----------------------------------------------------------------------


@pytest.mark.parametrize("chosen", [MIRROR, PUBLISHER, OTHER], ids=["the one that stays", "the one that went", "none"])
def test_the_bus_gets_one_event_with_the_merged_and_the_surviving_feed(bench: Bench, chosen: str) -> None:
    a, b = feeds(bench, MIRROR, PUBLISHER)
    for _ in range(2):
        found_to_be_one(bench, chosen, MIRROR, PUBLISHER)
    (event,) = told_of(bench, b)
    assert (event["merged_into"], event["from"], event["reason"]) == (a, PUBLISHER, "canonical")
    assert event["to"] == bench.contents.feeds()[a]["url"]


def test_each_of_three_merged_feeds_has_its_event(bench: Bench) -> None:
    a, b = feeds(bench, MIRROR, PUBLISHER)
    c = bench.store.register(new_feed("d", OTHER, now=NOW + 2)).feed_id
    found_to_be_one(bench, PUBLISHER, MIRROR, OTHER)
    assert [event["merged_into"] for each in (b, c) for event in told_of(bench, each)] == [a, a]


@pytest.mark.parametrize("moves_first", [True, False], ids=["the one that stays moves", "the one that goes moves"])
def test_a_move_onto_another_feed_reports_the_merged_feed_once(bench: Bench, moves_first: bool) -> None:
    a, b = feeds(bench, MIRROR, PUBLISHER)
    moving, to = (a, PUBLISHER) if moves_first else (b, MIRROR)
    moves(bench).move(a_move(bench, moving, to, reason=MoveReason.PERMANENT_REDIRECT, by="check"))
    (event,) = told_of(bench, b)
    assert (event["merged_into"], event["from"], event["to"]) == (a, PUBLISHER, to)
    assert event["reason"] == "permanent_redirect"


def test_the_events_of_both_feeds_of_a_merge_are_sent_together(bench: Bench) -> None:
    a, b = feeds(bench, MIRROR, PUBLISHER)
    found_to_be_one(bench, PUBLISHER, MIRROR)
    undelivered = bench.outbox.outbox_entries(a)
    assert {event.detail["feed_id"] for event in undelivered if event.detail_type == "FeedMoved"} == {a, b}
    bench.outbox.events_sent(undelivered)
    assert bench.outbox.outbox_entries(a) == []


# --- pause -------------------------------------------------------------------------------------------


def merged_by_a_registration(bench: Bench, url: str, other: str) -> None:
    found_to_be_one(bench, url, other)


def merged_by_a_move(bench: Bench, url: str, other: str) -> None:
    by_url = {feed["url"]: feed_id for feed_id, feed in bench.contents.live().items()}
    running = next(each for each in (url, other) if bench.contents.feeds()[by_url[each]]["state"] != "paused")
    to = other if running == url else url
    moves(bench).move(a_move(bench, by_url[running], to, reason=MoveReason.PERMANENT_REDIRECT, by="check"))


@pytest.mark.parametrize("merge", [merged_by_a_registration, merged_by_a_move])
@pytest.mark.parametrize("chosen", [MIRROR, PUBLISHER])
@pytest.mark.parametrize("stays_paused", [True, False], ids=["the one that stays", "the one that goes"])
def test_of_a_paused_feed_and_another_the_one_that_stays_keeps_its_own_state(
    bench: Bench, stays_paused: bool, chosen: str, merge: Callable[[Bench, str, str], None]
) -> None:
    a, b = feeds(bench, MIRROR, PUBLISHER)
    write(bench, a if stays_paused else b, **PAUSED)
    merge(bench, chosen, PUBLISHER if chosen == MIRROR else MIRROR)
    item = bench.contents.feeds()[a]
    assert bench.contents.feeds()[b]["merged_into"] == a
    assert item["state"] == ("paused" if stays_paused else "healthy")
    assert (read_place(item) is None) == stays_paused
    gone = "healthy" if stays_paused else "paused"
    for each in (a, b):
        (row,) = [entry.details for entry in moves(bench).entries(each) if entry.action == "merged"]
        assert (row["from"], row["from_state"], row["to"]) == (b, gone, a)
    assert faults(bench) == []


# --- its due time -----------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["unhealthy", "healthy"])
def test_the_one_that_stays_is_due_soon_but_no_sooner_than_the_sweep_can_see(bench: Bench, state: str) -> None:
    a, _ = feeds(bench, PUBLISHER, MIRROR)
    write(bench, a, **LONG_SICK | {"state": state})
    found_to_be_one(bench, PUBLISHER, MIRROR)
    item = bench.contents.feeds()[a]
    assert LATER + 60 <= item["next_check_at"] <= LATER + 180
    assert (item["state"], item["due_shard"]) == (state, due_shard("publisher.example.com"))


def test_one_that_is_due_sooner_anyway_keeps_its_time(bench: Bench) -> None:
    a, _ = feeds(bench, PUBLISHER, MIRROR)
    write(bench, a, **LONG_SICK | {"next_check_at": LATER + 5})
    found_to_be_one(bench, PUBLISHER, MIRROR)
    assert bench.contents.feeds()[a]["next_check_at"] == LATER + 5


def test_the_next_sweeps_send_the_surviving_feed_and_not_the_merged_one(sweeping: Sweeping) -> None:
    bench = sweeping.bench
    a, _ = feeds(bench, PUBLISHER, MIRROR)
    write(bench, a, **LONG_SICK)
    sweeping.clock.time = LATER
    sweeping.sweep()
    sweeping.received()
    found_to_be_one(bench, PUBLISHER, MIRROR)
    sweeping.clock.advance(180)
    before = sweeping.received_feeds()
    sweeping.sweep()
    assert sweeping.received_feeds() - before == {a: 1}
