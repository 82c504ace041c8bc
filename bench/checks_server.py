"""Feeds on one loopback port, each answer after a delay, in a separate process: its work is not counted as ours.

The path sets a feed's behaviour: /same/ answers 304 to its ETag, /resent/ sends the same document each time and ignores
ETags, /new/ has a new item on top each time. Prints its port once it serves. Takes the delay in seconds.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from email.utils import formatdate
from typing import ClassVar

START = 1_790_000_000
ITEMS = 10
WORDS = "One of several sentences that a summary of an article is usually made of. " * 8
ETAG = 'ETag: "v1"\r\n'


def document(name: str, newest: int) -> str:
    """Return an RSS document of 10 items, about 8 KB; the newest of them is number `newest`."""
    items = "".join(
        f"<item><guid>urn:{name}:{number}</guid><link>http://{name}.example/{number}</link>"
        f"<title>Article {number} of {name}</title><pubDate>{formatdate(START + number, usegmt=True)}</pubDate>"
        f"<description>{WORDS}</description></item>"
        for number in range(newest, newest - ITEMS, -1)
    )
    site = f"<title>{name}</title><link>http://{name}.example/</link><description>Of {name}</description>"
    return f'<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel>{site}{items}</channel></rss>'


class Answering(asyncio.Protocol):
    """One connection with one request."""

    delay_s = 0.0
    asked: ClassVar[Counter[str]] = Counter()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See Protocol."""
        assert isinstance(transport, asyncio.Transport)
        self._transport, self._head = transport, b""

    def data_received(self, data: bytes) -> None:
        """See Protocol."""
        self._head += data
        if self._head.endswith(b"\r\n\r\n"):
            asyncio.get_running_loop().call_later(self.delay_s, self._answer)

    def _answer(self) -> None:
        self._transport.write(self._response(self._head.decode("latin-1")))
        self._transport.close()

    def _response(self, head: str) -> bytes:
        path = head.split(" ", 2)[1]
        _, behaviour, name = path.split("/")
        has_etag = behaviour == "same"
        if has_etag and "\r\nif-none-match:" in head.lower():
            return f"HTTP/1.1 304 Not Modified\r\n{ETAG}Connection: close\r\n\r\n".encode()
        self.asked[path] += 1
        newest = ITEMS + (self.asked[path] if behaviour == "new" else 0)
        body = document(name.removesuffix(".xml"), newest).encode()
        said = f"Content-Type: application/rss+xml\r\nContent-Length: {len(body)}\r\n{ETAG if has_etag else ''}"
        return f"HTTP/1.1 200 OK\r\n{said}Connection: close\r\n\r\n".encode() + body


async def serve(delay_s: float) -> None:
    """Serve until the process is killed."""
    Answering.delay_s = delay_s
    server = await asyncio.get_running_loop().create_server(Answering, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))
