"""FEED stays within one write unit in every state of the feed; and a check writes only changed values."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.adapters.dynamodb.feeds.health_items import FEED_BYTES, change, feed_attributes, size_bytes, with_room
from feedward.health.due_feed import DueFeed
from feedward.health.feed_health import FAILURES
from feedward.health.validators import StoredValidators
from feedward.scheduling.shards import domain_shard
from feedward.scheduling.slots import Place
from tests.unit.health.test_due_feed import PLAIN
from tests.unit.health.test_feed_health import QUIET, WORST, stored_bytes
from tests.unit.health.times import NOW

LONG = StoredValidators(
    etag='"' + "e" * 300 + '"',
    last_modified="Thu, 01 Oct 2026 10:00:00 GMT",
    validators_at=NOW,
)
SHORT = replace(LONG, etag='W/"5f3c-61b2a4"')


def feed(url_length: int, validators: StoredValidators) -> DueFeed:
    url = "https://example.com/".ljust(url_length, "a")
    own = replace(validators, validators_url=url)
    full = replace(PLAIN, url=url, content_hash="ab" * 32, owner="01JTENANT0000000000000000", validators=own)
    return replace(full, place=Place(from_s=NOW), health=replace(QUIET, feed_id=PLAIN.feed_id))


def whole_bytes(due: DueFeed) -> int:
    """The size of FEED: a check's attributes, the failures' map, its key and its initial attributes."""
    flat = {name: value for name, value in feed_attributes(due).items() if name != FAILURES}
    own = {"feed_id": due.feed_id, "sk": "FEED", "created_at": NOW}
    lists = {"domain_shard": domain_shard(due.host, due.feed_id, scope=due.owner or "")}
    only_failures = stored_bytes(due.health) - stored_bytes(replace(QUIET, feed_id=due.feed_id))
    return size_bytes(flat | own | lists) + max(0, only_failures)


@pytest.mark.parametrize(("url_length", "collects"), [(30, True), (60, True), (90, True), (100, False)])
@pytest.mark.parametrize("validators", [SHORT, LONG])
def test_feed_is_within_one_write_unit_at_its_worst(
    url_length: int, collects: bool, validators: StoredValidators
) -> None:
    kept = with_room(replace(feed(url_length, validators), collect_items=collects))
    assert kept.validators.last_modified
    failing = replace(kept, health=replace(WORST, feed_id=kept.feed_id))
    assert whole_bytes(failing) <= FEED_BYTES


def test_validators_that_find_no_room_leave_no_trace() -> None:
    only_long = replace(LONG, last_modified=None)
    assert with_room(feed(300, only_long)).validators == StoredValidators()


def test_only_changed_values_are_written() -> None:
    before = feed(30, SHORT)
    assign, remove = change(before, replace(before, rev=before.rev + 1, place=Place(from_s=NOW + 900)))
    assert set(assign) == {"next_check_at", "last_attempt_at", "last_outcome", "last_http_status"}
    assert remove == []


def test_a_check_leaves_the_setting_of_a_feed_as_it_is() -> None:
    before = replace(feed(30, SHORT), collect_items=True)
    assign, remove = change(before, replace(before, rev=before.rev + 1, place=Place(from_s=NOW + 900)))
    assert "collect_items" not in {*assign, *remove}


def test_emptied_attributes_are_removed() -> None:
    before = replace(feed(30, SHORT), health=replace(WORST, feed_id=PLAIN.feed_id))
    after = replace(
        before, content_hash=None, validators=StoredValidators(), health=replace(QUIET, feed_id=before.feed_id)
    )
    _, remove = change(before, after)
    gone = {"content_hash", "etag", "last_modified", "validators_at", FAILURES}
    assert set(remove) == gone
