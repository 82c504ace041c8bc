"""The frontier's rows in DynamoDB: ports.FrontierStore over FrontierTable and UrlsTable (rule R15)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from feedward.adapters.dynamodb.frontier.row_items import ATTRIBUTES, BY_ERROR, error_shards, row_of, shard_number
from feedward.adapters.dynamodb.frontier.submit import submit
from feedward.adapters.dynamodb.frontier.writes import move, write_failed, write_fetched, write_row
from feedward.adapters.dynamodb.store.keys import row_key, url_key
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.errors import InvalidInput
from feedward.frontier.changes import postponed
from feedward.frontier.row import FailedParams, FetchedParams, FrontierRow, Submitted
from feedward.urls.key import url_hash
from feedward.urls.safety import DEFAULT_POLICY, MAX_URL_CHARS, UrlPolicy

# What one batch read takes.
_ROWS_AT_ONCE: Final = 100
# No outcome has a longer name, and no key takes a text of any length.
_ERROR_CHARS: Final = 64


class DynamoFrontierStore(TableStore):
    """ports.FrontierStore. One object serves all threads. `url_policy` is the fetch's: which URLs a row may have."""

    def __init__(self, tables: Tables, *, url_policy: UrlPolicy = DEFAULT_POLICY) -> None:
        super().__init__(tables)
        self._policy = url_policy

    def submit(self, row: FrontierRow) -> Submitted:
        """Operation Frontier submit: claim the URL's hash for the row and put it, or join the row that has it."""
        return submit(self._tables, row)

    def find(self, urls: Sequence[str], *, owner: str | None = None) -> Mapping[str, str]:
        """Return the row_id of each URL that finds one: one batch read. What is no URL finds none."""
        tables = self._tables
        hashes = _hashes(urls, owner or "")
        keys = [url_key(each) for each in dict.fromkeys(hashes.values())]
        rows = tables.batch_get(tables.names.urls, keys, ("url_hash", "row_id"))
        row_ids = {row["url_hash"]: row["row_id"] for row in rows if "row_id" in row}
        return {url: row_ids[each] for url, each in hashes.items() if each in row_ids}

    def row(self, row_id: str) -> FrontierRow | None:
        """Return the row, read consistently; None if there is none."""
        tables = self._tables
        item = tables.get(tables.names.frontier, row_key(row_id))
        return row_of(item) if item is not None else None

    def update_fetched(self, seen: FrontierRow, params: FetchedParams) -> FrontierRow | None:
        """Mark the row as fetched, with one update. None: written; else the row as it is now.

        Raises InvalidInput (`url`) for a spelling that is none of the row's URL.
        """
        return write_fetched(self._tables, seen, params, self._policy)

    def update_fetched_with_final_url(
        self, seen: FrontierRow, final_url: str, params: FetchedParams
    ) -> FrontierRow | None:
        """Operation Move (rule I2). None: written, moved or not; else the row as it is now.

        Raises InvalidInput (`final_url`), and then nothing was written (rule F4).
        """
        return move(self._tables, seen, final_url, params, self._policy)

    def update_failed(self, seen: FrontierRow, params: FailedParams) -> FrontierRow | None:
        """Write a failure, and count it in the runs that ended with it. None: written; else the row as it is now."""
        return write_failed(self._tables, seen, params)

    def postpone(self, seen: FrontierRow, to: int) -> FrontierRow | None:
        """Let the row be due at `to`, with one update. None: written; else the row as it is now."""
        return write_row(self._tables, seen, postponed(seen, to))

    def listed(self, *, last_error: str, after: str | None = None) -> Iterator[FrontierRow]:
        """Yield the shared rows with this error, shard by shard and each by row_id, read as they are asked for."""
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
    """Return the hash of each spelling; what is no URL, or too long to be fetched, has none."""
    hashes: dict[str, str] = {}
    for url in urls:
        with contextlib.suppress(InvalidInput):
            if len(url) <= MAX_URL_CHARS:
                hashes[url] = url_hash(url, scope)
    return hashes


def _listed_ids(tables: Tables, shard: str, after: str | None) -> Iterator[str]:
    start = {**row_key(after), "error_shard": shard} if after else None
    entries = tables.query(
        tables.names.frontier, ("error_shard", shard), index=BY_ERROR, after=start, page_items=_ROWS_AT_ONCE
    )
    return (entry["row_id"] for entry in entries)


def _rows(tables: Tables, row_ids: Sequence[str]) -> dict[str, FrontierRow]:
    """Read the rows in one batch. One that cannot be read must not keep the others from being listed."""
    rows: dict[str, FrontierRow] = {}
    for item in tables.batch_get(tables.names.frontier, [row_key(row_id) for row_id in row_ids], ATTRIBUTES):
        with contextlib.suppress(InvalidInput):
            rows[item["row_id"]] = row_of(item)
    return rows
