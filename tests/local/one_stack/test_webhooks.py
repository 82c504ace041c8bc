"""Webhooks on the local stack, as a person uses them: a signed delivery, failures, and refusals."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import time
from collections.abc import Callable
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook

from feedward_local.demo.deployment import INTERNET_FILE
from feedward_local.demo.network import Network
from feedward_local.demo.receiver import RECEIVED_PATH, RECEIVER_HOST
from tests.local.stack_process import StackProcess

WITHIN_S = 60.0


def received(stack: StackProcess) -> list[dict[str, Any]]:
    """The requests that the receiver got."""
    network = Network.read(next(stack.state.rglob(INTERNET_FILE)))
    with socket.create_connection(("127.0.0.1", network.https_port), timeout=10) as plain:
        secure = network.tls_context().wrap_socket(plain, server_hostname=RECEIVER_HOST)
        connection = http.client.HTTPSConnection(RECEIVER_HOST, context=ssl.create_default_context())
        connection.sock = secure
        connection.request("GET", RECEIVED_PATH)
        found: list[dict[str, Any]] = json.loads(connection.getresponse().read())
    return found


def wait_for(look: Callable[[], Any]) -> Any:
    """Look until there is something."""
    deadline = time.monotonic() + WITHIN_S
    while time.monotonic() < deadline:
        if found := look():
            return found
        time.sleep(0.2)
    raise AssertionError("nothing came")


def created(stack: StackProcess, path: str, *events: str) -> dict[str, Any]:
    status, _, answer = stack.call(
        "POST", "/v1/webhooks", {"url": f"https://{RECEIVER_HOST}{path}", "events": list(events)}
    )
    assert status == 201, answer
    return dict(answer)


def status_of(stack: StackProcess, webhook: dict[str, Any]) -> str:
    return str(stack.call("GET", f"/v1/webhooks/{webhook['id']}")[2]["status"])


def test_an_event_arrives_signed_at_a_webhook_that_was_tested(stack: StackProcess) -> None:
    webhook = created(stack, "/local", "subscription.*")
    wait_for(lambda: status_of(stack, webhook) == "live")
    stack.call("POST", "/v1/subscriptions", {"url": "https://garden.example/"})

    def arrived() -> list[dict[str, Any]]:
        own = [each for each in received(stack) if each["path"] == "/local"]
        return [each for each in own if json.loads(each["body"])["type"].startswith("subscription.")]

    request = wait_for(arrived)[0]
    document = Webhook(webhook["secret"]).verify(request["body"], request["headers"])
    assert document["data"]["url"] == "https://garden.example/"

    def attempt_is_listed() -> bool:
        attempts = stack.call("GET", f"/v1/webhooks/{webhook['id']}/deliveries")[2]["attempts"]
        return request["headers"]["webhook-id"] in {each["delivery_id"] for each in attempts}

    wait_for(attempt_is_listed)  # an attempt is stored after the receiver's answer
    stack.call("DELETE", f"/v1/webhooks/{webhook['id']}")


def test_a_receiver_that_answers_410_is_never_live(stack: StackProcess) -> None:
    webhook = created(stack, "/local/410", "feed.*")

    def failed() -> Any:
        path = f"/v1/webhooks/{webhook['id']}/deliveries?outcome=failed"
        return stack.call("GET", path)[2]["attempts"]

    (attempt,) = wait_for(failed)
    assert (attempt["status"], attempt["outcome"], attempt["next_at"]) == (410, "gone", None)
    assert status_of(stack, webhook) == "untested"
    stack.call("DELETE", f"/v1/webhooks/{webhook['id']}")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "10.0.0.1", "169.254.169.254"])
def test_the_stacks_own_host_and_private_ones_are_refused(stack: StackProcess, host: str) -> None:
    port = stack.url.rpartition(":")[2]
    for url in (f"https://{host}/v1/feeds", f"https://{host}:{port}/v1/feeds", f"http://{host}:{port}/v1/feeds"):
        status, _, answer = stack.call("POST", "/v1/webhooks", {"url": url, "events": ["feed.*"]})
        assert (status, answer["field"]) == (400, "url")


def test_each_of_some_healthy_receivers_gets_each_event_though_others_fail(stack: StackProcess) -> None:
    paths = ("/load/a", "/load/b", "/load/c")
    made = [created(stack, path, "subscription.created") for path in paths]
    failing = created(stack, "/turns", "subscription.created")  # the receiver fails there after the test event
    wait_for(lambda: all(status_of(stack, each) == "live" for each in (*made, failing)))
    urls = [f"https://load{number}.example/" for number in range(12)]
    for url in urls:
        assert stack.call("POST", "/v1/subscriptions", {"url": url})[0] == 202

    def arrived() -> dict[str, list[str]]:
        got: dict[str, list[str]] = {path: [] for path in paths}
        for each in received(stack):
            document = json.loads(each["body"])
            if each["path"] in got and document["data"].get("url") in urls:
                got[each["path"]].append(document["data"]["url"])
        return got

    wait_for(lambda: all(set(each) == set(urls) for each in arrived().values()))
    counts = [len(each) for each in arrived().values()]
    assert sum(counts) / (len(urls) * len(counts)) < 1.05
    for each in (*made, failing):
        assert stack.call("DELETE", f"/v1/webhooks/{each['id']}")[0] == 204
