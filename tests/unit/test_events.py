"""The events that feedward sends and hears are what docs/events says they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from feedward.events import FEED_DISCOVERED, SUBSCRIPTION_CREATED, read_subscription_created
from feedward.services.discover_site import answer_discovery
from tests.fakes.directory import FakeDirectory
from tests.unit.services.blog import HOME, detail, site

SCHEMAS = Path(__file__).parents[2] / "docs" / "events"


def validator(detail_type: str) -> Any:
    schema = json.loads((SCHEMAS / f"{detail_type}.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("scope", ["", "tenant"])
def test_what_a_discovery_tells_the_bus_satisfies_its_schema(scope: str) -> None:
    directory = FakeDirectory(site())
    answer_discovery(HOME, directory=directory, scope=scope)
    (entry,) = directory.bus.events.entries
    assert (entry["Source"], entry["DetailType"]) == ("feedward", FEED_DISCOVERED)
    validator(entry["DetailType"]).validate(json.loads(entry["Detail"]))


@pytest.mark.parametrize("member", ["version", "id", "occurred_at", "tenant_id", "feed_id", "url"])
def test_the_schema_of_what_is_told_can_fail(member: str) -> None:
    directory = FakeDirectory(site())
    answer_discovery(HOME, directory=directory)
    (told,) = directory.bus.details
    assert not validator(FEED_DISCOVERED).is_valid({name: value for name, value in told.items() if name != member})
    assert not validator(FEED_DISCOVERED).is_valid(told | {member: {}})


def test_what_the_schema_of_a_subscription_allows_can_be_read() -> None:
    heard = detail()
    validator(SUBSCRIPTION_CREATED).validate(heard)
    validator(SUBSCRIPTION_CREATED).validate(heard | {"more": 1, "tenant_id": "t"})
    read = read_subscription_created(heard | {"more": 1, "tenant_id": "t"})
    assert (read.url, read.tenant_id, read.subscription_id) == (heard["url"], "t", heard["subscription_id"])


@pytest.mark.parametrize("members", [{"url": ""}, {"url": None}, {"version": 2}, {"tenant_id": 5}])
def test_what_the_schema_of_a_subscription_refuses_is_refused(members: dict[str, Any]) -> None:
    assert not validator(SUBSCRIPTION_CREATED).is_valid(detail() | members)
