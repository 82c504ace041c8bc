"""Rows of the frontier: ports.FrontierStore over FrontierTable and UrlsTable (rule R15).

A submission is one transaction that claims the URL's hash and puts the row. If the claim fails, the failed condition's
old item names the row that has the URL, and the submission joins that row. Rows that were read before are joined at
once: a transaction that fails costs as much as one that writes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from feedward.adapters.dynamodb.frontier.row_items import (
    ATTRIBUTES,
    BY_ERROR,
    error_shards,
    row_item,
    row_of,
    shard_number,
)
from feedward.adapters.dynamodb.frontier.writes import move, write_failed, write_fetched, write_row
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.keys import row_key, url_key
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import Transaction, absent
from feedward.errors import Conflict, FeedwardError, InvalidInput
from feedward.frontier.changes import postponed, wanted_again
from feedward.frontier.row import FailedParams, FetchedParams, FrontierRow, Submitted
from feedward.urls.key import KEY_VERSION, url_hash
from feedward.urls.safety import DEFAULT_POLICY, MAX_URL_CHARS, UrlPolicy

# The limit of a batch read.
_ROWS_AT_ONCE: Final = 100
# Longer than any outcome. The limit keeps the key of the index short.
_ERROR_CHARS: Final = 64


class DynamoFrontierStore(TableStore):
    """ports.FrontierStore. Thread-safe. `url_policy` is the policy of the fetch: which URLs a row may have."""

    def __init__(self, tables: Tables, *, url_policy: UrlPolicy = DEFAULT_POLICY) -> None:
        super().__init__(tables)
        self._policy = url_policy

    def submit(self, row: FrontierRow, *, known: FrontierRow | None = None) -> Submitted:
        """Operation Frontier submit: claim the URL's hash for the row and put it, or join the row that has it."""
        return submit(self._tables, row, known)

    def known(self, url_hashes: Collection[str]) -> Mapping[str, FrontierRow]:
        """Return the rows by url_hash, from two batch reads. Hashes without a row, and invalid rows, are left out."""
        row_ids = _row_ids(self._tables, url_hashes)
        rows = _rows(self._tables, tuple(set(row_ids.values())))
        return {url_hash: rows[row_id] for url_hash, row_id in row_ids.items() if row_id in rows}

    def find(self, urls: Sequence[str], *, owner: str | None = None) -> Mapping[str, str]:
        """Return the row_id by URL, from one batch read. URLs without a row, and invalid ones, are left out."""
        hashes = _hashes(urls, owner or "")
        row_ids = _row_ids(self._tables, frozenset(hashes.values()))
        return {url: row_ids[each] for url, each in hashes.items() if each in row_ids}

    def row(self, row_id: str) -> FrontierRow | None:
        """Return the row from a consistent read, or None."""
        tables = self._tables
        item = tables.get(tables.names.frontier, row_key(row_id))
        return row_of(item) if item is not None else None

    def update_fetched(self, seen: FrontierRow, params: FetchedParams) -> FrontierRow | None:
        """Mark the row as fetched, with one update. Returns None if written, else the current row.

        Raises InvalidInput (`url`) if `params.url` is not a spelling of the row's URL.
        """
        return write_fetched(self._tables, seen, params, self._policy)

    def update_fetched_with_final_url(
        self, seen: FrontierRow, final_url: str, params: FetchedParams
    ) -> FrontierRow | None:
        """Operation Move (rule I2). Returns None if written, moved or not, else the current row.

        Raises InvalidInput (`final_url`); nothing is written then (rule F4).
        """
        return move(self._tables, seen, final_url, params, self._policy)

    def update_failed(self, seen: FrontierRow, params: FailedParams) -> FrontierRow | None:
        """Write a failure, and count it in the runs that end with it. Returns None if written, else the current row."""
        return write_failed(self._tables, seen, params)

    def postpone(self, seen: FrontierRow, to: int) -> FrontierRow | None:
        """Reschedule the row to `to`, with one update. Returns None if written, else the current row."""
        return write_row(self._tables, seen, postponed(seen, to))

    def listed(self, *, last_error: str, after: str | None = None) -> Iterator[FrontierRow]:
        """Yield the shared rows with this error, by shard, then by row_id. Pages are read lazily."""
        if not 0 < len(last_error) <= _ERROR_CHARS:
            return
        tables = self._tables
        first = shard_number(after) if after else 0
        for number, shard in enumerate(error_shards(last_error)):
            if number >= first:
                ids = _listed_ids(tables, shard, after if number == first else None)
                while row_ids := list(islice(ids, _ROWS_AT_ONCE)):
                    rows = _rows(tables, row_ids)
                    found = (rows[row_id] for row_id in row_ids if row_id in rows)
                    yield from (row for row in found if row.last_error == last_error and row.owner is None)


def _hashes(urls: Sequence[str], scope: str) -> dict[str, str]:
    """Return the hash by spelling, without invalid URLs and URLs that are too long to fetch."""
    hashes: dict[str, str] = {}
    for url in urls:
        with contextlib.suppress(InvalidInput):
            if len(url) <= MAX_URL_CHARS:
                hashes[url] = url_hash(url, scope)
    return hashes


def _row_ids(tables: Tables, url_hashes: Collection[str]) -> dict[str, str]:
    """Return the row_id by url_hash, from one batch read."""
    found = tables.batch_get(tables.names.urls, [url_key(each) for each in url_hashes], ("url_hash", "row_id"))
    return {each["url_hash"]: each["row_id"] for each in found if "row_id" in each}


def _listed_ids(tables: Tables, shard: str, after: str | None) -> Iterator[str]:
    start = {**row_key(after), "error_shard": shard} if after else None
    entries = tables.query(
        tables.names.frontier, ("error_shard", shard), index=BY_ERROR, after=start, page_items=_ROWS_AT_ONCE
    )
    return (entry["row_id"] for entry in entries)


def _rows(tables: Tables, row_ids: Sequence[str]) -> dict[str, FrontierRow]:
    """Return the rows from one batch read, without invalid ones: these must not block a list."""
    rows: dict[str, FrontierRow] = {}
    for item in tables.batch_get(tables.names.frontier, [row_key(row_id) for row_id in row_ids], ATTRIBUTES):
        with contextlib.suppress(InvalidInput):
            rows[item["row_id"]] = row_of(item)
    return rows


# Each round is lost to another writer of the row. Only a storm of submissions of one URL needs more rounds.
_ROUNDS: Final = 50


def submit(tables: Tables, row: FrontierRow, known: FrontierRow | None) -> Submitted:
    """Implement ports.FrontierStore.submit."""
    if known is not None:
        return _join(tables, known, row)
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
