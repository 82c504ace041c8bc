"""A POST with an Idempotency-Key gets its first answer again, and is done once: on every route, by every function."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import pytest

from feedward.api.openapi import openapi_document
from feedward.deadline import Deadline
from feedward.errors import StoreUnavailable
from feedward.ports.idempotency import KEPT_S
from tests.fakes.dynamodb_faults import Died
from tests.functions.conftest import (
    CLEAN,
    BrokenStore,
    Discover,
    Function,
    LambdaContext,
    MakeFunction,
    load_function,
)
from tests.functions.directory_function import UNKNOWN_ID, DirectoryFunction, event_of
from tests.template.translation import source

KEY = "9f4c1f52-7d0f-4b1e-8c55-6f1d1a3f7a10"
Handler = Callable[[Mapping[str, Any], Any], dict[str, Any]]


@dataclass(slots=True)
class Caller:
    """A client that sends POSTs with a key."""

    handler: Handler
    context: LambdaContext
    key_id: str = "4fT9xQ2LmB7c"

    def post(self, path: str, body: object = None, key: str | None = KEY, **members: Any) -> dict[str, Any]:
        """The answer as the gateway gets it."""
        event = event_of("POST", path, body=body)
        headers = {**event["headers"], **({} if key is None else {"idempotency-key": key})}
        verdict = {"verdict": "ok", "tenant": "_self", "key_id": self.key_id, "scope": "operator", "expires_at": 0}
        context = {**event["requestContext"], "authorizer": {"lambda": verdict}}
        return self.handler({**event, "headers": headers, "requestContext": context, **members}, self.context)


def code_of(answer: dict[str, Any]) -> str | None:
    code: str | None = json.loads(answer["body"]).get("code")
    return code


@pytest.fixture
def caller(directory: DirectoryFunction) -> Caller:
    return Caller(directory.handler, directory.context)


# --- answered again -----------------------------------------------------------------------------------


def test_a_subscription_that_is_sent_again_is_answered_as_the_first_time(
    directory: DirectoryFunction, caller: Caller
) -> None:
    first = caller.post("/v1/subscriptions", {"url": "garden.example"})
    subscription_id = json.loads(first["body"])["id"]
    directory.delete(f"/v1/subscriptions/{subscription_id}")

    assert first["statusCode"] == 202
    assert caller.post("/v1/subscriptions", {"url": "garden.example"}) == first
    assert directory.get("/v1/subscriptions").body["subscriptions"] == [], "it was not done again"
    assert directory.told == ["SubscriptionCreated"]


def test_a_repeated_request_does_not_undo_later_actions(directory: DirectoryFunction, caller: Caller) -> None:
    feed_id = directory.feed("garden")
    paused = caller.post(f"/v1/feeds/{feed_id}/pause", {"why": "too loud"})
    directory.post(f"/v1/feeds/{feed_id}/resume")

    assert caller.post(f"/v1/feeds/{feed_id}/pause", {"why": "too loud"}) == paused
    assert directory.get(f"/v1/feeds/{feed_id}").body["state"] == "healthy"


def test_a_check_that_is_sent_again_is_one_message(directory: DirectoryFunction, caller: Caller) -> None:
    feed_id = directory.feed("garden")
    answers = [caller.post(f"/v1/feeds/{feed_id}/check") for _ in range(3)]

    assert answers[0]["headers"]["Location"] == f"/v1/feeds/{feed_id}"
    assert answers == [answers[0]] * 3
    assert directory.ports.health_queue.feed_ids == [feed_id]


def test_a_registration_that_is_sent_again_says_that_it_made_the_feed(function: Function) -> None:
    caller = Caller(function.handler, function.context)
    first = caller.post("/v1/canonicalize", {"url": CLEAN, "register": True})

    assert json.loads(first["body"])["created"] is True
    assert caller.post("/v1/canonicalize", {"url": CLEAN, "register": True}) == first
    assert (
        json.loads(caller.post("/v1/canonicalize", {"url": CLEAN, "register": True}, None)["body"])["created"] is False
    )


def test_a_discovery_that_is_sent_again_is_one_job(discover: Discover) -> None:
    caller = Caller(discover.handler, discover.context)
    first = caller.post("/v1/discoveries", {"url": "https://slow.example/", "refresh": True})
    asked = len(discover.directory.internet.requests)

    assert (first["statusCode"], "Location" in first["headers"]) == (202, True)
    assert caller.post("/v1/discoveries", {"url": "https://slow.example/", "refresh": True}) == first
    assert len(discover.directory.queue.messages) == 1
    assert len(discover.directory.internet.requests) == asked


@pytest.mark.parametrize(
    "again",
    [
        {"body": '{ "tags": ["a"],\n  "url": "garden.example" }'},
        {"body": base64.b64encode(b'{"url":"garden.example","tags":["a"]}').decode(), "isBase64Encoded": True},
    ],
)
def test_the_same_body_in_another_layout_is_the_same_request(caller: Caller, again: dict[str, Any]) -> None:
    first = caller.post("/v1/subscriptions", {"url": "garden.example", "tags": ["a"]})

    assert caller.post("/v1/subscriptions", **again) == first


def test_the_name_of_the_header_may_be_written_in_any_case(caller: Caller) -> None:
    first = caller.post("/v1/subscriptions", {"url": "garden.example"})
    headers = {"Content-Type": "application/json", "IDEMPOTENCY-KEY": KEY}
    again = caller.post("/v1/subscriptions", {"url": "garden.example", "title": "x"}, headers=headers)

    assert (first["statusCode"], again["statusCode"]) == (202, 422)


# --- another request ----------------------------------------------------------------------------------


def test_another_body_is_refused_with_the_name_of_the_field(directory: DirectoryFunction, caller: Caller) -> None:
    caller.post("/v1/subscriptions", {"url": "garden.example"})

    refused = caller.post("/v1/subscriptions", {"url": "other.example"})

    problem = json.loads(refused["body"])
    assert (refused["statusCode"], problem["code"]) == (422, "idempotency_key_reused")
    assert problem["field"] == "Idempotency-Key"
    assert refused["headers"]["Content-Type"] == "application/problem+json"
    assert len(directory.get("/v1/subscriptions").body["subscriptions"]) == 1
    assert caller.post("/v1/subscriptions", {"url": "other.example"}, "another")["statusCode"] == 202


def test_a_key_counts_for_its_path(directory: DirectoryFunction, caller: Caller) -> None:
    ids = [directory.feed("garden"), directory.feed("other")]
    for feed_id in ids:
        answer = caller.post(f"/v1/feeds/{feed_id}/pause")
        assert (answer["statusCode"], json.loads(answer["body"])["id"]) == (202, feed_id)
    assert json.loads(caller.post(f"/v1/feeds/{ids[0]}/resume")["body"])["state"] == "healthy"


def test_a_key_counts_for_its_caller(directory: DirectoryFunction, caller: Caller) -> None:
    other = Caller(directory.handler, directory.context, key_id="7bWk2zPq0XcV")
    caller.post("/v1/subscriptions", {"url": "garden.example"})

    assert other.post("/v1/subscriptions", {"url": "other.example"})["statusCode"] == 202


def test_a_key_is_remembered_for_24_hours(directory: DirectoryFunction, caller: Caller) -> None:
    feed_id = directory.feed("garden")
    caller.post(f"/v1/feeds/{feed_id}/check")
    directory.directory.clock.advance(KEPT_S - 1)
    caller.post(f"/v1/feeds/{feed_id}/check")
    assert directory.ports.health_queue.feed_ids == [feed_id]

    directory.directory.clock.advance(1)
    caller.post(f"/v1/feeds/{feed_id}/check")
    assert directory.ports.health_queue.feed_ids == [feed_id] * 2


# --- at the same time, and after a death --------------------------------------------------------------


def test_one_that_comes_while_the_first_is_at_work_is_told_to_come_again(
    directory: DirectoryFunction, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed_id = directory.feed("garden")
    seen: list[dict[str, Any]] = []
    send = directory.ports.health_queue.send_batch

    def send_and_be_asked_again(*arguments: Any, **named: Any) -> Any:
        seen.append(caller.post(f"/v1/feeds/{feed_id}/check"))
        seen.append(caller.post(f"/v1/feeds/{feed_id}/check", {"why": "x"}))
        return send(*arguments, **named)

    monkeypatch.setattr(directory.ports.health_queue, "send_batch", send_and_be_asked_again)
    first = caller.post(f"/v1/feeds/{feed_id}/check")

    assert [(each["statusCode"], code_of(each)) for each in seen] == [
        (409, "idempotency_key_in_use"),
        (422, "idempotency_key_reused"),
    ]
    assert int(seen[0]["headers"]["Retry-After"]) > 0
    assert caller.post(f"/v1/feeds/{feed_id}/check") == first
    assert directory.ports.health_queue.feed_ids == [feed_id]


def test_a_request_whose_process_died_can_be_sent_again_when_it_cannot_be_at_work_any_more(
    directory: DirectoryFunction, caller: Caller
) -> None:
    feed_id = directory.feed("garden")
    lifespan = directory.directory.lifespan
    lifespan.end_at(1, makes_last=False)  # after the key was taken up
    with pytest.raises(Died):
        caller.post(f"/v1/feeds/{feed_id}/check")
    lifespan.live_on()

    assert code_of(caller.post(f"/v1/feeds/{feed_id}/check")) == "idempotency_key_in_use"
    directory.directory.clock.advance(caller.context.remaining_ms / 1000 + 1)
    assert caller.post(f"/v1/feeds/{feed_id}/check")["statusCode"] == 202


# --- remembered and forgotten answers -----------------------------------------------------------------


def test_a_failure_is_not_cached(directory: DirectoryFunction, caller: Caller) -> None:
    feed_id = directory.feed("garden")
    healthy, directory.ports.health_queue = directory.ports.health_queue, BrokenQueue()  # type: ignore[assignment]
    assert caller.post(f"/v1/feeds/{feed_id}/check")["statusCode"] == 503
    directory.ports.health_queue = healthy
    assert caller.post(f"/v1/feeds/{feed_id}/check")["statusCode"] == 202


class BrokenQueue:
    """A queue that refuses everything."""

    def within(self, _: Deadline) -> Self:
        return self

    def send_batch(self, *_: Any, **__: Any) -> list[Any]:
        return []


def test_a_fault_of_ours_is_not_remembered(make_function: MakeFunction) -> None:
    broken = make_function(store=BrokenStore(RuntimeError("a bug")))
    caller = Caller(broken.handler, broken.context)
    sent = {"url": CLEAN, "register": True}
    assert caller.post("/v1/canonicalize", sent)["statusCode"] == 500

    assert caller.post("/v1/canonicalize", {**sent, "explain": True})["statusCode"] == 500, "another body, a new try"


def test_a_request_that_could_not_be_used_can_be_mended_under_its_key(caller: Caller) -> None:
    for unusable in ({"url": 5}, "{", {"url": "garden.example", "x": 1}):
        assert caller.post("/v1/subscriptions", unusable)["statusCode"] == 400
    assert caller.post("/v1/subscriptions", {"url": "garden.example"})["statusCode"] == 202


def test_a_failed_request_stays_failed_under_its_key(directory: DirectoryFunction, caller: Caller) -> None:
    feed_id = directory.feed("garden")
    directory.post(f"/v1/feeds/{feed_id}/pause")
    refused = caller.post(f"/v1/feeds/{feed_id}/check")
    directory.post(f"/v1/feeds/{feed_id}/resume")

    assert (refused["statusCode"], code_of(refused)) == (409, "wrong_state")
    assert caller.post(f"/v1/feeds/{feed_id}/check") == refused
    assert caller.post(f"/v1/feeds/{feed_id}/check", key="another")["statusCode"] == 202
    missing = caller.post(f"/v1/feeds/{UNKNOWN_ID}/check")
    assert missing["statusCode"] == 404
    assert caller.post(f"/v1/feeds/{UNKNOWN_ID}/check") == missing


def test_a_request_that_lost_a_race_can_be_sent_again(
    directory: DirectoryFunction, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed_id = directory.feed("garden")
    with monkeypatch.context() as patch:
        patch.setattr(directory.ports.feed_actions, "apply", lambda *_, **__: False)
        lost = caller.post(f"/v1/feeds/{feed_id}/pause")
    assert (code_of(lost), "Retry-After" in lost["headers"]) == ("conflict", True)
    assert caller.post(f"/v1/feeds/{feed_id}/pause")["statusCode"] == 202


# --- the store fails ----------------------------------------------------------------------------------


class FailingRecords:
    """Records in which one call fails."""

    def __init__(self, records: Any, fails: str) -> None:
        self._records, self._fails = records, fails

    def within(self, _: Deadline) -> Self:
        return self

    def __getattr__(self, call: str) -> Any:
        def failing(*_: Any, **__: Any) -> Any:
            raise StoreUnavailable("down")

        return failing if call == self._fails else getattr(self._records, call)


def test_nothing_is_done_where_it_cannot_be_known_whether_it_was(directory: DirectoryFunction, caller: Caller) -> None:
    feed_id = directory.feed("garden")
    directory.ports.idempotency = FailingRecords(directory.ports.idempotency, "begin")  # type: ignore[assignment]

    assert code_of(caller.post(f"/v1/feeds/{feed_id}/check")) == "store_unavailable"
    assert directory.ports.health_queue.feed_ids == []


def test_a_completed_request_is_answered_although_its_answer_cannot_be_stored(
    directory: DirectoryFunction, caller: Caller
) -> None:
    feed_id = directory.feed("garden")
    directory.ports.idempotency = FailingRecords(directory.ports.idempotency, "finish")  # type: ignore[assignment]

    assert caller.post(f"/v1/feeds/{feed_id}/check")["statusCode"] == 202


# --- keys, and requests without one -------------------------------------------------------------------


@pytest.mark.parametrize("key", ["", " ", "two words", "a,b", "x" * 256, "schl\u00fcssel", "a\tb", "\x7f"])
def test_a_key_that_is_none_is_refused_by_its_name(directory: DirectoryFunction, caller: Caller, key: str) -> None:
    refused = caller.post("/v1/subscriptions", {"url": "garden.example"}, key)

    problem = json.loads(refused["body"])
    assert (refused["statusCode"], problem["code"], problem["field"]) == (400, "invalid_input", "Idempotency-Key")
    assert directory.get("/v1/subscriptions").body["subscriptions"] == []


@pytest.mark.parametrize("key", ["x", "x" * 255, '"quoted"', "!#$%&'()*+-./:;<=>?@[]^_`{|}~"])
def test_any_visible_text_is_a_key(caller: Caller, key: str) -> None:
    first = caller.post("/v1/subscriptions", {"url": "garden.example"}, key)

    assert first["statusCode"] == 202
    assert caller.post("/v1/subscriptions", {"url": "garden.example"}, key) == first


def test_a_request_without_a_key_pays_nothing(
    directory: DirectoryFunction, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed_id = directory.feed("garden")
    directory.ports.idempotency = None  # type: ignore[assignment]
    for module in [name for name in sys.modules if name.startswith("feedward.") and name.endswith("idempotency")]:
        monkeypatch.setitem(sys.modules, module, None)  # to import it is an error
    fresh = Caller(load_function("directory").make_handler(lambda: directory.ports), caller.context)

    assert fresh.post(f"/v1/feeds/{feed_id}/check", key=None)["statusCode"] == 202
    assert fresh.post(f"/v1/feeds/{feed_id}/check")["statusCode"] == 500, "the import would have been seen"


def test_a_key_means_nothing_where_nothing_is_posted(directory: DirectoryFunction) -> None:
    event = event_of("GET", "/v1/feeds")
    with_key = {**event, "headers": {**event["headers"], "idempotency-key": "two words"}}

    assert directory.call(with_key).status == 200


# --- every route --------------------------------------------------------------------------------------

POSTS = sorted(path for path, item in openapi_document()["paths"].items() if "post" in item)


def function_of(path: str) -> str:
    """The folder of the function that the template gives the route to."""
    functions = (each["Properties"] for each in source()["Resources"].values() if each["Type"].endswith(":Function"))
    (folder,) = {
        function["CodeUri"].removeprefix("functions/")
        for function in functions
        for event in function.get("Events", {}).values()
        if event["Properties"].get("Path") == path
    }
    return str(folder)


@pytest.mark.parametrize("path", POSTS)
def test_every_route_that_posts_looks_at_the_key(path: str) -> None:
    function = load_function(function_of(path))
    clock = type("Clock", (), {"now": lambda _: 0})()
    services: Any = type("Services", (), {"clock": clock, "is_open": False})
    caller = Caller(function.make_handler(services), LambdaContext())

    refused = caller.post(path.replace("{id}", UNKNOWN_ID), {}, "two words")

    assert json.loads(refused["body"])["field"] == "Idempotency-Key"


@pytest.mark.parametrize("path", POSTS)
def test_every_route_that_posts_has_the_key_in_its_description(path: str) -> None:
    operation = openapi_document()["paths"][path]["post"]

    assert {"$ref": "#/components/parameters/IdempotencyKey"} in operation["parameters"]
    assert {"409", "422"} <= operation["responses"].keys()
