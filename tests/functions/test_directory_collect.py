"""The routes of the frontier and of the lineage: accepted and refused requests, with the field, and results."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from feedward import bootstrap
from feedward.frontier.messages import Job
from feedward.lineage.version import CURRENT_VERSION
from feedward.ulid import derived_ulid
from tests.fakes.code_version import LATER, OLDER, code_of
from tests.fakes.directory import NOW
from tests.functions.conftest import read_event
from tests.functions.directory_function import (
    UNKNOWN_ID,
    DirectoryFunction,
    event_of,
    forged,
    make_directory_function,
)
from tests.unit.services.collect.collecting import A, B, C, moved, page

if TYPE_CHECKING:
    from feedward.services.collect.ports import CollectPorts

LOOP = "https://loop.example/"
NETWORK = {
    A: page("one", "First"),
    B: page("one", "Second"),
    "https://old.example/": moved("https://new.example/"),
    "https://new.example/": page("three"),
    LOOP: moved(LOOP, 302),
    C: {"status": 404},
}


@pytest.fixture
def function() -> DirectoryFunction:
    return make_directory_function(NETWORK)


def submit(function: DirectoryFunction, *urls: object) -> list[Any]:
    answer = function.post("/v1/frontier", {"urls": urls})
    assert answer.status == 202
    results: list[Any] = answer.body["results"]
    return results


def collected(function: DirectoryFunction, *urls: str) -> list[Any]:
    """Submit URLs and have them fetched; their rows, in order."""
    ids = [result["row"]["id"] for result in submit(function, *urls)]
    function.collect()
    return [function.get(f"/v1/frontier/{each}").body for each in ids]


def run_over(function: DirectoryFunction, **body: Any) -> Any:
    """Begin a run and have it done; the run afterwards."""
    started = function.post("/v1/runs", body)
    assert started.status == 202, started.body
    function.collect()
    return function.get(f"/v1/runs/{started.body['id']}").body


def pages_of(function: DirectoryFunction, path: str, member: str, **parameters: str) -> list[list[Any]]:
    """All pages of a list."""
    found, cursor = [], None
    while True:
        answer = function.get(path, **parameters, **({"cursor": cursor} if cursor else {}))
        assert answer.status == 200, answer.body
        found.append(answer.body[member])
        cursor = answer.body["cursor"]
        if cursor is None:
            return found


def refusal(answer: Any) -> tuple[int, str | None]:
    return answer.status, answer.body.get("field")


# --- POST /v1/frontier -----------------------------------------------------------------------------


def test_urls_become_rows_that_are_sent_to_be_fetched(function: DirectoryFunction) -> None:
    first, second = submit(function, A, "b.example/x")

    assert (first["created"], first["error"], first["row"]["status"]) == (True, None, "pending")
    assert second["row"]["host"] == "b.example"
    assert first["row"]["next_fetch_at"] >= NOW + 60
    sent = [row.row_id for message in function.ports.frontier_queue.messages for row in message.entries]
    assert sorted(sent) == sorted(each["row"]["id"] for each in (first, second))


def test_each_url_is_judged_alone_and_its_error_names_it(function: DirectoryFunction) -> None:
    results = submit(function, A, "javascript:alert(1)", "http://192.168.0.1/", 7, None, "https://u:p@a.example/", "")

    assert [result["error"] and result["error"]["field"] for result in results] == [
        None,
        *(f"urls[{place}]" for place in range(1, 7)),
    ]
    assert all(result["row"] is None and not result["created"] for result in results[1:])


def test_a_url_that_is_there_is_that_row_and_nothing_is_sent(function: DirectoryFunction) -> None:
    (first,) = submit(function, A)
    function.ports.frontier_queue.take()

    again, spelling = submit(function, A, f"{A}?utm_source=x#top")

    assert (again["row"]["id"], again["created"]) == (first["row"]["id"], False)
    assert spelling["row"]["id"] == first["row"]["id"]
    assert function.ports.frontier_queue.messages == []


def test_a_url_that_is_named_twice_is_made_once(function: DirectoryFunction) -> None:
    first, second = submit(function, A, A)

    assert (first["created"], second["created"], second["row"]["id"]) == (True, False, first["row"]["id"])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "urls"),
        ({"urls": []}, "urls"),
        ({"urls": A}, "urls"),
        ({"urls": None}, "urls"),
        ({"urls": [A] * 501}, "urls"),
        ({"url": A}, "url"),
        ({"urls": [A], "force": True}, "force"),
        ([A], ""),
    ],
)
def test_a_submission_that_cannot_be_used_names_its_field(
    function: DirectoryFunction, body: object, field: str
) -> None:
    assert refusal(function.post("/v1/frontier", body)) == (400, field)


def test_a_submission_that_is_sent_again_under_its_key_is_answered_as_before(function: DirectoryFunction) -> None:
    event = event_of("POST", "/v1/frontier", body={"urls": [A]})
    event["headers"] = {**event["headers"], "idempotency-key": "k1"}
    first = function.call(event)

    assert function.call(event) == first
    assert first.body["results"][0]["created"]
    assert len(function.ports.frontier_queue.messages) == 1


# --- GET /v1/frontier ------------------------------------------------------------------------------


def test_a_row_shows_its_result(function: DirectoryFunction) -> None:
    fetched, old, loop, gone = collected(function, A, "https://old.example/", LOOP, C)

    assert (fetched["status"], fetched["http_status"], fetched["last_error"]) == ("fetched", 200, None)
    assert (fetched["next_fetch_at"], fetched["last_fetched_at"] >= NOW) == (None, True)
    assert (old["url"], old["status"]) == ("https://new.example/", "fetched")
    assert (loop["status"], loop["last_error"], loop["attempts"]) == ("failed", "redirect_loop", 1)
    assert (gone["status"], gone["last_error"], gone["next_fetch_at"]) == ("dead", "not_found", None)
    assert fetched["item_id"]


@pytest.mark.parametrize("spelling", ["https://old.example/", "https://new.example/", "https://new.example"])
def test_a_row_that_moved_is_found_by_both_its_urls(function: DirectoryFunction, spelling: str) -> None:
    (row,) = collected(function, "https://old.example/")

    assert function.get("/v1/frontier", url=spelling).body == {"rows": [row], "cursor": None}


def test_a_url_that_no_row_has_is_an_empty_page(function: DirectoryFunction) -> None:
    assert function.get("/v1/frontier", url="https://unknown.example/").body == {"rows": [], "cursor": None}


def test_rows_are_listed_by_their_error_page_by_page(function: DirectoryFunction) -> None:
    urls = [f"https://c.example/{number}" for number in range(7)]
    function.directory.internet.network.update({url: {"status": 404} for url in urls})
    rows = collected(function, *urls, A, LOOP)

    pages = pages_of(function, "/v1/frontier", "rows", last_error="not_found", limit="3")

    assert [len(each) for each in pages] == [3, 3, 1]
    assert sorted(row["id"] for each in pages for row in each) == sorted(row["id"] for row in rows[:7])
    assert [row["url"] for row in function.get("/v1/frontier", last_error="redirect_loop").body["rows"]] == [LOOP]
    assert function.get("/v1/frontier", last_error="timeout").body == {"rows": [], "cursor": None}


@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ({}, "last_error"),
        ({"last_error": "not_found", "url": A}, "last_error"),
        ({"last_error": "nonsense"}, "last_error"),
        ({"last_error": ""}, "last_error"),
        ({"last_error": "ok"}, "last_error"),
        ({"url": ""}, "url"),
        ({"last_error": "not_found", "limit": "0"}, "limit"),
        ({"last_error": "not_found", "limit": "101"}, "limit"),
        ({"last_error": "not_found", "cursor": "nonsense"}, "cursor"),
        ({"last_error": "not_found", "cursor": ""}, "cursor"),
        ({"error": "not_found"}, "error"),
    ],
)
def test_a_list_of_rows_that_cannot_be_asked_for_names_its_parameter(
    function: DirectoryFunction, parameters: dict[str, str], field: str
) -> None:
    assert refusal(function.get("/v1/frontier", **parameters)) == (400, field)


def test_a_cursor_of_another_list_is_refused(function: DirectoryFunction) -> None:
    urls = [f"https://c.example/{number}" for number in range(3)]
    function.directory.internet.network.update({url: {"status": 404} for url in urls})
    collected(function, *urls)
    cursor = function.get("/v1/frontier", last_error="not_found", limit="1").body["cursor"]
    assert cursor

    answer = function.get("/v1/frontier", last_error="redirect_loop", cursor=cursor)

    assert refusal(answer) == (400, "cursor")


# --- runs ------------------------------------------------------------------------------------------


def test_a_run_is_begun_and_says_how_far_it_is(function: DirectoryFunction) -> None:
    answer = function.post("/v1/runs", {"urls": [A, B, "mailto:x@a.example", C], "collector": "http_snapshot"})

    run = answer.body
    assert (answer.status, answer.headers["Location"]) == (202, f"/v1/runs/{run['id']}")
    assert (run["kind"], run["status"], run["pages"], run["ended"]) == ("urls", "pending", 3, 0)
    assert (run["collector"], run["normalization_version"]) == ("http_snapshot", CURRENT_VERSION)
    assert [each["field"] for each in run["refused"]] == ["urls[2]"]
    (message,) = function.ports.frontier_queue.jobs
    assert (message.job, message.job_id) == (Job.RUN, run["id"])

    function.collect()

    done = function.get(f"/v1/runs/{run['id']}").body
    assert (done["status"], done["ended"]) == ("done", 3)
    assert (done["counters"]["items"], done["counters"]["dead"], done["counters"]["superseded"]) == (2, 1, 1)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "urls"),
        ({"urls": []}, "urls"),
        ({"urls": {}}, "urls"),
        ({"urls": ["mailto:x@a.example"]}, "urls[0]"),
        ({"urls": [A] * 10_001}, "urls"),
        ({"urls": [A], "collector": "rss"}, "collector"),
        ({"urls": [A], "collector": ""}, "collector"),
        ({"urls": [A], "version": "nonsense"}, "version"),
        ({"urls": [A], "version": "http_snapshot_url_v0_text_v1"}, "version"),
        ({"urls": [A], "version": LATER}, "version"),
        ({"urls": [A], "version": 1}, "version"),
        ({"urls": [A], "reprocessing_of_run_id": "nonsense"}, "reprocessing_of_run_id"),
        ({"urls": [A], "tenant": "x"}, "tenant"),
    ],
)
def test_a_run_that_cannot_be_begun_names_its_field(function: DirectoryFunction, body: object, field: str) -> None:
    assert refusal(function.post("/v1/runs", body)) == (400, field)
    assert function.ports.frontier_queue.messages == []


def test_a_run_may_name_more_than_other_requests_hold(function: DirectoryFunction) -> None:
    urls = [f"https://a.example/{'x' * 100}{number}" for number in range(10_000)]
    assert len(json.dumps({"urls": urls})) > 1_000_000

    assert function.post("/v1/runs", {"urls": urls}).body["pages"] == 10_000
    assert function.post("/v1/runs", {"urls": urls, "version": "x" * 4_000_000}).status == 413


def test_a_run_of_the_current_version_is_not_made_again_under_it(function: DirectoryFunction) -> None:
    run = run_over(function, urls=[A])

    for version in ({}, {"version": CURRENT_VERSION}):
        answer = function.post("/v1/runs", {"reprocessing_of_run_id": run["id"], **version})
        assert refusal(answer) == (400, "version")
        assert CURRENT_VERSION in answer.body["detail"]
    with_urls = {"reprocessing_of_run_id": run["id"], "urls": [A]}
    assert refusal(function.post("/v1/runs", with_urls)) == (400, "urls")
    assert function.post("/v1/runs", {"reprocessing_of_run_id": UNKNOWN_ID}).status == 404


def test_items_of_another_version_are_made_again_under_the_codes_own(function: DirectoryFunction) -> None:
    with code_of(OLDER):
        run = run_over(function, urls=[A, B])
    requests = len(function.directory.internet.requests)

    for version in (OLDER, LATER):
        answer = function.post("/v1/runs", {"reprocessing_of_run_id": run["id"], "version": version})
        assert refusal(answer) == (400, "version")
    again = run_over(function, reprocessing_of_run_id=run["id"])

    assert (run["normalization_version"], again["normalization_version"]) == (OLDER, CURRENT_VERSION)

    assert (again["kind"], again["status"], again["pages"]) == ("reprocessing", "done", 2)
    assert again["reprocessing_of_run_id"] == run["id"]
    assert len(function.directory.internet.requests) == requests


# --- items -----------------------------------------------------------------------------------------


def test_an_item_has_its_edges_its_duplicate_fetches_and_its_chain(function: DirectoryFunction) -> None:
    first = run_over(function, urls=[A])
    second = run_over(function, urls=[B])
    third = run_over(function, urls=[B])
    (older,), (newer,) = (function.get("/v1/items", run=run["id"]).body["items"] for run in (first, second))

    assert (older["title"], newer["title"]) == ("First", "Second")
    assert older["content_sha256"] == newer["content_sha256"]
    assert function.get(f"/v1/items/{older['id']}").body == older
    edges = function.get(f"/v1/items/{newer['id']}/edges").body
    (edge,) = edges["edges"]
    assert (edge["newer"], edge["older"]) == (newer["id"], older["id"])
    assert edge["metadata"] == {
        "reason": "same_content_sha256",
        "conflict_resolved": False,
        "canonical_uri_match": None,
        "content_sha256_match": older["id"],
        "selected": "content_sha256",
    }
    assert [each["run_id"] for each in edges["sightings"]] == [third["id"]]
    assert function.get(f"/v1/items/{older['id']}/edges").body["edges"] == [edge]
    chain = function.get(f"/v1/items/{newer['id']}/chain").body
    assert [(link["item"]["id"], link["edge"]) for link in chain["links"]] == [(newer["id"], edge), (older["id"], None)]
    assert chain["cut"] is False


def test_the_items_of_a_run_are_listed_page_by_page(function: DirectoryFunction) -> None:
    urls = [f"https://a.example/{number}" for number in range(7)]
    function.directory.internet.network.update({url: page(url) for url in urls})
    run = run_over(function, urls=urls)

    pages = pages_of(function, "/v1/items", "items", run=run["id"], limit="3")

    assert [len(each) for each in pages] == [3, 3, 1]
    assert sorted(item["fetched_url"] for each in pages for item in each) == urls


def test_items_outdated_by_a_new_version_are_listed_until_they_are_reprocessed(function: DirectoryFunction) -> None:
    with code_of(OLDER):
        first, second = (run_over(function, urls=[url]) for url in (A, "https://new.example/"))
        assert function.get("/v1/items", outdated="true").body == {"items": [], "cursor": None}

    run_over(function, reprocessing_of_run_id=first["id"])

    (page_of_all,) = pages_of(function, "/v1/items", "items", outdated="true")
    assert {item["run_id"] for item in page_of_all} == {second["id"]}
    assert {item["normalization_version"] for item in page_of_all} == {OLDER}


def test_the_items_of_a_url_are_listed_newest_first_across_versions(function: DirectoryFunction) -> None:
    with code_of(OLDER):
        run_over(function, urls=[A])
    for number in range(5):
        function.directory.internet.network[A] = page(f"edition {number}", f"E{number}")
        run_over(function, urls=[A, B])

    pages = pages_of(function, "/v1/items", "items", url="http://A.example/?utm_source=x", limit="2")

    assert [[item["title"] for item in each] for each in pages] == [["E4", "E3"], ["E2", "E1"], ["E0", "First"]]
    assert {item["canonical_uri"] for each in pages for item in each} == {A}
    assert function.get("/v1/items", url="https://unknown.example/").body == {"items": [], "cursor": None}


def test_the_items_of_a_content_are_listed_wherever_they_are(function: DirectoryFunction) -> None:
    urls = [f"https://a.example/{number}" for number in range(5)]
    function.directory.internet.network.update({url: page("same") for url in urls})
    run = run_over(function, urls=[*urls, A])
    digest = next(
        item["content_sha256"]
        for item in function.get("/v1/items", run=run["id"]).body["items"]
        if item["canonical_uri"] in urls
    )

    pages = pages_of(function, "/v1/items", "items", content_sha256=digest, limit="2")

    assert [len(each) for each in pages] == [2, 2, 1]
    found = [item for each in pages for item in each]
    assert sorted(item["canonical_uri"] for item in found) == urls
    assert [item["created_at_ms"] for item in found] == sorted((item["created_at_ms"] for item in found), reverse=True)
    assert function.get("/v1/items", content_sha256="0" * 64).body == {"items": [], "cursor": None}


def test_pages_without_text_are_found_by_their_url_only(function: DirectoryFunction) -> None:
    function.directory.internet.network[A] = page("")
    run_over(function, urls=[A])

    (item,) = function.get("/v1/items", url=A).body["items"]

    assert refusal(function.get("/v1/items", content_sha256=item["content_sha256"])) == (400, "content_sha256")


def test_the_cursor_of_another_list_is_refused(function: DirectoryFunction) -> None:
    for number in range(2):
        function.directory.internet.network[A] = page(str(number))
        run_over(function, urls=[A])
    cursor = function.get("/v1/items", url=A, limit="1").body["cursor"]

    assert refusal(function.get("/v1/items", url=B, cursor=cursor)) == (400, "cursor")
    assert refusal(function.get("/v1/runs", cursor=cursor)) == (400, "cursor")


@pytest.mark.parametrize(
    ("path", "parameters"),
    [
        ("/v1/frontier", {"last_error": "not_found"}),
        ("/v1/runs", {"version": OLDER}),
        ("/v1/items", {"run": ""}),
        ("/v1/items", {"url": A}),
        ("/v1/items", {"outdated": "true"}),
    ],
)
def test_a_cursor_at_a_place_that_no_list_has_is_refused(
    function: DirectoryFunction, path: str, parameters: dict[str, str]
) -> None:
    function.directory.internet.network[f"{C}other"] = {"status": 404}
    with code_of(OLDER):
        run = run_over(function, urls=[A, B, C, f"{C}other"])
        function.directory.internet.network[A] = page("two")
        run_over(function, urls=[A])
    asked = parameters | ({"run": run["id"]} if "run" in parameters else {})
    cursor = function.get(path, **asked, limit="1").body["cursor"]

    assert cursor
    for each in forged(cursor):
        assert refusal(function.get(path, **asked, cursor=each)) == (400, "cursor")


def test_the_runs_of_a_version_are_listed_newest_first(function: DirectoryFunction) -> None:
    with code_of(OLDER):
        older = run_over(function, urls=[A])
    begun = []
    for _ in range(5):
        function.directory.clock.advance(1)
        begun.append(run_over(function, urls=[A]))

    pages = pages_of(function, "/v1/runs", "runs", limit="2")

    assert [run for each in pages for run in each] == list(reversed(begun))
    assert [len(each) for each in pages] == [2, 2, 1]
    assert function.get("/v1/runs", version=OLDER).body == {"runs": [older], "cursor": None}
    assert function.get("/v1/runs", version=LATER).body == {"runs": [], "cursor": None}


@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ({"version": "nonsense"}, "version"),
        ({"version": ""}, "version"),
        ({"limit": "101"}, "limit"),
        ({"cursor": "nonsense"}, "cursor"),
        ({"run": UNKNOWN_ID}, "run"),
    ],
)
def test_a_list_of_runs_that_cannot_be_asked_for_names_its_parameter(
    function: DirectoryFunction, parameters: dict[str, str], field: str
) -> None:
    assert refusal(function.get("/v1/runs", **parameters)) == (400, field)


@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ({}, "outdated"),
        ({"outdated": "false"}, "outdated"),
        ({"outdated": "yes"}, "outdated"),
        ({"outdated": "true", "run": UNKNOWN_ID}, "outdated"),
        ({"run": UNKNOWN_ID, "url": A}, "outdated"),
        ({"url": A, "content_sha256": "0" * 64}, "outdated"),
        ({"run": "nonsense"}, "run"),
        ({"url": "mailto:x@a.example"}, "url"),
        ({"url": ""}, "url"),
        ({"url": f"https://a.example/{'x' * 2048}"}, "url"),
        ({"content_sha256": "F" * 64}, "content_sha256"),
        ({"content_sha256": ""}, "content_sha256"),
        ({"outdated": "true", "limit": "101"}, "limit"),
        ({"outdated": "true", "cursor": "nonsense"}, "cursor"),
        ({"version": "x"}, "version"),
    ],
)
def test_a_list_of_items_that_cannot_be_asked_for_names_its_parameter(
    function: DirectoryFunction, parameters: dict[str, str], field: str
) -> None:
    assert refusal(function.get("/v1/items", **parameters)) == (400, field)


# --- unknown ids -----------------------------------------------------------------------------------


@pytest.mark.parametrize("id_", [UNKNOWN_ID, derived_ulid(1, "unknown"), "nonsense", "0" * 27, "%00"])
@pytest.mark.parametrize(
    "path", ["/v1/frontier/{}", "/v1/runs/{}", "/v1/items/{}", "/v1/items/{}/edges", "/v1/items/{}/chain"]
)
def test_a_missing_object_is_not_found(function: DirectoryFunction, path: str, id_: str) -> None:
    answer = function.get(path.format(id_))

    assert (answer.status, answer.body["code"]) == (404, "not_found")


def test_items_of_a_run_that_is_not_there_are_not_found(function: DirectoryFunction) -> None:
    assert function.get("/v1/items", run=UNKNOWN_ID).status == 404


# --- faults ----------------------------------------------------------------------------------------


def test_a_store_that_is_busy_is_told_with_when_to_come_again(function: DirectoryFunction) -> None:
    function.directory.faults.throttles = 10**9

    for answer in (function.post("/v1/frontier", {"urls": [A]}), function.get(f"/v1/runs/{UNKNOWN_ID}")):
        assert (answer.status, answer.body["code"]) == (503, "throttled")
        assert int(answer.headers["Retry-After"]) > 0


def test_a_queue_that_is_away_loses_nothing(function: DirectoryFunction) -> None:
    function.ports.frontier_queue.sqs.fails = 10**9

    assert submit(function, A)[0]["created"]
    run = function.post("/v1/runs", {"urls": [A]})

    assert run.status == 202
    assert [each.run_id for each in function.ports.collect.lineage.open_runs(before=NOW + 600)] == [run.body["id"]]


@pytest.mark.parametrize(
    ("event", "status"),
    [
        ("http_frontier_submit", 202),
        ("http_frontier", 200),
        ("http_run_start", 202),
        ("http_run", 404),
        ("http_items_outdated", 200),
        ("http_item_chain", 404),
    ],
)
def test_the_sample_events_are_ones_that_it_answers(function: DirectoryFunction, event: str, status: int) -> None:
    assert function.call(read_event(event)).status == status


if TYPE_CHECKING:

    def services_implement_the_ports(services: bootstrap.Services) -> CollectPorts:
        return services.collect
