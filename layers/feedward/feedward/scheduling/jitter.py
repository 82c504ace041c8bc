"""Repeatable jitter: derived from an id and a slot, so that each computation gives the same time (rule H3). Pure."""

from __future__ import annotations

import hashlib


def jitter_s(feed_id: str, slot: int, interval_s: int) -> int:
    """Return the jitter of a slot: 0 to 10 % of the interval, always the same for the same feed and slot."""
    most = interval_s // 10
    return stable_hash(f"{feed_id}\n{slot}") % (most + 1)


def stable_hash(text: str) -> int:
    """Return 64 bits of a text's SHA-256. Unlike `hash`, they are the same in each process."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")
