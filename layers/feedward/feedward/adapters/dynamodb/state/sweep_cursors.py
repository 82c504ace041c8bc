"""Cursors and leases of sweeps: one row of StateTable per shard (rule M1).

Writes use optimistic locking and store the holder. So a refused writer can see whether the newer revision is its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from feedward.adapters.dynamodb.state.state_rows import shard_key
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import absent, equals
from feedward.scheduling.shards import DUE_SHARDS
from feedward.scheduling.sweep_cursors import Cursor, SweepShard

_SHARD_PREFIX: Final = "SHARD#"


def read_shards(tables: Tables, sweep: str, shards: int = DUE_SHARDS) -> list[SweepShard]:
    """Return all shards of a sweep (its partition). A shard that was never swept starts at the beginning."""
    rows = tables.query(tables.names.state, ("pk", sweep), prefix=("sk", _SHARD_PREFIX))
    found = {shard.shard: shard for shard in map(_read, rows)}
    return [found.get(shard, SweepShard(shard=shard)) for shard in range(shards)]


def take_lease(tables: Tables, sweep: str, seen: SweepShard, holder: str, until: int) -> SweepShard | None:
    """Take the lease with optimistic locking. Returns None if another sweep was faster."""
    return _write(tables, sweep, seen, replace(seen, holder=holder, lease_until=until))


def move_cursor(
    tables: Tables, sweep: str, held: SweepShard, *, cursor: Cursor | None, busy: Mapping[str, int], lease_until: int
) -> SweepShard | None:
    """Store the cursor of a held shard. Returns None if the lease was lost."""
    return _write(tables, sweep, held, replace(held, cursor=cursor, busy=busy, lease_until=lease_until))


def _write(tables: Tables, sweep: str, seen: SweepShard, wanted: SweepShard) -> SweepShard | None:
    after = replace(wanted, rev=seen.rev + 1)
    is_unchanged = equals("rev", seen.rev) if seen.rev else absent("rev")
    answer = tables.update(tables.names.state, shard_key(sweep, seen.shard), is_unchanged, assign=_attributes(after))
    if isinstance(answer, Refusal) and not _is_ours(answer.item, after):
        return None
    return after


def _is_ours(found: Item | None, wanted: SweepShard) -> bool:
    return found is not None and (found["rev"], found["holder"]) == (wanted.rev, wanted.holder)


def _attributes(shard: SweepShard) -> dict[str, Any]:
    cursor = shard.cursor
    place = {"cursor_at": cursor.due_at, "cursor_id": cursor.due_id} if cursor else {}
    own = {"lease_until": shard.lease_until, "holder": shard.holder, "rev": shard.rev, "busy": dict(shard.busy)}
    return {**place, **own}


def _read(row: Item) -> SweepShard:
    cursor = Cursor(due_at=row["cursor_at"], due_id=row["cursor_id"]) if "cursor_at" in row else None
    return SweepShard(
        shard=int(row["sk"].removeprefix(_SHARD_PREFIX)),
        cursor=cursor,
        lease_until=row["lease_until"],
        rev=row["rev"],
        busy=row["busy"],
        holder=row["holder"],
    )
