"""The settings of a feed: written under the rev that was read, seen by the next check, kept by moves and merges."""

from __future__ import annotations

from threading import Barrier, Thread
from typing import Any

import pytest

from feedward.adapters.dynamodb.feeds.actions import DynamoFeedActions
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.health.directory_feed import DirectoryFeed
from feedward.health.state_machine import pause
from tests.contract.benches.feeds import NOW, feed_id, new_feed
from tests.contract.benches.moves import LATER, a_move, faults, moves, write
from tests.contract.conftest import Bench
from tests.contract.feeds.test_checks import checks, shown, update
from tests.contract.feeds.test_feed_reader import read
from tests.fakes.feed_store import PATIENT

URL = "https://example.com/feed"
OTHER = "https://www.example.com/rss"
THIRD = "https://feeds.example.net/1"


def actions(bench: Bench) -> DynamoFeedActions:
    client: Any = bench.faults
    return DynamoFeedActions(Tables(client, bench.contents.names, PATIENT))


def registered(bench: Bench, name: str = "a", url: str = URL, **members: Any) -> DirectoryFeed:
    bench.store.register(new_feed(name, url, **members))
    feed = read(bench, name)
    assert feed is not None
    return feed


def turn(bench: Bench, feed: DirectoryFeed, on: bool = True) -> bool:
    return actions(bench).set_collect_items(feed, on, by="ann", now=LATER, why="we cite it")


# --- the setting --------------------------------------------------------------------------------------


def test_a_feed_collects_nothing_by_default(bench: Bench) -> None:
    feed = registered(bench)
    assert (feed.collect_items, shown(bench).collect_items) == (False, False)
    assert "collect_items" not in bench.contents.feeds()[feed.feed_id]


def test_once_it_is_set_the_reader_and_the_due_index_show_it_and_the_next_check_keeps_it(bench: Bench) -> None:
    feed = registered(bench)
    before = bench.contents.feeds()[feed.feed_id]

    assert turn(bench, feed)

    after = bench.contents.feeds()[feed.feed_id]
    assert after == {**before, "collect_items": True, "rev": 2}
    assert checks(bench).write(update(shown(bench))) is None
    now = read(bench, "a")
    assert now is not None
    assert (now.collect_items, shown(bench).collect_items, now.rev) == (True, True, 3)
    assert faults(bench) == []


def test_once_it_is_off_again_nothing_of_it_is_left(bench: Bench) -> None:
    feed = registered(bench)
    turn(bench, feed)
    collecting = read(bench, "a")
    assert collecting is not None

    assert turn(bench, collecting, False)

    assert "collect_items" not in bench.contents.feeds()[feed.feed_id]
    assert not shown(bench).collect_items


def test_the_history_has_actor_time_and_reason(bench: Bench) -> None:
    feed = registered(bench)
    turn(bench, feed)
    collecting = read(bench, "a")
    assert collecting is not None
    actions(bench).set_collect_items(collecting, False, by="bob", now=LATER + 1)

    off, on, _ = moves(bench).entries(feed.feed_id)

    assert (on.action, on.by, on.at, on.details["why"]) == ("collect_items_on", "ann", LATER, "we cite it")
    assert (off.action, off.by, off.at) == ("collect_items_off", "bob", LATER + 1)


def test_a_paused_feed_can_be_set_and_stays_paused(bench: Bench) -> None:
    actions(bench).apply(registered(bench), pause(registered(bench).health), action="paused", by="ann", now=LATER)
    feed = read(bench, "a")
    assert feed is not None

    assert turn(bench, feed)

    stored = bench.contents.feeds()[feed.feed_id]
    assert (stored["state"], stored["collect_items"], "slot" in stored) == ("paused", True, False)


def test_a_feed_that_was_written_meanwhile_is_left_as_it_is(bench: Bench) -> None:
    feed = registered(bench)
    write(bench, feed.feed_id, last_news_at=1)

    assert not turn(bench, feed)

    assert "collect_items" not in bench.contents.feeds()[feed.feed_id]
    assert len(bench.contents.under(feed.feed_id, "AUDIT#")) == 1


def test_a_feed_that_was_merged_meanwhile_is_left_as_it_is(bench: Bench) -> None:
    registered(bench)
    loser = registered(bench, "b", OTHER)
    larger = max(feed_id("a"), loser.feed_id)
    seen = read(bench, "a" if larger == feed_id("a") else "b")
    assert seen is not None
    bench.store.register(new_feed("c", THIRD, URL, OTHER, now=LATER))

    assert not turn(bench, seen)

    assert "collect_items" not in bench.contents.feeds()[larger]


def test_a_write_whose_answer_got_lost_is_made_once(bench: Bench) -> None:
    feed = registered(bench)
    bench.faults.lost_answers = 1

    assert turn(bench, feed)

    assert len(bench.contents.under(feed.feed_id, "AUDIT#")) == 2
    assert bench.contents.feeds()[feed.feed_id]["rev"] == 2


def test_of_a_setting_and_a_check_at_the_same_moment_the_later_one_learns_of_the_first(bench: Bench) -> None:
    """The check's write finds the feed with its setting; the setter finds the feed that was checked."""
    feed = registered(bench)
    before, start = shown(bench), Barrier(2)
    found: dict[str, Any] = {}

    def check() -> None:
        start.wait()
        found["check"] = checks(bench).write(update(before))

    def set_it() -> None:
        start.wait()
        found["set"] = turn(bench, feed)

    threads = [Thread(target=check), Thread(target=set_it)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    stored = bench.contents.feeds()[feed.feed_id]
    assert (stored["rev"], found["check"] is None) == (2, not found["set"])
    if found["set"]:
        assert found["check"].due.collect_items is True
    assert ("collect_items" in stored) is found["set"]


# --- moves and merges ---------------------------------------------------------------------------------


def test_a_move_and_its_undoing_leave_the_setting_as_it_is(bench: Bench) -> None:
    feed = registered(bench)
    turn(bench, feed)

    moves(bench).move(a_move(bench, feed.feed_id, OTHER))
    assert bench.contents.feeds()[feed.feed_id]["collect_items"] is True
    moves(bench).undo(feed.feed_id, by="ada", now=LATER + 1)

    assert bench.contents.feeds()[feed.feed_id]["collect_items"] is True


def two(bench: Bench, collecting: str) -> tuple[str, str]:
    """Two feeds, the smaller id first, of which those named in `collecting` collect."""
    ids = {}
    for number, (name, url) in enumerate((("a", URL), ("b", OTHER))):
        ids[name] = bench.store.register(new_feed(name, url, now=NOW + number)).feed_id
        if name in collecting:
            write(bench, ids[name], collect_items=True)
    return ids["a"], ids["b"]


@pytest.mark.parametrize("chosen", [URL, OTHER, THIRD])
@pytest.mark.parametrize("collecting", ["", "a", "b", "ab"])
def test_of_two_feeds_that_are_one_the_one_that_stays_collects_if_either_did(
    bench: Bench, collecting: str, chosen: str
) -> None:
    winner, loser = two(bench, collecting)

    bench.store.register(new_feed("c", chosen, URL, OTHER, now=LATER))

    feeds = bench.contents.feeds()
    assert feeds[loser]["merged_into"] == winner
    assert ("collect_items" in feeds[winner]) is bool(collecting)
    assert faults(bench) == []


@pytest.mark.parametrize("mover", ["a", "b"])
@pytest.mark.parametrize("collecting", ["", "a", "b", "ab"])
@pytest.mark.parametrize("state", ["healthy", "unhealthy"])
def test_so_it_is_where_one_moves_to_the_others_url(bench: Bench, collecting: str, mover: str, state: str) -> None:
    winner, loser = two(bench, collecting)
    moving, there = (winner, loser) if mover == "a" else (loser, winner)
    write(bench, there, state=state)

    moves(bench).move(a_move(bench, moving, bench.contents.feeds()[there]["url"]))

    feeds = bench.contents.feeds()
    assert feeds[loser]["merged_into"] == winner
    assert ("collect_items" in feeds[winner]) is bool(collecting)
