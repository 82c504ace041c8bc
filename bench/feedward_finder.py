"""A process that discovers with feedward: one URL per input line, one answer per output line. Takes the sites' port.

The guarded fetch is the real one, over sockets; only its resolver is replaced, so that every name is on loopback.
"""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Sequence
from typing import Any

from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.adapters.fetching.resolver import DnsFailure, Endpoint
from feedward.services.discover.discover import discover


class LoopbackNames:
    """A Resolver: made-up names serve http on one loopback port and refuse other connections; other names are
    unknown."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._closed = socket.socket()
        self._closed.bind(("127.0.0.1", 0))  # and never listened on

    def resolve(self, host: str, port: int, *, within_s: float) -> Sequence[Endpoint]:  # noqa: ARG002
        """See Resolver."""
        if not host.endswith(".example"):
            raise DnsFailure("there is no such host here")
        return [Endpoint("127.0.0.1", self._port if port == 80 else self._closed.getsockname()[1])]


def answer(url: str, fetcher: GuardedFetcher) -> dict[str, Any]:
    """Discover one site, as the API does."""
    start = time.perf_counter()
    found = discover(url, fetcher=fetcher)
    seconds = time.perf_counter() - start
    best = found.canonical
    return {"first": best and (best.final_url or best.url), "seconds": seconds, "rounds": found.rounds}


def main(port: int) -> None:
    """Answer each line of standard input until it ends."""
    fetcher = GuardedFetcher(resolver=LoopbackNames(port), address_policy=lambda address: address == "127.0.0.1")
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line), fetcher)), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
