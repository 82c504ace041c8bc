"""A due feed is written into a message and read back unchanged; an invalid one is refused by name."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from feedward.errors import InvalidInput
from feedward.health.due_feed import DueFeed
from feedward.health.feed_health import PROJECTED, FeedHealth
from feedward.health.outage import minute_of
from feedward.health.validators import StoredValidators
from feedward.model import FeedState, Outcome
from feedward.scheduling.slots import CLASSES, DAY_MIN, Place, Slot
from feedward.ulid import derived_ulid
from tests.unit.health.times import NOW

URL = "https://example.com/feed"
ID = derived_ulid(NOW, "a")
PLAIN = DueFeed(
    feed_id=ID,
    url=URL,
    url_hash="ab" * 32,
    host="example.com",
    rev=1,
    place=Place(from_s=NOW),
    health=FeedHealth(feed_id=ID),
)
FULL = replace(
    PLAIN,
    owner="tenant",
    content_hash="cd" * 32,
    collect_items=True,
    sent_at=NOW + 5,
    validators=StoredValidators(
        etag='"e"',
        last_modified="Thu, 01 Oct 2026 10:00:00 GMT",
        validators_url="https://cdn.example.net/feed",
        validators_at=NOW - 9,
    ),
    health=FeedHealth(
        feed_id=ID,
        state=FeedState.UNHEALTHY,
        consecutive_failures=9,
        first_failure_at=NOW - 99,
        network_failures=(minute_of(NOW), minute_of(NOW) + 1),
        not_founds=2,
        first_gone_at=NOW - 50,
        unhealthy_since=NOW - 20,
        last_revival_at=NOW - 10,
        revival_due=True,
        last_news_at=NOW - 3,
        median_gap_s=7200,
        hint_s=600,
        latest_item_published_at=NOW - 1000,
        stale=True,
        last_success_at=NOW - 100,
    ),
)


@pytest.mark.parametrize("due", [PLAIN, FULL])
def test_a_message_says_all_of_it(due: DueFeed) -> None:
    assert DueFeed.from_message(json.loads(json.dumps(due.to_message()))) == due


def test_the_feeds_own_url_is_not_said_twice() -> None:
    own = replace(PLAIN, validators=StoredValidators(etag='"e"', validators_url=URL, validators_at=NOW))
    assert "validators_url" not in own.to_message()
    assert DueFeed.from_message(own.to_message()) == own


def test_a_healthy_feed_makes_a_short_message() -> None:
    assert len(json.dumps(PLAIN.to_message())) < 300
    assert len(json.dumps(FULL.to_message())) < 1200


def test_texts_for_people_are_no_part_of_a_message() -> None:
    read = replace(PLAIN.health, last_attempt_at=NOW, last_outcome=Outcome.OK, last_http_status=200)
    assert replace(PLAIN, health=read).to_message() == PLAIN.to_message()
    assert not {"last_attempt_at", "last_outcome"} & PROJECTED


def test_an_item_of_the_table_is_read_the_same_way() -> None:
    item = {**FULL.to_message(), "sk": "FEED", "due_shard": 3, "created_at": NOW, "last_outcome": "ok"}
    read = DueFeed.from_message(item)
    assert replace(read, health=replace(read.health, last_outcome=None)) == FULL
    assert read.health.last_outcome is Outcome.OK


@pytest.mark.parametrize(
    ("members", "named"),
    [
        ({"feed_id": None}, "feed_id"),
        ({"url": ""}, "url"),
        ({"url_hash": 5}, "url_hash"),
        ({"rev": "1"}, "rev"),
        ({"next_check_at": None}, "next_check_at"),
        ({"next_check_at": True}, "next_check_at"),
        ({"owner": {}}, "owner"),
        ({"state": "ill"}, "state"),
        ({"consecutive_failures": "9"}, "consecutive_failures"),
        ({"failures": []}, "failures"),
        ({"failures": [1]}, "failures"),
        ({"failures": {"network_failures": 7}}, "network_failures"),
        ({"failures": {"network_failures": ["x"]}}, "network_failures"),
        ({"failures": {"not_founds": 1.5}}, "not_founds"),
        ({"median_gap_s": "long"}, "median_gap_s"),
        ({"sent_at": "now"}, "sent_at"),
    ],
)
def test_an_invalid_due_feed_is_refused_by_its_member(members: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        DueFeed.from_message(PLAIN.to_message() | members)
    assert refused.value.field == named


@pytest.mark.parametrize("every", CLASSES)
def test_a_check_of_a_slot_is_late_once_its_next_minute_is_nearer_than_two_thirds_of_its_class(every: int) -> None:
    minute = NOW // 60
    slot = Slot(every=every, phase=minute % every)
    last_s = minute * 60 + slot.every_s - slot.least_s
    found = {at: replace(PLAIN, place=Place(from_s=0, slot=slot), minute=minute, sent_at=at).is_late(at)
             for at in (minute * 60, last_s, last_s + 1)}  # fmt: skip
    assert list(found.values()) == [False, False, every != DAY_MIN]
    by_exception = replace(PLAIN, sent_at=last_s + 1)
    assert not by_exception.is_late(last_s + 1)
