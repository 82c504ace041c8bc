"""A message of HealthQueue arrives as it was sent, and what cannot be read is said."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from feedward.errors import InvalidInput
from feedward.health.due_feed import DueFeed, HealthMessage
from feedward.health.record import FeedHealth
from feedward.health.validators import StoredValidators
from feedward.model import FeedState

NOW = 1_790_000_000


def due(name: str, **members: Any) -> DueFeed:
    given: dict[str, Any] = {
        "url": f"https://{name}.example.com/feed",
        "url_hash": f"hash-{name}",
        "host": f"{name}.example.com",
        "rev": 3,
        "next_check_at": NOW - 5,
        "health": FeedHealth(feed_id=name),
    }
    return DueFeed(feed_id=name, **given | members)


FAILING = FeedHealth(feed_id="b", state=FeedState.DEGRADED, consecutive_failures=2, network_failures=(1, 2))
MESSAGE = HealthMessage(
    feeds=(
        due("a", validators=StoredValidators(etag='W/"ü"', validators_url="https://a.example.com/feed")),
        due("b", owner="tenant", content_hash="ab" * 32, health=FAILING),
    ),
    sent_at=NOW + 30,
    delay_s=30,
)


def test_a_message_arrives_as_it_was_sent() -> None:
    read = HealthMessage.from_text(MESSAGE.to_text())
    assert read.entries == tuple(replace(feed, sent_at=NOW + 30) for feed in MESSAGE.entries)
    assert (read.sent_at, read.unreadable) == (NOW + 30, 0)


def test_a_message_is_ascii_so_that_its_length_is_its_size() -> None:
    assert MESSAGE.to_text().isascii()


def test_a_message_that_is_sent_again_says_when_it_was_sent_then() -> None:
    left = HealthMessage.from_text(MESSAGE.to_text()).entries[1:]
    again = HealthMessage.from_text(HealthMessage(entries=left, sent_at=NOW + 99).to_text())
    assert [feed.sent_at for feed in again.entries] == [NOW + 99]


def test_a_feed_is_late_15_minutes_after_its_message_could_be_read() -> None:
    [feed, _] = HealthMessage.from_text(MESSAGE.to_text()).entries
    assert not feed.is_late(NOW + 30 + 900)
    assert feed.is_late(NOW + 30 + 901)


@pytest.mark.parametrize("entry", [None, "x", {}, {"feed_id": 7}, {**due("x").to_message(), "rev": "3"}])
def test_an_entry_that_cannot_be_read_does_not_stop_the_others(entry: object) -> None:
    message = json.loads(MESSAGE.to_text())
    message["feeds"].insert(1, entry)
    read = HealthMessage.from_text(json.dumps(message))
    assert [feed.feed_id for feed in read.entries] == ["a", "b"]
    assert read.unreadable == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"version": 2}, "version"),
        ({"version": None}, "version"),
        ({"type": "discover"}, "type"),
        ({"sent_at": "now"}, "sent_at"),
        ({"sent_at": True}, "sent_at"),
        ({"feeds": {}}, "feeds"),
    ],
)
def test_what_no_version_here_can_use_is_refused_by_its_name(change: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        HealthMessage.from_text(json.dumps({**json.loads(MESSAGE.to_text()), **change}))
    assert refused.value.field == field


@pytest.mark.parametrize("body", ["", "x", "[]", "null", None, 7, "[" * 100_000])
def test_what_is_no_json_object_is_refused(body: object) -> None:
    with pytest.raises(InvalidInput):
        HealthMessage.from_text(body)


def test_members_that_are_not_known_are_let_be() -> None:
    newer = {**json.loads(MESSAGE.to_text()), "trace": "x"}
    assert HealthMessage.from_text(json.dumps(newer)).entries[0].feed_id == "a"
