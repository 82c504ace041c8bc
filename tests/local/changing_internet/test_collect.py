"""Pages collected on the whole stack, over HTTP: submitted, fetched by the worker behind the queue, kept, made again.

The sites file of the made-up internet describes its pages, their targets, and the expected result of each.
"""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from feedward.adapters.dynamodb.store.codec import decode, encode
from feedward.frontier.messages import CollectMessage
from feedward.frontier.row import read_row
from feedward.lineage.version import CURRENT_VERSION
from feedward.urls.key import KEY_VERSION
from feedward_local.demo.sites import load_sites
from tests.fakes.code_version import LATER, OLDER
from tests.local.changing_internet.conftest import Running
from tests.local.collecting_stack import Stack
from tests.local.stack_aws import WORK_WITHIN_S, wait_until

pytestmark = pytest.mark.local_stack
COLLECTS = load_sites().collects
ENDS = [one.url for one in COLLECTS if one.said["status"] != "failed"]
FRONT, TIDE = "https://tidings.example/", "https://tidings.example/2026/tide"
BRIDGE, REPRINT = "https://tidings.example/story/7", "https://reprint.example/bridge-of-rope"
ROUND, FAR = "https://maze.example/left", "https://maze.example/1"


@pytest.fixture(scope="module")
def stack(running: Running) -> Stack:
    return Stack(process=running.process, aws=running.aws)


@pytest.fixture(scope="module")
def rows(stack: Stack) -> dict[str, Any]:
    """The rows of all that the sites file says to collect, once each was asked for."""
    return stack.rows([one.url for one in COLLECTS])


@pytest.fixture(scope="module")
def first_run(stack: Stack, rows: dict[str, Any]) -> Any:
    """A run over all pages that come to an end, and two URLs that are no pages."""
    return stack.run(urls=[*ENDS, "javascript:alert(1)", "http://10.0.0.1/"])


# --- the frontier ----------------------------------------------------------------------------------


@pytest.mark.parametrize("one", COLLECTS, ids=lambda one: one.url)
def test_a_row_ends_as_the_sites_file_says(rows: dict[str, Any], one: Any) -> None:
    row = rows[one.url]

    assert {name: row[name] for name in one.said} == one.said
    assert row["attempts"] == (one.said["status"] == "failed" or one.said["status"] == "dead")
    assert (row["next_fetch_at"] is not None) == (one.said["status"] == "failed")


def test_a_row_is_found_by_the_url_that_it_had_and_by_the_one_that_it_has(stack: Stack, rows: dict[str, Any]) -> None:
    for url in (BRIDGE, "https://tidings.example/bridge"):
        (found,) = stack.get(f"/v1/frontier?url={url}")["rows"]
        assert found["id"] == rows[BRIDGE]["id"]


def test_a_url_that_cannot_be_fetched_is_told_and_the_others_go_on(stack: Stack, rows: dict[str, Any]) -> None:
    urls = [FRONT, "javascript:alert(1)", "http://169.254.169.254/latest", 7]

    good, *bad = stack.post("/v1/frontier", {"urls": urls})["results"]

    assert (good["row"]["id"], good["created"], good["error"]) == (rows[FRONT]["id"], False, None)
    assert [each["error"]["field"] for each in bad] == ["urls[1]", "urls[2]", "urls[3]"]
    assert [each["row"] for each in bad] == [None, None, None]
    assert stack.refused("/v1/frontier", {"urls": []})[:2] == (400, "urls")


@pytest.mark.parametrize(
    ("reason", "url"), [("redirect_loop", ROUND), ("too_many_redirects", FAR), ("robots_disallowed", "letters/1")]
)
def test_rows_are_listed_by_why_they_failed(stack: Stack, rows: dict[str, Any], reason: str, url: str) -> None:
    found = stack.get(f"/v1/frontier?last_error={reason}")["rows"]

    assert [row["url"] for row in found if row["url"].endswith(url)], found
    assert {row["last_error"] for row in found} == {reason}
    log = stack.process.state / "demo" / "functions.log"
    wait_until(lambda: reason in log.read_text(), 60, "the line of the log")  # it is fetched after the call has ended


def test_the_sweep_has_failed_pages_retried(stack: Stack, rows: dict[str, Any]) -> None:
    row = rows[ROUND]
    before = stack.get(f"/v1/frontier/{row['id']}")
    stack.aws.dynamodb.update_item(
        TableName=stack.aws.ids["FrontierTable"],
        Key=encode({"row_id": row["id"]}),
        UpdateExpression="SET next_fetch_at = :past",
        ExpressionAttributeValues=encode({":past": row["created_at"] - 60}),
    )

    report = stack.do("sweep")

    assert report["failures"] == []
    wait_until(
        lambda: stack.get(f"/v1/frontier/{row['id']}")["attempts"] > before["attempts"], WORK_WITHIN_S, "another try"
    )


# --- runs and items --------------------------------------------------------------------------------


def test_a_run_ends_and_its_counters_match_the_results_of_its_pages(stack: Stack, first_run: Any) -> None:
    counters, items = first_run["counters"], stack.items_of(first_run)
    dead = sum(one.said["status"] == "dead" for one in COLLECTS)

    assert (first_run["kind"], first_run["normalization_version"]) == ("urls", CURRENT_VERSION)
    assert first_run["pages"] == first_run["ended"] == len(ENDS)
    assert (counters["dead"], counters["refused"]) == (dead, 0)
    assert counters["items"] == len(items)
    assert counters["sightings"] == len(ENDS) - dead - len(items)


def test_urls_that_a_run_cannot_have_are_reported_immediately(stack: Stack, rows: dict[str, Any]) -> None:
    started = stack.post("/v1/runs", {"urls": [FRONT, "mailto:somebody@example.com"]})

    assert (started["status"], started["pages"]) == ("pending", 1)
    assert [each["field"] for each in started["refused"]] == ["urls[1]"]
    assert stack.refused("/v1/runs", {"urls": ["mailto:somebody@example.com"]})[:2] == (400, "urls[0]")
    assert stack.refused("/v1/runs", {"urls": [FRONT], "version": "nonsense"})[:2] == (400, "version")


def test_pages_of_one_content_are_a_chain(stack: Stack, first_run: Any) -> None:
    pair = sorted((stack.item_of(BRIDGE), stack.item_of(REPRINT)), key=lambda item: item["created_at_ms"])
    older, newer = pair

    assert older["content_sha256"] == newer["content_sha256"]
    assert (older["title"], older["status"]) == ("A bridge of rope", 200)
    found = stack.get(f"/v1/items/{newer['id']}/edges")
    (edge,) = [each for each in found["edges"] if each["newer"] == newer["id"]]
    assert (edge["older"], edge["metadata"]["reason"]) == (older["id"], "same_content_sha256")
    chain = stack.get(f"/v1/items/{newer['id']}/chain")
    assert [link["item"]["id"] for link in chain["links"]] == [newer["id"], older["id"]]
    assert found["sightings"], "the run met the page again"


def test_the_body_of_an_item_is_kept_compressed_under_its_hash(stack: Stack, first_run: Any) -> None:
    item = stack.item_of(BRIDGE)
    kept = stack.aws.client("s3").list_objects_v2(Bucket=stack.aws.ids["BodiesBucket"])["Contents"]

    assert f"bodies/{item['body_sha256'][:2]}/{item['body_sha256']}.gz" in [each["Key"] for each in kept]


def test_the_same_page_of_a_run_delivered_again_adds_nothing(stack: Stack, first_run: Any, rows: Any) -> None:
    lineage = stack.aws.items("LineageTable")
    row = read_row(stack.stored_row(rows[FRONT]["id"]) | {"runs": {first_run["id"]}, "rev": 1})
    message = CollectMessage(entries=(row,), sent_at=rows[FRONT]["created_at"] + 3600)

    for _ in range(2):
        stack.aws.sqs.send_message(QueueUrl=stack.aws.ids["FrontierQueue"], MessageBody=message.to_text())
    wait_until(lambda: stack.aws.waiting("FrontierQueue") == 0, WORK_WITHIN_S, "the end of the messages")

    def of_run(items: list[Any]) -> list[Any]:
        return [item for item in map(decode, items) if first_run["id"] in (item["pk"] + str(item.get("run_id")))]

    assert of_run(stack.aws.items("LineageTable")) == of_run(lineage)
    assert stack.get(f"/v1/runs/{first_run['id']}")["counters"] == first_run["counters"]


def test_a_second_run_over_pages_that_did_not_change_makes_no_items(stack: Stack, first_run: Any) -> None:
    run = stack.run(urls=[FRONT, BRIDGE, REPRINT])

    assert (run["counters"]["items"], run["counters"]["sightings"]) == (0, 3)
    assert run["counters"]["not_modified"] == 1, "only the front page has an ETag"
    assert stack.items_of(run) == []


def test_a_second_edition_supersedes_the_first(running: Running, stack: Stack, first_run: Any) -> None:
    before = stack.item_of(TIDE)
    running.turn_to("tidings-evening")

    run = stack.run(urls=[TIDE])

    (item,) = stack.items_of(run)
    assert (run["counters"]["items"], run["counters"]["superseded"]) == (1, 1)
    assert item["text_length"] > before["text_length"]
    links = stack.get(f"/v1/items/{item['id']}/chain")["links"]
    assert [link["item"]["id"] for link in links][:2] == [item["id"], before["id"]]
    assert links[0]["edge"]["metadata"]["reason"] == "same_canonical_uri"


def test_a_run_that_is_asked_for_again_under_its_key_is_begun_once(stack: Stack, rows: dict[str, Any]) -> None:
    key = {"idempotency-key": str(uuid.uuid4())}

    first = stack.post("/v1/runs", {"urls": [FRONT]}, **key)

    assert stack.post("/v1/runs", {"urls": [FRONT]}, **key) == first


# --- versions --------------------------------------------------------------------------------------


def test_items_of_the_current_version_are_not_made_again_under_it(stack: Stack, first_run: Any) -> None:
    status, field, detail = stack.refused("/v1/runs", {"reprocessing_of_run_id": first_run["id"]})

    assert (status, field) == (400, "version")
    assert CURRENT_VERSION in detail
    for version in (OLDER, LATER):
        for body in ({"reprocessing_of_run_id": first_run["id"]}, {"urls": [FRONT]}):
            assert stack.refused("/v1/runs", {**body, "version": version})[:2] == (400, "version")
    status, _, problem = stack.process.call("POST", "/v1/runs", {"reprocessing_of_run_id": "0" * 26})
    assert (status, problem["code"]) == (404, "not_found")


def test_items_of_older_code_are_listed_until_they_are_made_again(stack: Stack, first_run: Any) -> None:
    assert first_run["status"] == "done"
    older = stack.collected_before(stack.items_of({"id": stack.item_of(BRIDGE)["run_id"]}))
    left = [item["id"] for item in stack.get("/v1/items?outdated=true")["items"]]
    assert left
    listed = stack.get(f"/v1/runs?version={OLDER}")["runs"]
    assert older in [run["id"] for run in listed]
    assert {run["normalization_version"] for run in listed} == {OLDER}

    run = stack.run(reprocessing_of_run_id=older)

    made = stack.items_of(run)
    assert run["pages"] == run["counters"]["items"] + run["counters"]["sightings"] == len(left)
    assert {item["normalization_version"] for item in made} <= {CURRENT_VERSION}
    assert {item["reprocessed_from"] for item in made} <= set(left)
    assert stack.get("/v1/items?outdated=true")["items"] == []


def test_items_are_found_by_their_url_and_by_their_content(stack: Stack, first_run: Any) -> None:
    item = stack.item_of(BRIDGE)

    by_url = stack.get(f"/v1/items?url={item['canonical_uri']}")["items"]
    by_content = stack.get(f"/v1/items?content_sha256={item['content_sha256']}")["items"]

    assert item["id"] in [each["id"] for each in by_url]
    assert item["id"] in [each["id"] for each in by_content]
    assert first_run["id"] in [run["id"] for run in stack.get("/v1/runs?limit=100")["runs"]]


def test_the_registry_is_found_to_be_of_the_current_key(stack: Stack, rows: dict[str, Any]) -> None:
    def is_done() -> bool:
        jobs = map(decode, stack.aws.items("StateTable", pk=f"REKEY#{KEY_VERSION}", sk="JOB"))
        return any(job["done"] for job in jobs)

    assert stack.do("reconcile")["failures"] == []
    wait_until(is_done, WORK_WITHIN_S, "the end of the job")
    assert stack.do("reconcile")["rekey"] is False
    assert stack.do("repair")["failures"] == []
