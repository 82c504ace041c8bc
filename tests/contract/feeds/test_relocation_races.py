"""Moves amid other moves, checks, registrations and merges: one feed per URL, in any order (rules I1, I3)."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import pytest

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.feeds.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.errors import WrongState
from feedward.health.relocation import MoveOutcome, MoveResult
from tests.contract.benches.feeds import NOW, new_feed
from tests.contract.benches.moves import LATER, a_move, faults, moves, write
from tests.contract.conftest import Bench
from tests.fakes.feed_store import PATIENT
from tests.fakes.interleaving import run_interleaved

WAITS = Backoff(attempts=10)
X = "https://x.example/feed"


def at_once(jobs: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run each job on a thread of its own; all start together."""
    barrier = threading.Barrier(len(jobs))

    def run(job: Callable[[], Any]) -> Any:
        barrier.wait()
        return job()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def feeds(bench: Bench, count: int) -> list[str]:
    urls = [f"https://old{n}.example/feed" for n in range(count)]
    return [bench.store.register(new_feed(f"f{n}", url, now=NOW + n)).feed_id for n, url in enumerate(urls)]


def settled(bench: Bench) -> None:
    """Finish the work of merges; then every URL names a live feed."""
    for merge in bench.contents.pending("repoint"):
        assert bench.store.repoint(merge["feed_id"], now=LATER + 1000)
    assert faults(bench) == []
    assert {row["feed_id"] for row in bench.contents.urls().values()} <= set(bench.contents.live())


def patiently(bench: Bench, feed_id: str, to: str) -> MoveResult:
    """Move a feed as a caller does: read again after a change, at most so often."""
    mover = moves(bench, WAITS)
    for n in range(40):
        feed = bench.contents.feeds()[feed_id]
        if "merged_into" in feed:
            break
        result = mover.move(a_move(bench, feed_id, to, now=LATER + n))
        if result.outcome is not MoveOutcome.CHANGED:
            return result
    return MoveResult(outcome=MoveOutcome.CHANGED, feed_id=feed_id, url="")


def test_eight_moves_of_one_feed_to_eight_urls_make_one_move(bench: Bench) -> None:
    (a,) = feeds(bench, 1)
    asked = [a_move(bench, a, f"https://x{n}.example/feed") for n in range(8)]
    results = at_once([lambda one=one: moves(bench, WAITS).move(one) for one in asked])  # type: ignore[misc]
    assert sorted(result.outcome for result in results) == [MoveOutcome.CHANGED] * 7 + [MoveOutcome.MOVED]
    settled(bench)
    (row,) = [row for row in moves(bench).entries(a) if row.action == "moved"]
    assert bench.contents.feeds()[a]["url"] == row.details["to"]


def test_one_move_sent_eight_times_is_one(bench: Bench) -> None:
    (a,) = feeds(bench, 1)
    asked = a_move(bench, a, X)
    results = at_once([lambda: moves(bench, WAITS).move(asked)] * 8)
    assert {result.outcome for result in results} <= {MoveOutcome.MOVED, MoveOutcome.UNCHANGED}
    assert [entry.action for entry in moves(bench).entries(a)] == ["moved", "registered"]
    settled(bench)


def test_eight_feeds_that_move_to_one_url_become_one(bench: Bench) -> None:
    ids = feeds(bench, 8)
    at_once([lambda each=each: patiently(bench, each, X) for each in ids])  # type: ignore[misc]
    settled(bench)
    assert set(bench.contents.live()) == {min(ids)}
    for n in range(8):
        known = bench.store.find([f"https://old{n}.example/feed"])
        assert known is not None
        assert (known.url, known.data["feed_id"]) == (X, min(ids))


def test_feeds_that_move_to_each_others_urls_in_a_ring_become_fewer_without_a_cycle(bench: Bench) -> None:
    ids = feeds(bench, 6)
    ring = [(one, f"https://old{(n + 1) % 6}.example/feed") for n, one in enumerate(ids)]
    at_once([lambda pair=pair: patiently(bench, *pair) for pair in ring])  # type: ignore[misc]
    settled(bench)  # a feed that was merged meanwhile requests nothing more
    assert min(ids) in bench.contents.live()
    assert len(bench.contents.live()) <= 3


def test_a_move_and_a_registration_of_its_new_url_leave_one_feed_that_has_it(bench: Bench) -> None:
    ids = feeds(bench, 6)
    to = [f"https://x{n}.example/feed" for n in range(6)]
    store = DynamoFeedStore(Tables(bench.faults, bench.contents.names, WAITS))  # type: ignore[arg-type]
    moving = [lambda pair=pair: patiently(bench, *pair) for pair in zip(ids, to, strict=True)]
    news = [new_feed(f"new{n}", url, now=NOW + 100) for n, url in enumerate(to)]
    registering = [lambda new=new: store.register(new) for new in news]
    at_once([*moving, *registering])
    settled(bench)
    assert set(bench.contents.live()) == set(ids)
    for feed_id, url in zip(ids, to, strict=True):
        known = bench.store.find([url])
        assert known is not None
        assert (known.url, known.data["feed_id"]) == (url, feed_id)


def test_moves_and_merges_of_the_same_feeds_leave_no_orphan(bench: Bench) -> None:
    ids = feeds(bench, 6)
    store = DynamoFeedStore(Tables(bench.faults, bench.contents.names, WAITS))  # type: ignore[arg-type]
    bridges = [
        new_feed(f"bridge{n}", f"https://b{n}.example/", one, other, now=NOW + 200)
        for n, (one, other) in enumerate(pairwise(f"https://old{n}.example/feed" for n in range(6)))
    ]
    merging = [lambda new=new: store.register(new) for new in bridges]
    moving = [lambda n=n: patiently(bench, ids[n], f"https://x{n}.example/feed") for n in range(6)]
    at_once([*merging, *moving])
    settled(bench)
    assert set(bench.contents.live()) == {min(ids)}


def test_a_check_that_wrote_first_keeps_the_move_away_and_one_that_writes_later_is_kept_away(bench: Bench) -> None:
    """A check's write is conditional on the rev that it saw, like a move's: never both on the same rev."""
    ids = feeds(bench, 8)
    asked = [a_move(bench, each, f"https://x{n}.example/feed") for n, each in enumerate(ids)]
    checking = [lambda each=each: _check(bench, each, rev=1) for each in ids]
    moving = [lambda one=one: moves(bench, WAITS).move(one).is_applied for one in asked]
    results = at_once([*checking, *moving])
    checked, moved = results[:8], results[8:]
    assert [one != other for one, other in zip(checked, moved, strict=True)] == [True] * 8
    assert {bench.contents.feeds()[each]["rev"] for each in ids} == {2}
    settled(bench)


def _check(bench: Bench, feed_id: str, rev: int) -> bool:
    """Write a check's result, if rev is as seen."""
    from feedward.adapters.dynamodb.store.keys import feed_key
    from feedward.adapters.dynamodb.store.tables import Tables
    from feedward.adapters.dynamodb.store.transaction import Transaction, equals

    tables = Tables(bench.faults, bench.contents.names, WAITS)  # type: ignore[arg-type]
    transaction = Transaction()
    key = feed_key(feed_id)
    assign = {"next_check_at": LATER, "last_attempt_at": LATER}
    transaction.update(tables.names.feeds, key, equals("rev", rev), assign=assign, increment=("rev",))
    return not tables.transact(transaction)


def test_two_concurrent_undos_undo_once(bench: Bench) -> None:
    (a,) = feeds(bench, 1)
    moves(bench).move(a_move(bench, a, X))

    def undo(n: int) -> str:
        try:
            return moves(bench, WAITS).undo(a, by=f"person{n}", now=LATER + 60).url
        except WrongState as refused:
            return str(refused)

    results = at_once([lambda n=n: undo(n) for n in range(6)])  # type: ignore[misc]
    assert sorted(results).count("this move was undone before") == 5
    assert [entry.action for entry in moves(bench).entries(a)] == ["undone", "moved", "registered"]
    settled(bench)


@pytest.mark.parametrize("seed", range(40))
def test_any_order_of_calls_ends_well(fake_bench: Bench, seed: int) -> None:
    """Two feeds that move to each other's URL: a move each, a registration of both, an undo and a check."""
    a, b = feeds(fake_bench, 2)
    moves(fake_bench).move(a_move(fake_bench, a, X))
    asked = [a_move(fake_bench, a, "https://old1.example/feed"), a_move(fake_bench, b, X)]
    names = fake_bench.contents.names

    def undo(client: Any) -> None:
        try:
            DynamoFeedMoves(Tables(client, names, PATIENT)).undo(a, by="ada", now=LATER + 60)
        except WrongState:
            return

    jobs: list[Callable[[Any], object]] = [
        lambda client: DynamoFeedMoves(Tables(client, names, PATIENT)).move(asked[0]),
        lambda client: DynamoFeedMoves(Tables(client, names, PATIENT)).move(asked[1]),
        lambda client: DynamoFeedStore(Tables(client, names, PATIENT)).register(
            new_feed("c", "https://c.example/", X, "https://old1.example/feed", now=NOW + 200)
        ),
        undo,
    ]
    rng = random.Random(seed)
    run_interleaved(fake_bench.faults, jobs, [rng.randrange(len(jobs)) for _ in range(60)])
    settled(fake_bench)
    assert set(fake_bench.contents.live()) == {min(a, b)}


def test_a_write_of_another_between_is_seen(bench: Bench) -> None:
    a, b = feeds(bench, 2)
    asked = a_move(bench, b, "https://old0.example/feed")
    write(bench, a)  # the feed that is there changed: that is no hindrance
    assert moves(bench).move(asked).outcome is MoveOutcome.MERGED
    settled(bench)
