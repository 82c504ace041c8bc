"""The event bus: accepted events are reported exactly, in calls of at most 10 entries and 256 KB."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from pytest_localstack.session import RunningSession

from feedward.adapters.aws_calls import aws_client
from feedward.adapters.eventbridge import CALL_BYTES, BusPublisher
from feedward.deadline import Deadline
from feedward.errors import BusUnavailable, FeedwardError, Throttled
from feedward.events.envelope import feed_discovered
from feedward.model import OutboxEntry
from feedward.ulid import derived_ulid
from tests.contract.benches.feeds import NOW, feed_id
from tests.fakes.event_bus import FakeEventBus
from tests.fakes.feed_store import PATIENT

ARRIVES_WITHIN_S = 120


@dataclass
class Bench:
    """One bus under test, and the arrived events: (source, detail type, detail)."""

    bus: BusPublisher
    arrived: Callable[[int], list[tuple[str, str, Any]]]


@pytest.fixture(scope="session")
def clients(aws_session: RunningSession) -> Iterator[dict[str, Any]]:
    with aws_session.botocore.patch_botocore():
        made = {service: aws_client(service) for service in ("events", "sqs")}
    yield made
    for client in made.values():
        client.close()


@pytest.fixture(params=["fake", "events"])
def bench(request: pytest.FixtureRequest) -> Bench:
    if request.param == "fake":
        fake = FakeEventBus()
        return Bench(fake, lambda _: [_plain(entry) for entry in fake.events.entries])
    made = request.getfixturevalue("clients")
    name = f"b{uuid.uuid4().hex[:12]}"
    made["events"].create_event_bus(Name=name)
    return Bench(BusPublisher(made["events"], name, PATIENT), _behind(made, name))


def _behind(clients: dict[str, Any], bus: str) -> Callable[[int], list[tuple[str, str, Any]]]:
    """A queue behind the bus that gets all events of feedward, and a function that waits for so many messages."""
    events, sqs = clients["events"], clients["sqs"]
    url = sqs.create_queue(QueueName=bus)["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    events.put_rule(Name="all", EventBusName=bus, EventPattern=json.dumps({"source": ["feedward"]}))
    events.put_targets(Rule="all", EventBusName=bus, Targets=[{"Id": "queue", "Arn": arn}])

    def arrived(count: int) -> list[tuple[str, str, Any]]:
        found: list[tuple[str, str, Any]] = []
        ends_at = time.monotonic() + ARRIVES_WITHIN_S
        while len(found) < count and time.monotonic() < ends_at:
            answer = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=1)
            events_in = [json.loads(message["Body"]) for message in answer.get("Messages", ())]
            found += [(event["source"], event["detail-type"], event["detail"]) for event in events_in]
        return found

    return arrived


def _plain(entry: dict[str, Any]) -> tuple[str, str, Any]:
    return entry["Source"], entry["DetailType"], json.loads(entry["Detail"])


def undelivered(n: int, **members: Any) -> OutboxEntry:
    detail = feed_discovered(
        event_id=derived_ulid(NOW, str(n)),
        occurred_at=NOW,
        tenant_id=None,
        feed_id=feed_id(str(n)),
        url=f"https://example.com/{n}",
    )
    return OutboxEntry(
        feed_id=feed_id(str(n)), entry_id=detail["id"], detail_type="FeedDiscovered", detail=detail | members
    )


def test_an_event_arrives_as_feedwards(bench: Bench) -> None:
    event = undelivered(1)
    assert list(bench.bus.publish([event])) == [event]
    assert bench.arrived(1) == [("feedward", "FeedDiscovered", dict(event.detail))]


def test_many_events_all_arrive(bench: Bench) -> None:
    events = [undelivered(n) for n in range(23)]
    assert list(bench.bus.publish(events)) == events
    assert sorted(detail["url"] for _, _, detail in bench.arrived(23)) == sorted(e.detail["url"] for e in events)


def test_nothing_to_say_asks_nothing(bench: Bench) -> None:
    assert list(bench.bus.within(Deadline.after(0)).publish([])) == []


def test_without_time_nothing_is_put(bench: Bench) -> None:
    with pytest.raises(BusUnavailable):
        bench.bus.within(Deadline.after(0)).publish([undelivered(1)])


def test_calls_have_at_most_10_entries() -> None:
    bus = FakeEventBus()
    bus.publish([undelivered(n) for n in range(23)])
    assert bus.events.calls == [10, 10, 3]


def test_calls_have_at_most_256_kb_and_larger_entries_stay_in_the_outbox() -> None:
    bus = FakeEventBus()
    large = [undelivered(n, text="x" * (CALL_BYTES // 3)) for n in range(4)]
    too_large = undelivered(9, text="x" * CALL_BYTES)
    assert list(bus.publish([large[0], too_large, *large[1:]])) == large
    assert bus.events.calls == [2, 2]


def test_a_single_failed_entry_is_sent_again() -> None:
    bus = FakeEventBus()
    bus.events.refuses = 2
    events = [undelivered(n) for n in range(3)]
    assert list(bus.publish(events)) == events
    assert bus.events.calls == [3, 2]
    assert len(bus.details) == 3


def test_events_that_keep_failing_are_not_accepted() -> None:
    bus = FakeEventBus()
    events = [undelivered(n) for n in range(2)]
    bus.events.refuses = 10**9
    assert list(bus.publish(events)) == []
    assert bus.details == []


@pytest.mark.parametrize("knob", ["throttles", "fails"])
def test_a_busy_or_broken_bus_is_asked_again(knob: str) -> None:
    bus = FakeEventBus()
    setattr(bus.events, knob, 2)
    assert list(bus.publish([undelivered(1)])) == [undelivered(1)]


@pytest.mark.parametrize(("knob", "error"), [("throttles", Throttled), ("fails", BusUnavailable)])
def test_a_bus_that_stays_unavailable_is_named_in_the_error(knob: str, error: type[FeedwardError]) -> None:
    bus = FakeEventBus()
    setattr(bus.events, knob, 10**9)
    with pytest.raises(error):
        bus.publish([undelivered(1)])


def test_events_accepted_before_the_bus_failed_are_reported() -> None:
    bus = FakeEventBus()
    events = [undelivered(n) for n in range(12)]
    put_events = bus.events.put_events

    def first_call_only(**request: Any) -> Any:
        if bus.events.calls:
            bus.events.fails = 10**9
        return put_events(**request)

    bus.events.put_events = first_call_only  # type: ignore[method-assign]
    assert list(bus.publish(events)) == events[:10]
