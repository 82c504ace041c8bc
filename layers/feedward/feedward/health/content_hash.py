"""The content hash of a check: a hash of the last complete document, used to recognize an unchanged one. Pure."""

from __future__ import annotations

import hashlib


def content_hash(body: bytes) -> str:
    """Return the hex sha256 of a document's bytes before decoding."""
    return hashlib.sha256(body).hexdigest()


def kept_content_hash(stored: str | None, seen: str | None, *, forget: bool) -> str | None:
    """Return the hash that FEED keeps after a check: `seen`, that of a document parsed as a feed, else `stored`.

    With `forget` there is none: the next check parses the whole document again even if its bytes are the same.
    """
    return None if forget else seen or stored
