"""Serves all sites on one loopback port by their Host header, each answer after a delay, and counts requests."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bench.discovery_sites import Site

NOT_FOUND: Mapping[str, Any] = {"status": 404, "headers": {"content-type": "text/html"}, "body": "Not found"}


class SiteServer(ThreadingHTTPServer):
    """A context manager. `asked` counts the requests by host since it was last cleared."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, sites: Sequence[Site], *, delay_s: float) -> None:
        super().__init__(("127.0.0.1", 0), _Answering)
        self.sites = {host: site for site in sites for host in site.hosts}
        self.delay_s = delay_s
        self.asked: Counter[str] = Counter()
        self._counting = threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), name="sites", daemon=True)

    @property
    def port(self) -> int:
        """The port of 127.0.0.1 for every host."""
        return int(self.server_address[1])

    def count(self, host: str) -> None:
        """Count a request to a host."""
        with self._counting:
            self.asked[host] += 1

    def requests_of(self, site: Site) -> int:
        """The number of requests to a site's hosts."""
        return sum(self.asked[host] for host in site.hosts)

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors: finders hang up on unwanted answers."""

    def __enter__(self) -> SiteServer:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.shutdown()
        self.server_close()


class _Answering(BaseHTTPRequestHandler):
    server: SiteServer

    def _answer(self) -> None:
        host = (self.headers.get("host") or "").partition(":")[0].lower()
        self.server.count(host)
        page, wait_s = self._page(host)
        time.sleep(self.server.delay_s + wait_s)
        body = page["body"].encode()
        self.send_response(page["status"])
        for name, value in page["headers"].items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = _answer  # noqa: N815

    def _page(self, host: str) -> tuple[Mapping[str, Any], float]:
        """The answer, and its time beyond the delay."""
        site = self.server.sites.get(host)
        if site is None:
            return NOT_FOUND, 0.0
        page = site.pages.get(f"http://{host}{self.path}") or site.pages.get(f"http://{host}*")
        if page is None:
            return NOT_FOUND, site.not_found_s
        required = page.get("ua_require")
        refused = required is not None and required not in self.headers.get("user-agent", "")
        return (page["ua_else"] if refused else page), 0.0

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""
