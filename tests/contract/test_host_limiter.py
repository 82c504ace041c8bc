"""Limits of hosts over all workers: slots that keep their distance, cooldowns that all respect, one worker at a time.

A cooldown holds for all requests to the host that answered, until its time is over.
"""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.feeds.checks import DynamoCheckStore
from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.deadline import Deadline
from feedward.errors import StoreUnavailable, Throttled
from feedward.health.directory_feed import DirectoryFeed
from feedward.health.due_feed import DueFeed, Stops
from feedward.health.state_machine import resume
from feedward.model import FetchResult, Outcome
from feedward.scheduling.cooldown import cooldown_until
from tests.contract.benches.frontier import NOW
from tests.contract.benches.moves import LATER
from tests.contract.conftest import Bench
from tests.contract.feeds.test_feed_actions import actions, paused, registered
from tests.contract.feeds.test_feed_reader import read
from tests.fakes.dynamodb_faults import FOR_EVER
from tests.fakes.feed_store import PATIENT

HOST = "example.com"
OTHER = "www.example.com"
NOW_MS = NOW * 1000
THREADS = 24
WEEK = 7 * 24 * 3600


@pytest.fixture
def limiter(bench: Bench) -> DynamoHostLimiter:
    return limiter_of(bench)


def limiter_of(bench: Bench, backoff: Backoff = PATIENT) -> DynamoHostLimiter:
    return DynamoHostLimiter(Tables(bench.faults, bench.contents.names, backoff))  # type: ignore[arg-type]


def take(
    limiter: DynamoHostLimiter, host: str = HOST, *, after_ms: int = 0, pause_ms: int = 1000, wait_ms: int = 0
) -> int:
    """Take a slot so long after NOW."""
    return limiter.take_slot(host, now_ms=NOW_MS + after_ms, pause_ms=pause_ms, wait_ms=wait_ms)


# --- slots --------------------------------------------------------------------------------------------


def test_a_free_host_is_asked_at_once_with_one_write(bench: Bench, limiter: DynamoHostLimiter) -> None:
    assert take(limiter) == 0
    assert bench.faults.calls == ["update_item"]


def test_slots_follow_each_other_at_the_pause(limiter: DynamoHostLimiter) -> None:
    assert [take(limiter, wait_ms=10_000) for _ in range(5)] == [0, 1000, 2000, 3000, 4000]


def test_a_host_is_free_again_when_the_pause_is_over_and_not_before(limiter: DynamoHostLimiter) -> None:
    take(limiter)
    assert take(limiter, after_ms=999) == 1
    assert take(limiter, after_ms=1000) == 0


def test_a_slot_that_is_too_far_away_is_not_taken(limiter: DynamoHostLimiter) -> None:
    for _ in range(3):
        take(limiter, wait_ms=60_000)
    refused = [take(limiter, wait_ms=2999) for _ in range(4)]
    assert refused == [3000] * 4, "when to ask again, and no slot moves for it"
    assert take(limiter, wait_ms=3000) == 3000


def test_each_host_has_its_own_slots(limiter: DynamoHostLimiter) -> None:
    hosts = [HOST, OTHER, "x" * 3000, "größe.example"]
    assert [take(limiter, host) for host in hosts] == [0] * 4


def test_a_longer_pause_holds_for_later_workers(limiter: DynamoHostLimiter) -> None:
    assert take(limiter, pause_ms=30_000) == 0
    assert take(limiter, wait_ms=60_000) == 30_000
    assert take(limiter, wait_ms=60_000) == 31_000


@pytest.mark.parametrize("pause_ms", [1000, 250])
def test_24_workers_at_once_never_take_two_slots_closer_than_the_pause(bench: Bench, pause_ms: int) -> None:
    limiter = limiter_of(bench, Backoff(attempts=12))
    barrier, wait_ms = threading.Barrier(THREADS), 40 * pause_ms

    def work(worker: int) -> list[tuple[int, int]]:
        draw, answers = random.Random(worker), []
        barrier.wait()
        for _ in range(5):
            after_ms = draw.randrange(3 * pause_ms)  # clocks differ
            answers.append((after_ms, take(limiter, after_ms=after_ms, pause_ms=pause_ms, wait_ms=wait_ms)))
        return answers

    with ThreadPoolExecutor(THREADS) as pool:
        answers = [answer for each in pool.map(work, range(THREADS)) for answer in each]
    taken = sorted(after_ms + in_ms for after_ms, in_ms in answers if in_ms <= wait_ms)
    assert all(later - earlier >= pause_ms for earlier, later in pairwise(taken))
    assert 36 <= len(taken) <= 45
    assert len(taken) < len(answers), "some were told to come again"


def test_a_slot_that_was_taken_though_the_answer_was_lost_is_left_out(bench: Bench, limiter: DynamoHostLimiter) -> None:
    bench.faults.lost_answers = 1
    assert take(limiter, wait_ms=5000) == 1000
    assert take(limiter, wait_ms=5000) == 2000


def test_a_busy_table_is_asked_again_and_one_that_stays_busy_says_so(bench: Bench, limiter: DynamoHostLimiter) -> None:
    bench.faults.throttles = 2
    assert take(limiter) == 0
    bench.faults.throttles = FOR_EVER
    with pytest.raises(Throttled):
        take(limiter)
    with pytest.raises(StoreUnavailable):
        limiter.within(Deadline.after(0)).take_slot(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=0)


def test_stored_data_of_a_host_expires(bench: Bench, limiter: DynamoHostLimiter) -> None:
    take(limiter)
    [row] = bench.contents.state()
    assert NOW < row["expires_at"] <= NOW + 2 * 3600


# --- cooldowns: readers ---------------------------------------------------------------------------------


def test_a_host_cools_down_until_its_time_and_no_longer(limiter: DynamoHostLimiter) -> None:
    limiter.cool_down(HOST, until=NOW + 600, now=NOW)
    asked = [HOST, OTHER]
    assert limiter.stops(asked, now=NOW).hosts == {HOST: NOW + 600}
    assert limiter.stops(asked, now=NOW + 599).hosts == {HOST: NOW + 600}
    assert limiter.stops(asked, now=NOW + 600).hosts == {}


def test_one_host_can_be_looked_up_alone_with_one_read(bench: Bench, limiter: DynamoHostLimiter) -> None:
    limiter.cool_down(HOST, until=NOW + 600, now=NOW)
    bench.faults.calls.clear()
    assert limiter.cooldown_until(HOST, now=NOW + 599) == NOW + 600
    assert len(bench.faults.calls) == 1
    assert limiter.cooldown_until(HOST, now=NOW + 600) == 0
    assert limiter.cooldown_until(OTHER, now=NOW) == 0


def test_a_429_cools_its_host_down_for_as_long_as_it_says(limiter: DynamoHostLimiter) -> None:
    answer = FetchResult(outcome=Outcome.RATE_LIMITED, url=f"https://{HOST}/", status=429, retry_after_s=120)
    until = cooldown_until(answer, NOW)
    assert until is not None
    limiter.cool_down(HOST, until=until, now=NOW)
    assert limiter.stops([HOST], now=NOW).hosts == {HOST: NOW + 120}


def test_only_hosts_that_are_asked_for_are_named(limiter: DynamoHostLimiter) -> None:
    for n in range(40):
        limiter.cool_down(f"h{n}.example", until=NOW + 600, now=NOW)
    assert limiter.stops(["h3.example", "other.example"], now=NOW).hosts == {"h3.example": NOW + 600}
    assert len(limiter.stops([f"h{n}.example" for n in range(40)], now=NOW).hosts) == 40
    assert limiter.stops([], now=NOW).hosts == {}


@pytest.mark.parametrize("ends", [(600, 60), (60, 600)])
def test_the_later_end_counts_in_any_order(limiter: DynamoHostLimiter, ends: tuple[int, int]) -> None:
    for end in ends:
        limiter.cool_down(HOST, until=NOW + end, now=NOW)
    assert limiter.stops([HOST], now=NOW).hosts == {HOST: NOW + 600}
    assert limiter.cooldown_until(HOST, now=NOW) == NOW + 600
    assert take(limiter) == 600_000


def test_a_cooldown_that_is_over_is_not_written_and_one_that_is_goes_by_itself(bench: Bench) -> None:
    limiter = limiter_of(bench)
    limiter.cool_down("old.example", until=NOW, now=NOW)
    assert bench.contents.state() == []
    limiter.cool_down(HOST, until=NOW + 60, now=NOW)
    expires = sorted(row["expires_at"] for row in bench.contents.state())
    assert expires == [NOW + 60, NOW + 60 + 3600], "as a cooldown, and as a slot"


def test_a_messages_hosts_cost_one_query(fake_bench: Bench) -> None:
    limiter = limiter_of(fake_bench)
    fake_bench.faults.calls.clear()
    limiter.stops([HOST] * 10, now=NOW)
    assert fake_bench.faults.calls == ["query"]


def test_a_look_that_fails_says_so(bench: Bench, limiter: DynamoHostLimiter) -> None:
    bench.faults.throttles = FOR_EVER
    for look in (lambda: limiter.stops([HOST], now=NOW), lambda: limiter.cooldown_until(HOST, now=NOW)):
        with pytest.raises(Throttled):
            look()


# --- cooldowns: slots ------------------------------------------------------------------------------------


def test_a_slot_is_not_before_the_end_of_a_cooldown_and_meets_it_without_a_read(
    bench: Bench, limiter: DynamoHostLimiter
) -> None:
    limiter.cool_down(HOST, until=NOW + 120, now=NOW)
    bench.faults.calls.clear()
    assert take(limiter, wait_ms=5000) == 120_000
    assert bench.faults.calls == ["update_item"]
    assert take(limiter, after_ms=119_000, wait_ms=5000) == 1000
    assert take(limiter, after_ms=121_000) == 0


def test_cooldowns_at_once_overlap_and_do_not_add_up(limiter: DynamoHostLimiter) -> None:
    take(limiter)
    for end in (120, 121, 60):
        limiter.cool_down(HOST, until=NOW + end, now=NOW)
    assert take(limiter) == 121_000
    assert take(limiter, after_ms=121_000) == 0


def test_a_cooldown_never_brings_a_slot_closer(limiter: DynamoHostLimiter) -> None:
    take(limiter, pause_ms=30_000)
    limiter.cool_down(HOST, until=NOW + 10, now=NOW)
    assert take(limiter) == 30_000
    assert limiter.cooldown_until(HOST, now=NOW) == NOW + 10


def test_a_host_that_was_never_asked_can_cool_down_for_a_week(bench: Bench, limiter: DynamoHostLimiter) -> None:
    bench.faults.lost_answers = 1
    limiter.cool_down(HOST, until=NOW + WEEK, now=NOW)
    assert take(limiter) == WEEK * 1000
    assert limiter.cooldown_until(HOST, now=NOW) == NOW + WEEK
    assert all(row["expires_at"] >= NOW + WEEK for row in bench.contents.state())


def test_each_host_cools_down_alone(limiter: DynamoHostLimiter) -> None:
    limiter.cool_down(HOST, until=NOW + 600, now=NOW)
    assert take(limiter, OTHER) == 0


def test_24_answers_at_once_leave_the_latest_end(bench: Bench) -> None:
    limiter = limiter_of(bench, Backoff(attempts=12))
    barrier = threading.Barrier(THREADS)

    def work(worker: int) -> None:
        barrier.wait()
        limiter.cool_down(HOST, until=NOW + worker, now=NOW)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(work, range(1, THREADS + 1)))
    assert take(limiter) == THREADS * 1000
    assert limiter.cooldown_until(HOST, now=NOW) == NOW + THREADS


# --- one worker at a time ---------------------------------------------------------------------------------


def hold(limiter: DynamoHostLimiter, holder: str, *, after_s: int = 0, host: str = HOST) -> int:
    """Hold the host's messages for a minute, so long after NOW."""
    return limiter.hold(host, holder=holder, until=NOW + after_s + 60, now=NOW + after_s)


def test_a_hosts_messages_are_one_holders_and_another_learns_until_when(
    bench: Bench, limiter: DynamoHostLimiter
) -> None:
    assert hold(limiter, "one") == 0
    bench.faults.calls.clear()
    assert hold(limiter, "another") == NOW + 60
    assert hold(limiter, "another", after_s=59) == NOW + 60
    assert bench.faults.calls == ["update_item"] * 2


def test_a_holder_may_hold_on(limiter: DynamoHostLimiter) -> None:
    hold(limiter, "one")
    assert hold(limiter, "one", after_s=30) == 0
    assert hold(limiter, "another", after_s=60) == NOW + 90


def test_a_released_hold_is_free_immediately(limiter: DynamoHostLimiter) -> None:
    hold(limiter, "one")
    limiter.release(HOST, holder="one")
    assert hold(limiter, "another") == 0


def test_no_holder_releases_the_lease_of_another(limiter: DynamoHostLimiter) -> None:
    hold(limiter, "one")
    limiter.release(HOST, holder="another")
    limiter.release("free.example", holder="another")
    assert hold(limiter, "another") == NOW + 60


def test_the_hold_of_a_dead_worker_expires(limiter: DynamoHostLimiter) -> None:
    hold(limiter, "one")
    assert hold(limiter, "another", after_s=60) == 0
    limiter.release(HOST, holder="one")  # it was not dead, but slow
    assert hold(limiter, "third", after_s=61) == NOW + 120


def test_each_host_is_held_alone_and_a_hold_is_no_slot_and_no_cooldown(limiter: DynamoHostLimiter) -> None:
    hold(limiter, "one")
    assert hold(limiter, "another", host=OTHER) == 0
    assert take(limiter) == 0
    assert limiter.cooldown_until(HOST, now=NOW) == 0


def test_a_hold_whose_answer_was_lost_is_the_holders(bench: Bench, limiter: DynamoHostLimiter) -> None:
    bench.faults.lost_answers = 1
    assert hold(limiter, "one") == 0
    bench.faults.lost_answers = 1
    limiter.release(HOST, holder="one")
    assert hold(limiter, "another") == 0


def test_of_24_workers_at_once_one_holds_the_host(bench: Bench) -> None:
    limiter = limiter_of(bench, Backoff(attempts=12))
    barrier = threading.Barrier(THREADS)

    def work(worker: int) -> int:
        barrier.wait()
        return hold(limiter, f"worker {worker}")

    with ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(work, range(THREADS)))
    assert sorted(answers) == [0] + [NOW + 60] * (THREADS - 1)


def test_a_hold_expires_by_itself_and_a_table_that_stays_busy_says_so(bench: Bench, limiter: DynamoHostLimiter) -> None:
    hold(limiter, "one")
    [row] = bench.contents.state()
    assert row["expires_at"] == NOW + 60
    bench.faults.throttles = FOR_EVER
    with pytest.raises(Throttled):
        hold(limiter, "one")
    with pytest.raises(Throttled):
        limiter.release(HOST, holder="one")


# --- feeds that a person paused while their messages were under way ---------------------------------


def due(bench: Bench, feed: DirectoryFeed) -> DueFeed:
    """The feed as in a message."""
    tables = Tables(bench.faults, bench.contents.names, PATIENT)  # type: ignore[arg-type]
    found = DynamoCheckStore(tables).due_feed(feed.feed_id)
    assert found is not None
    return found


def stops(bench: Bench) -> Stops:
    return limiter_of(bench).stops(["example.com"], now=LATER)


def test_a_look_up_of_hosts_also_shows_pauses_of_feeds_looked_up_before(bench: Bench) -> None:
    feed = registered(bench)
    before = due(bench, feed)
    assert not stops(bench).is_paused(before)

    assert paused(bench, feed)

    assert stops(bench).is_paused(before)
    assert stops(bench).hosts == {}


def test_a_feed_that_was_resumed_meanwhile_is_not_taken_for_a_paused_one(bench: Bench) -> None:
    feed = registered(bench)
    paused(bench, feed)
    again = read(bench, "a")
    assert again is not None
    actions(bench).apply(again, resume(again.health, LATER), action="resumed", by="ann", now=LATER)

    assert not stops(bench).is_paused(due(bench, feed))


def test_the_mark_of_a_pause_expires_when_no_message_can_be_in_flight(bench: Bench) -> None:
    paused(bench, registered(bench))
    [row] = bench.faults.scan(TableName=bench.contents.names.state)["Items"]
    assert int(row["expires_at"]["N"]) - LATER == 30 * 60
