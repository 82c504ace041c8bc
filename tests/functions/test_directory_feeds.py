"""The directory function's answers about feeds: one, a list, items, history, and unknown ids."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

import pytest

from feedward.api import feeds as feeds_request
from feedward.errors import InvalidInput
from feedward.health.directory_feed import FeedQuery
from feedward.model import FeedFormat, Item, Outcome
from feedward.services.directory import read_feeds
from tests.fakes.directory import NOW
from tests.functions.conftest import read_event
from tests.functions.directory_function import CALLER, UNKNOWN_ID, DirectoryFunction, event_of, forged

DAY = 86_400


# --- one feed -----------------------------------------------------------------------------------------


def test_a_feed_is_answered_with_all_that_is_known_of_it(directory: DirectoryFunction) -> None:
    feed_id = directory.feed(
        "garden",
        title="Garden",
        description="Beds",
        site_url="https://example.com/",
        language="en",
        hub_urls=("https://hub.example.com/",),
        format=FeedFormat.RSS,
        http_status=200,
        latest_item_published_at=NOW - DAY,
        median_gap_s=7200,
        site_id="5" * 64,
        is_canonical=True,
        canonical_score=1250,
    )

    answer = directory.get(f"/v1/feeds/{feed_id}")

    next_check_at = answer.body.pop("next_check_at")
    every_s = answer.body.pop("check_every_s")
    assert every_s >= 7200
    assert NOW + every_s * 2 // 3 <= next_check_at <= NOW + every_s
    assert answer.status == 200
    assert answer.body == {
        "id": feed_id,
        "url": "https://example.com/garden",
        "is_private": False,
        "created_at": NOW,
        "collect_items": False,
        "state": "healthy",
        "stale": False,
        "consecutive_failures": 0,
        "first_failure_at": None,
        "unhealthy_since": None,
        "last_success_at": NOW,
        "last_attempt_at": NOW,
        "last_http_status": 200,
        "last_outcome": "ok",
        "last_error": None,
        "last_revival_at": None,
        "never_fetched": False,
        "push": "none",
        "topics": [],
        "latest_item_published_at": NOW - DAY,
        "avg_update_interval": 7200,
        "title": "Garden",
        "description": "Beds",
        "site_url": "https://example.com/",
        "language": "en",
        "hub_urls": ["https://hub.example.com/"],
        "format": "rss",
        "site_id": "5" * 64,
        "is_canonical": True,
        "canonical_score": 1250,
    }


def test_a_feed_that_fails_says_why_in_words(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    directory.write(
        feed_id,
        state="degraded",
        consecutive_failures=2,
        last_outcome=Outcome.GONE.value,
        last_http_status=410,
        failures={"first_failure_at": NOW - 60, "first_gone_at": NOW - 60},
    )

    found = directory.get(f"/v1/feeds/{feed_id}").body

    assert (found["state"], found["consecutive_failures"], found["first_failure_at"]) == ("degraded", 2, NOW - 60)
    assert (found["last_outcome"], found["last_http_status"]) == ("gone", 410)
    assert found["last_error"] == "the server says that the feed is gone for good"


def test_a_feed_is_stale_by_the_time_that_it_is_asked_for(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden", latest_item_published_at=NOW, median_gap_s=DAY)
    assert directory.get(f"/v1/feeds/{feed_id}").body["stale"] is False

    directory.directory.clock.advance(30 * DAY)

    assert directory.get(f"/v1/feeds/{feed_id}").body["stale"] is True


def test_a_merged_feed_is_the_surviving_one(directory: DirectoryFunction) -> None:
    first, second = sorted([directory.feed("a"), directory.feed("b")])
    feeds = directory.directory.contents.feeds()
    directory.move(second, feeds[first]["url"])

    for path in ("", "/items", "/audit"):
        answer = directory.get(f"/v1/feeds/{second}{path}")
        assert (answer.status, answer.body.get("id") or answer.body["feed_id"]) == (200, first)


@pytest.mark.parametrize("path", ["", "/items", "/audit"])
@pytest.mark.parametrize("feed_id", [UNKNOWN_ID, "nothing", "0" * 64, "%20"])
def test_a_missing_object_is_not_found(directory: DirectoryFunction, path: str, feed_id: str) -> None:
    answer = directory.get(f"/v1/feeds/{feed_id}{path}")

    assert (answer.status, answer.body["code"]) == (404, "not_found")
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["", "/items", "/audit"])
def test_a_tenants_private_feed_is_not_there_for_others(directory: DirectoryFunction, path: str) -> None:
    feed_id = directory.feed("secret", scope="acme")

    assert directory.get(f"/v1/feeds/{feed_id}{path}").status == 404
    assert directory.get("/v1/feeds").body == {"feeds": [], "cursor": None}


def test_the_last_items_are_listed_newest_first(directory: DirectoryFunction) -> None:
    items = (
        Item(id="urn:2", url="https://example.com/2", title="Second", published_at=NOW - 5),
        Item(id="urn:1", title="First", published_at=NOW - 50, updated_at=NOW - 40),
    )
    feed_id = directory.feed("garden", items=items)

    answer = directory.get(f"/v1/feeds/{feed_id}/items")

    assert answer.body["feed_id"] == feed_id
    assert answer.body["items"][0] == {
        "id": "urn:2",
        "url": "https://example.com/2",
        "title": "Second",
        "published_at": NOW - 5,
        "updated_at": None,
        "first_seen_at": NOW,
    }
    assert [item["title"] for item in answer.body["items"]] == ["Second", "First"]


# --- history ------------------------------------------------------------------------------------------


def test_history_is_listed_newest_first_in_pages(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    for action in ("pause", "resume", "pause"):
        directory.directory.clock.advance(60)
        directory.post(f"/v1/feeds/{feed_id}/{action}")

    first = directory.get(f"/v1/feeds/{feed_id}/audit", limit="3").body
    second = directory.get(f"/v1/feeds/{feed_id}/audit", limit="3", cursor=first["cursor"]).body

    assert [entry["action"] for entry in first["entries"]] == ["paused", "resumed", "paused"]
    assert [entry["action"] for entry in second["entries"]] == ["registered"]
    assert second["cursor"] is None
    newest = first["entries"][0]
    assert (newest["by"], newest["at"], newest["details"]["state_after"]) == (CALLER, NOW + 180, "paused")


@pytest.mark.parametrize("parameters", [{}, {"domain": "example.com"}, {"state": "healthy"}])
@pytest.mark.parametrize("part", [0, 1])
def test_a_cursor_at_a_place_that_no_list_has_is_refused(
    directory: DirectoryFunction, parameters: dict[str, str], part: int
) -> None:
    for number in range(40):
        directory.feed(str(number))
    cursor = directory.get("/v1/feeds", **parameters, limit="1").body["cursor"]

    for each in forged(cursor, part=part):
        answer = directory.get("/v1/feeds", **parameters, cursor=each)
        assert (answer.status, answer.body.get("field")) == (400, "cursor"), each


def test_a_cursor_of_another_history_is_refused(directory: DirectoryFunction) -> None:
    one, other = directory.feed("one"), directory.feed("other")
    for _ in range(2):
        directory.post(f"/v1/feeds/{one}/pause")
    cursor = directory.get(f"/v1/feeds/{one}/audit", limit="1").body["cursor"]

    answer = directory.get(f"/v1/feeds/{other}/audit", cursor=cursor)

    assert (answer.status, answer.body["field"]) == (400, "cursor")


# --- lists --------------------------------------------------------------------------------------------


def listed(directory: DirectoryFunction, **parameters: str) -> list[str]:
    """The ids of all pages."""
    found: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = directory.get("/v1/feeds", **parameters, **cursor).body
        found += [feed["id"] for feed in page["feeds"]]
        if page["cursor"] is None:
            return found
        cursor = {"cursor": page["cursor"]}


@pytest.mark.parametrize("limit", ["1", "7", "100"])
def test_pages_have_each_feed_once(directory: DirectoryFunction, limit: str) -> None:
    ids = sorted(directory.feed(f"f{number}") for number in range(23))

    for query in ({}, {"state": "healthy"}, {"domain": "example.com"}, {"stale": "false"}):
        assert sorted(listed(directory, limit=limit, **query)) == ids


def test_feeds_are_listed_by_state_domain_and_staleness(directory: DirectoryFunction) -> None:
    a = directory.feed("a", latest_item_published_at=NOW - 400 * DAY)
    b = directory.feed("b", "https://blog.example.com/b")
    c = directory.feed("c", "https://other.example.org/c")
    directory.post(f"/v1/feeds/{c}/pause")

    assert listed(directory, state="paused") == [c]
    assert sorted(listed(directory, state="healthy")) == sorted([a, b])
    assert listed(directory, state="unhealthy") == []
    assert listed(directory, stale="true") == [a]
    assert sorted(listed(directory, stale="false")) == sorted([b, c])
    assert sorted(listed(directory, domain="example.com")) == sorted([a, b])
    assert listed(directory, domain="blog.example.com") == [b]
    assert listed(directory, domain="Other.Example.ORG.") == [c]
    assert listed(directory, domain="log.example.com") == []
    assert listed(directory, domain="example.org", state="healthy") == []
    assert listed(directory, domain="example.com", stale="true") == [a]
    assert sorted(listed(directory)) == sorted([a, b, c])


def test_a_page_that_finds_little_ends_and_the_next_goes_on(
    directory: DirectoryFunction, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_feeds, "_LISTED_AT_MOST", 5)
    for number in range(12):
        directory.feed(f"f{number}")
    stale = directory.feed("stale", latest_item_published_at=NOW - 400 * DAY)

    first = directory.get("/v1/feeds", domain="example.com", stale="true").body

    assert len(first["feeds"]) <= 1
    assert first["cursor"] is not None
    assert listed(directory, domain="example.com", stale="true") == [stale]


@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ({"state": "dead"}, "state"),
        ({"state": ""}, "state"),
        ({"state": "healthy,paused"}, "state"),
        ({"domain": ""}, "domain"),
        ({"domain": "https://example.com/"}, "domain"),
        ({"domain": "two words"}, "domain"),
        *(({"domain": f"a.example{joint}b.example"}, "domain") for joint in (",", ";", "|", ", ", "..")),
        ({"domain": "*.example.com"}, "domain"),
        ({"stale": "true,true"}, "stale"),
        ({"limit": "5,5"}, "limit"),
        ({"domain": "me@example.com"}, "domain"),
        ({"domain": "x" * 300}, "domain"),
        ({"stale": "yes"}, "stale"),
        ({"limit": "0"}, "limit"),
        ({"limit": "101"}, "limit"),
        ({"limit": "-1"}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"limit": "²"}, "limit"),
        ({"cursor": ""}, "cursor"),
        ({"cursor": "x"}, "cursor"),
        ({"cursor": "W10"}, "cursor"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_parameter_that_cannot_be_used_is_named(
    directory: DirectoryFunction, parameters: dict[str, str], field: str
) -> None:
    answer = directory.get("/v1/feeds", **parameters)

    assert (answer.status, answer.body["code"], answer.body["field"]) == (400, "invalid_input", field)


def test_a_cursor_of_another_list_is_refused(directory: DirectoryFunction) -> None:
    for number in range(3):
        directory.feed(f"f{number}")
    cursor = directory.get("/v1/feeds", limit="1").body["cursor"]

    assert directory.get("/v1/feeds", limit="1", cursor=cursor).status == 200
    answer = directory.get("/v1/feeds", state="healthy", cursor=cursor)
    assert (answer.status, answer.body["field"]) == (400, "cursor")


@pytest.mark.parametrize("odd", [None, [], "state=healthy"])
def test_parameters_of_an_odd_kind_are_none(odd: Any) -> None:
    assert feeds_request.decode_list({"queryStringParameters": odd}) == {"query": FeedQuery()}


@pytest.mark.parametrize(("odd", "field"), [({"state": None}, "state"), ({"limit": 0}, "limit"), ({5: "x"}, "5")])
def test_odd_values_of_parameters_are_refused(odd: Any, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        feeds_request.decode_list({"queryStringParameters": odd})
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("sample", "status"),
    [("http_feeds", 200), ("http_feed", 404), ("http_feed_pause", 404), ("http_subscribe", 202)],
)
def test_the_sample_events_are_those_of_routes(directory: DirectoryFunction, sample: str, status: int) -> None:
    assert directory.call(read_event(sample)).status == status


@pytest.mark.parametrize(
    ("path", "query", "field"),
    [
        ("/v1/feeds", "domain=a.example&domain=b.example", "domain"),
        ("/v1/feeds", "stale=true&limit=5&stale=true", "stale"),
        ("/v1/feeds", "cursor=x&cursor=", "cursor"),
        ("/v1/feeds", "limit=5&limi%74=5", "limit"),
        ("/v1/feeds/{id}/audit", "limit=5&limit=5", "limit"),
        ("/v1/subscriptions", "limit=5&limit=6", "limit"),
        ("/v1/frontier", "url=https://a.example/&url=https://b.example/", "url"),
        ("/v1/items", "outdated=true&outdated=true", "outdated"),
    ],
)
def test_a_parameter_that_is_given_twice_is_named(
    directory: DirectoryFunction, path: str, query: str, field: str
) -> None:
    joined: dict[str, str] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        joined[name] = f"{joined[name]},{value}" if name in joined else value
    event = event_of("GET", path.replace("{id}", directory.feed("a")), parameters=joined)

    answer = directory.call({**event, "rawQueryString": query})

    assert (answer.status, answer.body["code"], answer.body["field"]) == (400, "invalid_input", field)


def test_a_comma_in_a_url_is_its_own(directory: DirectoryFunction) -> None:
    url = "https://news.example/a,1,2.html"
    sent = directory.post("/v1/frontier", {"urls": [url]}).body["results"][0]["row"]

    assert [row["id"] for row in directory.get("/v1/frontier", url=url).body["rows"]] == [sent["id"]]


@pytest.mark.parametrize(("feeds", "limit"), [(0, 50), (7, 50), (50, 50), (120, 50), (120, 100)])
def test_the_first_page_of_all_feeds_takes_few_calls(directory: DirectoryFunction, feeds: int, limit: int) -> None:
    for number in range(feeds):
        directory.feed(f"f{number}", f"https://{number}.example.com/feed")
    directory.directory.faults.calls.clear()

    page = directory.get("/v1/feeds", limit=str(limit)).body

    assert len(page["feeds"]) == min(feeds, limit)
    assert (page["cursor"] is None) is (feeds <= limit)
    assert len(directory.directory.faults.calls) <= 3
