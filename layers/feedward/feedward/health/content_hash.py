"""The content hash of a check: the bytes of the last whole document, by which an unchanged one is known. Pure."""

from __future__ import annotations

import hashlib


def content_hash(body: bytes) -> str:
    """Return the hex sha256 of a document, before anything is decoded."""
    return hashlib.sha256(body).hexdigest()


def kept_content_hash(stored: str | None, seen: str | None, *, forget: bool) -> str | None:
    """Return what FEED keeps after a check: the hash of a document that was read as a feed, else what it had.

    `forget`: the next check has to read the whole document again, whatever its bytes.
    """
    return None if forget else seen or stored
