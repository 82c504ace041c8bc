"""The front at 127.0.0.1:8080: forwards each request to the API in MiniStack, and returns its answer.

It listens on loopback only and answers only to its own names, so that a web page whose name was re-bound to 127.0.0.1
gets nothing, nor does a page that posts from another origin. Every failure on the way is problem+json.
"""

from __future__ import annotations

import contextlib
import http.client
import re
import socket
import socketserver
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import quote, urlsplit

from feedward_local.console import printable
from feedward_local.gateway_problem import PROBLEM, Headers, Problem, as_problem

LARGEST_BODY = 10 * 1024 * 1024  # as API Gateway's
ANSWER_WITHIN_S = 40.0  # longer than any function may run
# MiniStack starts a process for each call beyond its warm ones, which is slower than waiting for a warm one.
CALLS_AT_ONCE = 4
PAGE_CALLS_AT_ONCE = 2  # a file takes a warm worker a few milliseconds, and a new worker half a second
# A request that takes longer at the end is aborted without an answer, so no client relies on it.
ENDED_WITHIN_S = 10.0
_PROXYS = frozenset({"proxy-authenticate", "proxy-authorization", "te", "trailer"})
HOP_BY_HOP = _PROXYS | {"connection", "keep-alive", "transfer-encoding", "upgrade"}
NOT_PASSED_ON = HOP_BY_HOP | {"host", "content-length", "expect"}
NOT_PASSED_BACK = HOP_BY_HOP | {"content-length", "date", "server"}
# Methods that MiniStack leaves to the functions. No route has another one, so the function answers 405 to all of them;
# it is called with a method that has no special meaning for MiniStack.
METHODS_PASSED_ON = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
ANY_OTHER_METHOD = "TRACE"
# A request to a proxy has a whole URL, and each server has to understand it.
WHOLE_TARGET = re.compile(r"http://(?P<host>[^/?#]+)(?P<target>/.*)", re.IGNORECASE | re.DOTALL)
ENCODED_SLASH = re.compile("%2F", re.IGNORECASE)
METHOD = re.compile(r"do_([!#$%&'*+.^_`|~0-9A-Za-z-]+)", re.ASCII)
# Each connection has a thread, and each large body its memory until it is answered.
CONNECTIONS_AT_ONCE = 256
LARGE_BODY, LARGE_BODIES_AT_ONCE = 1024 * 1024, 16
# A connection that is closed with unread bytes is reset, so that the client may not read why.
UNREAD_WITHIN_S = 5.0
CALLBACK_TOKEN = re.compile(r"\A(/v1/push/[^/]*)/.*")  # the console does not show it
TARGET_CHARACTERS = "".join(map(chr, range(0x21, 0x7F)))


class Gateway(ThreadingHTTPServer):
    """Bound when created, so that a taken port is known immediately; serves after `open_to`."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port: int, said: Callable[[str], None] = lambda _line: None) -> None:
        """Bind to a loopback port (0: any free one); `said` gets one line for each request. Raises OSError."""
        super().__init__(("127.0.0.1", port), _Forwarding, bind_and_activate=False)
        self.said = said
        self._calls = threading.BoundedSemaphore(CALLS_AT_ONCE)
        self._page_calls = threading.BoundedSemaphore(PAGE_CALLS_AT_ONCE)
        self._connections = threading.BoundedSemaphore(CONNECTIONS_AT_ONCE)
        self.large_bodies = threading.BoundedSemaphore(LARGE_BODIES_AT_ONCE)
        self._inside, self._is_ending, self._is_cut_off = 0, False, False
        self._changed = threading.Condition()
        self.upstream = ("127.0.0.1", 0)
        self.prefix = ""
        try:
            self.server_bind()
        except OSError:
            self.server_close()
            raise

    def server_bind(self) -> None:
        """Bind without the base class's look-up of the machine's own name, which can take seconds."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def open_to(self, upstream_port: int, api_id: str) -> None:
        """Start to listen, for the API `api_id` of the MiniStack at that port. Raises OSError if the port was taken."""
        self.upstream = ("127.0.0.1", upstream_port)
        self.prefix = f"/_aws/execute-api/{api_id}/$default"
        self.server_activate()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Give a connection its thread, or refuse it if there are too many."""
        if self._connections.acquire(blocking=False):
            super().process_request(request, client_address)
            return
        with contextlib.suppress(OSError):
            request.sendall(Problem(503, "unavailable", "There are too many connections: try later.").last_answer())
        self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a connection to its end."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._connections.release()

    @contextlib.contextmanager
    def admitted(self) -> Iterator[None]:
        """Count a request while it is forwarded. Raises Problem if the server is ending, now or during the request."""
        with self._changed:
            if self._is_ending:
                raise Problem(503, "unavailable", "The local stack is being stopped.")
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()
                is_too_late = self._is_cut_off
        if is_too_late:
            raise Problem(503, "unavailable", "The local stack was stopped before this was done.")

    def calls_of(self, path: str) -> threading.Semaphore:
        """Return the limit of concurrent calls for a path: that of the API, or that of the page."""
        return self._calls if path.startswith("/v1/") else self._page_calls

    def end(self, within_s: float = ENDED_WITHIN_S) -> None:
        """Accept no more requests, and wait for the active ones: their writes are saved if they are acknowledged."""
        with self._changed:
            self._is_ending = True
            self._changed.wait_for(lambda: self._inside == 0, within_s)
            self._is_cut_off = True
        self.shutdown()

    @property
    def url(self) -> str:
        """The address for people."""
        return f"http://127.0.0.1:{self.server_port}"

    def is_own_name(self, host: str | None) -> bool:
        """True if a Host header, or the host part of an Origin or of a target, names this server."""
        names = ("127.0.0.1", "localhost", "[::1]")
        own = {f"{name}:{self.server_port}" for name in names}
        if self.server_port == 80:
            own |= set(names)
        return host is not None and host.strip().lower() in own

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002
        """Ignore a client that hangs up; log any other error on the console as a fault of the front."""
        error = sys.exception()
        if not isinstance(error, (ConnectionError, TimeoutError)):
            self.said("the front failed:\n" + "".join(traceback.format_exception(error)).rstrip())


class _Forwarding(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else a body waits 40 ms for the client to acknowledge the headers
    timeout = 60
    server: Gateway
    _leaves_body = False

    def _answer(self) -> None:
        started, said = time.monotonic(), self.server.said
        try:
            self._refuse_strangers()
            length = self._length()
            with self.server.large_bodies if length > LARGE_BODY else contextlib.nullcontext():
                body = self._body(length)
                with self.server.admitted(), self.server.calls_of(self._path):
                    status, headers, answer = self._forward(body)
        except Problem as problem:
            self._leaves_body = self.close_connection
            status, headers, answer = problem.status, [("content-type", PROBLEM)], problem.body()
        if status >= 400:
            status, headers, answer = as_problem(status, headers, answer, asked=f"{self.command} {self._path}")
        self._send(status, headers, answer)
        shown = CALLBACK_TOKEN.sub(r"\1/...", self._path)
        said(f"{self.command} {shown} {status} {1000 * (time.monotonic() - started):.0f} ms")

    @property
    def _target(self) -> str:
        """The request target, with invalid characters percent-encoded, since clients send it as typed."""
        target = WHOLE_TARGET.fullmatch(self.path)
        own = target["target"] if target and self.server.is_own_name(target["host"]) else self.path
        return quote(own.encode("latin-1"), safe=TARGET_CHARACTERS)

    @property
    def _path(self) -> str:
        return self._target.partition("?")[0]

    def __getattr__(self, name: str) -> Any:
        """Answer a request with any method: only the API knows the methods of a path."""
        if METHOD.fullmatch(name) is None:
            raise AttributeError(name)
        return self._answer

    def _refuse_strangers(self) -> None:
        if not self.server.is_own_name(self._only("host")):
            self.close_connection = True
            raise Problem(
                421, "misdirected_request", f"This server is {self.server.url}; the Host header names another."
            )
        origin = self.headers.get("origin")
        if origin is not None and not self.server.is_own_name(urlsplit(origin).netloc):
            self.close_connection = True
            raise Problem(403, "forbidden_origin", "Pages of other origins may not call this server.")

    def _length(self) -> int:
        """The length of the body. Raises Problem if it is unknown, or too large."""
        if "transfer-encoding" in self.headers:
            self.close_connection = True
            raise Problem(411, "length_required", "Send the body with a Content-Length.")
        length = self._only("content-length") or "0"
        if not (length.isascii() and length.isdigit()):
            self.close_connection = True
            raise Problem(400, "invalid_input", "Content-Length is not a number.")
        if int(length) > LARGEST_BODY:
            self.close_connection = True
            raise Problem(413, "body_too_large", "The body may have 10 MB at most.")
        return int(length)

    def _body(self, length: int) -> bytes:
        body = self.rfile.read(length)
        if len(body) < length:
            self.close_connection = True
            raise Problem(400, "invalid_input", "The body ended before its Content-Length.")
        return body

    def _only(self, name: str) -> str | None:
        """The value of a header that may occur once."""
        values = self.headers.get_all(name, [])
        if len(set(values)) > 1:
            self.close_connection = True
            raise Problem(400, "invalid_input", f"There are several {name.title()} headers.")
        return values[0] if values else None

    def _forward(self, body: bytes) -> tuple[int, Headers, bytes]:
        if not self._target.startswith("/"):
            raise Problem(400, "invalid_input", "The request target must be a path.")
        headers = {name: value for name, value in self.headers.items() if name.lower() not in NOT_PASSED_ON}
        headers["connection"] = "close"  # MiniStack would keep its end open for minutes
        # MiniStack decodes a path before it looks for the route, API Gateway afterwards.
        path, mark, query = self._target.partition("?")
        target = ENCODED_SLASH.sub("%252F", path) + mark + query
        method = self.command if self.command in METHODS_PASSED_ON else ANY_OTHER_METHOD
        upstream = http.client.HTTPConnection(*self.server.upstream, timeout=ANSWER_WITHIN_S)
        try:
            upstream.request(method, self.server.prefix + target, body=body or None, headers=headers)
            answer = upstream.getresponse()
            passed = [(name, value) for name, value in answer.getheaders() if name.lower() not in NOT_PASSED_BACK]
            return answer.status, passed, answer.read()
        except TimeoutError:
            raise Problem(504, "timeout", "The function did not answer in time.") from None
        except (OSError, http.client.HTTPException) as error:
            raise Problem(502, "unavailable", f"The local stack cannot be reached: {error}") from None
        finally:
            upstream.close()

    def _send(self, status: int, headers: Headers, body: bytes) -> None:
        try:
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            if status != HTTPStatus.NO_CONTENT and self.command != "HEAD":  # whose length would be that of a GET's body
                self.send_header("content-length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client has disconnected

    def finish(self) -> None:
        """Read on for a moment where a body was left unread, and close the connection."""
        with contextlib.suppress(OSError):
            if self._leaves_body:
                self.connection.shutdown(socket.SHUT_WR)
                self.connection.settimeout(UNREAD_WITHIN_S)
                ends_at = time.monotonic() + UNREAD_WITHIN_S
                while self.connection.recv(LARGE_BODY) and time.monotonic() < ends_at:
                    pass
        super().finish()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002
        """Turn the base class's error for an unreadable request into a problem."""
        self.close_connection = True
        self.request_version = self.protocol_version  # a line without a version would get no status line
        status = 400 if code == HTTPStatus.NOT_IMPLEMENTED else code  # the method is not a token
        problem = Problem(status, "invalid_input", f"{printable(message or HTTPStatus(code).phrase)}.")
        self._send(status, [("content-type", PROBLEM), ("connection", "close")], problem.body())
        self.server.said(f"a request that cannot be read {status}: {problem.detail}")

    def version_string(self) -> str:
        """Return the Server header."""
        return "feedward"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing here: each request's line is written with its answer."""
