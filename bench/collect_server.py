"""A site of pages on one loopback port, in a separate process, so that its work is not counted as ours.

Every host has the same pages, and a robots.txt. /page/N is an article of about 17 KB; of ten, two share their text with
others, every second one has an ETag and answers 304 to it, and each tenth is only found under /old/N, which redirects.
Prints its port once it serves.
"""

from __future__ import annotations

import asyncio
from functools import cache

OLD_EVERY = 10
SHARED_TEXTS = 10
ROBOTS = "User-agent: *\nDisallow: /private/\nDisallow: /search\nAllow: /\nSitemap: http://site.example/map.xml\n"
WORDS = "One of several sentences that a paragraph of an article is usually made of, with <a href='/x'>a link</a>. "
NAVIGATION = "".join(
    f"<li class='item'><a href='/section/{n}' title='Section {n}'>Section {n}</a></li>" for n in range(40)
)
SCRIPT = "window.dataLayer = window.dataLayer || []; function track(a, b) { window.dataLayer.push([a, b]); }\n" * 30
STYLE = ".item { margin: 0 0 1em; padding: 0.5em; color: #333; } .item:hover { color: #000; }\n" * 30


def path_of(number: int) -> str:
    """The path of a page in its URL."""
    return f"/old/{number}" if is_old(number) else f"/page/{number}"


def is_old(number: int) -> bool:
    """Return whether a page is requested at its former address."""
    return number % OLD_EVERY == OLD_EVERY - 1


def is_shared(number: int) -> bool:
    """Return whether a page shares its text with others."""
    return number % 5 == 0


def has_etag(number: int) -> bool:
    """Return whether a page supports conditional requests."""
    return number % 2 == 0


@cache
def article(number: int) -> bytes:
    """A page with its navigation, scripts and styles."""
    said = f"shared {number // 5 % SHARED_TEXTS}" if is_shared(number) else f"own {number}"
    body = "".join(f"<p>Paragraph {n} of article {said}. {WORDS * 3}</p>\n" for n in range(25))
    return (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>Article {said}</title>"
        f"<style>{STYLE}</style><script>{SCRIPT}</script></head><body><nav><ul>{NAVIGATION}</ul></nav>"
        f"<main><article><h1>Article {said}</h1>{body}</article></main><footer>Footer</footer></body></html>"
    ).encode()


def response(head: str) -> bytes:
    """The response to a request."""
    path = head.split(" ", 2)[1]
    if path == "/robots.txt":
        return _ok(ROBOTS.encode(), "text/plain", "")
    kind, number = path.strip("/").split("/")
    if kind == "old":
        return _answer("301 Moved Permanently", f"Location: /page/{number}\r\nContent-Length: 0\r\n")
    tag = f'ETag: "{number}"\r\n' if has_etag(int(number)) else ""
    if tag and "\r\nif-none-match:" in head.lower():
        return _answer("304 Not Modified", tag)
    return _ok(article(int(number)), "text/html; charset=utf-8", tag)


def _ok(body: bytes, content_type: str, more: str) -> bytes:
    return _answer("200 OK", f"Content-Type: {content_type}\r\nContent-Length: {len(body)}\r\n{more}") + body


def _answer(status: str, headers: str) -> bytes:
    return f"HTTP/1.1 {status}\r\n{headers}Connection: close\r\n\r\n".encode()


class Answering(asyncio.Protocol):
    """One connection with one request."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See Protocol."""
        assert isinstance(transport, asyncio.Transport)
        self._transport, self._head = transport, b""

    def data_received(self, data: bytes) -> None:
        """See Protocol."""
        self._head += data
        if self._head.endswith(b"\r\n\r\n"):
            self._transport.write(response(self._head.decode("latin-1")))
            self._transport.close()


async def serve() -> None:
    """Serve until the process is killed."""
    server = await asyncio.get_running_loop().create_server(Answering, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve())
