"""The functions of a stack that neither checks nor collects (Refresh=false): a directory with discovery."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.adapters.sqs import UndeployedQueue
from feedward.api.openapi import openapi_document
from feedward.api.route import NEED_REFRESH
from feedward.services.subscribe.subscribe import find_subscription, subscribe
from feedward.services.sweep.resend_pending import PENDING_S
from tests.functions.conftest import Discover, read_event
from tests.functions.directory_function import DirectoryFunction
from tests.functions.test_directory_actions import unhealthy

A = "https://example.com/a"
REFUSED = {
    "/v1/feeds/{id}/check": None,
    "/v1/frontier": {"urls": [A]},
    "/v1/imports": {"text": A},
    "/v1/imports/{id}/start": None,
    "/v1/runs": {"urls": [A]},
}


@pytest.fixture
def finding(directory: DirectoryFunction) -> DirectoryFunction:
    """The directory function of a stack without checks and collecting."""
    ports: Any = directory.ports
    ports.refreshes = False
    ports.health_queue = ports.frontier_queue = UndeployedQueue()
    return directory


def everything(function: DirectoryFunction) -> list[Any]:
    contents = function.directory.contents
    stored = [contents.urls(), contents.feeds(), contents.frontier(), contents.lineage(), contents.subscriptions()]
    return [*stored, function.ports.imports.page(None, before=None, limit=10)]


@pytest.mark.parametrize("path", REFUSED)
def test_work_of_a_function_that_is_not_there_is_refused_before_anything_is_written(
    finding: DirectoryFunction, path: str
) -> None:
    feed_id = finding.feed("garden")
    before = everything(finding)

    answer = finding.post(path.replace("{id}", feed_id), REFUSED[path])

    assert (answer.status, answer.body["code"]) == (409, "not_deployed")
    assert "Refresh=false" in answer.body["detail"]
    assert everything(finding) == before


def test_items_cannot_be_switched_on_where_nothing_collects_them(finding: DirectoryFunction) -> None:
    answer = finding.patch(f"/v1/feeds/{finding.feed('garden')}", {"collect_items": True})

    assert (answer.status, answer.body["code"]) == (409, "not_deployed")


def test_the_rest_of_the_directory_works_as_ever(finding: DirectoryFunction) -> None:
    feed_id = unhealthy(finding)

    assert finding.get(f"/v1/feeds/{feed_id}").status == 200
    assert finding.post("/v1/subscriptions", {"url": A}).status in (200, 201, 202)
    assert [finding.post(f"/v1/feeds/{feed_id}/{each}").status for each in ("revive", "pause", "resume")] == [202] * 3
    assert finding.get("/v1/runs").status == 200


def test_the_routes_that_need_the_other_functions_are_routes_of_the_api() -> None:
    paths = openapi_document()["paths"]

    assert {(method, path) for method, path in (name.split(" ") for name in NEED_REFRESH)} <= {
        (method.upper(), path) for path, methods in paths.items() for method in methods
    }
    assert {f"POST {path}" for path in REFUSED} == NEED_REFRESH - {"PATCH /v1/feeds/{id}"}


def test_discover_requests_a_lost_search_again(discover: Discover) -> None:
    ports = discover.directory
    asked = subscribe(SELF_HOSTED, "garden.example", ports=ports).subscription
    events = len(ports.bus.details)
    ports.clock.advance(PENDING_S + 1)

    report = discover.handler(read_event("schedule_reconcile"), discover.context)

    assert report["further"] == {"subscriptions": 1}
    assert report["complete"]
    assert len(ports.bus.details) == events + 1
    assert find_subscription(SELF_HOSTED, asked.subscription_id, ports=ports).status == "pending"


def test_discover_has_no_other_schedule(discover: Discover) -> None:
    with pytest.raises(Exception, match="reconcile"):
        discover.handler(read_event("schedule_sweep"), discover.context)
