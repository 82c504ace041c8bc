"""The routes of the discover function: requests, answers, and unknown ids."""

from __future__ import annotations

import json
from typing import Any

import pytest

from feedward.api.discoveries import SITE_ID, decode_request, is_job_id
from feedward.discovery.candidate import Kind
from feedward.errors import InvalidInput
from feedward.services.discover.limits import Limits
from feedward.services.discover.site_run import Found, SiteRun
from tests.functions.conftest import SITES, Discover, read_event

NO_SITE = "0" * 64
NO_JOB = f"{NO_SITE}.{'0' * 26}"


# --- POST /v1/discoveries -------------------------------------------------------------------------


def test_any_url_is_answered_with_its_feeds_and_the_one_that_was_chosen(discover: Discover) -> None:
    answer = discover.post({"url": "garden.example"})

    assert answer.status == 200
    found = answer.body
    assert (found["id"], found["status"], found["complete"], found["outcome"]) == (None, "done", True, "found")
    assert found["canonical"]["url"] == "https://garden.example/feed"
    assert (found["site"]["input_url"], found["site"]["title"]) == ("garden.example", "Garden")
    best, *others = found["candidates"]
    assert (best["candidate_url"], best["is_canonical"]) == ("https://garden.example/feed", True)
    assert best["score"] == sum(best["parts"].values())
    assert (best["discovered_from"], best["validation_status"]) == (["html"], "valid")
    assert [item["title"] for item in best["items"]] == ["Slugs"]
    assert "https://garden.example/comments/feed" in [other["candidate_url"] for other in others]


def test_the_chosen_feed_is_registered_and_the_bus_hears_of_it(discover: Discover) -> None:
    found = discover.post({"url": "https://garden.example/"}).body

    (event,) = discover.directory.bus.events.entries
    assert event["DetailType"] == "FeedDiscovered"
    assert json.loads(event["Detail"])["feed_id"] == found["canonical"]["feed_id"]
    known = discover.directory.store.find(["https://garden.example/feed"])
    assert known is not None
    assert known.data["feed_id"] == found["canonical"]["feed_id"]


def test_asked_again_the_records_answer_unless_they_are_to_be_refreshed(discover: Discover) -> None:
    first = discover.post({"url": "https://garden.example/"}).body
    asked = len(discover.directory.internet.requests)

    assert discover.post({"url": "https://garden.example/"}).body == first
    assert len(discover.directory.internet.requests) == asked
    refreshed = discover.post({"url": "https://garden.example/", "refresh": True})
    assert (refreshed.status, refreshed.body["canonical"]) == (200, first["canonical"])
    assert len(discover.directory.internet.requests) > asked


def test_the_kind_that_is_asked_for_is_chosen(discover: Discover) -> None:
    found = discover.post({"url": "https://garden.example/", "intent": "comments"}).body

    assert found["canonical"]["url"] == "https://garden.example/comments/feed"
    assert found["site"]["intent"] == "comments"


@pytest.mark.parametrize(
    ("url", "outcome"),
    [
        ("https://plaque.example/", "no_feed"),
        ("https://wall.example/", "refused"),
        ("https://nowhere.example/", "unreachable"),
        ("http://127.0.0.1/", "blocked"),
        ("http://localhost/", "blocked"),
        ("two words", "bad_url"),
    ],
)
def test_a_site_that_fails_is_a_result_and_no_problem(discover: Discover, url: str, outcome: str) -> None:
    answer = discover.post({"url": url})

    assert (answer.status, answer.body["outcome"], answer.body["canonical"]) == (200, outcome, None)


def test_a_site_that_refuses_says_how_long_it_asks_to_wait_also_from_the_records(discover: Discover) -> None:
    for _ in range(2):
        found = discover.post({"url": "https://wall.example/"}).body
        assert (found["page_outcome"], found["http_status"], found["retry_after_s"]) == ("rate_limited", 429, 90)


def test_a_forbidden_url_is_nowhere_to_be_found_later(discover: Discover) -> None:
    assert discover.post({"url": "http://127.0.0.1/"}).body["site"]["id"] is None
    assert discover.directory.internet.requests == []


def test_a_longer_search_is_answered_with_results_so_far_and_its_location(discover: Discover) -> None:
    answer = discover.post({"url": "https://slow.example/"})

    assert (answer.status, answer.body["complete"], answer.body["status"]) == (202, False, "pending")
    assert answer.headers["Location"] == f"/v1/discoveries/{answer.body['id']}"
    assert is_job_id(answer.body["id"])
    assert discover.directory.queue.messages == [{"version": 1, "type": "discover", "job_id": answer.body["id"]}]


def test_the_answer_leaves_within_four_seconds_of_the_start(
    discover: Discover, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = discover.directory.clock.monotonic()

    discover.post({"url": "https://slow.example/"})

    assert discover.directory.clock.monotonic() - started <= 4.0


def test_a_search_that_ended_late_loses_neither_its_result_nor_its_job(
    discover: Discover, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = SiteRun.look

    def look_too_long(run: SiteRun, limits: Limits, *, is_last_word: bool) -> Found:
        found = look(run, limits, is_last_word=is_last_word)
        discover.directory.clock.advance(1.5)  # a busy machine
        return found

    monkeypatch.setattr(SiteRun, "look", look_too_long)
    answer = discover.post({"url": "https://slow.example/"})

    assert discover.directory.queue.messages == [{"version": 1, "type": "discover", "job_id": answer.body["id"]}]
    assert discover.post({"url": "https://garden.example/"}).body["canonical"]["url"] == "https://garden.example/feed"


# --- invalid requests -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "url"),
        ({"url": None}, "url"),
        ({"url": 3}, "url"),
        ({"url": ""}, "url"),
        ({"url": ["https://garden.example/"]}, "url"),
        ({"url": "x" * 2049}, "url"),
        ({"url": "\ud800.example"}, "url"),
        ({"urls": ["https://garden.example/"]}, "urls"),
        ({"url": "garden.example", "intent": "blog"}, "intent"),
        ({"url": "garden.example", "intent": None}, "intent"),
        ({"url": "garden.example", "intent": ["main"]}, "intent"),
        ({"url": "garden.example", "refresh": "yes"}, "refresh"),
        ({"url": "garden.example", "refresh": 1}, "refresh"),
        ({"url": "garden.example", "colour": "red"}, "colour"),
        ([], ""),
    ],
)
def test_a_field_that_cannot_be_used_is_named(discover: Discover, body: object, field: str) -> None:
    answer = discover.post(body)

    assert (answer.status, answer.body["code"], answer.body["field"]) == (400, "invalid_input", field)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert discover.directory.internet.requests == []


def test_a_body_that_is_no_json_is_a_problem(discover: Discover) -> None:
    assert (discover.post("{").status, discover.post("{").body["code"]) == (400, "malformed_json")


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_may_be_asked_for(kind: Kind) -> None:
    assert decode_request({"url": "x", "intent": kind.value}).intent is kind
    with pytest.raises(InvalidInput):
        decode_request({"url": "x", "intent": kind.value.upper()})


# --- jobs, sites and candidates -------------------------------------------------------------------


def test_a_job_is_asked_for_while_it_waits_and_when_it_is_done(discover: Discover) -> None:
    job_id = discover.post({"url": "https://slow.example/"}).body["id"]

    waiting = discover.get("http_discovery_job", id=job_id)
    assert (waiting.status, waiting.body["status"], waiting.body["complete"]) == (200, "pending", False)
    assert discover.deliver(*discover.directory.queue.messages) == []
    done = discover.get("http_discovery_job", id=job_id)
    assert (done.status, done.body["id"], done.body["status"], done.body["complete"]) == (200, job_id, "done", True)
    assert done.body["canonical"]["url"] == "https://slow.example/feed"


def test_a_site_is_found_again_under_its_id_without_a_request(discover: Discover) -> None:
    found = discover.post({"url": "https://garden.example/"}).body
    asked = len(discover.directory.internet.requests)

    site = discover.get("http_site", id=found["site"]["id"])

    assert SITE_ID.fullmatch(found["site"]["id"])
    assert (site.status, site.body) == (200, found)
    assert len(discover.directory.internet.requests) == asked


def test_the_candidates_of_a_site_have_their_history(discover: Discover) -> None:
    found = discover.post({"url": "https://garden.example/"}).body
    discover.directory.internet.network["https://garden.example/comments/feed"] = {"status": 410}
    discover.directory.clock.advance(3600)
    discover.post({"url": "https://garden.example/"})

    answer = discover.get("http_site_candidates", id=found["site"]["id"])

    assert (answer.status, answer.body["site_id"]) == (200, found["site"]["id"])
    (comments,) = [one for one in answer.body["candidates"] if one["candidate_url"].endswith("/comments/feed")]
    assert [change["status"] for change in comments["history"]] == ["valid", "invalid"]
    assert (comments["validation_status"], comments["last_error"]) == ("invalid", "gone")
    assert comments["last_valid_at"] < comments["history"][-1]["at"]


@pytest.mark.parametrize(
    ("event", "unknown"), [("http_discovery_job", NO_JOB), ("http_site", NO_SITE), ("http_site_candidates", NO_SITE)]
)
def test_an_unknown_id_is_a_problem(discover: Discover, event: str, unknown: str) -> None:
    site_id = discover.post({"url": "https://garden.example/"}).body["site"]["id"]
    odd = [
        "",
        "x",
        "../../etc",
        unknown + "0",
        unknown.upper() + " ",
        "é" * 64,
        "a" * 3000,
        site_id[:-1],
        f"{site_id}.",
    ]
    for given in [unknown, *odd, site_id if "." in unknown else f"{site_id}.{'0' * 26}"]:
        answer = discover.get(event, id=given)
        assert (answer.status, answer.body["code"]) == (404, "not_found"), given
        assert answer.headers["Content-Type"] == "application/problem+json"


def test_an_event_without_parameters_is_answered_as_an_unknown_id(discover: Discover) -> None:
    event: dict[str, Any] = read_event("http_site")
    for parameters in (None, {}, {"id": None}, "x", {"ID": NO_SITE}):
        assert discover.call(event | {"pathParameters": parameters}).status == 404


def test_a_gateway_with_one_default_route_finds_the_paths_too(discover: Discover) -> None:
    found = discover.post({"url": "https://garden.example/"}).body
    for event, path in (("http_site", ""), ("http_site_candidates", "/candidates")):
        sent = read_event(event) | {"routeKey": "$default", "rawPath": f"/v1/sites/{found['site']['id']}{path}"}
        del sent["pathParameters"]
        assert discover.call(sent).status == 200


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("GET", "/v1/discoveries", "POST"),
        ("DELETE", "/v1/discoveries/x", "GET, HEAD"),
        ("POST", "/v1/sites/x", "GET, HEAD"),
        ("PUT", "/v1/sites/x/candidates", "GET, HEAD"),
    ],
)
def test_a_method_that_a_path_does_not_have_is_a_problem(
    discover: Discover, method: str, path: str, allow: str
) -> None:
    event = read_event("http_site")
    context = event["requestContext"] | {"http": event["requestContext"]["http"] | {"method": method, "path": path}}
    answer = discover.call(event | {"routeKey": "$default", "rawPath": path, "requestContext": context})

    assert (answer.status, answer.headers["Allow"]) == (405, allow)


@pytest.mark.parametrize(
    "path", ["/v1/sites", "/v1/sites/", "/v1/sites//candidates", "/v1/sites/a/b", "/v1/sites/a/b/c"]
)
def test_a_path_with_too_little_or_too_much_in_it_is_no_route(discover: Discover, path: str) -> None:
    event = read_event("http_site")

    answer = discover.call(event | {"routeKey": "$default", "rawPath": path})

    assert (answer.status, answer.body["code"]) == (404, "route_not_found")


def test_the_sites_of_these_tests_are_all_there_is() -> None:
    assert {url.split("/")[2] for url in SITES} == {f"{name}.example" for name in ("garden", "plaque", "wall", "slow")}
