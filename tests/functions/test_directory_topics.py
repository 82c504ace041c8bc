"""Topics through the API: approve, reject, list, history (rules T2, TP3, TP4)."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.topics.feed_topics import suggested
from tests.functions.directory_function import CALLER, UNKNOWN_ID, DirectoryFunction, make_directory_function


@pytest.fixture
def directory_function() -> DirectoryFunction:
    return make_directory_function()


@pytest.fixture
def feed(directory_function: DirectoryFunction) -> str:
    return directory_function.feed("garden", topics=suggested((), ["Gardening", "Kites"]))


def topics(function: DirectoryFunction, feed: str) -> dict[str, str]:
    return {each["name"]: each["state"] for each in function.get(f"/v1/feeds/{feed}").body["topics"]}


def test_suggestions_are_shown_on_the_feed_but_not_in_lists(directory_function: DirectoryFunction, feed: str) -> None:
    assert topics(directory_function, feed) == {"Home & Garden": "suggested", "Kites": "suggested"}
    [listed] = directory_function.get("/v1/feeds").body["feeds"]
    assert listed["topics"] == []


def test_a_person_approves_and_rejects(directory_function: DirectoryFunction, feed: str) -> None:
    body = {"approve": ["garden", "Tech"], "reject": ["kites"], "why": "read it"}

    answer = directory_function.post(f"/v1/feeds/{feed}/topics", body)

    assert answer.status == 200
    expected = {"Home & Garden": "approved", "Technology": "approved", "Kites": "rejected"}
    assert {each["name"]: each["state"] for each in answer.body["topics"]} == expected
    assert topics(directory_function, feed) == expected
    entry = directory_function.get(f"/v1/feeds/{feed}/audit").body["entries"][0]
    assert (entry["action"], entry["by"], entry["details"]["why"]) == ("topics_decided", CALLER, "read it")


@pytest.mark.parametrize("name", ["technology", "Tech", "TECHNOLOGY", "Tech News"])
def test_a_list_by_topic_takes_each_name_of_it(directory_function: DirectoryFunction, feed: str, name: str) -> None:
    directory_function.feed("other")
    directory_function.post(f"/v1/feeds/{feed}/topics", {"approve": ["technology"]})

    found = directory_function.get("/v1/feeds", topic=name).body["feeds"]

    assert [each["id"] for each in found] == [feed]
    assert found[0]["topics"] == [{"id": "technology", "name": "Technology", "state": "approved"}]


def test_filters_are_combined(directory_function: DirectoryFunction, feed: str) -> None:
    directory_function.post(f"/v1/feeds/{feed}/topics", {"approve": ["technology"]})

    for filters, found in (
        ({"state": "healthy"}, [feed]),
        ({"state": "paused"}, []),
        ({"domain": "example.com"}, [feed]),
        ({"domain": "example.org"}, []),
    ):
        page = directory_function.get("/v1/feeds", topic="technology", **filters).body["feeds"]
        assert [each["id"] for each in page] == found


def test_the_same_decision_again_writes_nothing(directory_function: DirectoryFunction, feed: str) -> None:
    for _ in range(2):
        directory_function.post(f"/v1/feeds/{feed}/topics", {"approve": ["Tech"]})

    entries = directory_function.get(f"/v1/feeds/{feed}/audit").body["entries"]
    assert [each["action"] for each in entries] == ["topics_decided", "registered"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "approve"),
        ({"approve": []}, "approve"),
        ({"approve": "Tech"}, "approve"),
        ({"approve": ["Tech", " "]}, "approve[1]"),
        ({"approve": ["x" * 81]}, "approve[0]"),
        ({"approve": ["Tech"], "reject": ["technology"]}, "reject"),
        ({"reject": [3]}, "reject[0]"),
        ({"approve": ["Tech"], "name": "x"}, "name"),
    ],
)
def test_a_decision_that_cannot_be_used_names_the_field(
    directory_function: DirectoryFunction, feed: str, body: dict[str, Any], field: str
) -> None:
    answer = directory_function.post(f"/v1/feeds/{feed}/topics", body)

    assert (answer.status, answer.body["field"]) == (400, field)


def test_too_many_topics_are_refused(directory_function: DirectoryFunction, feed: str) -> None:
    for start in (0, 20):
        names = [f"topic x{number}" for number in range(start, start + 19)]
        assert directory_function.post(f"/v1/feeds/{feed}/topics", {"approve": names}).status == 200

    answer = directory_function.post(f"/v1/feeds/{feed}/topics", {"approve": ["one more"]})

    assert (answer.status, answer.body["field"]) == (400, "approve")


def test_an_unknown_feed_is_not_found(directory_function: DirectoryFunction) -> None:
    assert directory_function.post(f"/v1/feeds/{UNKNOWN_ID}/topics", {"approve": ["Tech"]}).status == 404


def test_a_topic_that_is_no_name_is_refused(directory_function: DirectoryFunction) -> None:
    answer = directory_function.get("/v1/feeds", topic="  ")

    assert (answer.status, answer.body["field"]) == (400, "topic")
