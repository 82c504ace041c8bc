"""How far a reprocessing run is in the older run's items, and what became of an item under another version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from feedward.adapters.dynamodb.codec import Item as Stored
from feedward.adapters.dynamodb.errors import Refusal
from feedward.adapters.dynamodb.lineage_keys import reprocessed_key, run_key
from feedward.adapters.dynamodb.lineage_runs import MARK, open_mark
from feedward.adapters.dynamodb.tables import Tables
from feedward.adapters.dynamodb.transaction import Condition, absent, both, equals
from feedward.lineage.run import ReprocessPlace, RunKind


def read_place(tables: Tables, run_id: str) -> ReprocessPlace | None:
    """Return how far the run is; None if it is through, or is no reprocessing run."""
    row = tables.get(tables.names.lineage, run_key(run_id))
    if row is None or row["kind"] != RunKind.REPROCESSING or row["started"]:
        return None
    return _place(row)


def advance(
    tables: Tables, run_id: str, seen: ReprocessPlace, to: str | None, pages: int, *, done: bool, now: int
) -> bool:
    """Move the place, if it is as it was seen; with the last step the run's pages are known."""
    total = seen.pages + pages
    changes: dict[str, Any] = {"pages_passed": total}
    if to is not None:
        changes["passed"] = to
    changes |= {"started": True, "pages": total} if done else open_mark(run_id, now)
    answer = tables.update(
        tables.names.lineage,
        run_key(run_id),
        both(equals("started", False), equals("pages_passed", seen.pages), _is_after(seen.after)),
        assign=changes,
        remove=MARK if done else (),
    )
    if isinstance(answer, Refusal):
        return _is_ours(answer.item, ReprocessPlace(after=to or seen.after, pages=total), done=done)
    return True


def read_reprocessed(tables: Tables, item_ids: Sequence[str], version: str) -> Mapping[str, str]:
    """Return what became of these items under the version; those that were not made again are left out."""
    keys = {reprocessed_key(item_id, version)["pk"]: item_id for item_id in item_ids}
    rows = tables.batch_get(
        tables.names.lineage, [reprocessed_key(item_id, version) for item_id in keys.values()], ("pk", "item_id")
    )
    return {keys[row["pk"]]: row["item_id"] for row in rows}


def _is_after(after: str | None) -> Condition:
    return equals("passed", after) if after is not None else absent("passed")


def _is_ours(found: Stored | None, wanted: ReprocessPlace, *, done: bool) -> bool:
    """Whether the row is as this very step leaves it: its answer was lost, or another did the same."""
    return found is not None and _place(found) == wanted and found["started"] is done


def _place(row: Stored) -> ReprocessPlace:
    return ReprocessPlace(after=row.get("passed"), pages=row["pages_passed"])
