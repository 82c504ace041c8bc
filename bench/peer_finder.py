"""A process that discovers with another finder: one URL per input line, one answer per output line. Peers' environment.

Arguments: the finder's name and the port of the sites. Names ending in .example serve http there and refuse other
connections; no other address is dialled.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

WITHIN_S = 60.0


def keep_on_loopback(port: int) -> None:
    """Resolve names to the sites, and refuse every other connection before it is tried."""
    look_up, connect = socket.getaddrinfo, socket.socket.connect

    def getaddrinfo(host: Any, named: Any, *_options: Any, **_more: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else str(host)
        if not name.endswith(".example"):
            raise socket.gaierror(socket.EAI_NONAME, "there is no such host here")
        served = port if str(named) in ("80", "http") else named
        return look_up("127.0.0.1", served, socket.AF_INET, socket.SOCK_STREAM)

    def connect_here(sock: socket.socket, address: Any) -> None:
        if sock.family in (socket.AF_INET, socket.AF_INET6) and tuple(address[:2]) != ("127.0.0.1", port):
            raise ConnectionRefusedError(f"{address[0]} is not of this bench")
        connect(sock, address)

    socket.getaddrinfo = getaddrinfo  # type: ignore[assignment]
    socket.socket.connect = connect_here  # type: ignore[assignment, method-assign]


def with_feedfinder2(url: str) -> list[str]:
    """feedfinder2, unchanged."""
    import feedfinder2

    return list(feedfinder2.find_feeds(url))


def with_feedsearch(url: str) -> list[str]:
    """feedsearch-crawler, unchanged."""
    return _feedsearch(url, try_urls=False)


def with_feedsearch_try_urls(url: str) -> list[str]:
    """feedsearch-crawler with its list of common paths."""
    return _feedsearch(url, try_urls=True)


def _feedsearch(url: str, *, try_urls: bool) -> list[str]:
    from feedsearch_crawler import search_async

    async def search() -> list[Any]:
        return list(await asyncio.wait_for(search_async(url, try_urls=try_urls), WITHIN_S))

    return [str(feed.url) for feed in asyncio.run(search())]


FINDERS: dict[str, Callable[[str], list[str]]] = {
    "feedfinder2": with_feedfinder2,
    "feedsearch-crawler": with_feedsearch,
    "feedsearch-crawler, try_urls": with_feedsearch_try_urls,
}


def answer(url: str, find: Callable[[str], list[str]]) -> dict[str, Any]:
    """Search one site. An exception of the finder counts as an answer."""
    start = time.perf_counter()
    try:
        found, error = find(url), None
    except Exception as raised:  # noqa: BLE001 - it is reported, and the next site is searched
        found, error = [], repr(raised)
    return {"first": found[0] if found else None, "seconds": time.perf_counter() - start, "error": error}


def main(name: str, port: int) -> None:
    """Answer each line of standard input until it ends. The finder's output goes to stderr."""
    answers, sys.stdout = sys.stdout, sys.stderr
    warnings.simplefilter("ignore")
    keep_on_loopback(port)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line), FINDERS[name])), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
