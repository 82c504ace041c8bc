"""The events that feedward sends and receives match docs/events."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.events.envelope import (
    FEED_DISCOVERED,
    SUBSCRIPTION_CREATED,
    SUBSCRIPTION_FAILED,
    SUBSCRIPTION_READY,
    read_subscription_created,
)
from feedward.health.feed_health import FeedHealth
from feedward.health.state_machine import pause, relocated, resume
from feedward.model import FeedState
from feedward.services.discover.discover_site import answer_discovery
from feedward.services.subscribe.subscription_events import news_of
from feedward.subscriptions.subscription import Failure, Subscription, failed, new_subscription, ready
from tests.callers import of_tenant
from tests.fakes.directory import FakeDirectory
from tests.unit.services.discover.blog import HOME, detail, site

SCHEMAS = Path(__file__).parents[3] / "docs" / "events"


def validator(detail_type: str) -> Any:
    schema = json.loads((SCHEMAS / f"{detail_type}.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_the_schema_of_a_change_of_state_names_all_reasons_that_are_no_outcome() -> None:
    failing = FeedHealth(feed_id="F", state=FeedState.DEGRADED, consecutive_failures=1)
    decided = [pause(failing), resume(pause(failing).health, 1000), relocated(failing, 1000)]
    described = validator("FeedStateChanged").schema["properties"]["reason"]["description"]

    reasons = [one.state_change.reason for one in decided if one.state_change]
    assert reasons == ["paused", "resumed", "relocated"]
    assert [reason for reason in reasons if f"`{reason}`" not in described] == []


@pytest.mark.parametrize("tenant", [None, "tenant"])
def test_the_event_of_a_discovery_satisfies_its_schema(tenant: str | None) -> None:
    private = f"{HOME}?token=s3cret"
    directory = FakeDirectory(site() | {private: site()[HOME]})
    answer_discovery(of_tenant(tenant), private, directory=directory)
    (entry,) = directory.bus.events.entries
    assert (entry["Source"], entry["DetailType"]) == ("feedward", FEED_DISCOVERED)
    validator(entry["DetailType"]).validate(json.loads(entry["Detail"]))


@pytest.mark.parametrize("member", ["version", "id", "occurred_at", "tenant_id", "feed_id", "url"])
def test_the_schema_of_published_events_can_fail(member: str) -> None:
    directory = FakeDirectory(site())
    answer_discovery(SELF_HOSTED, HOME, directory=directory)
    (told,) = directory.bus.details
    assert not validator(FEED_DISCOVERED).is_valid({name: value for name, value in told.items() if name != member})
    assert not validator(FEED_DISCOVERED).is_valid(told | {member: {}})


def test_a_body_that_the_schema_of_a_subscription_allows_can_be_read() -> None:
    heard = detail()
    validator(SUBSCRIPTION_CREATED).validate(heard)
    validator(SUBSCRIPTION_CREATED).validate(heard | {"more": 1, "tenant_id": "t"})
    read = read_subscription_created(heard | {"more": 1, "tenant_id": "t"})
    assert (read.url, read.tenant_id, read.subscription_id) == (heard["url"], "t", heard["subscription_id"])


@pytest.mark.parametrize("members", [{"url": ""}, {"url": None}, {"version": 2}, {"tenant_id": 5}])
def test_a_body_that_the_schema_of_a_subscription_refuses_is_refused(members: dict[str, Any]) -> None:
    assert not validator(SUBSCRIPTION_CREATED).is_valid(detail() | members)


# --- subscriptions ------------------------------------------------------------------------------------

ASKED = new_subscription("1" * 26, tenant_id=None, url="example.com", url_hash="a" * 64, now=1_790_000_000)
TOLD = {
    SUBSCRIPTION_CREATED: ASKED,
    SUBSCRIPTION_READY: ready(ASKED, feed_id="2" * 26, now=1_790_000_009),
    SUBSCRIPTION_FAILED: failed(ASKED, failure=Failure.NO_FEED, reason="no feed", now=1_790_000_009),
}


@pytest.mark.parametrize("tenant", [None, "t1"])
@pytest.mark.parametrize(("detail_type", "subscription"), TOLD.items())
def test_the_events_of_a_subscription_satisfy_their_schemas(
    detail_type: str, subscription: Subscription, tenant: str | None
) -> None:
    event = news_of(replace(subscription, tenant_id=tenant))
    assert (event.detail_type, event.entry_id, event.detail["tenant_id"]) == (detail_type, event.detail["id"], tenant)
    validator(detail_type).validate(dict(event.detail))
    for member in event.detail:
        assert not validator(detail_type).is_valid({**event.detail, member: {}}), member
        assert not validator(detail_type).is_valid({n: v for n, v in event.detail.items() if n != member}), member


def test_a_duplicate_tells_whose_it_is() -> None:
    event = news_of(ready(ASKED, feed_id="2" * 26, duplicate_of="3" * 26, now=1_790_000_009))
    validator(SUBSCRIPTION_READY).validate(dict(event.detail))
    assert event.detail["duplicate_of"] == "3" * 26


def test_every_failure_is_in_the_schema() -> None:
    (failure,) = [validator(SUBSCRIPTION_FAILED).schema["properties"]["failure"]]
    assert failure["enum"] == list(Failure)


def test_the_same_news_have_the_same_id_and_others_another() -> None:
    again = replace(ASKED, tries=2, pending_since=ASKED.asked_at + 300, rev=7)
    assert news_of(again).detail == news_of(ASKED).detail
    ids = {news_of(each).entry_id for each in (*TOLD.values(), replace(ASKED, asked_at=ASKED.asked_at + 1))}
    assert len(ids) == 4
