"""Our own outages: unrelated hosts together mark a minute, whichever call adds them, and however often
(rule H5).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.state.outages import DOMAINS_AT_MOST, DynamoOutages
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.model import Outcome
from tests.contract.conftest import Bench
from tests.fakes.dynamodb_faults import Died
from tests.fakes.feed_store import PATIENT
from tests.fakes.lifespan import Lifespan, Mortal

NOW = 1_790_000_040
MINUTE = NOW // 60

Checks = list[tuple[int, str, Outcome]]


def outages(bench: Bench, backoff: Backoff = PATIENT) -> DynamoOutages:
    return DynamoOutages(Tables(bench.faults, bench.contents.names, backoff))  # type: ignore[arg-type]


def checks(names: Sequence[str], outcome: Outcome, at: int = NOW) -> Checks:
    return [(at, name, outcome) for name in names]


def hosts(count: int, letter: str = "a") -> list[str]:
    return [f"www.{letter}{n}.example" for n in range(count)]


def test_a_minute_in_which_half_of_20_unrelated_hosts_fail_is_marked(bench: Bench) -> None:
    all_of_it = checks(hosts(10), Outcome.DNS_ERROR) + checks(hosts(10, "b"), Outcome.OK)
    assert outages(bench).add(all_of_it, now=NOW) == {MINUTE}
    assert outages(bench).marked(now=NOW) == {MINUTE}


@pytest.mark.parametrize(
    "all_of_it",
    [
        checks(hosts(19), Outcome.TIMEOUT),
        checks(hosts(9), Outcome.DNS_ERROR) + checks(hosts(11, "b"), Outcome.OK),
        checks(hosts(30), Outcome.SERVER_ERROR),
        checks([f"u{n}.blogspot.com" for n in range(1)] * 40, Outcome.TIMEOUT),
        checks([f"u{n}.example.com" for n in range(40)], Outcome.TIMEOUT),
        [],
    ],
    ids=["19 hosts", "9 of 20", "reached all", "one host", "one domain", "nothing"],
)
def test_less_is_no_outage_of_ours(bench: Bench, all_of_it: Checks) -> None:
    assert outages(bench).add(all_of_it, now=NOW) == frozenset()
    assert outages(bench).marked(now=NOW) == frozenset()


def test_results_of_several_invocations_count_together(bench: Bench) -> None:
    for start in range(0, 20, 5):
        outages(bench).add(checks(hosts(20)[start : start + 5], Outcome.CONNECT_ERROR), now=NOW)
    assert outages(bench).marked(now=NOW) == {MINUTE}


def test_a_platform_that_many_invocations_check_is_one_host(bench: Bench) -> None:
    for n in range(25):
        outages(bench).add(checks([f"user{n}.example.com"], Outcome.TIMEOUT), now=NOW)
    assert outages(bench).marked(now=NOW) == frozenset()


def test_a_mark_goes_when_others_say_that_the_network_was_there(bench: Bench) -> None:
    outages(bench).add(checks(hosts(20), Outcome.TIMEOUT), now=NOW)
    assert outages(bench).marked(now=NOW) == {MINUTE}
    assert outages(bench).add(checks(hosts(21, "b"), Outcome.OK), now=NOW) == frozenset()
    assert outages(bench).marked(now=NOW) == frozenset()
    outages(bench).add(checks(hosts(9, "c"), Outcome.TIMEOUT), now=NOW)
    assert outages(bench).marked(now=NOW) == {MINUTE}


def test_adding_the_same_again_changes_nothing(bench: Bench) -> None:
    for _ in range(3):
        outages(bench).add(checks(hosts(12), Outcome.TIMEOUT), now=NOW)
    assert outages(bench).marked(now=NOW) == frozenset()


def test_an_applied_call_whose_answer_was_lost_counts_once(fake_bench: Bench) -> None:
    client: Any = fake_bench.faults._client
    real, lost = client.update_item, list[int]()

    def update_item(**request: Any) -> Any:
        answer = real(**request)
        if not lost:
            lost.append(1)
            raise ReadTimeoutError(endpoint_url="http://store")
        return answer

    client.update_item = update_item
    assert outages(fake_bench).add(checks(hosts(12), Outcome.TIMEOUT), now=NOW) == frozenset()


def test_each_check_belongs_to_its_own_minute(bench: Bench) -> None:
    first, second = checks(hosts(20), Outcome.TIMEOUT), checks(hosts(20), Outcome.OK, NOW + 60)
    third = checks(hosts(20), Outcome.TIMEOUT, NOW + 120)
    assert outages(bench).add(first + second + third, now=NOW + 130) == {MINUTE, MINUTE + 2}
    assert outages(bench).marked(now=NOW + 130) == {MINUTE, MINUTE + 2}


def test_a_mark_lasts_27_hours_and_its_row_goes_by_itself(bench: Bench) -> None:
    outages(bench).add(checks(hosts(20), Outcome.TIMEOUT), now=NOW)
    assert outages(bench).marked(now=NOW + 27 * 3600) == {MINUTE}
    assert outages(bench).marked(now=NOW + 27 * 3600 + 60) == frozenset()
    rows = bench.faults.scan(TableName=bench.contents.names.state)["Items"]
    assert len(rows) == 2
    assert all(NOW < int(row["expires_at"]["N"]) <= NOW + 28 * 3600 for row in rows)


def test_concurrent_workers_mark_the_minute_by_their_combined_checks(bench: Bench) -> None:
    jobs = [checks(hosts(40)[n : n + 2], Outcome.TIMEOUT) for n in range(0, 40, 2)]
    jobs += [checks(hosts(60, "b")[n : n + 2], Outcome.OK) for n in range(0, 60, 2)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda job: outages(bench, Backoff(attempts=10)).add(job, now=NOW), jobs))
    assert outages(bench).marked(now=NOW) == frozenset()
    jobs = [checks(hosts(40, "c")[n : n + 2], Outcome.TIMEOUT) for n in range(0, 40, 2)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda job: outages(bench, Backoff(attempts=10)).add(job, now=NOW), jobs))
    assert outages(bench).marked(now=NOW) == {MINUTE}


def test_a_writer_with_fewer_totals_does_not_overwrite_one_with_more(fake_bench: Bench) -> None:
    """Between adding and marking, another call adds that most of the network was reachable."""
    client: Any = fake_bench.faults._client
    real = client.transact_write_items

    def late(**request: Any) -> Any:
        client.transact_write_items = real
        outages(fake_bench).add(checks(hosts(40, "b"), Outcome.OK), now=NOW)
        return real(**request)

    client.transact_write_items = late
    outages(fake_bench).add(checks(hosts(20), Outcome.TIMEOUT), now=NOW)
    assert outages(fake_bench).marked(now=NOW) == frozenset()


@pytest.mark.parametrize("makes_last", [False, True])
@pytest.mark.parametrize("call", [0, 1])
def test_after_a_kill_between_adding_and_marking_the_next_writer_marks(
    fake_bench: Bench, call: int, makes_last: bool
) -> None:
    lifespan = Lifespan()
    lifespan.end_at(call, makes_last=makes_last)
    mortal: Any = Mortal(fake_bench.faults, lifespan)
    with pytest.raises(Died):
        DynamoOutages(Tables(mortal, fake_bench.contents.names, PATIENT)).add(
            checks(hosts(30), Outcome.TIMEOUT), now=NOW
        )
    outages(fake_bench).add(checks(hosts(30), Outcome.TIMEOUT), now=NOW)
    assert outages(fake_bench).marked(now=NOW) == {MINUTE}


def test_a_minute_of_very_many_hosts_is_a_sample_of_them(bench: Bench) -> None:
    for letter in "abcdefgh":
        outages(bench).add(checks(hosts(300, letter), Outcome.TIMEOUT), now=NOW)
    [row] = [r for r in bench.faults.scan(TableName=bench.contents.names.state)["Items"] if "checked" in r]
    assert DOMAINS_AT_MOST <= len(row["checked"]["SS"]) < DOMAINS_AT_MOST + 300
    assert outages(bench).add(checks(hosts(300, "z"), Outcome.TIMEOUT), now=NOW) == {MINUTE}


def test_reading_the_marks_is_one_query(fake_bench: Bench) -> None:
    outages(fake_bench).add(checks(hosts(20), Outcome.TIMEOUT), now=NOW)
    fake_bench.faults.calls.clear()
    outages(fake_bench).marked(now=NOW)
    assert fake_bench.faults.calls == ["query"]


def test_an_invocation_whose_minute_is_fine_makes_one_write(fake_bench: Bench) -> None:
    fake_bench.faults.calls.clear()
    outages(fake_bench).add(checks(hosts(50), Outcome.OK), now=NOW)
    assert fake_bench.faults.calls == ["update_item"]


# --- too few to tell ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("failed", "reached", "is_doubted"),
    [(1, 0, True), (1, 1, True), (19, 0, True), (1, 2, False), (0, 3, False), (20, 0, False), (10, 10, False)],
)
def test_a_minute_is_doubted_where_half_of_too_few_hosts_failed(
    bench: Bench, failed: int, reached: int, is_doubted: bool
) -> None:
    seen = checks(hosts(failed), Outcome.TIMEOUT) + checks(hosts(reached, "b"), Outcome.OK)
    outages(bench).add(seen, now=NOW)
    assert outages(bench).doubt(MINUTE, now=NOW) is is_doubted


def test_a_minute_is_doubted_once_in_total(bench: Bench) -> None:
    outages(bench).add(checks(hosts(2), Outcome.TIMEOUT), now=NOW)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: outages(bench, Backoff(attempts=10)).doubt(MINUTE, now=NOW), range(8)))
    assert answers.count(True) == 1


def test_a_minute_in_which_nothing_was_checked_is_not_doubted_and_leaves_no_row(bench: Bench) -> None:
    assert outages(bench).doubt(MINUTE, now=NOW) is False
    assert bench.faults.scan(TableName=bench.contents.names.state)["Items"] == []


def test_additions_to_a_doubted_minute_can_still_make_it_an_outage(bench: Bench) -> None:
    outages(bench).add(checks(hosts(2), Outcome.TIMEOUT), now=NOW)
    assert outages(bench).doubt(MINUTE, now=NOW)
    assert outages(bench).add(checks(hosts(20, "b"), Outcome.TIMEOUT), now=NOW) == {MINUTE}
    assert outages(bench).marked(now=NOW) == {MINUTE}
