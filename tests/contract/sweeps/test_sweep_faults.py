"""The sweep with faults: each due feed is sent, despite kills, losses, delays and duplicates (rules I6, I7)."""

from __future__ import annotations

import json
import random
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from feedward.adapters.aws_calls import Backoff
from feedward.scheduling.shards import DUE_SHARDS
from feedward.services.sweep.sweep import SweepReport
from tests.contract.benches.due_feeds import NOW, feed_item, put_feeds
from tests.contract.benches.sweeping import AnyOrder, DiesAfterSending, Sweeping
from tests.fakes.directory import FakeClock
from tests.fakes.dynamodb_faults import FOR_EVER, Died
from tests.fakes.dynamodb_table import client_error
from tests.fakes.feed_store import PATIENT

# --- leases -----------------------------------------------------------------------------------------


def test_a_shard_that_another_sweep_holds_is_left_to_it(sweeping: Sweeping) -> None:
    ids = put_feeds(sweeping.bench.contents, [feed_item("a"), feed_item("b", host="a.example.com")])
    sqs, sweeping.sqs = sweeping.sqs, DiesAfterSending(sweeping.sqs)
    assert _die(sweeping)
    sweeping.sqs = sqs
    before = sweeping.received_feeds()
    assert before == Counter(ids)
    report = sweeping.sweep()
    assert (report.leased, report.sent) == (1, 0)
    assert sweeping.received_feeds() == before
    sweeping.clock.advance(120)
    assert sweeping.sweep().sent == 2
    assert sweeping.received_feeds() == Counter(ids * 2)


def _die(sweeping: Sweeping) -> bool:
    """Sweep until the process dies; False if it survives."""
    try:
        sweeping.sweep()
    except Died:
        return True
    return False


@pytest.mark.parametrize("makes_last", [False, True], ids=["before", "after"])
def test_killed_at_any_call_a_sweep_loses_nothing(fake_sweeping: Sweeping, makes_last: bool) -> None:
    """A sweep is killed at its first call, the next one at its second, and so on, until one survives."""
    sweeping, ids, call = fake_sweeping, [], 0
    while True:
        names = [f"{call}-{n}" for n in range(5)]
        items = [
            feed_item(name, at=sweeping.clock.now() - 1, host=f"h{n % 2}.example.com") for n, name in enumerate(names)
        ]
        ids += put_feeds(sweeping.bench.contents, items)
        sweeping.lifespan.end_at(call, makes_last=makes_last)
        died = _die(sweeping)
        sweeping.lifespan.live_on()
        sweeping.clock.advance(120)
        assert sweeping.sweep().complete
        assert set(sweeping.received_feeds()) == set(ids), f"killed at call {call}"
        if not died:
            break
        call += 1
    assert call > 20
    assert all(row["lease_until"] == 0 for row in sweeping.rows())


def test_two_sweeps_at_once_send_everything_and_neither_waits(sweeping: Sweeping) -> None:
    ids = put_feeds(sweeping.bench.contents, [feed_item(f"f{n}", at=NOW - n) for n in range(200)])
    barrier = threading.Barrier(4)

    def run(_: int) -> SweepReport:
        barrier.wait()
        return sweeping.sweep(backoff=Backoff())

    with ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(run, range(4)))
    assert sum(report.sent for report in reports) == 200
    assert sweeping.received_feeds() == Counter(ids)
    assert all(row["lease_until"] == 0 for row in sweeping.rows())


def test_a_sweep_that_lost_its_lease_does_not_move_the_cursor_back(fake_sweeping: Sweeping) -> None:
    """The first sweep is slow: its lease runs out, a second one sends all and more before the first writes."""
    sweeping = fake_sweeping
    put_feeds(sweeping.bench.contents, [feed_item("a", host="h.example.com")])
    real = sweeping.sqs.send_message_batch

    def slow(**request: Any) -> Any:
        sweeping.sqs.send_message_batch = real
        answer = real(**request)
        put_feeds(sweeping.bench.contents, [feed_item("b", at=NOW + 100, host="h.example.com")])
        assert replace(sweeping, clock=FakeClock(NOW + 200)).sweep().sent == 2
        return answer

    sweeping.sqs.send_message_batch = slow
    sweeping.sweep()
    [row] = sweeping.rows()
    assert row["cursor_at"] == NOW + 100
    assert sweeping.sweep().due == 0


def test_a_lost_answer_to_the_lease_does_not_lock_its_own_sweep_out(fake_sweeping: Sweeping) -> None:
    ids = put_feeds(fake_sweeping.bench.contents, [feed_item("a")])
    client = fake_sweeping.bench.faults._client
    real, lost = client.update_item, set[int]()

    def update_item(**request: Any) -> Any:
        """The first answer to each revision is lost."""
        answer = real(**request)
        rev = int(answer["Attributes"]["rev"]["N"])
        if rev not in lost:
            lost.add(rev)
            raise ReadTimeoutError(endpoint_url="http://store")
        return answer

    client.update_item = update_item
    report = fake_sweeping.sweep()
    assert (report.sent, report.failures) == (1, ())
    assert lost == {1, 2}
    assert fake_sweeping.received_feeds() == Counter(ids)
    assert fake_sweeping.rows()[0]["lease_until"] == 0


# --- errors -----------------------------------------------------------------------------------------


def test_messages_that_the_queue_refuses_are_sent_by_the_next_sweep(fake_sweeping: Sweeping) -> None:
    ids = put_feeds(fake_sweeping.bench.contents, [feed_item(f"f{n}", host="big.example.org") for n in range(50)])
    fake_sweeping.sqs.refuses = 5 * PATIENT.attempts - 2
    report = fake_sweeping.sweep()
    assert not report.complete
    assert report.failures == ("queue_refused",)
    assert 0 < report.sent < 50
    fake_sweeping.sqs.refuses = 0
    assert fake_sweeping.sweep().complete
    assert set(fake_sweeping.received_feeds()) == set(ids)


@pytest.mark.parametrize(("knob", "code"), [("throttles", "throttled"), ("fails", "queue_unavailable")])
def test_a_queue_that_is_away_costs_time_only(fake_sweeping: Sweeping, knob: str, code: str) -> None:
    ids = put_feeds(fake_sweeping.bench.contents, [feed_item("a"), feed_item("b")])
    setattr(fake_sweeping.sqs, knob, FOR_EVER)
    report = fake_sweeping.sweep()
    assert (report.sent, report.complete, set(report.failures)) == (0, False, {code})
    setattr(fake_sweeping.sqs, knob, 0)
    assert fake_sweeping.sweep().sent == 2
    assert fake_sweeping.received_feeds() == Counter(ids)


def test_a_store_that_fails_for_one_shard_does_not_keep_the_others_from_being_swept(fake_sweeping: Sweeping) -> None:
    ids = put_feeds(fake_sweeping.bench.contents, [feed_item(f"f{n}") for n in range(50)])
    real, broken = fake_sweeping.bench.faults._client.query, {"N": str(feed_item("f0")["due_shard"])}

    def query(**request: Any) -> Any:
        if broken in request["ExpressionAttributeValues"].values():
            raise client_error("InternalServerError", "Query")
        return real(**request)

    fake_sweeping.bench.faults._client.query = query
    report = fake_sweeping.sweep()
    assert report.failures == ("store_unavailable",)
    assert 0 < report.sent < 50
    fake_sweeping.bench.faults._client.query = real
    assert fake_sweeping.sweep().complete
    assert fake_sweeping.received_feeds() == Counter(ids)


def test_a_busy_store_is_borne(fake_sweeping: Sweeping) -> None:
    ids = put_feeds(fake_sweeping.bench.contents, [feed_item(f"f{n}") for n in range(50)])
    fake_sweeping.bench.faults.throttles = 5
    assert fake_sweeping.sweep().sent == 50
    assert fake_sweeping.received_feeds() == Counter(ids)


def test_a_sweep_without_time_stops_between_shards_and_the_next_goes_on(fake_sweeping: Sweeping) -> None:
    ids = put_feeds(fake_sweeping.bench.contents, [feed_item(f"f{n}") for n in range(100)])
    real = fake_sweeping.sqs.send_message_batch

    def slow(**request: Any) -> Any:
        fake_sweeping.clock.advance(4)
        return real(**request)

    fake_sweeping.sqs.send_message_batch = slow
    first = fake_sweeping.sweep(within_s=20)
    assert not first.complete
    assert 0 < first.sent < 100
    while not fake_sweeping.sweep(within_s=20).complete:
        pass
    assert fake_sweeping.received_feeds() == Counter(ids)


def test_a_second_with_more_feeds_than_there_is_time_for_is_sent_over_several_sweeps(
    fake_sweeping: Sweeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feedward.services.sweep.sweep.PART_FEEDS", 100)
    ids = put_feeds(fake_sweeping.bench.contents, [feed_item(f"f{n}", due_shard=3) for n in range(350)])
    real = fake_sweeping.sqs.send_message_batch

    def slow(**request: Any) -> Any:
        fake_sweeping.clock.advance(3.5)
        return real(**request)

    fake_sweeping.sqs.send_message_batch = slow
    sent = list[int]()
    while not sent or sent[-1]:
        sent.append(fake_sweeping.sweep(within_s=14).sent)
    assert sent == [200, 150, 0]
    assert fake_sweeping.received_feeds() == Counter(ids)


@pytest.mark.parametrize("seed", range(8))
def test_the_order_of_an_index_within_a_second_is_not_relied_on(
    fake_sweeping: Sweeping, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr("feedward.adapters.dynamodb.store.due_index.PAGE_FEEDS", 4)
    draw = random.Random(seed)
    items = [feed_item(f"{seed}-{n}", at=NOW - draw.randrange(4), due_shard=3) for n in range(60)]
    ids = put_feeds(fake_sweeping.bench.contents, items)
    fake_sweeping.bench.faults._client = AnyOrder(fake_sweeping.bench.faults._client)
    real = fake_sweeping.sqs.send_message_batch
    for _ in range(20):
        victim = draw.choice(ids)

        def send(victim: str = victim, **request: Any) -> Any:
            taken = [entry for entry in request["Entries"] if victim not in entry["MessageBody"]]
            return real(**request | {"Entries": taken}) if taken else {}

        fake_sweeping.sqs.send_message_batch = send
        fake_sweeping.sweep()
    fake_sweeping.sqs.send_message_batch = real
    assert fake_sweeping.sweep().complete
    assert set(fake_sweeping.received_feeds()) == set(ids)
    assert fake_sweeping.sweep().due == 0


@pytest.mark.parametrize("seed", range(5))
def test_with_one_in_ten_calls_throttled_nothing_is_lost(fake_sweeping: Sweeping, seed: int) -> None:
    draw = random.Random(seed).random
    faults = fake_sweeping.bench.faults
    ids = put_feeds(fake_sweeping.bench.contents, [feed_item(f"f{n}", at=NOW - n % 9) for n in range(400)])
    ids += put_feeds(fake_sweeping.bench.contents, [feed_item(f"g{n}", at=NOW - 2000) for n in range(50)])

    class Busy:
        def __getattr__(self, operation: str) -> Any:
            faults.throttles = int(draw() < 0.1)
            return getattr(faults, operation)

    fake_sweeping.bench.faults = Busy()  # type: ignore[assignment]
    assert fake_sweeping.sweep().sent == 450
    assert fake_sweeping.received_feeds() == Counter(ids)
    assert fake_sweeping.repair().postponed == 50
    fake_sweeping.clock.advance(80)
    assert fake_sweeping.sweep().sent == 50


def test_each_minute_begins_at_another_shard(fake_sweeping: Sweeping) -> None:
    fake_sweeping.sweep()
    asked = []
    real = fake_sweeping.bench.faults._client.query

    def query(**request: Any) -> Any:
        asked.append(next(iter(request["ExpressionAttributeValues"].values())))
        return real(**request)

    fake_sweeping.bench.faults._client.query = query
    for _ in range(DUE_SHARDS):
        fake_sweeping.sweep()
        fake_sweeping.clock.advance(60)
    firsts = [asked[n + 1] for n in range(0, len(asked), DUE_SHARDS + 1)]
    assert len({json.dumps(first) for first in firsts}) == DUE_SHARDS
