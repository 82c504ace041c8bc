"""The notify function, as its queue and its schedules wake it."""

from __future__ import annotations

import json

import pytest

from tests.fakes.webhooks import RECEIVER, answered
from tests.functions.conftest import read_event
from tests.functions.notify_function import NotifyFunction
from tests.unit.services.webhooks.notified import FEED, items_published


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cached metrics of this process, if they were made here first."""
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "feedward")
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "feedward")


@pytest.fixture
def function() -> NotifyFunction:
    function = NotifyFunction()
    function.hooks.create()
    function.hooks.follow(FEED)
    return function


def test_an_event_of_the_bus_becomes_a_request_to_the_receiver(function: NotifyFunction) -> None:
    (record,) = read_event("sqs_webhook_event")["Records"]
    function.hooks.follow(json.loads(record["body"])["detail"]["feed_id"], name="sample")

    assert function.receive(record["body"]) == []
    function.work()

    (request,) = function.hooks.poster.got()
    assert request.document["type"] == "items.published"


@pytest.mark.parametrize(
    "body",
    ["no JSON", "{}", '{"version":1,"type":"tasks","sent_at":1}', '{"version":1,"type":"fan_out"}',
     '{"detail-type":"RevivalRequested","detail":{}}', '{"detail-type":"FeedMoved","detail":{"id":5}}',
     '{"version":1,"type":"fan_out","event":"FeedMoved","detail":{"id":"1","occurred_at":1,"feed_id":"f"}}'],
)  # fmt: skip
def test_a_message_that_cannot_be_used_comes_again_alone(function: NotifyFunction, body: str) -> None:
    event = items_published()
    good = json.dumps({"detail-type": event.detail_type, "detail": event.detail})

    assert function.receive(good, body, good) == ["1"]
    function.work()

    assert len(function.hooks.poster.got()) == 1


def test_a_retry_that_is_due_is_sent_by_the_schedule(function: NotifyFunction) -> None:
    function.hooks.poster.answers[RECEIVER] = answered(500)
    function.hear(items_published())
    function.work()
    function.hooks.queue.sqs.sent.clear()  # the message of the retry is lost
    function.hooks.poster.answers[RECEIVER] = answered(200)
    function.hooks.clock.advance(180)

    swept = function.do("sweep")
    function.work()

    assert swept["sent"] == 1
    assert [each.document["type"] for each in function.hooks.poster.got()] == ["items.published"] * 2


def test_overdue_rows_are_rescheduled(function: NotifyFunction) -> None:
    function.hear(items_published())
    function.hooks.queue.sqs.sent.clear()
    function.do("sweep")
    function.hooks.queue.sqs.sent.clear()  # lost twice: the cursor has passed it
    function.hooks.clock.advance(90 + 1300)
    function.do("sweep")
    function.hooks.queue.sqs.sent.clear()
    function.hooks.clock.advance(1300)

    assert function.do("repair")["overdue"] == 1
    function.hooks.clock.advance(130)
    function.do("sweep")
    function.work()

    assert len(function.hooks.poster.got()) == 1


def test_no_line_of_the_log_shows_a_secret_or_a_receivers_url(
    function: NotifyFunction, caplog: pytest.LogCaptureFixture
) -> None:
    url = "https://other.example/hook/t0ps3cret?token=abc"
    made = function.hooks.create(url)
    function.hooks.poster.answers[url] = answered(500, b"t0ps3cret")
    function.hear(items_published())
    function.work()

    logged = " ".join(str(vars(record)) for record in caplog.records)
    assert "other.example" in logged
    assert "t0ps3cret" not in logged
    assert made.secret is not None
    assert made.secret.removeprefix("whsec_") not in logged


def test_an_unknown_task_is_refused(function: NotifyFunction) -> None:
    with pytest.raises(Exception, match="expected one of sweep, repair"):
        function.do("dance")
