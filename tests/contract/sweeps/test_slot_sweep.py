"""The sweep of slots: each feed once at each minute of its slot, despite deaths, delays and repeated messages
(rules S1, S2, S10, S11, I4, I6).
"""

from __future__ import annotations

import contextlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from feedward.adapters.dynamodb.feeds.sweep_store import DynamoSlotStore, DynamoSweepStore
from feedward.adapters.dynamodb.state.slot_loads import DynamoSlotLoads
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.sqs import SqsWorkQueue
from feedward.scheduling.slots import CLASSES, DAY_MIN, Slot
from feedward.services.sweep.sweep import SweepReport
from feedward.services.sweep.sweep_slots import sweep_feeds
from tests.contract.benches.due_feeds import NOW, feed_item, put_feeds
from tests.contract.benches.sweeping import DiesAfterSending, Sweeping
from tests.fakes.dynamodb_faults import Died
from tests.fakes.feed_store import PATIENT
from tests.fakes.lifespan import Mortal

MINUTE = NOW // 60
DAY_S = 86_400


def in_slot(name: str, every: int, minute: int = MINUTE, *, from_s: int = 0, host: str | None = None) -> dict[str, Any]:
    """Return the FEED of a feed whose slot is due at a minute."""
    item = feed_item(name, host=host)
    for key in ("next_check_at", "due_shard"):
        del item[key]
    return {**item, "slot": Slot(every=every, phase=minute % every).key, "slot_from": from_s}


def sweep(sweeping: Sweeping, *, sqs: Any = None, within_s: float = 50) -> SweepReport:
    """Sweep slots and exceptions, as the schedule does."""
    tables = Tables(
        Mortal(sweeping.bench.faults, sweeping.lifespan),  # type: ignore[arg-type]
        sweeping.bench.contents.names,
        PATIENT,
    )
    client: Any = Mortal(sqs or sweeping.sqs, sweeping.lifespan)
    return sweep_feeds(
        slots=DynamoSlotStore(tables),
        store=DynamoSweepStore(tables),
        loads=DynamoSlotLoads(tables),
        queue=SqsWorkQueue(client, sweeping.queue_url, PATIENT),
        clock=sweeping.clock,
        within_s=within_s,
    )


def sent(sweeping: Sweeping) -> Counter[str]:
    return sweeping.received_feeds()


def test_each_class_is_due_at_its_minute_once_and_its_message_names_the_minute(sweeping: Sweeping) -> None:
    due = put_feeds(sweeping.bench.contents, [in_slot(f"c{every}", every) for every in CLASSES])
    put_feeds(sweeping.bench.contents, [in_slot(f"n{every}", every, MINUTE + 1) for every in CLASSES])
    put_feeds(sweeping.bench.contents, [in_slot("too soon", 60, from_s=NOW + 1)])
    report = sweep(sweeping)
    assert (report.due, report.sent, report.complete, report.failures) == (len(CLASSES), len(CLASSES), True, ())
    assert sent(sweeping) == Counter(due)
    assert {feed.minute for message in sweeping.received() for feed in message.entries} == {MINUTE}
    assert sweep(sweeping).due == 0


def test_a_feed_is_sent_at_each_minute_of_its_slot_without_a_write_to_it(fake_sweeping: Sweeping) -> None:
    ids = put_feeds(fake_sweeping.bench.contents, [in_slot(f"c{every}", every) for every in CLASSES])
    before = fake_sweeping.bench.contents.feeds()
    for _ in range(241):
        sweep(fake_sweeping)
        fake_sweeping.clock.advance(60)
    assert [sent(fake_sweeping)[each] for each in ids] == [17, 9, 5, 3, 2, 1, 1]
    assert fake_sweeping.bench.contents.feeds() == before


def test_feeds_in_slots_and_feeds_by_exception_are_swept_by_one_call(sweeping: Sweeping) -> None:
    ids = put_feeds(sweeping.bench.contents, [in_slot("a", 60), feed_item("b", at=NOW - 5)])
    assert sweep(sweeping).sent == 2
    assert sent(sweeping) == Counter(ids)


def test_more_feeds_than_a_page_holds_are_each_sent_once(fake_sweeping: Sweeping) -> None:
    items = [in_slot(f"f{n}", CLASSES[n % 7], from_s=n % 3) for n in range(1300)]
    ids = put_feeds(fake_sweeping.bench.contents, items)
    assert sweep(fake_sweeping).sent == 1300
    assert sent(fake_sweeping) == Counter(ids)


def test_more_feeds_than_a_page_holds_in_one_slot_are_each_sent_once_and_the_lease_ends(
    fake_sweeping: Sweeping,
) -> None:
    ids = put_feeds(fake_sweeping.bench.contents, [in_slot(f"f{n}", 60, from_s=n % 3) for n in range(1300)])
    tables = Tables(fake_sweeping.bench.faults, fake_sweeping.bench.contents.names, PATIENT)  # type: ignore[arg-type]
    report = sweep(fake_sweeping)
    assert (report.sent, report.complete) == (1300, True)
    assert sent(fake_sweeping) == Counter(ids)
    assert [shard.lease_until for shard in DynamoSlotStore(tables).minutes()] == [0, 0]


def test_two_sweeps_at_once_send_each_feed_once(real_sweeping: Sweeping) -> None:
    ids = put_feeds(real_sweeping.bench.contents, [in_slot(f"f{n}", CLASSES[n % 7]) for n in range(70)])
    with ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(lambda _: sweep(real_sweeping), range(4)))
    assert sum(report.sent for report in reports) == 70
    assert sent(real_sweeping) == Counter(ids)


@pytest.mark.parametrize("makes_last", [False, True])
@pytest.mark.parametrize("call", range(14))
def test_a_sweep_that_dies_at_any_call_is_made_up_for(fake_sweeping: Sweeping, call: int, makes_last: bool) -> None:
    ids = put_feeds(fake_sweeping.bench.contents, [in_slot(f"c{every}", every) for every in CLASSES])
    fake_sweeping.lifespan.end_at(call, makes_last=makes_last)
    with contextlib.suppress(Died):
        sweep(fake_sweeping)
    fake_sweeping.lifespan.live_on()
    for _ in range(3):
        fake_sweeping.clock.advance(60)
        sweep(fake_sweeping)
    assert set(sent(fake_sweeping)) == set(ids)
    assert max(sent(fake_sweeping).values()) <= 2


def test_a_sweep_that_died_after_sending_sends_the_minute_again_and_none_twice_more(fake_sweeping: Sweeping) -> None:
    ids = put_feeds(fake_sweeping.bench.contents, [in_slot("a", 60), in_slot("b", 480)])
    with contextlib.suppress(Died):
        sweep(fake_sweeping, sqs=DiesAfterSending(fake_sweeping.sqs))
    for _ in range(5):
        fake_sweeping.clock.advance(60)
        sweep(fake_sweeping)
    assert all(1 <= sent(fake_sweeping)[each] <= 2 for each in ids)


@pytest.mark.parametrize(
    ("away_min", "made_up"),
    [(4, CLASSES), (9, CLASSES[1:]), (14, CLASSES[2:]), (60, CLASSES[4:]), (150, CLASSES[5:]), (1200, CLASSES[6:])],
)
def test_a_sweep_after_a_pause_makes_up_for_feeds_not_due_again_soon(
    fake_sweeping: Sweeping, away_min: int, made_up: tuple[int, ...]
) -> None:
    sweep(fake_sweeping)
    missed = put_feeds(fake_sweeping.bench.contents, [in_slot(f"c{every}", every, MINUTE + 1) for every in CLASSES])
    fake_sweeping.clock.advance((away_min + 1) * 60)
    again = {each for each, every in zip(missed, CLASSES, strict=True) if away_min % every == 0}
    sweep(fake_sweeping)
    expected = {each for each, every in zip(missed, CLASSES, strict=True) if every in made_up}
    assert set(sent(fake_sweeping)) == expected | again
    assert max(sent(fake_sweeping).values()) == 1


def test_minutes_that_another_sweep_has_are_left_to_it_until_its_lease_ends(fake_sweeping: Sweeping) -> None:
    ids = put_feeds(fake_sweeping.bench.contents, [in_slot(f"c{every}", every) for every in CLASSES])
    tables = Tables(fake_sweeping.bench.faults, fake_sweeping.bench.contents.names, PATIENT)  # type: ignore[arg-type]
    store, now = DynamoSlotStore(tables), fake_sweeping.clock.now()
    for shard in store.minutes():
        assert store.take_lease(shard, holder="another", until=now + 60) is not None

    report = sweep(fake_sweeping)
    assert (report.leased, report.sent, sent(fake_sweeping)) == (2, 0, Counter())

    fake_sweeping.clock.advance(60)
    sweep(fake_sweeping)
    assert set(sent(fake_sweeping)) == set(ids)


@pytest.mark.parametrize("away_s", [3600, DAY_S, 3 * DAY_S])
def test_no_feed_is_forgotten_by_a_sweep_that_was_away(fake_sweeping: Sweeping, away_s: int) -> None:
    items = [in_slot(f"c{every}-{n}", every, MINUTE + n * every // 7) for every in CLASSES for n in range(7)]
    ids = put_feeds(fake_sweeping.bench.contents, items)
    sweep(fake_sweeping)
    before = sent(fake_sweeping)
    fake_sweeping.clock.advance(away_s)
    for _ in range(241):
        sweep(fake_sweeping)
        fake_sweeping.clock.advance(120)  # each time it makes up for a minute
    daily = set(ids[-7:])  # within eight hours they are due only if they were missed
    assert set(sent(fake_sweeping) - before) >= set(ids) - daily
    if away_s >= DAY_S:
        assert set(sent(fake_sweeping) - before) == set(ids)


def test_a_day_is_made_up_for_in_steps_that_are_kept(fake_sweeping: Sweeping) -> None:
    sweep(fake_sweeping)
    missed = put_feeds(fake_sweeping.bench.contents, [in_slot(f"d{n}", DAY_MIN, MINUTE + 100 * n) for n in (1, 9, 14)])
    fake_sweeping.clock.advance(DAY_S - 60)
    fake_sweeping.bench.faults.calls.clear()
    report = sweep(fake_sweeping)
    assert (report.sent, report.complete) == (3, True)
    assert sent(fake_sweeping) == Counter(missed)
    assert fake_sweeping.bench.faults.calls.count("update_item") >= 5  # a step is 300 slots


@pytest.mark.parametrize("jump_s", [-90, 90])
def test_a_clock_that_jumps_changes_nothing_but_a_delay(fake_sweeping: Sweeping, jump_s: int) -> None:
    items = [in_slot(f"m{n}", 60, MINUTE + n, from_s=MINUTE * 60) for n in range(60)]
    ids = put_feeds(fake_sweeping.bench.contents, items)
    for minute in range(64):
        sweep(fake_sweeping)
        fake_sweeping.clock.advance(60 + (jump_s if minute == 20 else 0))
    times = sent(fake_sweeping)
    assert set(times) == set(ids)
    assert sum(times.values()) <= 60 + 5  # those of the next hour's first minutes


def test_feeds_that_no_message_of_the_minute_can_carry_are_due_by_exception(fake_sweeping: Sweeping) -> None:
    items = [in_slot(f"f{n}", 15, host="crowded.example") for n in range(200)]
    put_feeds(fake_sweeping.bench.contents, items)
    report = sweep(fake_sweeping)
    assert (report.sent + report.postponed, report.complete) == (200, True)
    # Three seconds for each feed, within the third of the class after which the next minute is near.
    assert 100 <= report.sent <= 110
    feeds = fake_sweeping.bench.contents.feeds().values()
    late = [feed for feed in feeds if "slot" not in feed]
    assert len(late) == report.postponed
    assert all(NOW < feed["next_check_at"] <= NOW + 200 * 3 + 60 for feed in late)


def test_a_host_has_one_pace_whichever_slots_and_index_its_feeds_are_in(fake_sweeping: Sweeping) -> None:
    host = "crowded.example"
    items = [in_slot(f"{every}-{n}", every, host=host) for every in (60, 480) for n in range(30)]
    items += [feed_item(f"exception-{n}", at=NOW - 5, host=host) for n in range(30)]
    ids = put_feeds(fake_sweeping.bench.contents, items)
    assert sweep(fake_sweeping).sent == 90
    assert sent(fake_sweeping) == Counter(ids)
    starts = sorted(message.sent_at for message in fake_sweeping.received())
    # Ten feeds a message, three seconds each: no message of the host begins before the one before it is over.
    assert [start - NOW for start in starts] == list(range(0, 9 * 30, 30))


def test_the_sweep_notes_how_many_feeds_a_minute_has(sweeping: Sweeping) -> None:
    put_feeds(sweeping.bench.contents, [in_slot(f"c{every}", every) for every in CLASSES])
    sweep(sweeping)
    loads = DynamoSlotLoads(Tables(sweeping.bench.faults, sweeping.bench.contents.names, PATIENT))  # type: ignore[arg-type]
    assert loads.read().most(Slot(every=DAY_MIN, phase=MINUTE % DAY_MIN)) == len(CLASSES)
    assert loads.read().most(Slot(every=DAY_MIN, phase=(MINUTE + 1) % DAY_MIN)) == 0
