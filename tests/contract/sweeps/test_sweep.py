"""The sweep: each due feed is sent once, at little cost, and politely (rule M1)."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

from feedward.health.due_feed import HealthMessage
from feedward.scheduling.shards import DUE_SHARDS, due_shard
from tests.contract.benches.due_feeds import NOW, feed_item, put_feeds
from tests.contract.benches.sweeping import Recording, Sweeping

# --- due feeds are sent once ------------------------------------------------------------------------


def test_due_feeds_are_sent_once_and_others_are_not(sweeping: Sweeping) -> None:
    contents = sweeping.bench.contents
    due = put_feeds(contents, [feed_item("now", at=NOW), feed_item("old", at=NOW - 86_400)])
    put_feeds(contents, [feed_item("later", at=NOW + 1)])
    report = sweeping.sweep()
    assert (report.due, report.sent, report.complete, report.oldest_due_at) == (2, 2, True, NOW - 86_400)
    assert sweeping.received_feeds() == Counter(due)
    again = sweeping.sweep()
    assert (again.due, again.messages) == (0, 0)


def test_a_message_carries_all_data_that_a_check_needs(sweeping: Sweeping) -> None:
    item = feed_item("a", etag='"1"', owner="t1", content_hash="ab", failures={"not_founds": 1}, rev=7, title="x")
    put_feeds(sweeping.bench.contents, [item])
    sweeping.sweep()
    [message] = sweeping.received()
    [feed] = message.entries
    assert (feed.feed_id, feed.url, feed.url_hash) == (item["feed_id"], item["url"], item["url_hash"])
    assert (feed.rev, feed.owner, feed.content_hash, feed.place.from_s) == (7, "t1", "ab", NOW - 30)
    assert (feed.validators.etag, feed.health.not_founds, feed.sent_at) == ('"1"', 1, NOW)


def test_2000_feeds_that_are_due_are_each_in_exactly_one_message(sweeping: Sweeping) -> None:
    items = [feed_item(f"f{n}", at=NOW - n % 7) for n in range(1700)]
    items += [feed_item(f"g{n}", at=NOW - n % 5, host=f"big{n % 3}.example.org") for n in range(300)]
    ids = put_feeds(sweeping.bench.contents, items)
    sweeping.bench.faults._client.page_items = 500
    sweeping.sqs = Recording(sweeping.sqs)  # a real queue holds back delayed messages
    report = sweeping.sweep()
    assert (report.due, report.sent, report.complete, report.failures) == (2000, 2000, True, ())
    messages = list(map(HealthMessage.from_text, sweeping.sqs.taken))
    assert Counter(feed.feed_id for message in messages for feed in message.entries) == Counter(ids)
    assert max(len(message.entries) for message in messages) == 10
    assert report.messages <= 2000 / 10 + DUE_SHARDS + 3
    assert sweeping.sweep().due == 0


def test_more_feeds_of_one_second_than_a_page_holds_are_all_sent(fake_sweeping: Sweeping) -> None:
    hosts = of_one_shard(35)
    feeds = [feed_item(f"f{n}", host=hosts[n % 35]) for n in range(700)]
    ids = put_feeds(fake_sweeping.bench.contents, feeds)
    later = put_feeds(fake_sweeping.bench.contents, [feed_item("z", at=NOW - 29, host=hosts[0])])
    assert fake_sweeping.sweep().sent == 701
    assert fake_sweeping.received_feeds() == Counter(ids + later)


def of_one_shard(count: int) -> list[str]:
    """So many hosts in one shard of the due index."""
    hosts = (f"h{n}.example.org" for n in itertools.count())
    return list(itertools.islice((host for host in hosts if due_shard(host) == 0), count))


def test_a_host_with_more_feeds_than_messages_can_wait_for_has_the_others_due_at_its_pace(
    fake_sweeping: Sweeping,
) -> None:
    sweeping = fake_sweeping
    ids = put_feeds(sweeping.bench.contents, [feed_item(f"f{n}", host="big.example.org") for n in range(700)])
    first = sweeping.sweep()
    assert (first.due, first.sent, first.postponed, first.complete) == (700, 290, 410, True)
    sent, now = set(sweeping.received_feeds()), sweeping.clock.now()
    slots = [feed["next_check_at"] for feed_id, feed in sweeping.bench.contents.feeds().items() if feed_id not in sent]
    assert sorted(slots) == [now + 3 * (290 + n) for n in range(410)]
    for _ in range(3 * 700 // 60):
        sweeping.clock.advance(60)
        sweeping.sweep()
    assert sweeping.received_feeds() == Counter(ids), "all are sent, and none twice"
    starts = sorted(message.sent_at for message in sweeping.received() if len(message.entries) == 10)
    assert all(later - before >= 30 for before, later in itertools.pairwise(starts))


def test_feeds_that_come_due_between_two_sweeps_are_sent_by_the_second(sweeping: Sweeping) -> None:
    first = put_feeds(sweeping.bench.contents, [feed_item("a", at=NOW - 5)])
    sweeping.sweep()
    second = put_feeds(sweeping.bench.contents, [feed_item("b", at=NOW + 50)])
    sweeping.clock.advance(60)
    assert sweeping.sweep().sent == 1
    assert sweeping.received_feeds() == Counter(first + second)


def test_a_feed_that_cannot_be_read_delays_no_other(sweeping: Sweeping) -> None:
    broken = feed_item("broken", host="a.example.com") | {"rev": "seven"}
    ids = put_feeds(sweeping.bench.contents, [feed_item("fine", at=NOW - 20, host="a.example.com")])
    put_feeds(sweeping.bench.contents, [broken])
    report = sweeping.sweep()
    assert (report.sent, report.unreadable) == (1, 1)
    assert sweeping.received_feeds() == Counter(ids)
    assert sweeping.sweep().unreadable == 0


# --- costs ------------------------------------------------------------------------------------------


def test_nothing_due_writes_nothing_and_reads_each_shard_once(sweeping: Sweeping) -> None:
    put_feeds(sweeping.bench.contents, [feed_item("later", at=NOW + 60)])
    assert sweeping.sweep().complete
    assert Counter(sweeping.lifespan.calls) == Counter(query=1 + DUE_SHARDS)
    assert sweeping.rows() == []


def test_an_idle_sweep_after_a_busy_one_reads_only_new_entries(sweeping: Sweeping) -> None:
    put_feeds(sweeping.bench.contents, [feed_item(f"f{n}", at=NOW - 600 + n) for n in range(300)])
    sweeping.sweep()
    rows = sweeping.rows()
    sweeping.lifespan.live_on()
    sweeping.clock.advance(60)
    sweeping.sweep()
    assert set(sweeping.lifespan.calls) == {"query"}
    assert len(sweeping.lifespan.calls) <= 1 + 2 * DUE_SHARDS
    assert sweeping.rows() == rows


def test_an_idle_sweep_costs_a_read_unit_and_a_half_for_each_shard_at_most(real_sweeping: Sweeping) -> None:
    put_feeds(real_sweeping.bench.contents, [feed_item(f"f{n}") for n in range(100)])
    real_sweeping.sweep()
    consumed: list[Any] = []
    client = real_sweeping.bench.faults

    class Counting:
        def __getattr__(self, operation: str) -> Any:
            def call(**request: Any) -> Any:
                answer = getattr(client, operation)(**request, ReturnConsumedCapacity="TOTAL")
                consumed.append((operation, answer["ConsumedCapacity"]["CapacityUnits"]))
                return answer

            return call

    real_sweeping.bench.faults = Counting()  # type: ignore[assignment]
    assert real_sweeping.sweep().due == 0
    assert {operation for operation, _ in consumed} == {"query"}
    assert sum(units for _, units in consumed) <= DUE_SHARDS + 2


# --- politeness -------------------------------------------------------------------------------------


def test_a_hosts_messages_come_one_after_the_other_over_sweeps_too(fake_sweeping: Sweeping) -> None:
    sweeping = fake_sweeping
    put_feeds(sweeping.bench.contents, [feed_item(f"a{n}", host="big.example.org") for n in range(60)])
    sweeping.sweep()
    sweeping.clock.advance(60)
    put_feeds(sweeping.bench.contents, [feed_item(f"b{n}", at=NOW + 30, host="big.example.org") for n in range(25)])
    sweeping.sweep()
    starts = [message.sent_at for message in sweeping.received()]
    assert starts == sorted(starts)
    assert len(set(starts)) == 9
    delays = [delay for _, delay in sweeping.sqs.sent]
    assert delays == [0, 30, 60, 90, 120, 150, 120, 150, 180]
