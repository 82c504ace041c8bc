"""The whole stack on this machine over HTTP: the deployed code, in MiniStack, with the made-up internet."""

from __future__ import annotations

import http.client
import json
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from feedward_local.aws.saved_items import item_files
from feedward_local.demo.sites import Try, load_sites
from tests.local.stack_aws import wait_until
from tests.local.stack_process import StackProcess, serve

pytestmark = pytest.mark.local_stack
SITES = load_sites()


@pytest.mark.parametrize("told", SITES.tries, ids=lambda told: f"{told.story}: {told.url}")
def test_each_story_ends_as_the_sites_file_tells(answers: dict[str, Any], told: Try) -> None:
    result = answers[told.url]["result"]
    assert {name: result.get(name) for name in told.expected} == told.expected
    assert result["input"] == told.url


def test_an_answer_asked_again_is_its_own_answer(stack: StackProcess, answers: dict[str, Any]) -> None:
    clean = sorted({entry["result"]["url"] for entry in answers.values()} - {None})
    again = [entry["result"]["url"] for entry in stack.canonicalize(urls=clean)["results"]]
    assert again == clean


def test_no_request_goes_to_a_private_address(answers: dict[str, Any]) -> None:
    asked = {urlsplit(url).hostname for entry in answers.values() for url in entry["result"]["requests"]}
    assert asked <= SITES.hosts | {"nowhere.example"}


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://169.254.169.254/"])
def test_the_demo_opens_its_own_names_only_and_no_address(stack: StackProcess, url: str) -> None:
    result = stack.canonicalize(url=url)
    assert (result["url"], result["reason"], result["requests"]) == (None, "unsafe_url", [])


def test_registered_under_one_spelling_a_feed_is_found_under_others(stack: StackProcess) -> None:
    first = stack.canonicalize(url="https://www.garden.example/feed/?utm_source=a", register=True)
    assert first["url"] == "https://garden.example/feed"
    assert first["feed_id"]
    for spelling in ("http://garden.example/feed/", "https://www.garden.example/feed", "https://garden.example/feed"):
        again = stack.canonicalize(url=spelling, register=True)
        known = (again["url"], again["reason"], again["feed_id"], again["created"])
        assert known == (first["url"], "exists_in_db", first["feed_id"], False)


def test_a_new_feed_is_created_once(stack: StackProcess) -> None:
    first = stack.canonicalize(url="http://bread.example/feed.json", register=True)
    second = stack.canonicalize(url="https://bread.example/feed.json", register=True)
    assert (first["created"], first["reason"]) == (True, "upgrade_https")
    assert (second["created"], second["feed_id"]) == (False, first["feed_id"])


def test_a_known_feed_is_answered_without_any_request_when_asked_before_fetching(stack: StackProcess) -> None:
    registered = stack.canonicalize(url="https://paper.example/feed", register=True)
    result = stack.canonicalize(url="https://www.paper.example/feed/", check_before_fetch=True)
    assert (result["feed_id"], result["requests"]) == (registered["feed_id"], [])


def test_a_batch_of_fifty_has_an_answer_to_each_entry_and_a_problem_for_the_bad_one(stack: StackProcess) -> None:
    urls: list[object] = [f"https://garden.example/feed?utm_term={number}" for number in range(48)]
    urls.insert(7, 42)
    urls.append("https://closed.example/feed")
    entries = stack.canonicalize(urls=urls)["results"]
    assert len(entries) == 50
    assert entries[7]["problem"]["field"] == "urls[7]"
    assert entries[49]["result"]["outcome"] == "gone"
    good = [entry["result"]["url"] for entry in entries[:7] + entries[8:49]]
    assert good == ["https://garden.example/feed"] * 48


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "url"),
        ({"url": 3}, "url"),
        ({"urls": []}, "urls"),
        ({"urls": ["https://a.example/"] * 51}, "urls"),
        ({"url": "https://a.example/", "max_requests": "many"}, "max_requests"),
        ({"url": "https://a.example/", "presets": ["aggressive", "wild"]}, "presets[1]"),
        ({"url": "https://a.example/", "colour": "red"}, "colour"),
    ],
)
def test_a_bad_request_is_a_problem_that_names_the_field(stack: StackProcess, body: object, field: str) -> None:
    status, kind, problem = stack.call("POST", "/v1/canonicalize", body)
    assert (status, kind, problem["status"], problem["field"]) == (400, "application/problem+json", 400, field)


def test_an_unknown_route_is_a_problem(stack: StackProcess) -> None:
    status, kind, problem = stack.call("GET", "/v1/nothing")
    assert (status, kind, problem["status"]) == (404, "application/problem+json", 404)


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("PUT", "/v1/feeds/01JDR3M5V0XQ8S6Y2K4H7N9PTB", "GET, HEAD, PATCH"),
        ("GET", "/v1/canonicalize", "POST"),
        ("OPTIONS", "/v1/runs", "POST, GET, HEAD"),
        ("BREW", "/v1/health", "GET, HEAD"),
    ],
)
def test_a_wrong_method_on_a_path_is_a_405_that_lists_the_right_ones(
    stack: StackProcess, method: str, path: str, allow: str
) -> None:
    answer, body = asked(stack, method, path)
    assert (answer.status, answer.headers["allow"]) == (405, allow)
    assert json.loads(body)["code"] == "method_not_allowed"


@pytest.mark.parametrize("path", ["/v1/health", "/v1/feeds?limit=1", "/v1/feeds/01JDR3M5V0XQ8S6Y2K4H7N9PTB"])
def test_a_head_is_answered_as_a_get_without_its_body(stack: StackProcess, path: str) -> None:
    got, body = asked(stack, "GET", path)
    head, nothing = asked(stack, "HEAD", path)
    assert (head.status, head.headers["content-type"]) == (got.status, got.headers["content-type"])
    assert body
    assert not nothing


def asked(stack: StackProcess, method: str, path: str) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection(urlsplit(stack.url).netloc, timeout=240)
    try:
        connection.request(method, path)
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def test_the_front_leaves_no_socket_behind_in_the_stack(stack: StackProcess) -> None:
    port = urlsplit((stack.state / "demo" / "ministack.url").read_text()).port or 0
    others = len(left_open(port))  # of the functions and the deployment
    for _ in range(60):
        assert stack.call("GET", "/v1/health")[0] == 200
    assert wait_until(lambda: len(left_open(port)) < others + 10, 10, "closed sockets") is True


def left_open(port: int) -> list[str]:
    """The sockets of a port whose other end has been closed (CLOSE-WAIT), as the kernel lists them."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return [local for _, local, _, state, *_ in rows if local.endswith(f":{port:04X}") and state == "08"]


def test_a_save_that_failed_is_made_good_by_a_later_one(stack: StackProcess) -> None:
    (saved,) = stack.state.rglob("aws/dynamodb.json")
    (log,) = stack.state.rglob("ministack.log")
    in_the_way = saved.parent / "next"
    wait_until(lambda: is_made(in_the_way), 60, "a moment between two saves")
    _, _, subscribed = stack.call("POST", "/v1/subscriptions", {"url": "https://nobody.example/feed"})
    wait_until(lambda: "the state was not saved" in log.read_text(), 60, "a save that failed")
    assert not holds(saved.parent, subscribed["id"])
    in_the_way.unlink()
    wait_until(lambda: holds(saved.parent, subscribed["id"]), 60, "what was not saved")
    assert stack.call("DELETE", f"/v1/subscriptions/{subscribed['id']}")[0] == 204


def is_made(path: Path) -> bool:
    """Make an empty file, if there is none of this name."""
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def holds(state: Path, text: str) -> bool:
    """Whether a saved item has this text."""
    with suppress(FileNotFoundError):  # a file of all items has just replaced it
        return any(text in path.read_text() for path in item_files(state))
    return False


def test_a_request_under_another_name_is_refused(stack: StackProcess) -> None:
    status, _, problem = stack.call("GET", "/v1/health", headers={"Host": "rebound.example"})
    assert (status, problem["code"]) == (421, "misdirected_request")


def test_the_health_and_the_description_of_the_api_are_there(stack: StackProcess) -> None:
    status, _, health = stack.call("GET", "/v1/health")
    assert (status, health["status"]) == (200, "ok")
    status, kind, description = stack.call("GET", "/v1/openapi.json")
    assert (status, kind.partition(";")[0]) == (200, "application/json")
    assert "post" in description["paths"]["/v1/canonicalize"]


def test_the_console_shows_each_call_and_the_functions_log_line(stack: StackProcess) -> None:
    stack.canonicalize(url="https://mirror.example/harbour.xml")
    stack.wait_for(r"\nPOST /v1/canonicalize 200 \d+ ms\n")
    shown = stack.wait_for(r"\n\d\d:\d\d:\d\d INFO .*reason=content_verified.*https://(mirror|harbour)\.example/.*\n")
    assert "{" not in shown.group()


def test_it_tells_how_soon_it_was_ready(stack: StackProcess) -> None:
    assert 0 < float(stack.wait_for(r"ready after ([0-9.]+) s").group(1)) < 240


def test_the_curl_line_that_is_shown_works(stack: StackProcess) -> None:
    shown = stack.wait_for(r"curl -s (\S+)/v1/canonicalize .* -d '(.*)'")
    assert shown.group(1) == stack.url
    assert stack.canonicalize(**json.loads(shown.group(2)))["url"] == "https://garden.example/feed"


def test_a_second_run_beside_the_first_is_told_where_that_is(stack: StackProcess) -> None:
    second = serve("--demo", "--port", "0", "--state", str(stack.state))
    assert second.returncode == 1
    assert f"already running on this state: {stack.url}" in second.stderr
    assert stack.call("GET", "/v1/health")[0] == 200
