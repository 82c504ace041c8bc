"""PATCH /v1/feeds/{id}: a person sets whether the links of a feed's new items are collected."""

from __future__ import annotations

from typing import Any, Self

import pytest

from feedward.deadline import Deadline
from feedward.health.directory_feed import DirectoryFeed
from tests.functions.directory_function import CALLER, UNKNOWN_ID, DirectoryFunction


def audit(directory: DirectoryFunction, feed_id: str) -> list[str]:
    return [entry["action"] for entry in directory.get(f"/v1/feeds/{feed_id}/audit").body["entries"]]


def test_the_setting_is_answered_and_shown_from_then_on(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    before = directory.get(f"/v1/feeds/{feed_id}").body
    assert before["collect_items"] is False

    answer = directory.patch(f"/v1/feeds/{feed_id}", {"collect_items": True})

    assert (answer.status, answer.body) == (200, before | {"collect_items": True})
    assert directory.get(f"/v1/feeds/{feed_id}").body == answer.body
    assert directory.get("/v1/feeds").body["feeds"] == [answer.body]
    assert directory.patch(f"/v1/feeds/{feed_id}", {"collect_items": False}).body == before


def test_the_history_has_the_actor_and_the_reason(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    directory.directory.clock.advance(60)

    directory.patch(f"/v1/feeds/{feed_id}", {"collect_items": True, "why": "we cite it"})

    newest = directory.get(f"/v1/feeds/{feed_id}/audit").body["entries"][0]
    assert (newest["action"], newest["by"], newest["details"]["why"]) == ("collect_items_on", CALLER, "we cite it")


@pytest.mark.parametrize("on", [True, False])
def test_an_unchanged_setting_writes_nothing(directory: DirectoryFunction, on: bool) -> None:
    feed_id = directory.feed("garden")
    directory.patch(f"/v1/feeds/{feed_id}", {"collect_items": on})
    stored, told = directory.directory.contents.feeds(), audit(directory, feed_id)

    assert directory.patch(f"/v1/feeds/{feed_id}", {"collect_items": on}).body["collect_items"] is on

    assert directory.directory.contents.feeds() == stored
    assert audit(directory, feed_id) == told


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"collect_items": "true"}, "collect_items"),
        ({"collect_items": 1}, "collect_items"),
        ({"collect_items": None}, "collect_items"),
        ({}, "collect_items"),
        ({"why": "x"}, "collect_items"),
        ({"collect_items": True, "why": 3}, "why"),
        ({"collect_items": True, "why": "x" * 501}, "why"),
        ({"collect_items": True, "state": "paused"}, "state"),
        ([], ""),
    ],
)
def test_a_field_that_cannot_be_used_is_named(directory: DirectoryFunction, body: object, field: str) -> None:
    feed_id = directory.feed("garden")
    before = directory.directory.contents.feeds()

    answer = directory.patch(f"/v1/feeds/{feed_id}", body)

    assert (answer.status, answer.body["code"], answer.body["field"]) == (400, "invalid_input", field)
    assert directory.directory.contents.feeds() == before


@pytest.mark.parametrize("body", ["", "{"])
def test_no_body_is_no_setting(directory: DirectoryFunction, body: str) -> None:
    answer = directory.patch(f"/v1/feeds/{directory.feed('garden')}", body)

    assert (answer.status, answer.body["code"]) == (400, "malformed_json")


@pytest.mark.parametrize("feed_id", [UNKNOWN_ID, "nothing"])
def test_a_missing_object_is_not_found(directory: DirectoryFunction, feed_id: str) -> None:
    answer = directory.patch(f"/v1/feeds/{feed_id}", {"collect_items": True})

    assert (answer.status, answer.body["code"]) == (404, "not_found")


def test_a_tenants_private_feed_is_not_there_for_others(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("secret", scope="acme")
    before = directory.directory.contents.feeds()

    assert directory.patch(f"/v1/feeds/{feed_id}", {"collect_items": True}).status == 404
    assert directory.directory.contents.feeds() == before


def test_the_id_of_a_merged_feed_sets_the_surviving_one(directory: DirectoryFunction) -> None:
    one, other = directory.feed("garden"), directory.feed("beds")
    directory.move(max(one, other), directory.directory.contents.feeds()[min(one, other)]["url"])

    answer = directory.patch(f"/v1/feeds/{max(one, other)}", {"collect_items": True})

    assert (answer.body["id"], answer.body["collect_items"]) == (min(one, other), True)


class Racing:
    """A store of actions in which a check writes the feed before each first call."""

    def __init__(self, directory: DirectoryFunction, times: int) -> None:
        self.directory, self.times = directory, times
        self.actions = directory.ports.feed_actions

    def within(self, _: Deadline) -> Self:
        return self

    def set_collect_items(self, feed: DirectoryFeed, on: bool, **how: Any) -> bool:
        if self.times:
            self.times -= 1
            self.directory.write(feed.feed_id, last_news_at=1 + self.times)
        return self.actions.set_collect_items(feed, on, **how)


def test_the_setting_outlasts_checks_that_write_at_the_same_time(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    directory.ports.feed_actions = Racing(directory, 3)  # type: ignore[assignment]

    assert directory.patch(f"/v1/feeds/{feed_id}", {"collect_items": True}).body["collect_items"] is True

    stored = directory.directory.contents.feeds()[feed_id]
    assert (stored["rev"], stored["last_news_at"], stored["collect_items"]) == (5, 1, True)


def test_a_feed_that_never_stands_still_is_a_conflict(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    directory.ports.feed_actions = Racing(directory, 100)  # type: ignore[assignment]

    answer = directory.patch(f"/v1/feeds/{feed_id}", {"collect_items": True})

    assert (answer.status, answer.body["code"]) == (409, "conflict")
