"""One scripted server on loopback for a test, and a guarded fetch that reaches it by name."""

from __future__ import annotations

import ssl
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.adapters.fetching.resolver import Endpoint
from feedward.adapters.fetching.settings import FetchSettings
from feedward.urls.safety import UrlPolicy, is_public_address

sys.path.insert(0, str(Path(__file__).parents[1] / "conformance"))

from fault_server import HOST, LOOPBACK, FaultServer, Request

FEED = '<rss version="2.0"><channel><title>T</title><item><title>One</title></item></channel></rss>'
LIMITS = {"total_s": 3.0, "connect_s": 1.0, "io_s": 1.0}


def answer(head: str, body: str = "") -> list[Any]:
    """A script that sends one answer and closes."""
    return [["send", f"HTTP/1.1 {head}\r\n\r\n{body}"], ["close"]]


def answer_bytes(head: str, body: bytes) -> list[Any]:
    return [["send", f"HTTP/1.1 {head}\r\nContent-Length: {len(body)}\r\n\r\n"], ["send_hex", body.hex()], ["close"]]


OK = answer(f"200 OK\r\nContent-Length: {len(FEED)}", FEED)


class Names:
    """A resolver with a fixed table: name -> endpoints. It counts its look-ups."""

    def __init__(self, table: Mapping[str, Sequence[Endpoint]]) -> None:
        self.table = table
        self.looked_up: list[str] = []

    def resolve(self, host: str, port: int, *, within_s: float) -> Sequence[Endpoint]:
        self.looked_up.append(host)
        return self.table.get(host, [])


def allow_loopback(address: str) -> bool:
    return address == LOOPBACK or is_public_address(address)


@dataclass
class Site:
    """A running server: `url(path)` names it, `requests` records its requests."""

    port: int
    scheme: str
    ca_file: str | None
    requests: list[Request]

    def url(self, path: str = "case") -> str:
        return f"{self.scheme}://{HOST}:{self.port}/{path}"

    def fetcher(self, **changes: Any) -> GuardedFetcher:
        """A guarded fetch for which the site's name leads to loopback; `changes` go to it or to its settings."""
        settings = {key: changes.pop(key) for key in list(changes) if key in FetchSettings.__slots__}
        policy = UrlPolicy(ports=frozenset({80, 443, self.port}))
        guard = {
            "resolver": Names({HOST: [Endpoint(LOOPBACK)]}),
            "address_policy": allow_loopback,
            "tls_context": partial(ssl.create_default_context, cafile=self.ca_file),
        }
        return GuardedFetcher(FetchSettings(url_policy=policy, **{**LIMITS, **settings}), **{**guard, **changes})


@contextmanager
def serving(script: list[Any], **others: list[Any]) -> Iterator[Site]:
    """Serve `script` at /case and `others` at the paths of their names."""
    cases = [{"id": "case", "script": script}, *({"id": name, "script": steps} for name, steps in others.items())]
    faults = {"cases": cases, "test_limits": {"total_s": LIMITS["total_s"]}, "feed_body": FEED}
    with FaultServer(faults) as server, server.open(cases[0]) as endpoint:
        yield Site(endpoint.port, endpoint.url.partition(":")[0], server.ca_file, endpoint.requests)
