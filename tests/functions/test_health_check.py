"""The health check as its schedules wake it, and its counts."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.deadline import ATTEMPT_S, RETURN_S
from feedward.errors import InvalidInput
from tests.fakes.dynamodb_faults import FaultyDynamoDB
from tests.functions.conftest import LambdaContext, load_function, read_event
from tests.functions.health_check import HealthCheck, feed_url
from tests.unit.services.check.checked import HOUR, status

THREE = tuple(feed_url(number) for number in range(3))


def metrics(said: str) -> dict[str, Any]:
    """The values of each metric; of those with a dimension, by `name:value`."""
    found: dict[str, Any] = {}
    for line in said.splitlines():
        told = json.loads(line)
        for metric in told["_aws"]["CloudWatchMetrics"][0]["Metrics"]:
            own = {"outcome", "disposition", "code"} & told.keys()
            name = metric["Name"] + "".join(f":{told[dimension]}" for dimension in own)
            found[name] = told[metric["Name"]]
    return found


def test_a_sweep_sends_each_due_feed_once(log: io.StringIO) -> None:
    function = HealthCheck(log, *THREE)
    function.let_all_be_due()

    report = function.do("sweep")

    assert (report["due"], report["sent"], report["complete"]) == (3, 3, True)
    assert sorted(function.queue.feed_ids) == sorted(function.feed_ids)
    assert function.do("sweep")["due"] == 0


def test_nothing_is_swept_before_it_is_due(log: io.StringIO) -> None:
    assert HealthCheck(log, *THREE).do("sweep")["due"] == 0


def test_swept_feeds_are_checked_and_due_again_later(log: io.StringIO) -> None:
    function = HealthCheck(log, *THREE)

    assert function.deliver(*function.swept()) == []

    now = function.directory.clock.now()
    assert sorted(function.requests) == sorted(THREE)
    assert all(slot >= now + 60 for slot in function.slots())


def test_a_message_that_was_lost_is_made_up_for_by_a_repair_and_the_next_sweep(log: io.StringIO) -> None:
    function = HealthCheck(log, *THREE)
    function.swept()  # and lost
    function.wait(21 * 60)

    assert function.do("repair")["postponed"] == 3

    assert sorted(function.requests) == []
    assert function.deliver(*function.swept()) == []
    assert sorted(function.requests) == sorted(THREE)


def test_an_event_that_the_bus_did_not_take_is_sent_by_the_reconcile_pass(log: io.StringIO) -> None:
    function = HealthCheck(log)
    function.serve(status(410), feed_url(0))
    function.directory.bus.events.fails = 100
    for _ in range(3):
        function.deliver(*function.swept())
    assert function.told("FeedStateChanged") == []
    function.directory.bus.events.fails = 0
    function.wait(2 * 60)

    report = function.do("reconcile")

    assert report["feeds_relayed"] == 1
    assert [told["to"] for told in function.told("FeedStateChanged")][:1] == ["degraded"]
    assert report["further"] == {"subscriptions": 0}


def test_unfinished_subscriptions_are_requested_again(log: io.StringIO) -> None:
    from feedward.services.subscribe.subscribe import subscribe

    function = HealthCheck(log)
    subscribe(SELF_HOSTED, "garden.example", ports=function.directory)
    function.wait(HOUR)

    assert function.do("reconcile")["further"] == {"subscriptions": 1}
    assert len(function.told("SubscriptionCreated")) == 2


@pytest.mark.parametrize("event", [{}, {"do": "dance"}, {"do": None}, {"Records": None}, {"do": ["sweep"]}])
def test_an_unknown_event_is_a_fault_and_not_a_sweep(log: io.StringIO, event: dict[str, Any]) -> None:
    function = HealthCheck(log)

    with pytest.raises(InvalidInput) as refused:
        function.handler(event, function.context)

    assert refused.value.field == "do"


def test_a_report_is_json(log: io.StringIO) -> None:
    function = HealthCheck(log)

    for task in ("sweep", "repair", "reconcile"):
        assert json.loads(json.dumps(function.do(task)))["complete"] is True


def test_a_task_ends_in_the_time_that_the_function_has_left(log: io.StringIO) -> None:
    function = HealthCheck(log, *THREE)
    function.let_all_be_due()
    function.context = LambdaContext(remaining_ms=7_000)

    assert function.do("sweep")["complete"] is False
    assert function.do("repair")["complete"] is False
    assert function.queue.feed_ids == []


@pytest.mark.parametrize("task", ["sweep", "repair", "reconcile"])
def test_a_task_whose_store_takes_as_long_as_it_may_ends_before_its_function(
    task: str, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    function = HealthCheck(log, *THREE)
    function.let_all_be_due()
    faults, clock = function.directory.faults, function.directory.clock
    ask, began_at = type(faults).__getattr__, clock.monotonic()

    def slowly(self: FaultyDynamoDB, operation: str) -> Callable[..., object]:
        def call(**request: object) -> object:
            clock.advance(ATTEMPT_S)
            return ask(self, operation)(**request)

        return call

    monkeypatch.setattr(type(faults), "__getattr__", slowly)
    function.context = LambdaContext(remaining_ms=21_000)

    assert function.do(task)["complete"] is False
    assert clock.monotonic() - began_at <= 21 - RETURN_S


def test_the_samples_are_events_that_the_function_takes(log: io.StringIO) -> None:
    function = HealthCheck(log)

    assert function.handler(read_event("sqs_health_check"), function.context) == {"batchItemFailures": []}


def test_importing_the_function_makes_nothing() -> None:
    assert callable(load_function("health_check").handler)


# --- log lines and metrics ------------------------------------------------------------------------


def test_a_sweep_is_counted_even_if_nothing_was_due(log: io.StringIO, capsys: pytest.CaptureFixture[str]) -> None:
    function = HealthCheck(log, *THREE)
    capsys.readouterr()

    function.do("sweep")
    nothing = metrics(capsys.readouterr().out)
    function.let_all_be_due()
    function.wait(30)
    function.do("sweep")
    something = metrics(capsys.readouterr().out)

    assert (nothing["FeedsDue"], nothing["FeedsSent"], nothing["OldestFeedAge"]) == ([0.0], [0.0], [0.0])
    assert (something["FeedsDue"], something["FeedsSent"]) == ([3.0], [3.0])
    assert something["OldestFeedAge"][0] >= 30


def test_checks_are_counted_by_outcome_and_the_others_by_their_disposition(
    log: io.StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    function = HealthCheck(log, *THREE)
    function.serve(status(404), THREE[1])
    texts = function.swept()
    capsys.readouterr()

    function.deliver(*texts)
    checked = metrics(capsys.readouterr().out)
    function.wait(5)
    function.deliver(*texts)
    again = metrics(capsys.readouterr().out)

    assert checked["FeedsChecked:ok"] == [2.0]
    assert checked["FeedsChecked:not_found"] == [1.0]
    assert sum(checked["RequestsPerCheck"]) == 3
    assert again["FeedsNotChecked:dropped"] == [3.0]
    assert not [name for name in again if name.startswith("FeedsChecked")]


def test_minutes_of_our_own_outage_are_counted_and_others_are_not(
    log: io.StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    urls = tuple(feed_url(number) for number in range(20))
    function = HealthCheck(log, *urls)
    function.let_all_be_due()
    texts = function.message(*range(10)), function.message(*range(10, 20))
    capsys.readouterr()

    function.deliver(*texts)
    well = metrics(capsys.readouterr().out)
    for url in urls:
        function.serve({"error": "connect"}, url)
    function.wait(60)
    function.let_all_be_due()
    function.deliver(function.message(*range(10)), function.message(*range(10, 20)))
    away = metrics(capsys.readouterr().out)

    assert (well["OutageMinutes"], away["OutageMinutes"]) == ([0.0], [1.0])


def test_a_feed_that_changes_its_state_has_a_log_line_without_its_url(log: io.StringIO) -> None:
    function = HealthCheck(log)
    function.serve(status(404), feed_url(0))

    function.deliver(*function.swept())

    (line,) = [line for line in function.log_lines if line["message"] == "feed changed"]
    assert (line["feed_id"], line["state"], line["status"]) == (function.feed_id, "degraded", 404)
