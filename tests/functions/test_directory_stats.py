"""GET /v1/stats: the counts, and who may see them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from feedward.frontier.row import FailedParams, RowStatus
from feedward.stats.counts import HOUR_S, ROWS_COUNTED, Checked, hour_of
from tests.fakes.directory import NOW
from tests.functions.directory_function import DirectoryFunction
from tests.functions.index_function import make_index_function


def test_all_parts_are_told_without_a_choice(directory: DirectoryFunction) -> None:
    answer = directory.get("/v1/stats")

    assert answer.status == 200
    assert answer.body.keys() == {"directory", "checks", "subscriptions", "frontier", "queues"}
    assert answer.body["directory"] is None  # nothing was indexed yet
    assert len(answer.body["checks"]) == 24
    assert answer.body["subscriptions"] == {"count": 0, "more": False}
    assert answer.body["frontier"] == []


def test_only_the_parts_that_are_asked_for_are_counted(directory: DirectoryFunction) -> None:
    body = directory.get("/v1/stats", parts="checks,subscriptions").body

    assert [name for name, part in body.items() if part is not None] == ["checks", "subscriptions"]


@pytest.mark.parametrize("parts", ["", "checks,", "tenants", "checks checks"])
def test_an_unknown_part_is_named(directory: DirectoryFunction, parts: str) -> None:
    answer = directory.get("/v1/stats", parts=parts)

    assert (answer.status, answer.body["field"]) == (400, "parts")


def test_the_index_counts_shared_feeds_by_state(directory: DirectoryFunction) -> None:
    index = make_index_function(directory)
    index.do("maintain")
    feeds = [directory.feed(name) for name in ("one", "two", "three")]
    directory.write(feeds[2], state="unhealthy")
    index.deliver(*feeds)
    directory.directory.clock.advance(10)

    found = directory.get("/v1/stats", parts="directory").body["directory"]["by_state"]

    assert found == {"healthy": 2, "degraded": 0, "unhealthy": 1, "paused": 0}


def test_seeded_feeds_are_not_counted_as_healthy_before_their_first_answer(directory: DirectoryFunction) -> None:
    index = make_index_function(directory)
    index.do("maintain")
    seeds = [{"title": f"Seed {number}", "url": f"https://{number}.example/feed"} for number in range(4)]
    directory.post("/v1/imports", seeds)
    directory.import_all()
    feeds = {feed["title"]: feed["id"] for feed in directory.get("/v1/feeds").body["feeds"]}

    def counted() -> Any:
        index.deliver(*feeds.values())
        directory.directory.clock.advance(10)
        found = directory.get("/v1/stats", parts="directory").body["directory"]
        listed = directory.get("/v1/feeds", never_fetched="true", state="healthy").body["feeds"]
        assert len(listed) == found["never_fetched"]
        listed = directory.get("/v1/feeds", never_fetched="false", state="healthy").body["feeds"]
        assert len(listed) == found["by_state"]["healthy"]
        return found

    none = {"healthy": 0, "degraded": 0, "unhealthy": 0, "paused": 0}
    assert counted() == {"by_state": none, "never_fetched": 4}
    directory.write(feeds["Seed 0"], last_success_at=NOW, last_attempt_at=NOW)
    directory.write(feeds["Seed 1"], state="degraded", consecutive_failures=1, last_attempt_at=NOW)
    directory.write(feeds["Seed 2"], last_attempt_at=NOW, last_outcome="rate_limited")
    directory.post(f"/v1/feeds/{feeds['Seed 3']}/pause")
    assert counted() == {"by_state": {**none, "healthy": 1, "degraded": 1, "paused": 1}, "never_fetched": 1}


def test_an_index_that_takes_long_to_load_costs_no_other_part(
    directory: DirectoryFunction, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = make_index_function(directory)
    index.do("maintain")
    index.deliver(directory.feed("one"))
    directory.directory.clock.advance(10)
    counted = directory.ports.search_index.counts_by_state

    def slow() -> Any:
        directory.directory.clock.advance(15)
        return counted()

    monkeypatch.setattr(directory.ports.search_index, "counts_by_state", slow)
    answer = directory.get("/v1/stats")

    assert answer.status == 200, answer.body
    assert answer.body["directory"]["by_state"]["healthy"] == 1
    assert None not in answer.body.values()


def test_checks_are_told_by_the_hour_of_the_last_day(directory: DirectoryFunction) -> None:
    counts = directory.ports.check_counts
    counts.add({Checked.OK: 2, Checked.FAILED: 1}, now=NOW)
    counts.add({Checked.UNCHANGED: 5, Checked.FAILED: 1}, now=NOW)
    counts.add({Checked.OK: 9}, now=NOW - 25 * HOUR_S)

    hours = directory.get("/v1/stats", parts="checks").body["checks"]

    assert [hour["at"] for hour in hours] == list(range(hour_of(NOW) - 23 * HOUR_S, hour_of(NOW) + 1, HOUR_S))
    assert hours[-1] == {"at": hour_of(NOW), "ok": 2, "unchanged": 5, "failed": 2}
    assert sum(hour["ok"] for hour in hours) == 2


def test_failed_pages_are_counted_by_reason_and_the_counts_are_kept_for_5_minutes(directory: DirectoryFunction) -> None:
    def fail(name: str, reason: str) -> None:
        (made,) = directory.post("/v1/frontier", {"urls": [f"https://example.com/{name}"]}).body["results"]
        frontier = directory.ports.collect.frontier
        row = frontier.row(made["row"]["id"])
        assert row is not None
        frontier.update_failed(row, FailedParams(now=NOW, status=RowStatus.DEAD, reason=reason, attempts=1))

    fail("a", "redirect_loop")
    fail("b", "gone")
    fail("c", "gone")
    expected = [{"reason": "gone", "count": 2, "more": False}, {"reason": "redirect_loop", "count": 1, "more": False}]
    assert directory.get("/v1/stats", parts="frontier").body["frontier"] == expected

    fail("d", "gone")
    assert directory.get("/v1/stats", parts="frontier").body["frontier"] == expected
    directory.directory.clock.advance(300)
    assert directory.get("/v1/stats", parts="frontier").body["frontier"][0]["count"] == 3
    assert ROWS_COUNTED == 1000


def test_queues_are_told_with_their_dead_letters(directory: DirectoryFunction) -> None:
    assert directory.get("/v1/stats", parts="queues").body["queues"] == [
        {"name": "frontier", "waiting": 8, "in_work": 3, "dead_letters": 2},
        {"name": "health", "waiting": 1, "in_work": 3, "dead_letters": 0},
    ]


def test_dead_letters_are_listed_by_their_objects_without_their_texts(directory: DirectoryFunction) -> None:
    secret = "https://feeds.example/rss?token=9f3a71c2d4e5b6a7"
    directory.ports.depths.dead["frontier-dead"] = [
        json.dumps({"version": 1, "type": "rows", "rows": [{"row_id": "R1", "url": secret}, {"row_id": "R2"}, 5]}),
        json.dumps({"version": 1, "type": "import", "job_id": "I1/0/8/"}),
        json.dumps(
            {"id": "bus", "detail-type": "ItemsPublished", "detail": {"id": "E1", "feed_id": "F1", "url": secret}}
        ),
        "no JSON at all",
        json.dumps([secret]),
    ]

    found = directory.get("/v1/dead-letters", queue="frontier")

    assert found.status == 200
    assert "token" not in json.dumps(found.body)
    assert [(each["kind"], each["ids"]) for each in found.body["dead_letters"]] == [
        ("rows", ["R1", "R2"]),
        ("import", ["I1/0/8/"]),
        ("ItemsPublished", ["F1"]),
        (None, []),
        (None, []),
    ]
    assert {(each["sent_at"], each["receives"]) for each in found.body["dead_letters"]} == {(1795780800, 6)}
    assert directory.get("/v1/dead-letters", queue="health").body == {"dead_letters": []}
    assert directory.get("/v1/dead-letters", queue="webhooks").body == {"dead_letters": []}


@pytest.mark.parametrize("asked", [{}, {"queue": ""}, {"queue": "index"}, {"queue": "health,frontier"}])
def test_a_queue_that_there_is_not_names_the_field(directory: DirectoryFunction, asked: dict[str, str]) -> None:
    answer = directory.get("/v1/dead-letters", **asked)
    assert (answer.status, answer.body["field"]) == (400, "queue")


@pytest.mark.parametrize("scope", ["read", "write", "admin"])
def test_dead_letters_take_an_operator(directory: DirectoryFunction, scope: str) -> None:
    assert directory.asked_by("acme", scope, "GET", "/v1/dead-letters", parameters={"queue": "health"}).status == 403
