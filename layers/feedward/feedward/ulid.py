"""ULIDs: ids that sort by time and reveal nothing about a URL (rule R8). Too little code for a library."""

from __future__ import annotations

import hashlib
import secrets

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ENTROPY_BYTES = 10
_COUNT_BYTES = 4


def new_ulid(now: int) -> str:
    """Return a new ULID for `now` (epoch seconds), with 80 random bits."""
    return _ulid(now, secrets.token_bytes(_ENTROPY_BYTES))


def derived_ulid(now: int, *parts: str) -> str:
    """Return the ULID derived from `now` and `parts`: a repeated operation writes the same id."""
    digest = hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).digest()
    return _ulid(now, digest[:_ENTROPY_BYTES])


def counted_ulid(now: int, count: int, *parts: str) -> str:
    """Return a derived ULID that sorts by `count` within its second, to keep the writes of one object in order."""
    digest = hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).digest()
    counted = min(count, 256**_COUNT_BYTES - 1).to_bytes(_COUNT_BYTES, "big")
    return _ulid(now, counted + digest[: _ENTROPY_BYTES - _COUNT_BYTES])


def _ulid(now: int, entropy: bytes) -> str:
    value = (now * 1000 & (1 << 48) - 1) << 80 | int.from_bytes(entropy, "big")
    return "".join(_ALPHABET[value >> shift & 31] for shift in range(125, -1, -5))
