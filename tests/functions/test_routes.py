"""The routes of the function besides canonicalize, and unknown routes."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.errors import StoreUnavailable
from tests.functions.conftest import (
    CLEAN,
    BrokenStore,
    Function,
    MakeFunction,
    read_event,
)


def test_health_answers_without_the_store(make_function: MakeFunction) -> None:
    answer = make_function(store=BrokenStore(StoreUnavailable("down"))).call(read_event("http_health"))

    assert (answer.status, answer.body["status"]) == (200, "ok")


def with_route(method: str, path: str) -> dict[str, Any]:
    event = read_event("http_health")
    context = event["requestContext"] | {"http": event["requestContext"]["http"] | {"method": method, "path": path}}
    return event | {"routeKey": "$default", "rawPath": path, "requestContext": context}


@pytest.mark.parametrize("event", ["http_health", "http_openapi", "http_canonicalize_one"])
def test_no_browser_takes_an_answer_for_anything_but_its_type(function: Function, event: str) -> None:
    assert function.call(read_event(event)).headers["X-Content-Type-Options"] == "nosniff"
    assert function.post("no JSON").headers["X-Content-Type-Options"] == "nosniff"


def test_a_path_that_is_not_there_is_a_problem(function: Function) -> None:
    answer = function.call(with_route("GET", "/v1/nothing"))

    assert (answer.status, answer.body["code"]) == (404, "route_not_found")
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_a_method_that_a_path_does_not_have_is_a_problem(function: Function) -> None:
    answer = function.call(with_route("DELETE", "/v1/canonicalize"))

    assert (answer.status, answer.body["code"], answer.headers["Allow"]) == (405, "method_not_allowed", "POST")


@pytest.mark.parametrize(
    "event",
    [{}, None, [], "x", {"requestContext": "x"}, {"requestContext": {"http": "x"}}, {"routeKey": 5, "rawPath": []}],
)
def test_an_event_that_is_none_of_the_gateways_finds_no_route(function: Function, event: Any) -> None:
    answer = function.call(event)

    assert (answer.status, answer.body["code"]) == (404, "route_not_found")
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    "odd",
    [
        {"body": 5},
        {"body": {"url": CLEAN}},
        {"body": ["x"]},
        {"headers": [], "body": "{"},
        {"headers": {"content-type": None}, "body": "{"},
    ],
)
def test_an_event_with_odd_members_is_a_bad_request(function: Function, odd: dict[str, Any]) -> None:
    answer = function.call(read_event("http_canonicalize_one") | odd)

    assert (answer.status, answer.body["code"]) == (400, "malformed_json")


def with_any_method(method: str, path: str) -> dict[str, Any]:
    """The event of a route for all methods, as in the template."""
    return with_route(method, path) | {"routeKey": f"ANY {path}"}


@pytest.mark.parametrize("method", ["PUT", "GET", "HEAD", "OPTIONS", "TRACE", "BREW", "post"])
def test_a_method_that_a_path_does_not_have_is_a_405_that_lists_those_it_has(function: Function, method: str) -> None:
    answer = function.handler(with_any_method(method, "/v1/canonicalize"), function.context)

    assert (answer["statusCode"], answer["headers"]["Allow"]) == (405, "POST")
    assert answer["headers"]["Content-Type"] == "application/problem+json"


def test_a_path_that_can_be_read_allows_head(function: Function) -> None:
    answer = function.call(with_any_method("POST", "/v1/health"))

    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("path", ["/v1/health", "/v1/openapi.json", "/v1/nothing"])
@pytest.mark.parametrize("event", [with_any_method, with_route])
def test_a_head_is_answered_as_a_get_without_its_body(function: Function, path: str, event: Any) -> None:
    asked = function.handler(event("GET", path), function.context)
    answer = function.handler(event("HEAD", path), function.context)

    assert asked["body"]
    assert answer == {**asked, "body": ""}


def test_a_route_for_all_methods_finds_the_route_of_each(directory: Any) -> None:
    feed_id = directory.feed("garden")
    event = read_event("http_feed") | {"routeKey": "ANY /v1/feeds/{id}", "pathParameters": {"id": feed_id}}

    assert directory.call(event).body["id"] == feed_id
    wrong = directory.call(with_any_method("DELETE", "/v1/feeds/{id}"))
    assert (wrong.status, wrong.headers["Allow"]) == (405, "GET, HEAD, PATCH")


def test_a_default_route_finds_the_path_too(function: Function) -> None:
    assert function.call(with_route("GET", "/v1/health")).status == 200
