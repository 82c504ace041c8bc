"""Keys of the sharded indexes: due feeds, feeds by state, by domain and by topic, and pending entries. Pure.

Shards spread the writes of an index over partitions. All feeds of one host share a `due` shard, so that the sweep can
pace them together; lists are sharded by feed.
"""

from __future__ import annotations

from collections.abc import Iterator

from feedward.model import FeedState
from feedward.scheduling.jitter import stable_hash
from feedward.urls.hosts import registrable_domain

# One partition takes 1000 writes a second, so 16 due shards take 29 times the writes of a million checks an hour. The
# sweep and the lists read all shards: to change a number, the keys of every feed must be rewritten.
DUE_SHARDS = 16
STATE_SHARDS = 16
DOMAIN_SHARDS = 4
TOPIC_SHARDS = 4
PENDING_SHARDS = 4


def due_shard(host: str) -> int:
    """Return the `due` shard of a host's feeds."""
    return stable_hash(host) % DUE_SHARDS


def state_shard(state: FeedState, feed_id: str, *, scope: str = "") -> str:
    """Return the key of a feed in `by_state`: `healthy#3`, or `tenant/healthy#3` for a private one (rule I8)."""
    return _shard_key(state.value, feed_id, STATE_SHARDS, scope)


def state_shards(state: FeedState, *, scope: str = "") -> Iterator[str]:
    """Yield all keys of `by_state` under which the feeds in a state are listed."""
    return (_scoped(f"{state.value}#{shard}", scope) for shard in range(STATE_SHARDS))


def domain_shard(host: str, feed_id: str, *, scope: str = "") -> str:
    """Return the key of a feed in `by_domain`: `example.com#0`, or `tenant/example.com#0` for a private one.

    The domain is the registrable one: a query for example.com also finds the feed of blog.example.com. A query for
    blog.example.com reads the same key and keeps the feeds of that host.
    """
    return _shard_key(registrable_domain(host), feed_id, DOMAIN_SHARDS, scope)


def domain_shards(host: str, *, scope: str = "") -> Iterator[str]:
    """Yield all keys of `by_domain` under which the feeds of a host or domain are listed."""
    domain = registrable_domain(host)
    return (_scoped(f"{domain}#{shard}", scope) for shard in range(DOMAIN_SHARDS))


def topic_shard(topic: str, feed_id: str, *, scope: str = "") -> str:
    """Return the key of a feed in `by_topic`: `technology#0`, or `tenant/technology#0` for a private one."""
    return _shard_key(topic, feed_id, TOPIC_SHARDS, scope)


def topic_shards(topic: str, *, scope: str = "") -> Iterator[str]:
    """Yield all keys of `by_topic` under which the feeds of a topic are listed."""
    return (_scoped(f"{topic}#{shard}", scope) for shard in range(TOPIC_SHARDS))


def pending_shard(kind: str, entry_id: str) -> str:
    """Return the key under which `pending` lists an unfinished entry: `out#2`."""
    return _shard_key(kind, entry_id, PENDING_SHARDS, "")


def pending_shards(kind: str) -> Iterator[str]:
    """Yield all keys of `pending` under which the unfinished entries of a kind are listed."""
    return (f"{kind}#{shard}" for shard in range(PENDING_SHARDS))


def _shard_key(value: str, spread_by: str, shards: int, scope: str) -> str:
    return _scoped(f"{value}#{stable_hash(spread_by) % shards}", scope)


def _scoped(key: str, scope: str) -> str:
    return f"{scope}/{key}" if scope else key
