"""A feed's health is small, and the data of a decision is in the due index (rule R12)."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from feedward.adapters.dynamodb.feeds.health_items import size_bytes
from feedward.health.decision import Check
from feedward.health.due_feed import COLLECT_ITEMS, VALIDATOR_ATTRIBUTES
from feedward.health.feed_health import (
    EXCEPTION_ATTRIBUTES,
    IN_FAILURES,
    PROJECTED,
    SLOT_ATTRIBUTES,
    WRITE_ONLY,
    FeedHealth,
)
from feedward.health.outage import minute_of
from feedward.health.state_machine import decide
from feedward.model import FeedState, Outcome
from tests.template_tables import template
from tests.unit.health.times import FAILED, GONE, LIMITED, NEWS, NOW, OK, TIMEOUT

OF_THE_FEED = {"rev", "url", "url_hash", "host", "owner", "content_hash", COLLECT_ITEMS}
QUIET = FeedHealth(
    feed_id="",
    last_news_at=4,
    median_gap_s=7_654_321,
    hint_s=86_400,
    latest_item_published_at=NOW,
    last_success_at=NOW,
    last_attempt_at=NOW,
    last_outcome=Outcome.NOT_MODIFIED,
    last_http_status=304,
)
WORST = replace(
    QUIET,
    state=FeedState.UNHEALTHY,
    consecutive_failures=999,
    first_failure_at=NOW,
    network_failures=(minute_of(NOW),) * 9,
    not_founds=2,
    first_gone_at=NOW,
    unhealthy_since=NOW,
    last_revival_at=NOW,
    revival_due=True,
    as_browser_at=NOW,
    stale=True,
    last_outcome=Outcome.TOO_MANY_REDIRECTS,
)


def stored_bytes(health: FeedHealth) -> int:
    """DynamoDB's size of the written fields: a map or list takes 3 bytes, and 1 for each entry."""
    kept = {each.name: getattr(health, each.name) for each in fields(health) if each.name != "feed_id"}
    present = {name: value for name, value in kept.items() if value or name == "consecutive_failures"}
    failures = {name: present.pop(name) for name in IN_FAILURES if name in present}
    if not failures:
        return size_bytes(present)
    minutes = failures.pop("network_failures", ())
    listed = len("network_failures") + 3 + sum(1 + len(str(minute)) // 2 + 2 for minute in minutes)
    return size_bytes(present) + len("failures") + 3 + len(failures) + 1 + size_bytes(failures) + listed


@pytest.mark.parametrize(("health", "most"), [(QUIET, 200), (WORST, 470)])
def test_health_leaves_room_for_the_rest_of_a_kilobyte(health: FeedHealth, most: int) -> None:
    assert stored_bytes(health) <= most


@pytest.mark.parametrize("check", [OK, NEWS, FAILED, GONE, TIMEOUT, LIMITED])
@pytest.mark.parametrize("health", [QUIET, WORST])
def test_no_decision_reads_attributes_that_the_due_index_lacks(health: FeedHealth, check: Check) -> None:
    projected = FeedHealth(**{name: getattr(health, name) for name in PROJECTED})
    assert decide(projected, check, NOW + 99) == decide(health, check, NOW + 99)
    assert {each.name for each in fields(FeedHealth)} == PROJECTED | WRITE_ONLY


# The index of exceptions projects it still: the projection of an index cannot be changed.
NO_LONGER_WRITTEN = {"quiet_checks"}


@pytest.mark.parametrize(
    ("index", "attributes"), [("slots", SLOT_ATTRIBUTES), ("due", EXCEPTION_ATTRIBUTES | NO_LONGER_WRITTEN)]
)
def test_the_template_projects_exactly_the_attributes_that_a_check_needs(
    index: str, attributes: frozenset[str]
) -> None:
    indexes = template()["Resources"]["FeedsTable"]["Properties"]["GlobalSecondaryIndexes"]
    [found] = [each for each in indexes if each["IndexName"] == index]
    projected = found["Projection"]["NonKeyAttributes"]
    assert sorted(projected) == sorted(OF_THE_FEED | set(VALIDATOR_ATTRIBUTES) | attributes)
    assert len(projected) <= 20
