"""Ops of the URL and address policy. Chains and look-ups go through the guarded fetch itself, over loopback."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.adapters.fetching.resolver import Endpoint
from feedward.adapters.fetching.settings import FetchSettings
from feedward.model import Outcome
from feedward.urls.parse import parse_url
from feedward.urls.safety import is_literal_address, is_public_address, refuse_url, without_feed_scheme
from feedward.urls.safety import is_public_address as is_safe_address

__all__ = ["is_safe_address", "is_safe_chain", "is_safe_url"]

LOOPBACK = "127.0.0.1"
SETTINGS = FetchSettings(total_s=3.0, connect_s=1.0, io_s=1.0)
DEAD_PORT = 1


class LookUps:
    """The answers of a case, one list for each look-up. Every name is served on loopback; its answers are judged."""

    def __init__(self, answers: Sequence[Sequence[str]], port: int) -> None:
        self.answers = list(answers)
        self.port = port
        self.judged: Sequence[str] = ()

    def resolve(self, host: str, port: int, *, within_s: float) -> list[Endpoint]:
        self.judged = self.answers.pop(0) if self.answers else []
        return [Endpoint(LOOPBACK, self.port)] * len(self.judged)

    def allows(self, _: str) -> bool:
        return all(map(is_public_address, self.judged))

    def fetcher(self) -> GuardedFetcher:
        return GuardedFetcher(SETTINGS, resolver=self, address_policy=self.allows)


@contextmanager
def redirecting(locations: Sequence[str]) -> Iterator[int]:
    """Serve one redirect for each location, and then an answer; yield the port."""
    answers = [f"301 Moved\r\nLocation: {location}" for location in locations]
    heads = iter([*answers, "200 OK"])

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while self.rfile.readline().strip():
                pass
            self.wfile.write(f"HTTP/1.1 {next(heads)}\r\nContent-Length: 1\r\n\r\nx".encode())

    with socketserver.TCPServer((LOOPBACK, 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def is_safe_chain(chain: list[str], addresses: list[list[str]]) -> bool:
    """Whether the guarded fetch follows [first URL, each Location in order] to the end."""
    with redirecting(chain[1:]) as port:
        return LookUps(addresses, port).fetcher().fetch(without_feed_scheme(chain[0])).outcome is Outcome.OK


def is_safe_url(url: str, addresses: list[str] | None = None) -> bool:
    """Whether the guarded fetch would dial. A literal address is not looked up: it is judged as a part of the URL."""
    text = without_feed_scheme(url)
    parsed = parse_url(text)
    if addresses is None or parsed is None or refuse_url(text) or is_literal_address(parsed):
        return refuse_url(text) is None
    outcome = LookUps([addresses], DEAD_PORT).fetcher().fetch(text).outcome
    return outcome not in (Outcome.BLOCKED, Outcome.DNS_ERROR)
