"""Checks X-Hub-Signature: `method=hex`, an HMAC over the raw bytes of a push (rule W14). Pure."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from typing import Any, Final

METHODS: Final[Mapping[str, Callable[..., Any]]] = {
    "sha1": hashlib.sha1,
    "sha256": hashlib.sha256,
    "sha384": hashlib.sha384,
    "sha512": hashlib.sha512,
}


def is_signed(header: str | None, body: bytes, secret: str) -> bool:
    """Return whether the header signs these bytes with the secret. A missing header and other methods do not."""
    method, _, said = (header or "").strip().partition("=")
    make = METHODS.get(method.strip().lower())
    if make is None:
        return False
    made = hmac.new(secret.encode(), body, make).hexdigest()
    return hmac.compare_digest(made.encode(), said.strip().lower().encode("utf-8", "replace"))


def signature(method: str, body: bytes, secret: str) -> str:
    """Return the header that a hub sends."""
    return f"{method}={hmac.new(secret.encode(), body, METHODS[method]).hexdigest()}"
