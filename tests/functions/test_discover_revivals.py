"""The discover function as the worker that searches lost feeds, with its log and counts."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from feedward.events.envelope import RevivalRequested, revival_requested
from feedward.health.decision import RevivalReason
from tests.functions.conftest import Discover, load_function, read_event
from tests.unit.services.revive.revived import HOME, NEW, OLD, Lost, feed_page, home


class LostAndFound:
    """A feed that answers 410, and the function that is asked to revive it."""

    def __init__(self, log: io.StringIO) -> None:
        self.lost = Lost({HOME: home(NEW), NEW: feed_page()})
        directory = self.lost.directory
        self.discover = Discover(directory, load_function("discover").make_handler(directory.services), log)

    def event(self, event_id: str = "2" * 26, **detail: Any) -> dict[str, Any]:
        (record,) = read_event("sqs_revival_requested")["Records"]
        event: dict[str, Any] = json.loads(record["body"])
        asked = RevivalRequested(
            event_id=event_id,
            feed_id=self.lost.feed_id,
            reason=RevivalReason.GONE,
            occurred_at=self.lost.directory.clock.now(),
        )
        return event | {"detail": revival_requested(asked) | detail}

    @property
    def url(self) -> str:
        return str(self.lost.directory.contents.feeds()[self.lost.feed_id]["url"])


@pytest.fixture
def found(log: io.StringIO) -> LostAndFound:
    return LostAndFound(log)


def test_a_lost_feed_is_found_at_its_site_and_checked_there(found: LostAndFound) -> None:
    assert found.discover.deliver(found.event()) == []

    assert found.url == NEW
    (message,) = found.lost.directory.health_queue.messages
    assert [feed.url for feed in message.entries] == [NEW]


def test_the_same_request_three_times_ends_like_once(found: LostAndFound) -> None:
    event = found.event()
    found.discover.deliver(event)
    once, asked = found.lost.directory.contents.feeds(), len(found.lost.internet.requests)

    assert found.discover.deliver(event, event) == []

    assert found.lost.directory.contents.feeds() == once
    assert len(found.lost.internet.requests) == asked


def test_a_request_that_cannot_be_read_fails_alone(found: LostAndFound) -> None:
    assert found.discover.deliver(found.event(reason="boredom"), found.event()) == ["0"]

    assert found.url == NEW


def test_a_request_that_fails_comes_again_and_succeeds(found: LostAndFound) -> None:
    found.lost.directory.faults.throttles = 10_000
    assert found.discover.deliver(found.event()) == ["0"]

    found.lost.directory.faults.throttles = 0
    assert found.discover.deliver(found.event()) == []
    assert found.url == NEW


def test_an_unknown_feed_ends_its_message(found: LostAndFound) -> None:
    assert found.discover.deliver(found.event(feed_id="7" * 26)) == []


def test_a_revival_is_logged_and_counted_by_its_outcome(
    found: LostAndFound, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()

    found.discover.deliver(found.event())

    (line,) = [line for line in found.discover.log_lines if line["message"] == "revived"]
    assert (line["outcome"], line["before"], line["url"]) == ("relocated", OLD, NEW)
    told = [json.loads(each) for each in capsys.readouterr().out.splitlines()]
    assert [each["FeedsRevived"] for each in told if each.get("outcome") == "relocated"] == [[1.0]]
