"""The page's own files, as they were built: each compressed once, with the headers that keep it safe.

The version is a hash of all files, so that a module under `/web/<version>/` never changes (rule PG3).
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

INDEX: Final = "index.html"
_PLACE_OF_VERSION: Final = b"{version}"
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
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
SAFE: Final = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Vary": "Accept-Encoding",
}


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent, plain and compressed."""

    media_type: str
    plain: bytes
    packed: bytes


class Files:
    """The files of one version of the page."""

    def __init__(self, folder: Path) -> None:
        """Read the files of `folder`. Raises OSError."""
        contents = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix in _TYPES}
        self.version = _version_of(contents)
        self._contents = contents
        self.named = cache(self._made)

    @property
    def etag(self) -> str:
        """The ETag of the page, and of each of its files."""
        return f'"{self.version}"'

    def _made(self, name: str) -> File | None:
        """Return a file by its name; None if there is none. It is compressed when it is first asked for."""
        content = self._contents.get(name)
        if content is None:
            return None
        if name == INDEX:
            content = content.replace(_PLACE_OF_VERSION, self.version.encode())
        return File(_TYPES[Path(name).suffix], content, gzip.compress(content, 9, mtime=0))


def _version_of(contents: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in contents.items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:12]
