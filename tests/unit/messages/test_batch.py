"""A batch is answered message by message: a failed one is delivered again, until it becomes a dead letter."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from feedward.errors import DeadlinePassed, InvalidInput, StoreUnavailable
from feedward.messages.partial_batch import (
    LEAST_S,
    RECEIVES_AT_MOST,
    RESERVE_S,
    Received,
    Worker,
    answer_batch,
    answer_together,
    is_batch,
    reason_of,
)
from tests.log_stream import log_stream


@dataclass(slots=True)
class Context:
    """The rest of a call: `seconds`, of which each message takes `each`."""

    seconds: float = 75.0

    def get_remaining_time_in_millis(self) -> int:
        return int(self.seconds * 1000)


@dataclass(slots=True)
class Station:
    """A worker that records its messages, and fails with the error that a message names."""

    context: Context = field(default_factory=Context)
    takes_s: float = 0.0
    faults: dict[str, Exception] = field(default_factory=dict)
    worked_on: list[tuple[object, float]] = field(default_factory=list)
    given_up: list[tuple[object, Exception]] = field(default_factory=list)

    def work(self, received: Received, within_s: float) -> None:
        body = received.body
        self.worked_on.append((body, within_s))
        self.context.seconds -= self.takes_s
        if str(body) in self.faults:
            raise self.faults[str(body)]

    def give_up(self, body: object, error: Exception) -> None:
        self.given_up.append((body, error))

    def answer(self, *records: dict[str, Any]) -> list[str]:
        """The ids of the messages to deliver again."""
        worker = Worker(work=self.work, give_up=self.give_up)
        answer = answer_batch({"Records": list(records)}, self.context, worker)
        return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]


def record(body: str, receive: object = 1) -> dict[str, Any]:
    attributes = {"ApproximateReceiveCount": str(receive)}
    return {"messageId": f"id-{body}", "body": body, "attributes": attributes, "eventSource": "aws:sqs"}


@pytest.fixture(autouse=True)
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "feedward")
    with log_stream() as stream:
        yield stream


def test_messages_that_work_are_done_with() -> None:
    station = Station()

    assert station.answer(record("a"), record("b")) == []
    assert station.worked_on == [("a", 75 - RESERVE_S), ("b", 75 - RESERVE_S)]
    assert station.given_up == []


@pytest.mark.parametrize("fault", [StoreUnavailable("down"), InvalidInput("version", "no"), RuntimeError("a bug")])
def test_one_that_fails_comes_again_and_stops_no_other(fault: Exception) -> None:
    station = Station(faults={"b": fault})

    assert station.answer(record("a"), record("b"), record("c")) == ["id-b"]
    assert [body for body, _ in station.worked_on] == ["a", "b", "c"]


def test_a_batch_that_fails_as_a_whole_is_answered_too() -> None:
    station = Station(faults={"a": RuntimeError("a"), "b": RuntimeError("b")})

    assert station.answer(record("a"), record("b")) == ["id-a", "id-b"]


def test_tasks_without_time_are_sent_back_without_work() -> None:
    station = Station(takes_s=30.0)

    assert station.answer(record("a"), record("b"), record("c")) == ["id-c"]
    assert [within_s for _, within_s in station.worked_on] == [70.0, 40.0]
    assert 75.0 - 60.0 - RESERVE_S < LEAST_S


@pytest.mark.parametrize("receive", [RECEIVES_AT_MOST, RECEIVES_AT_MOST + 1])
def test_one_that_fails_for_the_last_time_is_given_up_and_goes_to_the_dead_letters(receive: int) -> None:
    fault = StoreUnavailable("down")
    station = Station(faults={"a": fault})

    assert station.answer(record("a", receive)) == ["id-a"]
    assert station.given_up == [("a", fault)]


@pytest.mark.parametrize("receive", [1, RECEIVES_AT_MOST - 1, "many", None])
def test_before_that_it_is_not_given_up(receive: object) -> None:
    station = Station(faults={"a": StoreUnavailable("down")})

    assert station.answer(record("a", receive)) == ["id-a"]
    assert station.given_up == []


def test_one_that_was_never_started_is_given_up_after_its_last_receive_all_the_same() -> None:
    station = Station(context=Context(seconds=1.0))

    assert station.answer(record("a", RECEIVES_AT_MOST)) == ["id-a"]
    ((body, error),) = station.given_up
    assert (body, type(error)) == ("a", DeadlinePassed)


def test_one_that_succeeds_at_last_is_not_given_up() -> None:
    station = Station()

    assert station.answer(record("a", RECEIVES_AT_MOST)) == []
    assert station.given_up == []


def test_a_fault_in_giving_up_stops_no_other_message() -> None:
    class Stubborn(Station):
        def give_up(self, body: object, error: Exception) -> None:
            raise StoreUnavailable("down as well")

    station = Stubborn(faults={"a": RuntimeError("a bug")})

    assert station.answer(record("a", RECEIVES_AT_MOST), record("b")) == ["id-a"]


def test_a_failure_is_in_the_log_under_the_messages_id(log: io.StringIO) -> None:
    station = Station(faults={"a": InvalidInput("version", "expected 1"), "b": RuntimeError("a bug")})

    station.answer(record("a", 3), record("b"))

    known, fault = (json.loads(line) for line in log.getvalue().splitlines())
    assert (known["message"], known["correlation_id"], known["receive"]) == ("message failed", "id-a", 3)
    assert (known["code"], known["detail"], known.get("exception")) == ("invalid_input", "expected 1", None)
    assert (fault["code"], fault["correlation_id"]) == ("internal_error", "id-b")
    assert "a bug" in fault["exception"]


def test_the_reason_of_a_failed_job_says_nothing_of_the_inside() -> None:
    assert reason_of(StoreUnavailable("table-7 is down")) == "the last of 5 attempts failed: store_unavailable"
    assert reason_of(RuntimeError("secret")) == "the last of 5 attempts failed: internal_error"


@pytest.mark.parametrize(
    ("event", "batch"),
    [
        ({"Records": [record("a")]}, True),
        ({"Records": []}, True),
        ({"Records": [{}]}, True),  # not to be answered as a request, which the queue would take for success
        ({"version": "2.0", "routeKey": "GET /v1/health"}, False),
        ({"Records": "x"}, False),
        (None, False),
        ([], False),
    ],
)
def test_batches_are_told_from_requests_by_their_shape(event: object, batch: bool) -> None:
    assert is_batch(event) is batch


# --- all together ---------------------------------------------------------------------------------


def test_messages_that_are_worked_on_together_fail_each_for_itself(log: io.StringIO) -> None:
    given: list[Received] = []

    def work(records: Any) -> list[Exception | None]:
        given.extend(records)
        return [None, InvalidInput("url", "is no URL"), None, RuntimeError("a fault of ours")]

    answer = answer_together({"Records": [record(name, receive=3) for name in "abcd"]}, work)

    assert given == [Received(body=name, receives=3) for name in "abcd"]
    assert answer == {"batchItemFailures": [{"itemIdentifier": "id-b"}, {"itemIdentifier": "id-d"}]}
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [(line["message_id"], line["code"], line["receive"]) for line in lines] == [
        ("id-b", "invalid_input", 3),
        ("id-d", "internal_error", 3),
    ]
    assert ["exception" in line for line in lines] == [False, True]


def test_a_batch_of_nothing_has_no_failures() -> None:
    assert answer_together({"Records": []}, lambda bodies: [None for _ in bodies]) == {"batchItemFailures": []}
