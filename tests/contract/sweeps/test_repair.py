"""The repair pass: feeds with a lost message, or shown too late by the index, are rescheduled (rule M5)."""

from __future__ import annotations

from feedward.adapters.dynamodb.feeds.sweep_store import DynamoSweepStore
from feedward.adapters.dynamodb.store.tables import Tables
from tests.contract.benches.due_feeds import NOW, feed_item, put_feeds
from tests.contract.benches.sweeping import Sweeping
from tests.fakes.dynamodb_faults import FOR_EVER
from tests.fakes.feed_store import PATIENT


def test_feeds_that_the_index_showed_too_late_are_found_by_the_repair_pass(fake_sweeping: Sweeping) -> None:
    sweeping = fake_sweeping
    [late] = put_feeds(sweeping.bench.contents, [feed_item("late", at=NOW - 20, host="h.example.com")])
    put_feeds(sweeping.bench.contents, [feed_item("b", at=NOW - 10, host="h.example.com")])
    sweeping.bench.faults.lagging = {late}
    assert sweeping.sweep().sent == 1
    sweeping.bench.faults.lagging = set()
    assert sweeping.sweep().sent == 0, "the cursor is past it"
    sweeping.clock.advance(21 * 60)
    assert sweeping.repair().postponed == 2
    sweeping.clock.advance(70)
    sweeping.sweep()
    assert sweeping.received_feeds()[late] == 1


def test_repair_reschedules_only_feeds_overdue_by_more_than_20_minutes(sweeping: Sweeping) -> None:
    contents = sweeping.bench.contents
    [old] = put_feeds(contents, [feed_item("old", at=NOW - 1201, rev=5)])
    [young] = put_feeds(contents, [feed_item("young", at=NOW - 1200)])
    report = sweeping.repair()
    assert (report.overdue, report.postponed, report.complete) == (1, 1, True)
    feeds = contents.feeds()
    assert NOW + 60 <= feeds[old]["next_check_at"] <= NOW + 66
    assert feeds[old]["rev"] == 6
    assert (feeds[young]["next_check_at"], feeds[young]["rev"]) == (NOW - 1200, 1)
    assert sweeping.repair().overdue == 0


def test_repair_leaves_alone_feeds_checked_paused_or_merged_meanwhile(sweeping: Sweeping) -> None:
    contents = sweeping.bench.contents
    store = DynamoSweepStore(Tables(sweeping.bench.faults, contents.names, PATIENT))  # type: ignore[arg-type]
    [checked] = put_feeds(contents, [feed_item("checked", at=NOW + 900)])
    paused_item = {
        name: value for name, value in feed_item("paused").items() if name not in ("due_shard", "next_check_at")
    }
    [paused] = put_feeds(contents, [paused_item])
    before = contents.feeds()
    for feed_id in (checked, paused, "unknown"):
        assert not store.postpone(feed_id, seen=NOW - 1300, to=NOW + 60)
    assert contents.feeds() == before


def test_repair_goes_through_pages_and_shards(fake_sweeping: Sweeping) -> None:
    items = [feed_item(f"f{n}", at=NOW - 2000 - n % 50) for n in range(60)]
    items += [feed_item(f"g{n}", at=NOW - 3000, host=f"big{n % 3}.example.org") for n in range(600)]
    put_feeds(fake_sweeping.bench.contents, items)
    report = fake_sweeping.repair()
    assert (report.overdue, report.postponed, report.complete) == (660, 660, True)
    assert all(feed["next_check_at"] >= NOW + 60 for feed in fake_sweeping.bench.contents.feeds().values())
    fake_sweeping.clock.advance(70)
    assert fake_sweeping.sweep().sent == 660


def test_repair_reports_its_failures(fake_sweeping: Sweeping) -> None:
    put_feeds(fake_sweeping.bench.contents, [feed_item("f", at=NOW - 2000)])
    fake_sweeping.bench.faults.throttles = FOR_EVER
    report = fake_sweeping.repair()
    assert (report.postponed, report.complete, set(report.failures)) == (0, False, {"throttled"})
