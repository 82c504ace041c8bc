"""Calls to a cluster by the client library: the requests, and the result of each kind of answer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from feedward.adapters.opensearch.cluster import Cluster, signed_transport
from feedward.errors import FeedwardError, StoreUnavailable, Throttled
from tests.fakes.feed_store import PATIENT


class Server(ThreadingHTTPServer):
    """Answers each request with the next answer, and records the requests."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: list[tuple[int, str]] = []
        self.asked: list[tuple[str, str, str, dict[str, str]]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
        self.server.asked.append((self.command, self.path, body, {k.lower(): v for k, v in self.headers.items()}))
        status, text = self.server.answers.pop(0) if self.server.answers else (200, "{}")
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    do_GET = do_POST = do_PUT = _answer  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """No log."""


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    serving = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
    serving.start()
    yield made
    made.shutdown()
    made.server_close()
    serving.join()


@pytest.fixture
def cluster(server: Server) -> Cluster:
    return Cluster(signed_transport(server.url, signs=False), backoff=PATIENT)


def test_a_call_sends_json_and_returns_json(server: Server, cluster: Cluster) -> None:
    server.answers = [(200, '{"count": 3}')]

    assert cluster.ask("POST", "/feeds/_count", {"query": {}}) == {"count": 3}
    ((method, path, body, headers),) = server.asked
    assert (method, path, body) == ("POST", "/feeds/_count", '{"query": {}}')
    assert headers["content-type"] == "application/json"


def test_a_bulk_sends_lines_and_returns_its_items(server: Server, cluster: Cluster) -> None:
    server.answers = [(200, '{"errors": true, "items": [{"index": {"status": 201}}, {"index": {"status": 429}}]}')]

    assert cluster.bulk(["{}", "{}"]) == [{"status": 201}, {"status": 429}]
    assert server.asked[0][2] == "{}\n{}\n"
    assert server.asked[0][3]["content-type"] == "application/x-ndjson"


def test_missing_optional_members_are_none(server: Server, cluster: Cluster) -> None:
    server.answers = [(404, '{"error": "alias [x] missing", "status": 404}')] * 2

    assert cluster.find("GET", "/_alias/x") is None
    with pytest.raises(FeedwardError, match="alias"):
        cluster.ask("GET", "/_alias/x")


@pytest.mark.parametrize(("status", "error"), [(429, Throttled), (503, StoreUnavailable), (500, StoreUnavailable)])
def test_a_busy_cluster_is_asked_again(
    server: Server, cluster: Cluster, status: int, error: type[FeedwardError]
) -> None:
    server.answers = [(status, "{}"), (200, '{"ok": 1}')]
    assert cluster.ask("GET", "/") == {"ok": 1}
    server.answers = [(status, "{}")] * 20
    with pytest.raises(error):
        cluster.ask("GET", "/")


def test_a_refused_request_tells_the_reason_and_is_not_repeated(server: Server, cluster: Cluster) -> None:
    server.answers = [(400, '{"error": {"type": "parsing_exception", "reason": "unknown query"}}')]
    with pytest.raises(FeedwardError, match="unknown query"):
        cluster.ask("POST", "/feeds/_search", {})

    assert len(server.asked) == 1


def test_requests_are_signed_for_the_region(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    Cluster(signed_transport(server.url), backoff=PATIENT).ask("GET", "/")

    assert "/eu-central-1/es/aws4_request" in server.asked[0][3]["authorization"]


def test_no_answer_is_a_store_that_is_away(server: Server) -> None:
    cluster = Cluster(signed_transport("http://127.0.0.1:9", signs=False), backoff=PATIENT)
    with pytest.raises(StoreUnavailable):
        cluster.ask("GET", "/")
