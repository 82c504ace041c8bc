"""The directory function's answers about subscriptions."""

from __future__ import annotations

import pytest

from feedward.subscriptions.subscription import Failure, failed
from tests.fakes.directory import NOW
from tests.functions.conftest import Answer
from tests.functions.directory_function import UNKNOWN_ID, DirectoryFunction


def subscribed(directory: DirectoryFunction, url: str = "https://garden.example/", **fields: object) -> Answer:
    return directory.post("/v1/subscriptions", {"url": url, **fields})


def test_any_url_is_subscribed_to_while_its_feed_is_looked_for(directory: DirectoryFunction) -> None:
    answer = subscribed(directory, "garden.example", title=" My  garden ", tags=["green", "green", "beds"])

    assert answer.status == 202
    assert answer.headers["Location"] == f"/v1/subscriptions/{answer.body['id']}"
    assert {name: value for name, value in answer.body.items() if name != "id"} == {
        "url": "garden.example",
        "status": "pending",
        "title": "My garden",
        "tags": ["green", "beds"],
        "feed_id": None,
        "duplicate_of": None,
        "failure": None,
        "reason": None,
        "created_at": NOW,
        "updated_at": NOW,
        "asked_at": NOW,
        "settled_at": None,
    }
    assert directory.get(answer.headers["Location"]).body == answer.body
    detail = directory.detail("SubscriptionCreated")
    assert (detail["subscription_id"], detail["url"], detail["tenant_id"]) == (
        answer.body["id"],
        "garden.example",
        None,
    )


def test_the_answer_is_202_though_the_bus_is_away(directory: DirectoryFunction) -> None:
    directory.directory.bus.events.fails = 20

    assert subscribed(directory).status == 202


def test_another_spelling_is_the_same_subscription(directory: DirectoryFunction) -> None:
    first = subscribed(directory).body

    again = subscribed(directory, "http://GARDEN.example", tags=["new"]).body

    assert (again["id"], again["tags"]) == (first["id"], ["new"])
    assert directory.told == ["SubscriptionCreated"]


def test_a_subscription_that_has_its_feed_is_answered_at_once(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    first = subscribed(directory).body
    stored = directory.ports.subscriptions.get(None, first["id"])
    assert stored is not None
    directory.ports.subscriptions.make_ready(stored, feed_id=feed_id, now=NOW)

    answer = subscribed(directory)

    assert (answer.status, answer.body["status"], answer.body["feed_id"]) == (200, "ready", feed_id)


def test_one_that_failed_says_why(directory: DirectoryFunction) -> None:
    first = subscribed(directory).body
    stored = directory.ports.subscriptions.get(None, first["id"])
    assert stored is not None
    directory.ports.subscriptions.save(failed(stored, failure=Failure.NO_FEED, reason="the site has none", now=NOW))

    found = directory.get(f"/v1/subscriptions/{first['id']}").body

    assert (found["status"], found["failure"], found["reason"]) == ("failed", "no_feed", "the site has none")


def test_subscriptions_are_listed_page_by_page_oldest_first(directory: DirectoryFunction) -> None:
    ids = []
    for number in range(5):
        directory.directory.clock.advance(1)
        ids.append(subscribed(directory, f"https://{number}.example/").body["id"])

    first = directory.get("/v1/subscriptions", limit="3").body
    second = directory.get("/v1/subscriptions", limit="3", cursor=first["cursor"]).body

    assert [each["id"] for each in (*first["subscriptions"], *second["subscriptions"])] == ids
    assert second["cursor"] is None


def test_a_deleted_subscription_is_gone_and_its_feed_stays(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    first = subscribed(directory).body
    stored = directory.ports.subscriptions.get(None, first["id"])
    assert stored is not None
    directory.ports.subscriptions.make_ready(stored, feed_id=feed_id, now=NOW)

    answer = directory.delete(f"/v1/subscriptions/{first['id']}")

    assert (answer.status, answer.body) == (204, None)
    assert "Content-Type" not in answer.headers
    assert directory.get(f"/v1/subscriptions/{first['id']}").status == 404
    assert directory.delete(f"/v1/subscriptions/{first['id']}").status == 404
    assert directory.get(f"/v1/feeds/{feed_id}").body["state"] == "healthy"


def test_subscriptions_of_tenants_are_not_the_deployments_own(directory: DirectoryFunction) -> None:
    first = subscribed(directory).body
    stored = directory.ports.subscriptions.get(None, first["id"])

    assert stored is not None
    assert stored.tenant_id is None
    assert directory.ports.subscriptions.get("acme", first["id"]) is None


@pytest.mark.parametrize("subscription_id", [UNKNOWN_ID, "nothing"])
def test_a_missing_object_is_not_found(directory: DirectoryFunction, subscription_id: str) -> None:
    for answer in (
        directory.get(f"/v1/subscriptions/{subscription_id}"),
        directory.delete(f"/v1/subscriptions/{subscription_id}"),
    ):
        assert (answer.status, answer.body["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "url"),
        ({"url": None}, "url"),
        ({"url": ""}, "url"),
        ({"url": "two words"}, "url"),
        ({"url": "http://127.0.0.1/"}, "url"),
        ({"url": "https://me:secret@example.com/"}, "url"),
        ({"url": "x" * 2049}, "url"),
        ({"url": "a.example", "title": 3}, "title"),
        ({"url": "a.example", "title": "x" * 501}, "title"),
        ({"url": "a.example", "tags": "green"}, "tags"),
        ({"url": "a.example", "tags": ["green", 3]}, "tags[1]"),
        ({"url": "a.example", "tags": ["x" * 101]}, "tags[0]"),
        ({"url": "a.example", "tags": ["\u200b"]}, "tags[0]"),
        ({"url": "a.example", "tags": [str(number) for number in range(51)]}, "tags"),
        ({"url": "a.example", "feed_id": UNKNOWN_ID}, "feed_id"),
    ],
)
def test_a_field_that_cannot_be_used_is_named(directory: DirectoryFunction, body: object, field: str) -> None:
    answer = directory.post("/v1/subscriptions", body)

    assert (answer.status, answer.body["code"], answer.body["field"]) == (400, "invalid_input", field)
    assert directory.told == []


@pytest.mark.parametrize(
    ("parameters", "field"),
    [({"limit": "0"}, "limit"), ({"limit": "201"}, "limit"), ({"cursor": "x"}, "cursor"), ({"tag": "x"}, "tag")],
)
def test_a_parameter_that_cannot_be_used_is_named(
    directory: DirectoryFunction, parameters: dict[str, str], field: str
) -> None:
    answer = directory.get("/v1/subscriptions", **parameters)

    assert (answer.status, answer.body["field"]) == (400, field)
