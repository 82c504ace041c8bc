"""A person undoes a move: once, and only while the feed is at the URL that it moved to (rule H6)."""

from __future__ import annotations

import pytest

from feedward.errors import NotFound, WrongState
from feedward.health.due_feed import read_place
from feedward.health.moves import MoveReason
from feedward.health.relocation import MoveOutcome, MoveResult
from feedward.model import Known
from tests.contract.benches.feeds import NOW, new_feed
from tests.contract.benches.moves import LATER, a_move, faults, moves, write
from tests.contract.conftest import Bench
from tests.contract.feeds.test_relocation import NEW, OLD, feed, troubled
from tests.store_contents import due_at
from tests.unit.events.test_envelope import validator

THIRD = "https://third.example/feed"
UNDONE_AT = LATER + 60


def moved(bench: Bench, to: str = NEW) -> str:
    a = troubled(bench)
    moves(bench).move(a_move(bench, a, to))
    return a


def undo(bench: Bench, a: str, entry_id: str | None = None, now: int = UNDONE_AT) -> MoveResult:
    return moves(bench).undo(a, by="ada", now=now, why="another site's", entry_id=entry_id)


def test_the_feed_is_at_its_old_url_again_and_both_find_it(bench: Bench) -> None:
    a = moved(bench)
    assert undo(bench, a) == MoveResult(outcome=MoveOutcome.MOVED, feed_id=a, url=OLD)
    for url in (OLD, NEW):
        assert bench.store.find([url]) == Known(url=OLD, data={"feed_id": a})
    item = bench.contents.feeds()[a]
    assert (item["state"], item["host"]) == ("healthy", "old.example.com")
    assert not {"etag", "content_hash"} & set(item)
    assert UNDONE_AT + 600 <= due_at(item, UNDONE_AT) <= UNDONE_AT + 86_400
    assert faults(bench) == []


def test_it_has_an_audit_row_of_its_own_and_the_bus_is_told(bench: Bench) -> None:
    a = moved(bench)
    undo(bench, a)
    undone, done = moves(bench).entries(a)[:2]
    assert (undone.action, undone.by, undone.at) == ("undone", "ada", UNDONE_AT)
    told = {name: undone.details[name] for name in ("from", "to", "reason", "why", "undoes")}
    assert told == {"from": NEW, "to": OLD, "reason": "undo", "why": "another site's", "undoes": done.entry_id}
    assert done.details["undone_at"] == UNDONE_AT
    events = [event.detail for event in bench.outbox.outbox_entries(a) if event.detail_type == "FeedMoved"]
    assert [(each["from"], each["to"], each["reason"]) for each in events] == [
        (OLD, NEW, "revival"),
        (NEW, OLD, "undo"),
    ]
    validator("FeedMoved").validate(events[1])


def test_actions_of_one_second_are_listed_newest_first(bench: Bench) -> None:
    a = troubled(bench)
    places = [NEW, THIRD, *(f"https://{n}.example/feed" for n in range(6))]
    for place in places:
        moves(bench).move(a_move(bench, a, place))
    undo(bench, a, now=LATER)
    entries = [entry for entry in moves(bench).entries(a) if entry.at == LATER]
    assert [entry.details["to"] for entry in entries] == [places[-2], *reversed(places)]
    assert entries[0].action == "undone"


def test_twice_is_refused_and_changes_nothing(bench: Bench) -> None:
    a = moved(bench)
    done = moves(bench).entries(a)[0].entry_id
    undo(bench, a)
    before = bench.contents.feeds()[a]
    for entry_id in (None, done):
        with pytest.raises(WrongState, match="undone before"):
            undo(bench, a, entry_id)
    assert bench.contents.feeds()[a] == before


def test_twice_is_refused_though_a_person_moved_the_feed_there_again(bench: Bench) -> None:
    a = moved(bench)
    done = moves(bench).entries(a)[0].entry_id
    undo(bench, a)
    moves(bench).move(a_move(bench, a, NEW, overrules=True, now=UNDONE_AT + 5))
    with pytest.raises(WrongState, match="undone before"):
        undo(bench, a, done)
    assert undo(bench, a, now=UNDONE_AT + 9).url == OLD


def test_a_move_that_another_one_followed_is_not_undone(bench: Bench) -> None:
    a = moved(bench)
    first = moves(bench).entries(a)[0].entry_id
    moves(bench).move(a_move(bench, a, THIRD, now=LATER + 9))
    with pytest.raises(WrongState, match=THIRD):
        undo(bench, a, first)


def test_moves_are_undone_one_by_one_when_they_are_named(bench: Bench) -> None:
    a = moved(bench)
    first = moves(bench).entries(a)[0].entry_id
    moves(bench).move(a_move(bench, a, THIRD, now=LATER + 9))
    assert undo(bench, a).url == NEW
    with pytest.raises(WrongState):
        undo(bench, a)
    assert undo(bench, a, first).url == OLD
    assert faults(bench) == []


def test_of_moves_in_one_second_the_last_one_is_undone(bench: Bench) -> None:
    a = troubled(bench)
    for n in range(6):
        moves(bench).move(a_move(bench, a, f"https://new.example.net/{n}", now=LATER))
    assert undo(bench, a).url == "https://new.example.net/4"


def test_an_undone_move_is_repeated_only_by_a_person(bench: Bench) -> None:
    a = moved(bench)
    undo(bench, a)
    assert moves(bench).move(a_move(bench, a, NEW)).outcome is MoveOutcome.UNDONE
    assert bench.contents.feeds()[a]["url"] == OLD
    assert moves(bench).move(a_move(bench, a, THIRD)).outcome is MoveOutcome.MOVED
    moves(bench).move(a_move(bench, a, NEW, overrules=True))
    moves(bench).move(a_move(bench, a, THIRD, now=LATER + 9))
    assert moves(bench).move(a_move(bench, a, NEW, now=LATER + 10)).outcome is MoveOutcome.MOVED


def test_an_upgrade_to_https_can_be_undone_though_the_key_is_the_same(bench: Bench) -> None:
    plain = OLD.replace("https:", "http:")
    a = feed(bench, url=plain)
    upgrade = {"reason": MoveReason.HTTPS_UPGRADE, "by": "check"}
    moves(bench).move(a_move(bench, a, OLD, **upgrade))
    assert undo(bench, a).url == plain
    assert moves(bench).move(a_move(bench, a, OLD, **upgrade)).outcome is MoveOutcome.UNDONE
    with pytest.raises(WrongState, match="undone before"):
        undo(bench, a)
    assert faults(bench) == []


def test_a_paused_feed_stays_paused(bench: Bench) -> None:
    a = moved(bench)
    write(bench, a, state="paused", next_check_at=None, due_shard=None)
    assert undo(bench, a).url == OLD
    item = bench.contents.feeds()[a]
    assert (item["state"], read_place(item)) == ("paused", None)


def test_a_move_that_made_two_feeds_one_stays(bench: Bench) -> None:
    a, b = troubled(bench), feed(bench, "b", NEW, now=NOW + 1)
    moves(bench).move(a_move(bench, a, NEW))
    for each in (a, b):
        with pytest.raises(WrongState, match="stay one"):
            undo(bench, each)


def test_where_there_is_nothing_to_undo(bench: Bench) -> None:
    a = feed(bench)
    registered = moves(bench).entries(a)[0].entry_id
    with pytest.raises(NotFound):
        undo(bench, a)
    with pytest.raises(NotFound):
        undo(bench, a, "00000000001#NONE")
    with pytest.raises(NotFound):
        undo(bench, "0NONE")
    with pytest.raises(WrongState):
        undo(bench, a, registered)


def test_an_old_url_that_became_anothers_is_not_taken_away(bench: Bench) -> None:
    a = moved(bench)
    other = bench.store.register(new_feed("b", THIRD, now=NOW + 1)).feed_id
    row = next(row for row in bench.contents.urls().values() if row["url"] == OLD)
    bench.contents.put_url(**{**row, "feed_id": other})
    with pytest.raises(WrongState, match=other):
        undo(bench, a)


def test_conflicts_and_a_lost_answer_are_borne(bench: Bench) -> None:
    a = moved(bench)
    bench.faults.conflicts, bench.faults.lost_answers = 2, 1
    assert undo(bench, a).url == OLD
    assert [entry.action for entry in moves(bench).entries(a)] == ["undone", "moved", "registered"]
