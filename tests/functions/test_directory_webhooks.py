"""The directory function's answers about webhooks."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from feedward.api.openapi import openapi_document
from tests.functions.conftest import Answer
from tests.functions.directory_function import UNKNOWN_ID, DirectoryFunction, event_of

URL = "https://receiver.example/hook"
DOCUMENT = openapi_document()


def created(directory: DirectoryFunction, url: str = URL, **fields: object) -> Answer:
    return directory.post("/v1/webhooks", {"url": url, "events": ["feed.*"], **fields})


def check(answer: Answer, schema: str) -> Any:
    """Raise if the answer does not match the description's `schema`."""
    jsonschema.validate(answer.body, {"$ref": f"#/components/schemas/{schema}", "components": DOCUMENT["components"]})
    return answer.body


def test_a_webhook_shows_its_secret_once_and_is_live_after_its_test(directory: DirectoryFunction) -> None:
    answer = created(directory, tags=["news"])
    body = check(answer, "WebhookWithSecret")
    directory.ports.webhooks.work(delays_too=True)
    shown = directory.get(answer.headers["Location"])

    assert answer.status == 201
    assert answer.headers["Cache-Control"] == "no-store"
    assert body["secret"].startswith("whsec_")
    assert (body["status"], check(shown, "Webhook")["status"]) == ("untested", "live")
    listed = directory.get("/v1/webhooks")
    check(listed, "WebhookList")
    assert body["secret"] not in json.dumps([shown.body, listed.body])


def test_the_same_webhook_again_is_the_one_that_there_is_without_its_secret(directory: DirectoryFunction) -> None:
    first, again = created(directory), created(directory)

    assert (again.status, again.body["id"], again.body["secret"]) == (200, first.body["id"], None)


def test_a_repeated_request_with_a_key_shows_no_secret_and_none_is_stored(directory: DirectoryFunction) -> None:
    event = event_of("POST", "/v1/webhooks", body={"url": URL, "events": ["feed.*"]})
    event["headers"]["idempotency-key"] = "k1"

    first, again = directory.call(event), directory.call(event)

    assert again.body["secret"] is None
    assert again.body["id"] == first.body["id"]
    stored = json.dumps([directory.directory.contents.everything(), directory.directory.contents.state()], default=str)
    assert first.body["secret"] not in stored


@pytest.mark.parametrize(
    "url",
    [
        "http://receiver.example/hook",
        "https://127.0.0.1/hook",
        "https://2130706433/hook",
        "https://[::1]/hook",
        "https://169.254.169.254/latest",
        "https://metadata.google.internal/",
        "https://user:pass@receiver.example/hook",
        "https://receiver.example:22/hook",
        "https://localhost/hook",
        "https://API.example.com./hook",
        "ftp://receiver.example/hook",
        "https://receiver.example/" + "x" * 2048,
    ],
)
def test_a_forbidden_receiver_is_refused(directory: DirectoryFunction, url: str) -> None:
    event = event_of("POST", "/v1/webhooks", body={"url": url, "events": ["feed.*"]})
    event["requestContext"]["domainName"] = "api.example.com"

    answer = directory.call(event)

    assert (answer.status, answer.body["field"]) == (400, "url")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"events": ["feed.*"]}, "url"),
        ({"url": URL}, "events"),
        ({"url": URL, "events": []}, "events"),
        ({"url": URL, "events": ["feed.*", "RevivalRequested"]}, "events[1]"),
        ({"url": URL, "events": ["feed.*"], "tags": [" "]}, "tags[0]"),
        ({"url": URL, "events": ["feed.*"], "secret": "x"}, "secret"),
    ],
)
def test_a_field_that_cannot_be_used_is_named(directory: DirectoryFunction, body: object, field: str) -> None:
    answer = directory.post("/v1/webhooks", body)

    assert (answer.status, answer.body["field"]) == (400, field)


def test_a_tenant_has_twenty_webhooks_at_most(directory: DirectoryFunction) -> None:
    answers = [created(directory, f"https://r{number}.example/hook").status for number in range(21)]

    assert answers == [201] * 20 + [409]


def test_a_changed_url_is_tested_again_and_other_changes_are_not(directory: DirectoryFunction) -> None:
    path = created(directory).headers["Location"]
    directory.ports.webhooks.work(delays_too=True)

    events = directory.patch(path, {"events": ["items.published"]})
    moved = directory.patch(path, {"url": "https://other.example/hook"})

    assert (events.body["status"], events.body["events"]) == ("live", ["items.published"])
    assert moved.body["status"] == "untested"
    directory.ports.webhooks.work(delays_too=True)
    assert directory.get(path).body["status"] == "live"


def test_a_webhook_is_switched_off_and_on(directory: DirectoryFunction) -> None:
    path = created(directory).headers["Location"]
    directory.ports.webhooks.work(delays_too=True)

    off = directory.patch(path, {"enabled": False})
    directory.patch(path, {"enabled": True})
    directory.ports.webhooks.work(delays_too=True)

    assert (off.body["status"], off.body["disabled_because"]) == ("disabled", "owner")
    assert (directory.get(path).body["status"], directory.get(path).body["disabled_because"]) == ("live", None)


def test_a_new_secret_is_shown_once_and_never_more_than_two_sign(directory: DirectoryFunction) -> None:
    first = created(directory)
    path = first.headers["Location"]
    rotated = [check(directory.post(f"{path}/rotate"), "WebhookWithSecret") for _ in range(3)]
    directory.ports.webhooks.clock.advance(60)

    sent = check(directory.post(f"{path}/test"), "SentDelivery")
    directory.ports.webhooks.work(delays_too=True)

    assert len({first.body["secret"], *(each["secret"] for each in rotated)}) == 4
    requests = directory.ports.webhooks.poster.requests
    (request,) = [each for each in requests if each.message_id == sent["delivery_id"]]
    assert len(request.headers["webhook-signature"].split(" ")) == 2


def test_attempts_are_listed_and_sent_again(directory: DirectoryFunction) -> None:
    path = created(directory).headers["Location"]
    directory.ports.webhooks.work(delays_too=True)

    (attempt,) = check(directory.get(f"{path}/deliveries"), "DeliveryAttempts")["attempts"]
    again = directory.post(f"{path}/deliveries/{attempt['delivery_id']}/redeliver")
    replay = directory.post(f"{path}/replay", {"since": attempt["at"]})

    assert (attempt["status"], attempt["outcome"], attempt["host"]) == (204, "ok", "receiver.example")
    assert check(again, "SentDelivery")["delivery_id"] == attempt["delivery_id"]
    assert check(replay, "Replay")["status"] == "started"
    assert directory.get(f"{path}/deliveries", outcome="failed").body == {"attempts": []}


def test_tests_are_sent_in_ten_seconds_once(directory: DirectoryFunction) -> None:
    path = created(directory).headers["Location"]

    first, second = directory.post(f"{path}/test"), directory.post(f"{path}/test")

    assert (first.status, second.status, second.body["code"]) == (202, 409, "wrong_state")


def test_a_deleted_webhook_is_gone_and_its_url_is_free(directory: DirectoryFunction) -> None:
    path = created(directory).headers["Location"]

    assert directory.delete(path).status == 204
    assert {directory.get(path).status, directory.delete(path).status, directory.post(f"{path}/test").status} == {404}
    assert created(directory).status == 201


@pytest.mark.parametrize("tail", ["", "/deliveries"])
def test_another_tenants_webhook_is_not_there(directory: DirectoryFunction, tail: str) -> None:
    made = directory.ports.webhooks.create("https://theirs.example/hook", tenant_id="other").webhook

    foreign, absent = (directory.get(f"/v1/webhooks/{each}{tail}") for each in (made.webhook_id, UNKNOWN_ID))

    assert foreign.status == absent.status == 404
    assert foreign.body | {"instance": ""} == absent.body | {"instance": ""}
    assert directory.get("/v1/webhooks").body == {"webhooks": []}
