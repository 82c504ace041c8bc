"""Local answers are the API's document; a search that the API continues as a job is followed to its end."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import pytest

from feedward.api.sites import encode_site
from feedward_local.api_client.api import ApiUnreachable
from feedward_local.api_client.discovery_answers import ApiDiscoveries, DirectDiscoveries
from tests.fakes.fetcher import FakeFetcher

PROFILE = "https://t.me/s/somebody"
JOB = "/v1/discoveries/abc.01"


class Stub(ThreadingHTTPServer):
    """Answers each request with the next of its answers (status, headers, document); the last one repeats."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: list[tuple[int, dict[str, str], Any]] = []
        self.asked: list[tuple[str, str, Any]] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Stub

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.asked.append((self.command, self.path, json.loads(body) if body else None))
        answers = self.server.answers
        status, headers, document = answers.pop(0) if len(answers) > 1 else answers[0]
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(json.dumps(document).encode())

    do_GET = do_POST = _answer  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """No log."""


@pytest.fixture
def api() -> Iterator[Stub]:
    server = Stub()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


class Waiting:
    """A clock that sleeping moves, and the reported lines."""

    def __init__(self) -> None:
        self.at = 0.0
        self.lines: list[str] = []

    def sleep(self, seconds: float) -> None:
        self.at += seconds

    def ask(self, api: Stub, url: str = "https://slow.example/", follow_s: float = 60.0) -> dict[str, Any]:
        with ApiDiscoveries(
            api.address, connections=1, follow_s=follow_s, told=self.lines.append,
            sleep=self.sleep, monotonic=lambda: self.at,
        ) as discoveries:  # fmt: skip
            return discoveries.ask({"url": url, "refresh": True})


def document(status: str, **said: Any) -> dict[str, Any]:
    return {"id": "abc.01", "status": status, "candidates": [], "canonical": None} | said


def test_an_answer_that_is_complete_is_the_answer(api: Stub) -> None:
    api.answers = [(200, {}, document("done"))]
    waiting = Waiting()
    assert waiting.ask(api) == document("done")
    assert api.asked == [("POST", "/v1/discoveries", {"url": "https://slow.example/", "refresh": True})]
    assert waiting.lines == []


@pytest.mark.parametrize("location", [JOB, f"https://other-name.example/stage{JOB}"])
def test_a_job_is_followed_to_its_end_at_the_address_that_was_given(api: Stub, location: str) -> None:
    over = document("done", canonical={"url": "https://slow.example/feed"})
    api.answers = [
        (202, {"Location": location}, document("pending")),
        (200, {}, document("running")),
        (200, {}, document("running")),
        (200, {}, over),
    ]
    waiting = Waiting()
    assert waiting.ask(api) == over
    assert [(method, path) for method, path, _ in api.asked[1:]] == [("GET", JOB)] * 3
    assert waiting.lines[0] == "https://slow.example/: takes longer, and continues as a job"
    assert 0 < waiting.at < 5


def test_while_it_waits_it_says_now_and_then_that_it_does(api: Stub) -> None:
    api.answers = [(202, {"Location": JOB}, document("pending")), (200, {}, document("running"))]
    waiting = Waiting()
    assert waiting.ask(api, follow_s=21.0)["status"] == "running"
    assert waiting.at == pytest.approx(21.0)
    assert 3 <= sum("still searching" in line for line in waiting.lines) <= 4
    assert waiting.lines[-1] == f"https://slow.example/: not done after 21 s; it continues at {JOB}"


@pytest.mark.parametrize("end", [document("failed"), document("done", outcome="no_feed")])
def test_every_end_ends_it(api: Stub, end: dict[str, Any]) -> None:
    api.answers = [(202, {"Location": JOB}, document("pending")), (200, {}, end)]
    assert Waiting().ask(api) == end


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_job_is_read_again_if_the_api_is_too_busy(api: Stub, status: int) -> None:
    busy: tuple[int, dict[str, str], Any] = (status, {}, {"status": status, "code": "store_unavailable"})
    api.answers = [(202, {"Location": JOB}, document("pending")), busy, (200, {}, document("done"))]
    assert Waiting().ask(api) == document("done")


def test_a_job_that_is_gone_is_a_problem(api: Stub) -> None:
    api.answers = [(202, {"Location": JOB}, document("pending")), (404, {}, {"code": "not_found"})]
    assert Waiting().ask(api) == {"problem": {"code": "not_found"}}


def test_output_is_safe_for_a_terminal(api: Stub) -> None:
    api.answers = [(202, {"Location": JOB}, document("pending")), (200, {}, document("done"))]
    waiting = Waiting()
    waiting.ask(api, url="https://a.example/\x1b[2J")
    assert waiting.lines[0].startswith("https://a.example/\\x1b[2J:")


@pytest.mark.parametrize("document", [[], {"hello": 1}, "no"])
def test_another_server_is_told_from_an_api(api: Stub, document: Any) -> None:
    api.answers = [(200, {}, document)]
    with pytest.raises(ApiUnreachable, match="does not answer as feedward does"):
        Waiting().ask(api)


# --- answered here --------------------------------------------------------------------------------


def asked_here(url: str, rsshub: str | None, **body: Any) -> tuple[dict[str, Any], list[str]]:
    """The document for a site without feeds, and the fetches for it."""
    network = FakeFetcher(
        {url: {"headers": {"Content-Type": "text/html"}, "body": "<title>x</title>"}}, answers_404=True
    )
    with DirectDiscoveries(5.0, rsshub, network) as discoveries:
        return discoveries.ask({"url": url, **body}), network.fetched


@pytest.mark.parametrize("hub", ["https://hub.example", "http://hub.example:8080/below/"])
def test_the_rsshub_that_was_chosen_is_asked_after_the_site_itself(hub: str) -> None:
    document, fetched = asked_here(PROFILE, hub)
    assert fetched[0] == PROFILE
    assert fetched[-1].startswith(f"{hub.rstrip('/')}/telegram/")
    assert document["candidates"][-1]["discovered_from"] == ["external"]


def test_no_rsshub_is_asked_where_none_is_wanted() -> None:
    _, fetched = asked_here(PROFILE, None)
    assert {urlsplit(url).hostname for url in fetched} == {"t.me"}


def test_local_results_are_shown_like_the_apis() -> None:
    document, fetched = asked_here("https://plain.example/", None)
    assert document.keys() == encode_site(None).keys()
    assert (document["status"], document["outcome"], document["complete"]) == ("done", "no_feed", True)
    assert document["requests"] == len(fetched)
    assert document["site"]["title"] == "x"


@pytest.mark.parametrize(
    ("body", "field"), [({"intent": "everything"}, "intent"), ({"colour": "red"}, "colour"), ({"url": 3}, "url")]
)
def test_a_request_that_cannot_be_used_is_a_problem_that_names_the_field(body: dict[str, Any], field: str) -> None:
    with DirectDiscoveries(5.0, None, FakeFetcher({})) as discoveries:
        answer = discoveries.ask({"url": PROFILE, **body})
    assert answer["problem"]["field"] == field
