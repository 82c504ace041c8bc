"""When a feed is checked, and under which index keys it is found (spec H3, design section 3, I4).

Pure functions of an id, a host and `now`. Shards spread the writes of an index over partitions: all feeds of one host
share a `due` shard, so that the sweep can pace them together; lists are spread by feed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from feedward.model import FeedState
from feedward.urls.hosts import registrable_domain

# One partition takes 1000 writes a second: 16 due shards carry a million checks an hour 29 times over. The sweep and
# the lists read all shards, so changing a number means rewriting the keys of every feed.
DUE_SHARDS = 16
STATE_SHARDS = 16
DOMAIN_SHARDS = 4
PENDING_SHARDS = 4

SHORTEST_INTERVAL_S = 15 * 60
LONGEST_INTERVAL_S = 24 * 3600
UNKNOWN_CADENCE_INTERVAL_S = 3600
LONGEST_LENGTHENING = 4
QUIET_CHECKS = 4  # 1.5 to the 4th is beyond the limit: more need not be counted


def first_check_at(feed_id: str, now: int, *, median_gap_s: int | None = None, hint_s: int | None = None) -> int:
    """Return the epoch second of a new feed's first check: a healthy feed's interval from `now`, plus jitter.

    `median_gap_s` is the median gap of its items, where known; `hint_s` is what the feed itself asks for (ttl, sy:,
    max-age). At least 15 min ahead and at most 24 h plus 10 % (spec H3).
    """
    slot = now + healthy_interval_s(median_gap_s, hint_s)
    return slot + jitter_s(feed_id, slot, slot - now)


def healthy_interval_s(median_gap_s: int | None, hint_s: int | None = None, quiet_checks: int = 0) -> int:
    """Return the seconds between checks of a healthy feed before jitter: half the median gap, in 15 min to 24 h.

    Each of `quiet_checks`, the checks in a row that brought nothing, lengthens it by half, up to 4 times and 24 h. It
    is never below `hint_s`, what the feed itself asks for.
    """
    half_gap = UNKNOWN_CADENCE_INTERVAL_S if median_gap_s is None else median_gap_s // 2
    shortest = max(half_gap, SHORTEST_INTERVAL_S)
    quiet = min(quiet_checks, QUIET_CHECKS)
    lengthened = min(int(shortest * 1.5**quiet), shortest * LONGEST_LENGTHENING)
    return min(max(lengthened, hint_s or 0), LONGEST_INTERVAL_S)


def jitter_s(feed_id: str, slot: int, interval_s: int) -> int:
    """Return what is added to a slot: 0 to 10 % of the interval, always the same for the same feed and slot."""
    most = interval_s // 10
    return _hash(f"{feed_id}\n{slot}") % (most + 1)


def due_shard(host: str) -> int:
    """Return the `due` shard of a host's feeds."""
    return _hash(host) % DUE_SHARDS


def state_shard(state: FeedState, feed_id: str, *, scope: str = "") -> str:
    """Return the key under which `by_state` lists a feed: `healthy#3`, or `tenant/healthy#3` for a private one (I8)."""
    return _shard_key(state.value, feed_id, STATE_SHARDS, scope)


def state_shards(state: FeedState, *, scope: str = "") -> Iterator[str]:
    """Yield every key to ask `by_state` for, to find the feeds in a state."""
    return (_scoped(f"{state.value}#{shard}", scope) for shard in range(STATE_SHARDS))


def domain_shard(host: str, feed_id: str, *, scope: str = "") -> str:
    """Return the key under which `by_domain` lists a feed: `example.com#0`, `tenant/example.com#0` for a private one.

    The domain is the registrable one, so that a person who names example.com finds the feed of blog.example.com too;
    who names blog.example.com reads the same key and keeps what that host has.
    """
    return _shard_key(registrable_domain(host), feed_id, DOMAIN_SHARDS, scope)


def domain_shards(host: str, *, scope: str = "") -> Iterator[str]:
    """Yield every key to ask `by_domain` for, to find the feeds of a host or domain."""
    domain = registrable_domain(host)
    return (_scoped(f"{domain}#{shard}", scope) for shard in range(DOMAIN_SHARDS))


def pending_shard(kind: str, entry_id: str) -> str:
    """Return the key under which `pending` lists what is owed: `out#2`."""
    return _shard_key(kind, entry_id, PENDING_SHARDS, "")


def pending_shards(kind: str) -> Iterator[str]:
    """Yield every key to ask `pending` for, to find all that is owed of a kind."""
    return (f"{kind}#{shard}" for shard in range(PENDING_SHARDS))


def _shard_key(value: str, spread_by: str, shards: int, scope: str) -> str:
    return _scoped(f"{value}#{_hash(spread_by) % shards}", scope)


def _scoped(key: str, scope: str) -> str:
    return f"{scope}/{key}" if scope else key


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")
