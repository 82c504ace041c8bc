"""Push on the local stack, with the hub of the made-up internet: it verifies, tells, lies and replays."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import ssl
import time
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from feedward_local.demo.deployment import INTERNET_FILE
from feedward_local.demo.hub import HUB_HOST, PUBLIC_BASE_URL, topic_of
from feedward_local.demo.network import Network
from tests.local.stack_aws import StackAws
from tests.local.stack_process import StackProcess

WITHIN_S: Final = 60.0
GUESSED: Final = "0123456789abcdef" * 3


class HubOfTheStack:
    """The hub, the API, and the pass of subscriptions, which otherwise runs each minute."""

    def __init__(self, stack: StackProcess) -> None:
        self.stack, self.aws = stack, StackAws(next(stack.state.rglob("ministack.url")).parent)

    def ask(self, method: str, path: str) -> Any:
        """A request to the hub."""
        network = Network.read(next(self.stack.state.rglob(INTERNET_FILE)))
        with socket.create_connection(("127.0.0.1", network.https_port), timeout=60) as plain:
            secure = network.tls_context().wrap_socket(plain, server_hostname=HUB_HOST)
            connection = http.client.HTTPSConnection(HUB_HOST, context=ssl.create_default_context())
            connection.sock = secure
            connection.request(method, path)
            with connection.getresponse() as answer:
                return json.loads(answer.read())

    def registered(self, name: str) -> str:
        answer = self.stack.canonicalize(url=topic_of(name), register=True)
        return str(answer["feed_id"])

    def feed(self, feed_id: str) -> dict[str, Any]:
        return dict(self.stack.call("GET", f"/v1/feeds/{feed_id}")[2])

    def items(self, feed_id: str) -> int:
        return len(self.stack.call("GET", f"/v1/feeds/{feed_id}/items")[2]["items"])

    def check(self, feed_id: str) -> None:
        assert self.stack.call("POST", f"/v1/feeds/{feed_id}/check")[0] in (200, 202)

    def drive(self) -> dict[str, Any]:
        answer = self.aws.client("lambda").invoke(
            FunctionName=self.aws.ids["HealthCheckFunction"], Payload=json.dumps({"do": "push"})
        )
        report: dict[str, Any] = json.loads(answer["Payload"].read())
        return report

    def callback_of(self, name: str) -> str | None:
        found = [each["callback"] for each in self.ask("GET", "/subscriptions") if each["topic"] == topic_of(name)]
        return found[0] if found else None

    def subscribed(self, name: str) -> str:
        """A feed that has news, so that its document is read again and its hub is known."""
        feed_id = self.registered(name)
        self.ask("POST", f"/new?feed={name}&quiet=1")
        self.check(feed_id)
        wait_for(lambda: self.items(feed_id) == 2)
        wait_for(lambda: self.drive() and self.callback_of(name))
        return feed_id

    def call(self, method: str, callback: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
        """A request to the callback, as any client can send it."""
        front = urlsplit(self.stack.url)
        connection = http.client.HTTPConnection(front.hostname or "", front.port, timeout=60)
        with contextlib.closing(connection):
            connection.request(method, callback.removeprefix(PUBLIC_BASE_URL), body=body or None, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read()


def wait_for(look: Callable[[], Any]) -> Any:
    """Look until there is something."""
    deadline = time.monotonic() + WITHIN_S
    while time.monotonic() < deadline:
        if found := look():
            return found
        time.sleep(0.2)
    raise AssertionError("nothing came")


@pytest.fixture(scope="module")
def hub(new_stack: StackProcess, answers: object) -> HubOfTheStack:
    return HubOfTheStack(new_stack)


def test_news_that_the_hub_tells_is_found_at_once(hub: HubOfTheStack) -> None:
    feed_id = hub.subscribed("tide")
    wait_for(lambda: hub.feed(feed_id)["push"] == "on trial")

    assert hub.ask("POST", "/new?feed=tide") == [204]
    wait_for(lambda: hub.items(feed_id) == 3)

    assert hub.feed(feed_id)["push"] == "on trial"
    for sign in ("none", "wrong", "md5"):
        assert hub.ask("POST", f"/new?feed=tide&replay=1&sign={sign}") == [204]


def test_a_hub_may_verify_before_it_answers(hub: HubOfTheStack) -> None:
    feed_id = hub.subscribed("early-bird")

    assert hub.feed(feed_id)["push"] == "on trial"


@pytest.mark.parametrize("name", ["dead-end", "short-lease"])
def test_a_hub_that_is_no_use_leaves_the_feed_as_it_was(hub: HubOfTheStack, name: str) -> None:
    feed_id = hub.registered(name)
    hub.ask("POST", f"/new?feed={name}&quiet=1")
    hub.check(feed_id)
    wait_for(lambda: hub.items(feed_id) == 2)
    wait_for(hub.drive)

    assert hub.callback_of(name) is None
    assert hub.feed(feed_id)["push"] == "none"


def test_a_client_that_guesses_the_token_of_a_callback_learns_nothing(hub: HubOfTheStack) -> None:
    feed_id = hub.subscribed("quay")
    callback = str(hub.callback_of("quay"))
    token = callback.rpartition("/")[2]
    unknown, body = "0" * 26, b"x" * 5_000_000
    question = f"?hub.mode=subscribe&hub.topic={topic_of('quay')}&hub.challenge=abc"

    strangers = (("GET", question, b""), ("POST", "", b"<rss/>"), ("POST", "", body), ("PUT", "", b"x"))
    guesses = [
        [hub.call(method, f"/v1/push/{feed}/{GUESSED}{query}", sent) for feed in (feed_id, unknown)]
        for method, query, sent in strangers
    ]
    for of_feed, of_unknown in guesses:
        assert of_feed[0] == of_unknown[0]
        assert _without_id(of_feed[1]) == _without_id(of_unknown[1])
    assert [each[0][0] for each in guesses] == [404, 410, 413, 405]

    assert hub.call("GET", f"{callback}{question}") == (200, b"abc")
    assert hub.call("GET", f"{callback}{question}".replace("quay", "other", 1))[0] == 404
    assert hub.call("GET", f"{callback}{question.replace('subscribe', 'unsubscribe')}")[0] == 404
    assert hub.call("POST", callback, b"<rss/>", **{"X-Hub-Signature": "sha1=00"})[0] == 204
    assert hub.call("POST", callback, body)[0] == 413
    assert token not in hub.stack.shown
    assert token not in (hub.aws.state / "functions.log").read_text(errors="replace")


def _without_id(body: bytes) -> dict[str, Any]:
    return {name: value for name, value in json.loads(body).items() if name != "instance"}
