"""Keys of the sharded indexes: due feeds, feeds by state and by domain, and undelivered events. Pure.

Shards spread the writes of an index over partitions: all feeds of one host share a `due` shard, so that the sweep can
pace them together; lists are spread by feed.
"""

from __future__ import annotations

from collections.abc import Iterator

from feedward.model import FeedState
from feedward.scheduling.jitter import stable_hash
from feedward.urls.hosts import registrable_domain

# One partition takes 1000 writes a second: 16 due shards carry a million checks an hour 29 times over. The sweep and
# the lists read all shards, so changing a number means rewriting the keys of every feed.
DUE_SHARDS = 16
STATE_SHARDS = 16
DOMAIN_SHARDS = 4
PENDING_SHARDS = 4


def due_shard(host: str) -> int:
    """Return the `due` shard of a host's feeds."""
    return stable_hash(host) % DUE_SHARDS


def state_shard(state: FeedState, feed_id: str, *, scope: str = "") -> str:
    """Return the key under which `by_state` lists a feed: `healthy#3`, or `tenant/healthy#3` for a private one
    (rule I8).
    """
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
    return _scoped(f"{value}#{stable_hash(spread_by) % shards}", scope)


def _scoped(key: str, scope: str) -> str:
    return f"{scope}/{key}" if scope else key
