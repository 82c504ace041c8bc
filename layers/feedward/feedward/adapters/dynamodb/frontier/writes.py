"""Writes the result of a fetch to a row: update_fetched, update_failed, and operation Move (rules R15, I2).

All writes use optimistic locking. A refusal shows the current row, which may be the result of this very write.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from typing import Final

from feedward.adapters.dynamodb.frontier.row_items import changes, row_of
from feedward.adapters.dynamodb.lineage.keys import counter_key, page_key
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import row_key, url_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Condition, Transaction, absent, both, either, equals, of_owner
from feedward.errors import InvalidInput, NotFound
from feedward.frontier.changes import failed, fetched
from feedward.frontier.row import Address, FailedParams, FetchedParams, FrontierRow, address_of
from feedward.lineage.item import Result
from feedward.urls.key import KEY_VERSION, url_hash
from feedward.urls.safety import UrlPolicy

# A transaction takes 100 writes: one for the row, and two for each run.
RUNS_AT_ONCE: Final = 45
_DEAD: Final = "dead"
_HASH, _ROW = 0, 1
_ENDED_ROW: Final = 0  # index of the row's write in a transaction that ends runs


def write_row(tables: Tables, seen: FrontierRow, after: FrontierRow) -> FrontierRow | None:
    """Write the row with one update. Returns None if written, else the current row."""
    refusal = tables.change(tables.names.frontier, row_key(seen.row_id), _is_unchanged(seen), **changes(seen, after))
    return _now(refusal.item, after) if refusal is not None else None


def write_fetched(tables: Tables, seen: FrontierRow, params: FetchedParams, policy: UrlPolicy) -> FrontierRow | None:
    """Implement ports.FrontierStore.update_fetched."""
    spelled = _spelling(seen, params, policy) if params.url not in (None, seen.url) else None
    return write_row(tables, seen, fetched(seen, params, spelled))


def move(
    tables: Tables, seen: FrontierRow, final_url: str, params: FetchedParams, policy: UrlPolicy
) -> FrontierRow | None:
    """Implement ports.FrontierStore.update_fetched_with_final_url."""
    to = address_of(final_url, owner=seen.owner, field="final_url", policy=policy)
    if to.url_hash == seen.url_hash:
        return write_fetched(tables, seen, params, policy)
    after = fetched(seen, params, to)
    refusals = {refusal.index: refusal for refusal in tables.transact(_move(tables, seen, after))}
    if _ROW in refusals:
        return _now(refusals[_ROW].item, after)
    if _HASH in refusals:  # another row has the URL
        stays = replace(params, url=None, final_url=params.final_url or to.url)
        return write_row(tables, seen, fetched(seen, stays))
    return None


def write_failed(tables: Tables, seen: FrontierRow, params: FailedParams) -> FrontierRow | None:
    """Implement ports.FrontierStore.update_failed."""
    ended = sorted(params.ended_runs & seen.runs)
    while len(ended) > RUNS_AT_ONCE:
        now, ended = frozenset(ended[:RUNS_AT_ONCE]), ended[RUNS_AT_ONCE:]
        after = replace(seen, runs=seen.runs - now, rev=seen.rev + 1, sent_at=None)
        if (current := _write_ended(tables, seen, after, now)) is not None:
            return current
        seen = after  # the row stays due with its other runs until these have ended
    after = failed(seen, params)
    return _write_ended(tables, seen, after, frozenset(ended)) if ended else write_row(tables, seen, after)


def _spelling(seen: FrontierRow, params: FetchedParams, policy: UrlPolicy) -> Address:
    """Return the address of the row in its new spelling. Raises InvalidInput for another URL, which would be a move.

    The hash stays: it may have an older key version, and re-keying has a condition on it.
    """
    spelled = address_of(params.url or "", owner=seen.owner, policy=policy)
    if spelled.url_hash not in (seen.url_hash, url_hash(seen.url, seen.owner or "")):
        raise InvalidInput("url", "this is not a spelling of the row's URL")
    return replace(spelled, url_hash=seen.url_hash)


def _move(tables: Tables, seen: FrontierRow, after: FrontierRow) -> Transaction:
    """Return the transaction that claims the new hash, if it is free or an alias of the row. The old hash stays."""
    transaction = Transaction()
    transaction.update(
        tables.names.urls,
        url_key(after.url_hash),
        either(absent("row_id"), equals("row_id", seen.row_id)),
        assign={"row_id": seen.row_id},
        assign_once={"url": after.url, "key_version": KEY_VERSION},
    )
    _update_row(transaction, tables, seen, after)
    return transaction


def _write_ended(tables: Tables, seen: FrontierRow, after: FrontierRow, ended: Set[str]) -> FrontierRow | None:
    """Write the row, and count it as dead in each ended run that has no marker of the page yet."""
    counted = sorted(ended)
    while True:
        refusals = {refusal.index: refusal for refusal in tables.transact(_ended(tables, seen, after, counted))}
        if _ENDED_ROW in refusals:
            return _now(refusals[_ENDED_ROW].item, after)
        if not refusals:
            return None
        counted = [run_id for place, run_id in enumerate(counted) if _marker_place(place) not in refusals]


def _ended(tables: Tables, seen: FrontierRow, after: FrontierRow, runs: Sequence[str]) -> Transaction:
    """Return the transaction of the row, and of the page's marker and counter in each run. A marker counts once."""
    transaction, lineage = Transaction(), tables.names.lineage
    _update_row(transaction, tables, seen, after)
    for run_id in runs:
        marker = {**page_key(run_id, seen.row_id), "result": Result.DEAD.value, "item_id": ""}
        transaction.put(lineage, marker, absent("pk"))
        transaction.update(lineage, counter_key(run_id, seen.row_id), None, add={_DEAD: 1})
    return transaction


def _marker_place(run: int) -> int:
    return 1 + 2 * run


def _update_row(transaction: Transaction, tables: Tables, seen: FrontierRow, after: FrontierRow) -> None:
    key = row_key(seen.row_id)
    transaction.update(tables.names.frontier, key, _is_unchanged(seen), **changes(seen, after))


def _is_unchanged(seen: FrontierRow) -> Condition:
    return both(equals("rev", seen.rev), of_owner(seen.owner))


def _now(item: Item | None, wanted: FrontierRow) -> FrontierRow | None:
    """Return the current row, or None if it is the result of this very write."""
    if item is None:
        raise NotFound("there is no frontier row with this id")
    row = row_of(item)
    return None if row == wanted else row
