"""The discover function as the queue's worker, with its log and counts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from feedward.messages.partial_batch import RECEIVES_AT_MOST
from feedward.services.discover import discover_site
from feedward.services.subscribe.subscribe import find_subscription, subscribe
from tests.callers import of_tenant
from tests.functions.conftest import Discover, LambdaContext, load_function, read_event

SLOW = {"url": "https://slow.example/"}


def subscription(url: object = "garden.example", **detail: Any) -> dict[str, Any]:
    (record,) = read_event("sqs_subscription_created")["Records"]
    event: dict[str, Any] = json.loads(record["body"])
    return event | {"detail": event["detail"] | {"url": url} | detail}


def metrics(said: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in said.splitlines()]


def everything(discover: Discover) -> list[Any]:
    """All data of the directory."""
    contents = discover.directory.contents
    candidates = [contents.candidates(site_id) for site_id in contents.sites()]
    return [contents.urls(), contents.feeds(), contents.sites(), candidates, contents.jobs()]


# --- messages -------------------------------------------------------------------------------------


def test_a_subscription_leads_to_a_registered_feed(discover: Discover) -> None:
    assert discover.deliver(subscription()) == []

    known = discover.directory.store.find(["https://garden.example/feed"])
    assert known is not None
    (event,) = discover.directory.bus.events.entries
    assert json.loads(event["Detail"])["feed_id"] == known.data["feed_id"]


def test_a_subscription_that_is_written_becomes_ready_and_one_without_a_feed_fails(discover: Discover) -> None:
    ports = discover.directory
    ready, failed = (
        subscribe(of_tenant("t1"), f"{name}.example", ports=ports).subscription for name in ("garden", "plaque")
    )
    messages = [{"detail-type": "SubscriptionCreated", "detail": detail} for detail in ports.bus.details]

    assert discover.deliver(*messages, *messages) == []

    found = [find_subscription(of_tenant("t1"), each.subscription_id, ports=ports) for each in (ready, failed)]
    assert [(each.status, bool(each.feed_id), each.reason) for each in found] == [
        ("ready", True, None),
        ("failed", False, "no feed was found there"),
    ]


def test_the_same_message_three_times_ends_like_once(discover: Discover) -> None:
    job_id = discover.post(SLOW).body["id"]
    (message,) = discover.directory.queue.messages
    assert discover.deliver(message) == []
    once = everything(discover)
    asked = len(discover.directory.internet.requests)

    assert discover.deliver(message, message) == []

    assert everything(discover) == once
    assert len(discover.directory.internet.requests) == asked
    assert discover.get("http_discovery_job", id=job_id).body["status"] == "done"


@pytest.mark.parametrize(
    "malformed",
    [
        "no JSON",
        {"version": 2, "type": "discover", "job_id": "x"},
        {"version": 1, "type": "discover", "job_id": "x"},
        subscription(url=5),
        subscription(url=None),
        subscription(version=2),
        {"detail-type": "SubscriptionCreated"},
    ],
)
def test_a_malformed_message_fails_alone(discover: Discover, malformed: object) -> None:
    assert discover.deliver(subscription(), malformed, subscription("https://plaque.example/")) == ["1"]

    line, *more = [line for line in discover.log_lines if line["message"] == "message failed"]
    assert (line["code"], line["correlation_id"], more) == ("invalid_input", "1", [])


@pytest.mark.parametrize("receive", [1, RECEIVES_AT_MOST])
def test_a_malformed_message_breaks_nothing_on_its_last_receive_either(discover: Discover, receive: int) -> None:
    assert discover.deliver("no JSON", subscription(), receive=receive) == ["0"]


def test_a_job_whose_store_is_down_comes_again_and_is_failed_after_its_last_receive(discover: Discover) -> None:
    job_id = discover.post(SLOW).body["id"]
    (message,) = discover.directory.queue.messages
    for receive in range(1, RECEIVES_AT_MOST + 1):
        discover.directory.sites.save = broken  # type: ignore[method-assign]
        assert discover.deliver(message, receive=receive) == ["0"]
        job = discover.get("http_discovery_job", id=job_id).body
        assert job["status"] == ("failed" if receive == RECEIVES_AT_MOST else "running")

    assert job["reason"] == f"the last of {RECEIVES_AT_MOST} attempts failed: internal_error"
    assert "secret" not in json.dumps(job)


def broken(*_: object, **__: object) -> bool:
    raise RuntimeError("secret")


def test_a_job_that_there_is_no_time_for_is_given_back_untouched(discover: Discover) -> None:
    job_id = discover.post(SLOW).body["id"]
    asked = len(discover.directory.internet.requests)
    discover.context = LambdaContext(remaining_ms=10_000)

    assert discover.deliver(*discover.directory.queue.messages) == ["0"]

    assert len(discover.directory.internet.requests) == asked
    assert discover.get("http_discovery_job", id=job_id).body["status"] == "pending"


def test_a_job_stops_in_the_time_that_the_function_has_left(discover: Discover) -> None:
    discover.post(SLOW)
    started = discover.directory.clock.monotonic()
    discover.context = LambdaContext(remaining_ms=21_000)

    assert discover.deliver(*discover.directory.queue.messages) == []

    assert discover.directory.clock.monotonic() - started < 21.0


def test_a_message_that_killed_three_workers_is_refused(discover: Discover) -> None:
    job_id = discover.post(SLOW).body["id"]
    (message,) = discover.directory.queue.messages
    begun = discover.directory.services().begun
    for _ in range(2):  # the second and the third receive: workers that never came to the end
        begun.begin(job_id, now=discover.directory.clock.now())

    assert discover.deliver(message, receive=4) == ["0"]

    [line] = [line for line in discover.log_lines if line["message"] == "message failed"]
    assert line["code"] == "worker_lost"
    assert discover.get("http_discovery_job", id=job_id).body["status"] == "pending"


def test_messages_of_one_job_at_the_same_time_are_no_deaths(
    discover: Discover, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = discover.post(SLOW).body["id"]
    (message,) = discover.directory.queue.messages
    failures: list[list[str]] = []

    def look_beside_others(*args: Any, **options: Any) -> Any:
        beside.append(None)
        if len(beside) <= 3:
            failures.append(discover.deliver(message))
        return look_in_full(*args, **options)

    beside: list[None] = []
    look_in_full = discover_site.look_in_full
    monkeypatch.setattr(discover_site, "look_in_full", look_beside_others)
    failures.append(discover.deliver(message))

    assert failures == [[]] * 4
    assert discover.get("http_discovery_job", id=job_id).body["status"] == "done"


def test_an_unknown_job_ends_its_message(discover: Discover) -> None:
    message = json.loads(read_event("sqs_discover_job")["Records"][0]["body"])

    assert discover.deliver(message) == []


def test_a_setting_that_is_missing_is_a_failure_of_the_message(log: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("URLS_TABLE", "FEEDS_TABLE", "STATE_TABLE"):
        monkeypatch.delenv(variable, raising=False)
    function = Discover(None, load_function("discover").handler, log)  # type: ignore[arg-type]

    assert function.deliver(subscription()) == ["0"]
    assert function.log_lines[-1]["code"] == "invalid_setting"


# --- log lines and metrics ------------------------------------------------------------------------


def test_a_discovery_has_one_log_line_without_secrets(discover: Discover) -> None:
    found = discover.post({"url": "https://garden.example/?token=s3cret"}).body

    (line,) = [line for line in discover.log_lines if line["message"] == "discovered"]
    assert "s3cret" not in discover.log.getvalue()
    assert line["correlation_id"] == read_event("http_discover")["requestContext"]["requestId"]
    assert (line["outcome"], line["site_id"]) == (found["outcome"], found["site"]["id"])


def test_metrics_count_discoveries_by_outcome_with_their_requests_and_rounds(
    discover: Discover, capsys: pytest.CaptureFixture[str]
) -> None:
    found = [discover.post({"url": f"https://{name}.example/"}).body for name in ("garden", "plaque", "garden", "slow")]

    said = metrics(capsys.readouterr().out)
    assert [line["outcome"] for line in said if "Discovered" in line] == ["found", "no_feed", "found", "continued"]
    fresh = [one for number, one in enumerate(found) if number != 2]  # that one came from the records
    requests = [value for line in said for value in line.get("RequestsPerDiscovery", [])]
    rounds = [value for line in said for value in line.get("DiscoveryRounds", [])]
    assert requests == [one["requests"] for one in fresh]
    assert rounds == [one["rounds"] for one in fresh]


def test_a_job_is_counted_when_it_is_over_with_its_outcome(
    discover: Discover, capsys: pytest.CaptureFixture[str]
) -> None:
    discover.post(SLOW)
    capsys.readouterr()

    discover.deliver(*discover.directory.queue.messages)

    assert [line["outcome"] for line in metrics(capsys.readouterr().out) if "Discovered" in line] == ["found"]
