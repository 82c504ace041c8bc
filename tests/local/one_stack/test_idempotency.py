"""Requests with an Idempotency-Key on the whole stack, over HTTP, and feeds that are checked from the command line."""

from __future__ import annotations

import json
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.local.command_line import Done, run_command
from tests.local.stack_process import StackProcess

pytestmark = pytest.mark.local_stack


def post(stack: StackProcess, path: str, body: object, key: str) -> tuple[int, Any]:
    status, _, document = stack.call("POST", path, body, {"idempotency-key": key})
    return status, document


def check(stack: StackProcess, *arguments: str) -> Done:
    return run_command("check", *arguments, "--api", stack.url)


@pytest.fixture(scope="module")
def feed(new_stack: StackProcess, answers: dict[str, Any]) -> tuple[str, str]:
    """The id and the URL of a feed that was registered under a key, once the stories have been asked for."""
    key, body = str(uuid.uuid4()), {"url": "https://paper.example/feed", "register": True, "candidates": False}
    first = post(new_stack, "/v1/canonicalize", body, key)
    assert first[0] == 200
    assert answers
    assert post(new_stack, "/v1/canonicalize", body, key) == first
    return first[1]["feed_id"], first[1]["url"]


def test_a_request_that_is_sent_again_is_answered_again_and_done_once(
    new_stack: StackProcess, feed: tuple[str, str]
) -> None:
    key, path = str(uuid.uuid4()), f"/v1/feeds/{feed[0]}"
    paused = post(new_stack, f"{path}/pause", {"why": "a test"}, key)
    assert (paused[0], paused[1]["state"]) == (202, "paused")
    assert new_stack.call("POST", f"{path}/resume")[0] == 202

    assert post(new_stack, f"{path}/pause", {"why": "a test"}, key) == paused
    assert new_stack.call("GET", path)[2]["state"] == "healthy"
    status, problem = post(new_stack, f"{path}/pause", {"why": "another"}, key)
    assert (status, problem["code"], problem["field"]) == (422, "idempotency_key_reused", "Idempotency-Key")
    status, problem = post(new_stack, f"{path}/pause", {}, "two words")
    assert (status, problem["field"]) == (400, "Idempotency-Key")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/discoveries", {"url": "https://orchard.example/", "refresh": True}),
        ("/v1/subscriptions", {"url": "https://orchard.example/"}),
    ],
)
def test_every_function_keeps_the_promise(new_stack: StackProcess, path: str, body: object) -> None:
    key = str(uuid.uuid4())
    first = post(new_stack, path, body, key)

    assert first[0] in (200, 202)
    assert post(new_stack, path, body, key) == first


def test_of_many_at_once_one_is_done(new_stack: StackProcess, feed: tuple[str, str]) -> None:
    key, body = str(uuid.uuid4()), {"url": "https://orchard.example/", "refresh": True}
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: post(new_stack, "/v1/discoveries", body, key), range(8)))

    answers = [document for status, document in found if status != 409]
    assert answers
    assert answers == [answers[0]] * len(answers)
    assert {document["code"] for status, document in found if status == 409} <= {"idempotency_key_in_use"}
    assert post(new_stack, "/v1/discoveries", body, key)[1] == answers[0]


# --- feedward check -----------------------------------------------------------------------------------


def test_a_feed_is_checked_by_its_id_and_by_a_url(new_stack: StackProcess, feed: tuple[str, str]) -> None:
    feed_id, url = feed
    done = check(new_stack, feed_id, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["feed"]["id"], told["feed"]["state"]) == (feed_id, "healthy")
    assert done.stderr == f"requested a check of {url}\n"

    done = check(new_stack, url)
    assert (done.returncode, done.stdout.split()[0]) == (0, feed_id), done.stderr
    assert "  no new items  next check " in done.stdout


def test_feeds_that_cannot_be_checked_are_reported(new_stack: StackProcess) -> None:
    done = check(new_stack, "0" * 26, "https://nowhere.example/feed")
    assert (done.returncode, done.stdout) == (1, "")
    assert "there is no feed with this id" in done.stderr
    assert "https://nowhere.example/feed: the directory has no feed with this URL" in done.stderr
