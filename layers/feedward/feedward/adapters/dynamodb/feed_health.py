"""What an update of FEED sets and removes so that it holds a feed's health, its due time and its lists (I4)."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from feedward.adapters.dynamodb.codec import Item
from feedward.health.record import IN_FAILURES, FeedHealth
from feedward.health.schedule import domain_shard, due_shard, state_shard
from feedward.health.stored_health import FAILURES, stored_health

_NAMES: Final = frozenset({field.name for field in fields(FeedHealth)} - IN_FAILURES - {"feed_id"} | {FAILURES})
_DUE: Final = frozenset({"next_check_at", "due_shard"})


def health_change(
    health: FeedHealth, next_check_at: int | None, *, host: str, scope: str
) -> tuple[Item, frozenset[str]]:
    """Return the attributes to set, and the names of those to remove.

    A feed without `next_check_at` is in no due index: it is paused.
    """
    due = {} if next_check_at is None else {"next_check_at": next_check_at, "due_shard": due_shard(host)}
    lists = {
        "state_shard": state_shard(health.state, health.feed_id, scope=scope),
        "domain_shard": domain_shard(host, health.feed_id, scope=scope),
    }
    assign = {**stored_health(health), **lists, **due}
    return assign, (_NAMES | _DUE) - assign.keys()
