"""Operation Frontier submit (rule R15): one transaction claims the URL's hash and puts the row.

If the claim fails, the failed condition's old item names the row that has the URL, and the submission joins that row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from feedward.adapters.dynamodb.frontier.row_items import row_item, row_of
from feedward.adapters.dynamodb.frontier.writes import write_row
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.keys import row_key, url_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Transaction, absent
from feedward.errors import Conflict, FeedwardError
from feedward.frontier.changes import wanted_again
from feedward.frontier.row import FrontierRow, Submitted
from feedward.urls.key import KEY_VERSION

# Each round is lost to another writer of the row. Only a storm of submissions of one URL needs more rounds.
_ROUNDS: Final = 50


def submit(tables: Tables, row: FrontierRow) -> Submitted:
    """Implement ports.FrontierStore.submit."""
    refusals = {refusal.index: refusal for refusal in tables.transact(_creation(tables, row))}
    if not refusals:
        return Submitted(row=row, created=True)
    return _join(tables, _found(tables, refusals), row)


def _creation(tables: Tables, row: FrontierRow) -> Transaction:
    """Return the transaction of a new row. It claims by update, never by put: a feed may own the same hash."""
    transaction = Transaction()
    transaction.update(
        tables.names.urls,
        url_key(row.url_hash),
        absent("row_id"),
        assign={"row_id": row.row_id},
        assign_once={"url": row.url, "key_version": KEY_VERSION},
    )
    transaction.put(tables.names.frontier, row_item(row), absent("row_id"))
    return transaction


def _found(tables: Tables, refusals: Mapping[int, Refusal]) -> FrontierRow:
    claimed = refusals[0].item if 0 in refusals else None
    item = tables.get(tables.names.frontier, row_key(claimed["row_id"])) if claimed else None
    if item is None:
        raise FeedwardError("a URL is registered to a row that does not exist, or a row's id is taken")
    return row_of(item)


def _join(tables: Tables, found: FrontierRow, asked: FrontierRow) -> Submitted:
    """Add the submission's runs to the stored row. If both rows are equal, an earlier attempt of this call put it."""
    if found == asked:
        return Submitted(row=found, created=True)
    for _ in range(_ROUNDS):
        after = wanted_again(found, asked)
        current = write_row(tables, found, after) if after is not found else None
        if current is None:
            return Submitted(row=after, created=False)
        found = current
    raise Conflict("the row that has this URL kept changing")
