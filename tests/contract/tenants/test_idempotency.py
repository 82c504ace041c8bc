"""A keyed request is claimed by one attempt, remembered until it expires, and released only by that attempt."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any

import pytest

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.state.idempotency import ROW_CHARACTERS, DynamoIdempotencyRecords
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.ports.idempotency import KEPT_S, IdempotencyRecord, KeyedRequest
from tests.contract.conftest import Bench
from tests.contract.sites.test_site_races import at_once
from tests.fakes.feed_store import PATIENT

NOW = 1_790_000_000
FIRST = KeyedRequest(request_id="r" * 64, fingerprint="f" * 64, attempt_id="first", until=NOW + 26)
SECOND = replace(FIRST, attempt_id="second", until=NOW + 30)
ANSWER = '{"statusCode":202,"body":"\u00e9"}'
THREADS = 32


def records_of(bench: Bench) -> DynamoIdempotencyRecords:
    return DynamoIdempotencyRecords(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]


@pytest.fixture
def records(bench: Bench) -> DynamoIdempotencyRecords:
    return records_of(bench)


def rows(bench: Bench) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = bench.faults.scan(TableName=bench.contents.names.state)["Items"]
    return found


def test_a_second_request_is_told_that_the_first_is_in_progress_and_then_gets_its_answer(
    records: DynamoIdempotencyRecords,
) -> None:
    assert records.begin(FIRST, now=NOW) is None
    at_work = IdempotencyRecord(fingerprint=FIRST.fingerprint, until=FIRST.until, answer=None)
    assert records.begin(SECOND, now=NOW) == at_work

    records.finish(FIRST, answer=ANSWER, until=NOW + KEPT_S)

    assert records.begin(replace(SECOND, fingerprint="other"), now=NOW + 1) == IdempotencyRecord(
        fingerprint=FIRST.fingerprint, until=NOW + KEPT_S, answer=ANSWER
    )


def test_another_request_is_another_record(records: DynamoIdempotencyRecords) -> None:
    assert records.begin(FIRST, now=NOW) is None
    assert records.begin(replace(FIRST, request_id="s" * 64, attempt_id="second"), now=NOW) is None


def test_an_answer_is_remembered_until_its_time_and_no_longer_though_its_row_is_still_there(
    records: DynamoIdempotencyRecords,
) -> None:
    records.begin(FIRST, now=NOW)
    records.finish(FIRST, answer=ANSWER, until=NOW + KEPT_S)

    found = records.begin(SECOND, now=NOW + KEPT_S - 1)
    assert found is not None
    assert found.answer == ANSWER
    assert records.begin(SECOND, now=NOW + KEPT_S) is None
    found = records.begin(replace(SECOND, attempt_id="third"), now=NOW)
    assert found is not None
    assert found.answer is None, "the answer of the first is gone"


def test_a_request_whose_worker_died_is_claimed_again_after_its_time(records: DynamoIdempotencyRecords) -> None:
    records.begin(FIRST, now=NOW)
    assert records.begin(SECOND, now=FIRST.until - 1) is not None
    assert records.begin(replace(SECOND, until=FIRST.until + 26), now=FIRST.until) is None


def test_a_released_request_is_claimed_immediately(records: DynamoIdempotencyRecords) -> None:
    records.begin(FIRST, now=NOW)
    records.forget(FIRST)
    assert records.begin(SECOND, now=NOW) is None


def test_an_attempt_that_was_overtaken_neither_answers_nor_lets_go(records: DynamoIdempotencyRecords) -> None:
    records.begin(FIRST, now=NOW)
    later = replace(SECOND, until=FIRST.until + 26)
    assert records.begin(later, now=FIRST.until) is None

    records.finish(FIRST, answer=ANSWER, until=NOW + KEPT_S)
    records.forget(FIRST)

    found = records.begin(replace(later, attempt_id="third"), now=FIRST.until)
    assert found == IdempotencyRecord(fingerprint=later.fingerprint, until=later.until, answer=None)


@pytest.mark.parametrize("letters", [10, 3 * ROW_CHARACTERS])
def test_an_answer_of_any_length_comes_back_as_it_was(records: DynamoIdempotencyRecords, letters: int) -> None:
    answer = secrets.token_hex(letters // 2)  # which hardly gets shorter by compressing
    records.begin(FIRST, now=NOW)
    records.finish(FIRST, answer=answer, until=NOW + KEPT_S)

    found = records.begin(SECOND, now=NOW)
    assert found is not None
    assert found.answer == answer


def test_a_long_answer_is_not_mixed_with_one_that_came_in_its_place(records: DynamoIdempotencyRecords) -> None:
    answers = [secrets.token_hex(ROW_CHARACTERS) for _ in range(2)]
    records.begin(FIRST, now=NOW)
    records.finish(FIRST, answer=answers[0], until=NOW + KEPT_S)
    records.begin(SECOND, now=NOW + KEPT_S)
    records.finish(SECOND, answer=answers[1], until=NOW + 2 * KEPT_S)

    found = records.begin(replace(SECOND, attempt_id="third"), now=NOW + KEPT_S)
    assert found is not None
    assert found.answer == answers[1]


def test_all_rows_go_by_themselves(bench: Bench) -> None:
    records = records_of(bench)
    records.begin(FIRST, now=NOW)
    assert [row["expires_at"] for row in rows(bench)] == [{"N": str(FIRST.until)}]
    records.finish(FIRST, answer=secrets.token_hex(ROW_CHARACTERS), until=NOW + KEPT_S)
    assert {row["expires_at"]["N"] for row in rows(bench)} == {str(NOW + KEPT_S)}


def test_a_write_whose_answer_was_lost_is_the_attempts_own(bench: Bench) -> None:
    records = records_of(bench)
    bench.faults.lost_answers = 1
    assert records.begin(FIRST, now=NOW) is None
    bench.faults.lost_answers = 1
    records.finish(FIRST, answer=ANSWER, until=NOW + KEPT_S)
    found = records.begin(SECOND, now=NOW)
    assert found is not None
    assert found.answer == ANSWER


def test_a_request_costs_two_writes_and_one_that_comes_again_costs_one(fake_bench: Bench) -> None:
    records = records_of(fake_bench)
    fake_bench.faults.calls.clear()
    records.begin(FIRST, now=NOW)
    records.finish(FIRST, answer=ANSWER, until=NOW + KEPT_S)
    assert fake_bench.faults.calls == ["update_item"] * 2
    records.begin(SECOND, now=NOW)
    assert fake_bench.faults.calls == ["update_item"] * 3


@pytest.mark.parametrize("before", ["nothing", "an answer whose time is over", "an attempt that died"])
def test_of_many_at_once_one_takes_the_request_up(bench: Bench, before: str) -> None:
    records = DynamoIdempotencyRecords(Tables(bench.faults, bench.contents.names, Backoff(attempts=12)))  # type: ignore[arg-type]
    now = NOW + 2 * KEPT_S
    if before != "nothing":
        records.begin(FIRST, now=NOW)
    if before == "an answer whose time is over":
        records.finish(FIRST, answer=ANSWER, until=NOW + KEPT_S)
    attempts = [replace(FIRST, attempt_id=f"{n}", until=now + 26) for n in range(THREADS)]

    found = at_once(lambda n: records.begin(attempts[n], now=now), threads=THREADS)

    assert found.count(None) == 1
    at_work = IdempotencyRecord(fingerprint=FIRST.fingerprint, until=now + 26, answer=None)
    assert [each for each in found if each is not None] == [at_work] * (THREADS - 1)
