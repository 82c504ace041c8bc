"""The front answers to its own names only, passes answers on, and turns every failure into problem+json."""

from __future__ import annotations

import http.client
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from typing import Any

import pytest

from feedward_local.gateway import (
    CALLS_AT_ONCE,
    CONNECTIONS_AT_ONCE,
    LARGE_BODY,
    LARGEST_BODY,
    PAGE_CALLS_AT_ONCE,
    Gateway,
    _Forwarding,
)
from feedward_local.gateway_problem import as_problem

PATIENCE_S = 60
ANSWERS: dict[str, tuple[int, str, bytes]] = {
    "/v1/crowd": (200, "application/json", b"{}"),
    "/page.js": (200, "text/javascript", b""),
    "/good": (200, "application/json", b'{"url": "x"}'),
    "/problem": (400, "application/problem+json", b'{"code": "invalid_input", "field": "url"}'),
    "/boom": (502, "application/json", b'{"errorMessage": "boom", "errorType": "Runtime.HandlerError"}'),
    "/slow": (502, "application/json", b'{"errorMessage": "Task timed out", "errorType": "Sandbox.Timedout"}'),
    "/nothing": (404, "application/json", b'{"message":"Not Found"}'),
    "/no-key": (401, "application/json", b'{"message":"Unauthorized"}'),
    "/wrong-key": (403, "application/json", b'{"message": "Forbidden"}'),
    "/forbidden": (403, "application/json", b'{"message": "CORS not configured"}'),
    "/other": (405, "application/problem+json", b'{"code": "method_not_allowed"}'),
    "/html": (500, "text/html", b"<h1>broken</h1>"),
}


CROWDED = {"/v1/crowd": CALLS_AT_ONCE, "/page.js": PAGE_CALLS_AT_ONCE}


class Upstream(BaseHTTPRequestHandler):
    seen: list[tuple[str, str, dict[str, str], bytes]] = []  # noqa: RUF012 - emptied for each test

    inside: list[str] = []  # noqa: RUF012
    most: list[int] = []  # noqa: RUF012
    together = threading.Event()  # set once as many calls are inside as may be

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.seen.append((self.command, self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        path = self.path.removeprefix("/_aws/execute-api/api1/$default").partition("?")[0]
        self.inside.append(path)
        self.most.append(len(self.inside))
        if path in CROWDED:
            if len(self.inside) >= CROWDED[path]:
                self.together.set()
            self.together.wait(PATIENCE_S)
            time.sleep(0.05)  # in which one more could come
        self.inside.remove(path)
        status, kind, answer = ANSWERS[path]
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("X-Extra", "kept")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer)

    do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_TRACE = do_GET  # noqa: N815

    def log_message(self, *args: object) -> None:
        """No log."""


@pytest.fixture
def gateway() -> Iterator[Gateway]:
    Upstream.seen.clear()
    Upstream.most.clear()
    Upstream.together.clear()
    upstream = ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    front = Gateway(0)
    front.open_to(upstream.server_address[1], "api1")
    servers: list[HTTPServer] = [upstream, front]
    threads = [threading.Thread(target=server.serve_forever, args=(0.01,)) for server in servers]
    for thread in threads:
        thread.start()
    yield front
    for server, thread in zip(servers, threads, strict=True):
        server.shutdown()
        thread.join()
        server.server_close()


def call(gateway: Gateway, method: str, path: str, headers: dict[str, str] | None = None, body: bytes = b"") -> Any:
    connection = http.client.HTTPConnection("127.0.0.1", gateway.server_port, timeout=PATIENCE_S)
    try:
        connection.request(method, path, body=body or None, headers=headers or {})
        response = connection.getresponse()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
    finally:
        connection.close()


def test_method_path_query_body_and_content_type_are_passed_on(gateway: Gateway) -> None:
    sent = {"content-type": "application/json", "x-api-key": "k", "te": "trailers"}
    status, headers, body = call(gateway, "POST", "/good?a=%20b&c", sent, b'{"url": "y"}')
    assert (status, body, headers["content-type"], headers["x-extra"]) == (
        200,
        b'{"url": "x"}',
        "application/json",
        "kept",
    )
    method, path, passed, given = Upstream.seen[0]
    assert (method, path, given) == ("POST", "/_aws/execute-api/api1/$default/good?a=%20b&c", b'{"url": "y"}')
    assert passed["content-type"] == "application/json"
    assert passed["x-api-key"] == "k"
    assert "te" not in passed


def test_a_request_that_is_inside_at_the_end_is_answered_and_a_later_one_is_refused(gateway: Gateway) -> None:
    with ThreadPoolExecutor(max_workers=2) as threads:
        inside = threads.submit(call, gateway, "POST", "/v1/crowd")
        assert wait_for(lambda: Upstream.inside == ["/v1/crowd"])
        ending = threads.submit(gateway.end, PATIENCE_S)
        assert wait_for(lambda: call(gateway, "GET", "/good")[0] == 503)
        assert not ending.done()
        Upstream.together.set()
        assert inside.result()[0] == 200
        ending.result()


def test_a_request_that_outlasts_the_end_is_not_acknowledged(gateway: Gateway) -> None:
    with ThreadPoolExecutor(max_workers=1) as threads:
        inside = threads.submit(call, gateway, "POST", "/v1/crowd")
        assert wait_for(lambda: Upstream.inside == ["/v1/crowd"])
        gateway.end(0.01)
        Upstream.together.set()
        status, _, body = inside.result()
    assert (status, json.loads(body)["code"]) == (503, "unavailable")


def wait_for(look: Callable[[], bool]) -> bool:
    """Poll until the condition holds."""
    ends_at = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends_at:
        if look():
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_it_answers_to_its_own_names(gateway: Gateway, host: str) -> None:
    assert call(gateway, "GET", "/good", {"Host": f"{host}:{gateway.server_port}"})[0] == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "localhost", "localhost:1", "127.0.0.1.evil.example:{port}", ""]
)
def test_a_name_that_was_bound_to_loopback_gets_nothing(gateway: Gateway, host: str) -> None:
    status, headers, body = call(gateway, "GET", "/good", {"Host": host.format(port=gateway.server_port)})
    assert (status, headers["content-type"]) == (421, "application/problem+json")
    assert json.loads(body)["code"] == "misdirected_request"
    assert Upstream.seen == []


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost", "http://localhost:1"])
def test_a_page_of_another_origin_gets_nothing(gateway: Gateway, origin: str) -> None:
    status, _, body = call(gateway, "POST", "/good", {"Origin": origin}, b"{}")
    assert (status, json.loads(body)["code"]) == (403, "forbidden_origin")
    assert Upstream.seen == []


def test_its_own_pages_may_call_it(gateway: Gateway) -> None:
    assert call(gateway, "POST", "/good", {"Origin": gateway.url}, b"{}")[0] == 200


def test_a_problem_of_the_function_is_passed_on_as_it_is(gateway: Gateway) -> None:
    status, headers, body = call(gateway, "GET", "/problem")
    assert (status, headers["content-type"]) == (400, "application/problem+json")
    assert json.loads(body) == {"code": "invalid_input", "field": "url"}


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/boom", 502, "function_error"),
        ("/slow", 504, "timeout"),
        ("/nothing", 404, "route_not_found"),
        ("/forbidden", 403, "forbidden"),
        ("/html", 500, "internal_error"),
    ],
)
def test_every_other_failure_becomes_a_problem(gateway: Gateway, path: str, status: int, code: str) -> None:
    got, headers, body = call(gateway, "GET", path)
    problem = json.loads(body)
    assert (got, headers["content-type"], problem["status"], problem["code"]) == (
        status,
        "application/problem+json",
        status,
        code,
    )


@pytest.mark.parametrize(("path", "status"), [("/no-key", 401), ("/wrong-key", 403)])
def test_answers_about_keys_are_bare_like_those_of_a_deployed_api(gateway: Gateway, path: str, status: int) -> None:
    got, headers, body = call(gateway, "GET", path)

    assert (got, headers["content-type"]) == (status, "application/json")
    assert json.loads(body).keys() == {"message"}


def test_an_unknown_route_is_named(gateway: Gateway) -> None:
    problem = json.loads(call(gateway, "GET", "/nothing?secret=1")[2])
    assert "GET /nothing;" in problem["detail"]


def raw(gateway: Gateway, sent: bytes) -> tuple[int, str, dict[str, Any]]:
    """Send bytes as they are and hang up; return status, content type and problem."""
    with socket.create_connection(("127.0.0.1", gateway.server_port), timeout=PATIENCE_S) as connection:
        connection.sendall(sent.replace(b"{host}", f"127.0.0.1:{gateway.server_port}".encode()))
        connection.shutdown(socket.SHUT_WR)
        response = http.client.HTTPResponse(connection)
        response.begin()
        return response.status, response.headers["content-type"], json.loads(response.read())


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"HELLO\r\n\r\n", 400, "invalid_input"),
        (b"GET /good HTTP/9.1\r\nHost: {host}\r\n\r\n", 505, "invalid_input"),
        (b"GET /go od HTTP/1.1\r\nHost: {host}\r\n\r\n", 400, "invalid_input"),
        (b"B,REW /good HTTP/1.1\r\nHost: {host}\r\n\r\n", 400, "invalid_input"),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: {host}\r\n\r\n", 414, "invalid_input"),
        (b"GET /good HTTP/1.1\r\nHost: {host}\r\nX: " + b"a" * 70_000 + b"\r\n\r\n", 431, "invalid_input"),
        (b"GET /good HTTP/1.1\r\n\r\n", 421, "misdirected_request"),
        (b"GET /good HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n\r\n", 400, "invalid_input"),
        (b"GET http://evil.example/ HTTP/1.1\r\nHost: {host}\r\n\r\n", 400, "invalid_input"),
        (
            b"POST /good HTTP/1.1\r\nHost: {host}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
            400,
            "invalid_input",
        ),
        (b"POST /good HTTP/1.1\r\nHost: {host}\r\nContent-Length: 9\r\n\r\n{}", 400, "invalid_input"),
    ],
)
def test_an_invalid_request_is_a_problem_and_is_not_passed_on(
    gateway: Gateway, sent: bytes, status: int, code: str
) -> None:
    got, kind, problem = raw(gateway, sent)
    assert (got, kind, problem["status"], problem["code"]) == (status, "application/problem+json", status, code)
    assert Upstream.seen == []


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "BREW", "get", "M-SEARCH"])
def test_a_method_that_no_route_has_is_for_the_api_to_refuse(gateway: Gateway, method: str) -> None:
    status, headers, body = call(gateway, method, "/other")

    assert (status, json.loads(body)["code"], headers["x-extra"]) == (405, "method_not_allowed", "kept")
    assert [asked for asked, *_ in Upstream.seen] == ["TRACE"]


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
def test_a_method_that_a_route_may_have_is_passed_on_as_it_is(gateway: Gateway, method: str) -> None:
    assert call(gateway, method, "/good")[0] == 200
    assert [asked for asked, *_ in Upstream.seen] == [method]


def test_a_head_gets_no_body_and_no_length_that_is_not_the_bodys(gateway: Gateway) -> None:
    status, headers, body = call(gateway, "HEAD", "/good")

    assert (status, headers["content-type"], body) == (200, "application/json", b"")
    assert headers.get("content-length") is None


def test_a_body_does_not_wait_for_the_client_to_acknowledge_the_headers(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    sends_at_once: list[int] = []
    respond = _Forwarding._send

    def noting(handler: _Forwarding, *answer: Any) -> None:
        sends_at_once.append(handler.connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        respond(handler, *answer)

    monkeypatch.setattr(_Forwarding, "_send", noting)
    call(gateway, "GET", "/good")

    assert sends_at_once == [1]


def test_the_stack_is_told_to_close_each_connection(gateway: Gateway) -> None:
    call(gateway, "GET", "/good", {"Connection": "keep-alive"})

    assert Upstream.seen[0][2]["connection"] == "close"


def test_a_path_as_it_was_typed_is_passed_on_encoded(gateway: Gateway) -> None:
    ANSWERS["/%C3%A9%01"] = ANSWERS["/good"]
    sent = "GET /é\x01?q=ü%20 HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    assert raw(gateway, sent)[0] == 200
    assert Upstream.seen[0][1] == "/_aws/execute-api/api1/$default/%C3%A9%01?q=%C3%BC%20"


@pytest.mark.parametrize(
    ("target", "passed_on"),
    [
        ("http://{host}/good?a=http://b.example/", "/good?a=http://b.example/"),
        ("HTTP://{host}/good", "/good"),
        ("/a%2Fb%2fc?d=%2F", "/a%252Fb%252Fc?d=%2F"),
    ],
)
def test_a_target_means_what_it_means_to_api_gateway(gateway: Gateway, target: str, passed_on: str) -> None:
    ANSWERS["/a%252Fb%252Fc"] = ANSWERS["/good"]
    assert raw(gateway, f"GET {target} HTTP/1.1\r\nHost: {{host}}\r\n\r\n".encode())[0] == 200
    assert Upstream.seen[0][1] == f"/_aws/execute-api/api1/$default{passed_on}"


def test_a_client_that_hangs_up_is_no_event_and_a_fault_of_the_front_is_told(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    gateway.said = said.append
    with socket.create_connection(("127.0.0.1", gateway.server_port)) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall(b"POST /good HTTP/1.1\r\nHost: x")
    monkeypatch.setattr(gateway, "is_own_name", None)
    with pytest.raises((http.client.HTTPException, ConnectionError)):
        call(gateway, "GET", "/good")
    assert len(said) == 1
    assert "TypeError" in said[0]


def test_a_stack_that_is_not_there_is_a_problem(gateway: Gateway) -> None:
    gateway.upstream = ("127.0.0.1", 1)
    status, _, body = call(gateway, "GET", "/good")
    assert (status, json.loads(body)["code"]) == (502, "unavailable")


@pytest.mark.parametrize(("path", "most"), CROWDED.items())
def test_calls_wait_for_a_warm_worker_instead_of_starting_one_each(gateway: Gateway, path: str, most: int) -> None:
    with ThreadPoolExecutor(12) as pool:
        statuses = list(pool.map(lambda _number: call(gateway, "GET", path)[0], range(12)))
    assert statuses == [200] * 12
    assert max(Upstream.most) == most


def test_a_body_that_is_too_large_is_refused_unread(gateway: Gateway) -> None:
    status, _, body = call(gateway, "POST", "/good", {"Content-Length": str(10**9)})
    assert (status, json.loads(body)["code"]) == (413, "body_too_large")


def test_a_client_that_sends_a_body_that_is_too_large_reads_why(gateway: Gateway) -> None:
    status, _, body = call(gateway, "POST", "/good", body=b" " * (LARGEST_BODY + 1))
    assert (status, json.loads(body)["code"]) == (413, "body_too_large")


def test_each_connection_has_a_thread_and_there_are_so_many_at_most(gateway: Gateway) -> None:
    open_ones = [gateway._connections.acquire(blocking=False) for _ in range(CONNECTIONS_AT_ONCE)]
    assert all(open_ones)
    with socket.create_connection(("127.0.0.1", gateway.server_port), timeout=PATIENCE_S) as connection:
        refusal = connection.makefile("rb").read()
    assert refusal.startswith(b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\n")
    gateway._connections.release()
    assert call(gateway, "GET", "/good")[0] == 200
    assert wait_for(lambda: gateway._connections.acquire(blocking=False)), "its thread has given its place back"


def test_large_bodies_wait_for_those_before_them(gateway: Gateway) -> None:
    most, inside = list[int](), list[int]()

    class Counted:
        def __enter__(self) -> None:
            inside.append(1)
            most.append(len(inside))

        def __exit__(self, *_error: object) -> None:
            inside.pop()

    gateway.large_bodies = Counted()  # type: ignore[assignment]
    for size in (LARGE_BODY, LARGE_BODY + 1):
        assert call(gateway, "POST", "/good", body=b" " * size)[0] == 200
    assert most == [1]


@pytest.mark.parametrize(
    ("name", "value", "status"), [("Transfer-Encoding", "chunked", 411), ("Content-Length", "-1", 400)]
)
def test_a_body_of_unknown_length_is_refused(gateway: Gateway, name: str, value: str, status: int) -> None:
    assert call(gateway, "POST", "/good", {name: value})[0] == status


def test_an_answer_that_claims_to_be_a_problem_with_a_charset_is_one() -> None:
    headers = [("Content-Type", "application/problem+json; charset=utf-8")]
    assert as_problem(409, headers, b"{}", asked="GET /x") == (409, headers, b"{}")


def test_a_taken_port_is_known_when_the_front_is_made(gateway: Gateway) -> None:
    with pytest.raises(OSError, match="in use"):
        Gateway(gateway.server_port)
