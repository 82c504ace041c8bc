"""A relocated feed keeps its old URL; if another feed owns the new one, the two are merged (rules I1, I3, I4)."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from feedward.errors import InvalidInput, NotFound, Throttled
from feedward.health.moves import MoveReason
from feedward.health.relocation import MoveOutcome, MoveResult
from feedward.model import Known
from feedward.scheduling.shards import domain_shard
from feedward.urls.key import url_hash
from tests.contract.benches.feeds import NOW, feed_id, new_feed
from tests.contract.benches.moves import LATER, a_move, faults, moves, write
from tests.contract.conftest import Bench
from tests.fakes.dynamodb_faults import FOR_EVER, Died
from tests.store_contents import due_at
from tests.unit.events.test_envelope import validator

OLD = "https://old.example.com/feed"
NEW = "https://new.example.net/rss.xml"
TROUBLE: dict[str, Any] = {
    "state": "unhealthy",
    "consecutive_failures": 9,
    "failures": {"first_failure_at": NOW, "unhealthy_since": NOW, "not_founds": 2},
    "next_check_at": NOW + 86_400,
    "validators_at": NOW,
}


def feed(bench: Bench, name: str = "a", url: str = OLD, *aliases: str, now: int = NOW, **members: Any) -> str:
    return bench.store.register(new_feed(name, url, *aliases, now=now, **members)).feed_id


def troubled(bench: Bench, name: str = "a", url: str = OLD, now: int = NOW) -> str:
    found = feed(bench, name, url, now=now)
    write(bench, found, **TROUBLE)
    return found


# --- a free URL -------------------------------------------------------------------------------------


def test_the_feed_is_at_the_new_url_and_the_old_one_still_finds_it(bench: Bench) -> None:
    a = troubled(bench)
    assert moves(bench).move(a_move(bench, a, NEW)) == MoveResult(outcome=MoveOutcome.MOVED, feed_id=a, url=NEW)
    for url in (OLD, NEW):
        assert bench.store.find([url]) == Known(url=NEW, data={"feed_id": a})
    assert faults(bench) == []


def test_the_feed_is_healthy_then_and_due_as_one_on_the_lists_of_its_new_host(bench: Bench) -> None:
    a = troubled(bench)
    rev = bench.contents.feeds()[a]["rev"]
    moves(bench).move(a_move(bench, a, NEW))
    item = bench.contents.feeds()[a]
    assert (item["state"], item["consecutive_failures"], item["rev"]) == ("healthy", 0, rev + 1)
    assert "failures" not in item
    assert LATER + 600 <= due_at(item, LATER) <= LATER + 86_400
    assert (item["host"], item["url_hash"]) == ("new.example.net", url_hash(NEW))
    assert not {"due_shard", "next_check_at"} & item.keys()
    assert item["domain_shard"] == domain_shard("new.example.net", a)
    assert item["state_shard"].startswith("healthy#")


def test_nothing_of_the_old_document_is_left_so_that_the_next_check_reads_the_new_one(bench: Bench) -> None:
    a = troubled(bench)
    moves(bench).move(a_move(bench, a, NEW))
    assert not {"etag", "last_modified", "validators_url", "validators_at", "content_hash"} & set(
        bench.contents.feeds()[a]
    )


def test_the_history_has_actor_time_urls_reason_and_evidence(bench: Bench) -> None:
    a = troubled(bench)
    moves(bench).move(a_move(bench, a, NEW, evidence={"requests": 7, "candidates": [{"url": NEW, "score": 91}]}))
    entry = moves(bench).entries(a)[0]
    assert (entry.action, entry.at, entry.by, entry.feed_id) == ("moved", LATER, "revival", a)
    told = {name: entry.details[name] for name in ("from", "to", "reason", "why", "evidence", "state_before")}
    assert told == {
        "from": OLD,
        "to": NEW,
        "reason": "revival",
        "why": "gone",
        "evidence": {"requests": 7, "candidates": [{"url": NEW, "score": 91}]},
        "state_before": "unhealthy",
    }


@pytest.mark.parametrize("scope", ["", "tenant"])
def test_the_event_is_in_the_outbox(bench: Bench, scope: str) -> None:
    a = feed(bench, scope=scope)
    moves(bench).move(a_move(bench, a, NEW, reason=MoveReason.PERMANENT_REDIRECT))
    undelivered = [event.detail for event in bench.outbox.outbox_entries(a) if event.detail_type == "FeedMoved"]
    assert [(each["from"], each["to"], each["reason"], each["tenant_id"]) for each in undelivered] == [
        (OLD, NEW, "permanent_redirect", scope or None)
    ]
    validator("FeedMoved").validate(undelivered[0])
    assert faults(bench) == []


def test_further_proven_urls_find_the_feed_except_those_of_another(bench: Bench) -> None:
    a, other = troubled(bench), feed(bench, "b", "https://b.example/feed")
    moves(bench).move(a_move(bench, a, NEW, aliases=("https://new.example.net/feed", "https://b.example/feed")))
    assert bench.store.find(["https://new.example.net/feed"]) == Known(url=NEW, data={"feed_id": a})
    assert bench.store.find(["https://b.example/feed"]) == Known(url="https://b.example/feed", data={"feed_id": other})


def test_https_of_the_same_url_is_a_move_though_the_key_is_the_same(bench: Bench) -> None:
    a = feed(bench, url="http://old.example.com/feed")
    result = moves(bench).move(a_move(bench, a, OLD, reason=MoveReason.HTTPS_UPGRADE, by="check"))
    assert result.outcome is MoveOutcome.MOVED
    assert bench.store.find(["http://old.example.com/feed"]) == Known(url=OLD, data={"feed_id": a})
    assert len(bench.contents.urls()) == 1


def test_a_url_that_only_a_frontier_row_has_is_free(bench: Bench) -> None:
    bench.contents.put_url(url_hash=url_hash(NEW), url=NEW, row_id="R1")
    a = feed(bench)
    assert moves(bench).move(a_move(bench, a, NEW)).outcome is MoveOutcome.MOVED
    assert bench.contents.urls()[url_hash(NEW)]["row_id"] == "R1"


# --- a feed that changed since it was read ----------------------------------------------------------


def test_a_feed_that_was_written_since_it_was_seen_does_not_move(bench: Bench) -> None:
    a = troubled(bench)
    asked = a_move(bench, a, NEW)
    write(bench, a)
    before = bench.contents.feeds()[a]
    assert moves(bench).move(asked) == MoveResult(outcome=MoveOutcome.CHANGED, feed_id=a, url=OLD)
    assert bench.contents.feeds()[a] == before
    assert url_hash(NEW) not in bench.contents.urls()


def test_the_same_move_again_changes_nothing(bench: Bench) -> None:
    a = troubled(bench)
    asked = a_move(bench, a, NEW)
    moves(bench).move(asked)
    before = bench.contents.feeds()[a]
    assert moves(bench).move(asked).outcome is MoveOutcome.UNCHANGED
    assert bench.contents.feeds()[a] == before
    assert [entry.action for entry in moves(bench).entries(a)] == ["moved", "registered"]


def test_a_paused_feed_stays_where_it_is_unless_a_person_asks(bench: Bench) -> None:
    a = feed(bench)
    write(bench, a, state="paused", next_check_at=None, due_shard=None, state_shard="paused#1")
    assert moves(bench).move(a_move(bench, a, NEW)).outcome is MoveOutcome.PAUSED
    assert moves(bench).move(a_move(bench, a, NEW, overrules=True)).outcome is MoveOutcome.MOVED
    item = bench.contents.feeds()[a]
    assert (item["url"], item["state"]) == (NEW, "paused")
    assert not {"due_shard", "next_check_at", "slot", "slot_from"} & set(item)


def test_a_merged_feed_does_not_move(bench: Bench) -> None:
    a, b = feed(bench), feed(bench, "b", NEW, now=NOW + 1)
    asked = a_move(bench, b, "https://third.example/feed")
    bench.store.register(new_feed("c", "https://c.example/", OLD, NEW, now=NOW + 2))
    assert moves(bench).move(asked) == MoveResult(outcome=MoveOutcome.CHANGED, feed_id=a, url=OLD)


@pytest.mark.parametrize("to", ["", "not a url", "javascript:alert(1)", "https://new.example.net/" + "x" * 9000])
def test_an_unfetchable_url_is_refused(bench: Bench, to: str) -> None:
    a = feed(bench)
    with pytest.raises(InvalidInput) as refused:
        moves(bench).move(a_move(bench, a, to))
    assert refused.value.field == "to"


def test_a_feed_that_is_not_there_is_said(bench: Bench) -> None:
    a = feed(bench)
    asked = a_move(bench, a, NEW)
    bench.contents.forget(a)
    with pytest.raises(NotFound):
        moves(bench).move(asked)


# --- the new URL is another feed's ------------------------------------------------------------------


def merged(stays: str, went: str) -> MoveResult:
    """The one feed is at NEW."""
    return MoveResult(outcome=MoveOutcome.MERGED, feed_id=stays, url=NEW, merged=went)


def test_the_older_feed_takes_over_the_url_of_the_one_that_is_there(bench: Bench) -> None:
    a, b = troubled(bench), feed(bench, "b", NEW, "https://new.example.net/b2", now=NOW + 1)
    assert moves(bench).move(a_move(bench, a, NEW)) == merged(a, b)
    assert bench.contents.feeds()[b]["merged_into"] == a
    item = bench.contents.feeds()[a]
    assert (item["url"], item["state"], item["url_hash"]) == (NEW, "healthy", url_hash(NEW))
    for url in (OLD, NEW, "https://new.example.net/b2"):
        assert bench.store.find([url]) == Known(url=NEW, data={"feed_id": a})
    assert faults(bench) == []
    assert bench.contents.pending("repoint")[0]["into"] == a


def test_the_younger_feed_becomes_part_of_the_one_that_is_there(bench: Bench) -> None:
    b = feed(bench, "b", NEW)
    a = troubled(bench, now=NOW + 1)
    before = bench.contents.feeds()[b]
    assert moves(bench).move(a_move(bench, a, NEW)) == merged(b, a)
    assert bench.contents.feeds()[a]["merged_into"] == b
    assert bench.contents.feeds()[b] == {**before, "rev": before["rev"] + 1}
    assert bench.store.find([OLD]) == Known(url=NEW, data={"feed_id": b})
    (event,) = [event.detail for event in bench.outbox.outbox_entries(a) if event.detail_type == "FeedMoved"]
    assert (event["from"], event["to"], event["merged_into"]) == (OLD, NEW, b)
    validator("FeedMoved").validate(event)
    assert {entry.action for entry in moves(bench).entries(a)} == {"registered", "moved", "merged"}
    assert faults(bench) == []


def test_an_old_feed_that_is_not_well_itself_is_at_the_url_just_found_good(bench: Bench) -> None:
    b = feed(bench, "b", "https://dead.example/feed", NEW)
    write(bench, b, **TROUBLE)
    a = troubled(bench, now=NOW + 1)
    assert moves(bench).move(a_move(bench, a, NEW)) == merged(b, a)
    item = bench.contents.feeds()[b]
    assert (item["url"], item["state"]) == (NEW, "healthy")
    assert faults(bench) == []


def test_a_feed_that_a_person_stopped_is_left_alone(bench: Bench) -> None:
    b = feed(bench, "b", NEW)
    write(bench, b, state="paused", next_check_at=None, due_shard=None)
    a = troubled(bench, now=NOW + 1)
    moves(bench).move(a_move(bench, a, NEW))
    assert bench.contents.feeds()[b]["state"] == "paused"
    assert faults(bench) == []


def test_a_url_that_still_names_a_feed_merged_into_this_one_is_its_own(bench: Bench) -> None:
    a, b = feed(bench), feed(bench, "b", NEW, now=NOW + 1)
    bench.faults.hidden = {b}
    bench.store.register(new_feed("c", "https://c.example/", OLD, NEW, now=NOW + 2))
    assert bench.contents.urls()[url_hash(NEW)]["feed_id"] == b
    assert moves(bench).move(a_move(bench, a, NEW)).outcome is MoveOutcome.MOVED
    assert bench.contents.urls()[url_hash(NEW)]["feed_id"] == a
    assert faults(bench) == []


def test_a_private_feed_never_meets_a_shared_one(bench: Bench) -> None:
    shared = feed(bench, "b", NEW)
    private = feed(bench, "a", OLD, now=NOW + 1, scope="tenant")
    assert moves(bench).move(a_move(bench, private, NEW)).outcome is MoveOutcome.MOVED
    assert set(bench.contents.live()) == {shared, private}
    assert bench.store.find([NEW], scope="tenant") == Known(url=NEW, data={"feed_id": private})
    assert bench.contents.feeds()[private]["domain_shard"].startswith("tenant/")


# --- bad days ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("transactions", range(4))
def test_a_worker_killed_during_a_merging_move_leaves_work_that_the_next_can_finish(
    bench: Bench, transactions: int
) -> None:
    a, b = troubled(bench), feed(bench, "b", NEW, now=NOW + 1)
    bench.faults.dies_before = transactions
    with contextlib.suppress(Died):
        moves(bench).move(a_move(bench, a, NEW))
    bench.faults.dies_before = None
    assert faults(bench) == []
    moves(bench).move(a_move(bench, a, NEW))
    assert bench.store.repoint(b, now=LATER + 1000)
    assert bench.store.find([NEW]) == Known(url=NEW, data={"feed_id": a})
    assert {row["feed_id"] for row in bench.contents.urls().values()} == {a}


def test_conflicts_throttling_and_a_lost_answer_are_borne(bench: Bench) -> None:
    a = troubled(bench)
    asked = a_move(bench, a, NEW)
    bench.faults.conflicts, bench.faults.throttles, bench.faults.lost_answers = 2, 2, 1
    assert moves(bench).move(asked).is_applied
    assert [entry.action for entry in moves(bench).entries(a)] == ["moved", "registered"]
    assert faults(bench) == []


def test_a_lasting_fault_is_raised_and_leaves_the_feed_unchanged(bench: Bench) -> None:
    a = troubled(bench)
    asked = a_move(bench, a, NEW)
    before = bench.contents.feeds()[a]
    bench.faults.throttles = FOR_EVER
    with pytest.raises(Throttled):
        moves(bench).move(asked)
    assert bench.contents.feeds()[a] == before


# --- history ----------------------------------------------------------------------------------------


def test_history_is_read_newest_first_and_page_by_page(bench: Bench) -> None:
    a = feed(bench)
    for n in range(7):
        moves(bench).move(a_move(bench, a, f"https://new.example.net/{n}", now=LATER + n))
    all_entries = [(entry.action, entry.at) for entry in moves(bench).entries(a)]
    assert all_entries == [*(("moved", LATER + n) for n in reversed(range(7))), ("registered", NOW)]
    first = moves(bench).entries(a, limit=3)
    second = moves(bench).entries(a, limit=10, before=first[-1].entry_id)
    assert [(entry.action, entry.at) for entry in (*first, *second)] == all_entries


def test_the_first_row_of_a_feed_that_never_moved(bench: Bench) -> None:
    a = feed(bench)
    (entry,) = moves(bench).entries(a)
    assert (entry.action, entry.by, entry.at, entry.feed_id) == ("registered", "register", NOW, feed_id("a"))
    assert moves(bench).entries("0NONE") == []
