"""The directory on the whole stack, over HTTP: a URL is followed, its feed found, looked at and acted on."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.local.stack_aws import WORK_WITHIN_S, wait_until
from tests.local.stack_process import StackProcess

pytestmark = pytest.mark.local_stack


def asked(stack: StackProcess, method: str, path: str, body: object = None) -> tuple[int, Any]:
    status, _, document = stack.call(method, path, body)
    return status, document


def listed(stack: StackProcess, query: str) -> list[str]:
    """The ids of all pages of two feeds."""
    ids: list[str] = []
    cursor = ""
    while True:
        _, page = asked(stack, "GET", f"/v1/feeds?{query}&limit=2{cursor}")
        ids += [feed["id"] for feed in page["feeds"]]
        if page["cursor"] is None:
            return ids
        cursor = f"&cursor={page['cursor']}"


@pytest.fixture(scope="module")
def subscription(new_stack: StackProcess) -> Any:
    """A subscription to a home page of the made-up internet, once its search is over."""
    status, found = asked(new_stack, "POST", "/v1/subscriptions", {"url": "bakery.example", "tags": ["bread"]})
    assert (status, found["status"]) == (202, "pending")

    def look() -> Any:
        _, now = asked(new_stack, "GET", f"/v1/subscriptions/{found['id']}")
        return now if now["status"] != "pending" else None

    return wait_until(look, WORK_WITHIN_S, "the end of the search")


def test_a_home_page_is_followed_until_its_feed_is_there(new_stack: StackProcess, subscription: Any) -> None:
    assert (subscription["status"], subscription["tags"]) == ("ready", ["bread"])
    status, feed = asked(new_stack, "GET", f"/v1/feeds/{subscription['feed_id']}")
    assert (status, feed["title"], feed["state"], feed["is_canonical"]) == (200, "Bakery Diary", "healthy", True)
    _, again = asked(new_stack, "POST", "/v1/subscriptions", {"url": "https://bakery.example/"})
    assert again["id"] == subscription["id"]
    _, page = asked(new_stack, "GET", "/v1/subscriptions")
    assert subscription["id"] in [each["id"] for each in page["subscriptions"]]


def test_its_feed_is_listed_with_its_items_and_its_history(new_stack: StackProcess, subscription: Any) -> None:
    feed_id = subscription["feed_id"]
    _, feed = asked(new_stack, "GET", f"/v1/feeds/{feed_id}")
    is_stale, is_not = str(feed["stale"]).lower(), str(not feed["stale"]).lower()
    for query in ("", "domain=bakery.example", f"domain=bakery.example&stale={is_stale}", "state=healthy"):
        assert listed(new_stack, query).count(feed_id) == 1, query
    assert feed_id not in listed(new_stack, f"domain=bakery.example&stale={is_not}")
    assert feed_id not in listed(new_stack, "state=paused")
    _, found = asked(new_stack, "GET", f"/v1/feeds/{feed_id}/items")
    assert {item["title"] for item in found["items"]} >= {"Rye at last", "Up at three"}
    _, history = asked(new_stack, "GET", f"/v1/feeds/{feed_id}/audit")
    assert "registered" in [entry["action"] for entry in history["entries"]]


def test_it_is_paused_resumed_and_checked_on_request(new_stack: StackProcess, subscription: Any) -> None:
    path = f"/v1/feeds/{subscription['feed_id']}"
    status, paused = asked(new_stack, "POST", f"{path}/pause", {"why": "a test"})
    assert (status, paused["state"], paused["next_check_at"]) == (202, "paused", None)
    status, refused = asked(new_stack, "POST", f"{path}/check")
    assert (status, refused["code"]) == (409, "wrong_state")
    before = paused["last_attempt_at"]
    wait_until(lambda: time.time() > before + 1, WORK_WITHIN_S, "the next second, in which a check is another one")

    status, resumed = asked(new_stack, "POST", f"{path}/resume")
    assert (status, resumed["state"]) == (202, "healthy")
    assert asked(new_stack, "POST", f"{path}/check")[0] == 202

    def look() -> Any:
        _, now = asked(new_stack, "GET", path)
        return now if now["last_attempt_at"] != before else None

    feed = wait_until(look, WORK_WITHIN_S, "a check")
    assert feed["last_attempt_at"] > before
    assert (feed["state"], feed["last_error"]) == ("healthy", None)


def test_missing_objects_are_answered_by_the_function(new_stack: StackProcess) -> None:
    for method, path in (("GET", f"/v1/feeds/{'0' * 26}"), ("DELETE", f"/v1/subscriptions/{'0' * 26}")):
        status, problem = asked(new_stack, method, path)
        assert (status, problem["code"]) == (404, "not_found")
    status, problem = asked(new_stack, "GET", "/v1/feeds?state=dead")
    assert (status, problem["field"]) == (400, "state")
