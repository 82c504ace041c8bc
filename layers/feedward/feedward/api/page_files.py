"""The web page: its files, compressed once, with its security headers (rules PG1, PG3).

The version is a hash of all files, so a file under `/web/<version>/` never changes.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from feedward.api.event import Event, header, path_parameter
from feedward.api.problems import RouteNotFound
from feedward.api.route import NOT_MODIFIED, OpenRoute, Reply

INDEX: Final = "index.html"
MEDIA_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "json": "application/json",
}
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("script", "style", "img", "connect")),
        *(f"{name} 'none'" for name in ("base-uri", "form-action", "frame-ancestors")),
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
_PLACE_OF_VERSION: Final = b"{version}"
_SAFE: Final = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Vary": "Accept-Encoding",
}
_ASKED_AGAIN: Final = {"Cache-Control": "no-cache"}
_FOR_EVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file as it is sent: plain, and compressed by gzip."""

    media_type: str
    plain: bytes
    packed: bytes


class PageFiles:
    """The files of one version of the page."""

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        """`contents` are all files by name; each name has a suffix of MEDIA_TYPES."""
        self._contents = contents
        self.version = _version_of(contents)
        self.etag = f'"{self.version}"'
        self._made = cache(self._make)

    def named(self, name: str) -> PageFile | None:
        """Return a file by its name, which anyone can send; None if there is none. Its first request compresses it."""
        return self._made(name) if name in self._contents else None

    def _make(self, name: str) -> PageFile:
        content = self._contents[name]
        if name == INDEX:
            content = content.replace(_PLACE_OF_VERSION, self.version.encode())
        return PageFile(MEDIA_TYPES[name.rpartition(".")[2]], content, gzip.compress(content, 9, mtime=0))


def _version_of(contents: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in sorted(contents.items()):
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:12]


def page_routes(files: Callable[[], PageFiles]) -> dict[str, OpenRoute]:
    """Return the routes of the page. They are open: the page has no data, and calls the API with the user's key."""
    return {
        "GET /": OpenRoute(lambda event, _context: _page(event, files())),
        "GET /web/{version}/{file}": OpenRoute(lambda event, _context: _file(event, files())),
    }


def _page(event: Event, files: PageFiles) -> Reply:
    """Answer `/`: browsers revalidate it each time, and it is sent again only if it changed."""
    return _sent(event, files, INDEX, _ASKED_AGAIN)


def _file(event: Event, files: PageFiles) -> Reply:
    """Answer a file of this version. Raises RouteNotFound, also for a file of another version."""
    if path_parameter(event, "version") != files.version:
        raise RouteNotFound("the page was updated: reload it")
    return _sent(event, files, path_parameter(event, "file"), _FOR_EVER)


def _sent(event: Event, files: PageFiles, name: str, caching: Mapping[str, str]) -> Reply:
    found = files.named(name)
    if found is None:
        raise RouteNotFound("the page does not have this file")
    headers = {**_SAFE, **caching, "ETag": files.etag}
    if files.etag in (header(event, "If-None-Match") or ""):
        return Reply(status=NOT_MODIFIED, headers=headers)
    reply = partial(Reply, media_type=found.media_type)
    if "gzip" in (header(event, "Accept-Encoding") or ""):
        return reply(file=found.packed, headers={**headers, "Content-Encoding": "gzip"})
    return reply(file=found.plain, headers=headers)
