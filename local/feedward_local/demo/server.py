"""Serves the made-up internet on loopback: one port for http, one for https, any number of names.

The certificates come from a CA that is created at start and that only the demo's fetch trusts.
"""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import trustme

from feedward_local.demo.hub import HUB_HOST, Hub
from feedward_local.demo.network import Network
from feedward_local.demo.receiver import RECEIVED_PATH, RECEIVER_HOST, Receiver
from feedward_local.demo.sites import Page, Sites, load_sites

NOT_FOUND = Page(
    at=(), status=404, headers={"Content-Type": "text/html"}, body=b"<!doctype html><title>Not found</title>"
)

BROWSERS_ONLY = Page(
    at=(), status=403, headers={"Content-Type": "text/html"}, body=b"<!doctype html><title>Browsers only</title>"
)


class DemoInternet:
    """Started by `start`, ended by `stop`; `network` configures a fetch for it."""

    def __init__(self, sites: Sites | None = None, phase_file: Path | None = None) -> None:
        """Bind both ports without serving. `phase_file` holds the name of the current phase, if any."""
        self.sites = sites or load_sites()
        self._ended, self._serving = threading.Event(), False
        authority = trustme.CA()
        named = self.sites.hosts_of("https") - self.sites.wrong_certificates | {RECEIVER_HOST, HUB_HOST}
        self.receiver, self.hub = Receiver(), Hub()
        self._servers = [
            _Server("http", self.sites, self._ended, None, phase_file),
            _Server("https", self.sites, self._ended, _server_context(authority, named), phase_file),
        ]
        for server in self._servers:
            server.receiver, server.hub = self.receiver, self.hub
        self._closed = socket.socket()
        self._closed.bind(("127.0.0.1", 0))  # and never listened on
        http, https = (server.server_address[1] for server in self._servers)
        self.network = Network(
            http_hosts=self.sites.hosts_of("http"),
            https_hosts=self.sites.hosts_of("https") | {RECEIVER_HOST, HUB_HOST},
            http_port=http,
            https_port=https,
            closed_port=self._closed.getsockname()[1],
            authority_pem=authority.cert_pem.bytes().decode(),
        )

    def start(self) -> None:
        """Start serving, in threads of this process."""
        self._serving = True
        for server in self._servers:
            threading.Thread(
                target=server.serve_forever, args=(0.05,), name=f"demo-{server.scheme}", daemon=True
            ).start()

    def stop(self) -> None:
        """End both servers and release threads that wait for a slow page."""
        self._ended.set()
        for server in self._servers:
            if self._serving:  # else it would wait for ever
                server.shutdown()
            server.server_close()
        self._closed.close()

    def __enter__(self) -> DemoInternet:
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()


def _server_context(authority: trustme.CA, names: Iterable[str]) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*sorted(names)).configure_cert(context)
    return context


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64
    receiver: Receiver
    hub: Hub

    def __init__(
        self,
        scheme: str,
        sites: Sites,
        ended: threading.Event,
        context: ssl.SSLContext | None,
        phase_file: Path | None,
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Answering)
        self.scheme, self.sites, self.ended, self.context = scheme, sites, ended, context
        self._phase_file = phase_file

    def find(self, url: str) -> Page:
        """Return the current answer at a URL."""
        phase = self._phase()
        if phase and phase not in self.sites.phases:
            return _no_phase(phase, self.sites)
        return self.sites.find(url, phase) or NOT_FOUND

    def _phase(self) -> str:
        try:
            return self._phase_file.read_text(encoding="utf-8").strip() if self._phase_file else ""
        except FileNotFoundError:
            return ""

    def server_bind(self) -> None:
        """Bind without looking up this machine's own name."""
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()

    def finish_request(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        """Leave the handshake to the connection's own thread: a slow client must not block the others."""
        assert isinstance(request, socket.socket)
        request.settimeout(30)
        if self.context is None:
            super().finish_request(request, client_address)
            return
        with self.context.wrap_socket(request, server_side=True) as secured:
            super().finish_request(secured, client_address)

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors: clients that hang up or refuse a certificate are part of the stories."""


class _Answering(BaseHTTPRequestHandler):
    server_version, sys_version = "made-up", ""
    server: _Server

    def _answer(self) -> None:
        host = self._host()
        page = self.server.find(f"{self.server.scheme}://{host}{self.path}")
        if host == RECEIVER_HOST and self.path == RECEIVED_PATH:
            page = self.server.receiver.listed()
        if host == HUB_HOST:
            page = self.server.hub.page(self.path)
        if page.browsers_only and not self.headers.get("user-agent", "").startswith("Mozilla/"):
            page = BROWSERS_ONLY
        etag = page.headers.get("ETag")
        if etag is not None and self.headers.get("if-none-match") == etag:
            page = Page(at=(), status=304, headers={"ETag": etag})
        if page.delay_s and self.server.ended.wait(page.delay_s):
            return
        self.send_response(page.status, _phrase(page.status))
        for name, value in page.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(page.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(page.body)

    do_GET = do_HEAD = _answer  # noqa: N815

    def do_POST(self) -> None:
        """Answer as the receiver of webhooks or as the hub does; no other host takes a POST."""
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        page = self._taken(body)
        self.send_response(page.status, _phrase(page.status))
        for name, value in page.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(page.body)))
        self.end_headers()
        self.wfile.write(page.body)

    def _taken(self, body: bytes) -> Page:
        host = self._host()
        if host == RECEIVER_HOST:
            return self.server.receiver.take(self.path, dict(self.headers), body)
        return self.server.hub.take(self.path, body) if host == HUB_HOST else NOT_FOUND

    def _host(self) -> str:
        return (self.headers.get("host") or "").partition(":")[0].lower()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing: the fetch's own log shows the requests."""


def _no_phase(phase: str, sites: Sites) -> Page:
    """Answer every request with the error of a mistyped phase."""
    said = f"There is no phase {phase!r}. The phases are: {', '.join(sorted(sites.phases))}\n"
    return Page(at=(), status=500, headers={"Content-Type": "text/plain; charset=utf-8"}, body=said.encode())


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else ""
