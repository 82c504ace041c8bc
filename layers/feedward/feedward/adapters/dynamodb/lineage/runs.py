"""Runs in LineageTable: RUN, its URLs that are not submitted yet (CHUNK), and its counters (COUNT)."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import islice
from typing import Any, Final

from feedward.adapters.dynamodb.lineage.keys import (
    CHUNK_PREFIX,
    CHUNKED_PREFIX,
    COUNT_PREFIX,
    INDEX,
    INDEX_KEYS,
    RUN,
    chunk_key,
    chunked_key,
    counter_key,
    open_runs_shard,
    open_runs_shards,
    open_since,
    run_key,
    run_pk,
    runs_list_key,
    runs_list_pk,
    versions_key,
)
from feedward.adapters.dynamodb.store.codec import Item as Stored
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Transaction, absent, both, equals, present
from feedward.errors import Conflict, InvalidInput
from feedward.lineage.run import Counters, OpenRun, Run, RunKind

_COUNTERS: Final = tuple(field.name for field in fields(Counters))
# Attributes of unfinished runs only: the index keys, and the count of the schedule's messages.
MARK: Final = (*INDEX_KEYS, "pending_since", "sent_again")
_ROUNDS: Final = 8
_LISTED_AT_ONCE: Final = 101
_CHUNK: Final = 0  # index of its write in the transaction


def open_mark(run_id: str, since: int) -> dict[str, Any]:
    """Return the pending mark of an unfinished run, with the time of its last progress."""
    return {"list_shard": open_runs_shard(run_id), "list_place": open_since(since), "pending_since": since}


def read_run(tables: Tables, run_id: str) -> Run | None:
    """Return the run with the sum of its counters. RUN and its counters are adjacent, so this is one query."""
    rows = list(tables.query(tables.names.lineage, ("pk", run_pk(run_id)), between=("sk", COUNT_PREFIX, RUN)))
    if not rows or rows[-1]["sk"] != RUN:
        return None
    return _run(rows[-1], rows[:-1])


def next_urls(tables: Tables, run_id: str) -> tuple[int, Sequence[str]] | None:
    """Return the number and the URLs of the first remaining chunk; None if there is none."""
    chunks = tables.query(tables.names.lineage, ("pk", run_pk(run_id)), prefix=("sk", CHUNK_PREFIX), page_items=1)
    for chunk in islice(chunks, 1):
        return int(chunk["sk"].removeprefix(CHUNK_PREFIX)), chunk["urls"]
    return None


def handed_rows(tables: Tables, run_id: str) -> frozenset[str]:
    """Return the ids of the rows of all submitted chunks, with one query, which reads 3 KB per 100 ids."""
    chunked = tables.query(tables.names.lineage, ("pk", run_pk(run_id)), prefix=("sk", CHUNKED_PREFIX))
    return frozenset(row_id for each in chunked for row_id in each["rows"])


def urls_done(
    tables: Tables, run_id: str, chunk: int, *, rows: Collection[str], counts: Mapping[str, int], now: int
) -> bool:
    """Delete a submitted chunk. Returns False if it was deleted before. Raises Conflict if the run kept changing."""
    for _ in range(_ROUNDS):
        run = tables.get(tables.names.lineage, run_key(run_id))
        if run is None:
            return False
        refusals = tables.transact(_striking_off(tables.names.lineage, run, chunk, rows=rows, counts=counts, now=now))
        if not refusals:
            return True
        if any(refusal.index == _CHUNK for refusal in refusals):
            return False
    raise Conflict("the remaining URLs of this run kept changing")


def _striking_off(
    table: str, run: Stored, chunk: int, *, rows: Collection[str], counts: Mapping[str, int], now: int
) -> Transaction:
    run_id, left = run["run_id"], run["chunks_left"] - 1
    transaction = Transaction()
    transaction.delete(table, chunk_key(run_id, chunk), present("pk"))
    transaction.update(
        table,
        run_key(run_id),
        equals("chunks_left", left + 1),
        assign={"chunks_left": left, **(open_mark(run_id, now) if left else {"started": True})},
        remove=() if left else MARK,
    )
    if rows:
        transaction.put(table, {**chunked_key(run_id, chunk), "rows": sorted(rows)})
    counted = {name: number for name, number in counts.items() if number}
    if counted:
        transaction.update(table, counter_key(run_id, chunk_key(run_id, chunk)["sk"]), None, add=counted)
    return transaction


def open_runs(tables: Tables, before: int) -> Iterator[OpenRun]:
    """Yield the runs whose pending mark is older than `before`, page by page. Stale index entries are left out."""
    if before <= 0:
        return
    for shard in open_runs_shards():
        places = ("list_place", open_since(0), open_since(before - 1))
        for entry in tables.query(tables.names.lineage, ("list_shard", shard), index=INDEX, between=places):
            run = tables.get(tables.names.lineage, {"pk": entry["pk"], "sk": entry["sk"]})
            if run is not None and run.get("pending_since", before) < before:
                yield _open_run(run)


def run_sent_again(tables: Tables, run: OpenRun, now: int) -> None:
    """Set the run's pending mark to `now` and count the message, if the mark is unchanged."""
    tables.update(
        tables.names.lineage,
        run_key(run.run_id),
        both(equals("pending_since", run.pending_since), present("list_shard")),
        assign=open_mark(run.run_id, now),
        add={"sent_again": 1},
    )


def _run(row: Stored, counters: Sequence[Stored]) -> Run:
    return Run(
        run_id=row["run_id"],
        kind=RunKind(row["kind"]),
        collector=row["collector"],
        normalization_version=row["normalization_version"],
        created_at=row["created_at"],
        tenant_id=row.get("tenant_id"),
        reprocessing_of_run_id=row.get("reprocessing_of_run_id"),
        pages=row.get("pages"),
        started=row["started"],
        counters=Counters(**{name: sum(counter.get(name, 0) for counter in counters) for name in _COUNTERS}),
    )


def _open_run(row: Stored) -> OpenRun:
    return OpenRun(
        run_id=row["run_id"],
        kind=RunKind(row["kind"]),
        pending_since=row["pending_since"],
        sent_again=row.get("sent_again", 0),
        tenant_id=row.get("tenant_id"),
    )


URLS_IN_A_CHUNK: Final = 100
# An item holds 400 KB, and a transaction 4 MB and 100 items.
CHUNK_BYTES: Final = 200 * 1024
CHUNKS_AT_ONCE: Final = 16
# RUN holds an id of the call, so that a later call with the same run id is recognized and gets the stored run.
_CALL_BYTES: Final = 8


def create_run(tables: Tables, run: Run, urls: Sequence[str]) -> Run:
    """Put the run with its URLs, or return the stored run with its id. Raises InvalidInput (`urls[i]`) above 200 KB."""
    chunks = list(_chunks(urls))
    table = tables.names.lineage
    last = len(chunks) - len(chunks) % CHUNKS_AT_ONCE
    for start in range(0, last, CHUNKS_AT_ONCE):
        transaction = Transaction()
        transaction.check(table, run_key(run.run_id), absent("pk"))
        _put_chunks(transaction, table, run.run_id, start, chunks[start : start + CHUNKS_AT_ONCE])
        if tables.transact(transaction):
            return _of_this_id(tables, run.run_id)
    transaction = Transaction()
    transaction.put(table, _run_item(run, len(chunks)), absent("pk"))
    _put_chunks(transaction, table, run.run_id, last, chunks[last:])
    scope = run.tenant_id or ""
    transaction.put(table, runs_list_key(run.normalization_version, scope, run.run_id))
    if run.normalization_version not in read_versions(tables, scope):
        transaction.update(table, versions_key(scope), None, unite={"versions": {run.normalization_version}})
    return _of_this_id(tables, run.run_id) if tables.transact(transaction) else run


def read_versions(tables: Tables, scope: str) -> Sequence[str]:
    """Return all versions that runs of this tenant have used, sorted."""
    row = tables.get(tables.names.lineage, versions_key(scope))
    return sorted(row["versions"]) if row else []


def runs_of_version(tables: Tables, version: str, scope: str, after: str | None) -> Iterator[str]:
    """Yield the ids of the tenant's runs of a version, newest first, after the run `after`."""
    rows = tables.query(
        tables.names.lineage,
        ("pk", runs_list_pk(version, scope)),
        after=runs_list_key(version, scope, after) if after is not None else None,
        page_items=_LISTED_AT_ONCE,
        newest_first=True,
    )
    return (row["sk"] for row in rows)


def _chunks(urls: Sequence[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    size = 0
    for index, url in enumerate(urls):
        length = len(url.encode("utf-8", "replace"))
        if length > CHUNK_BYTES:
            raise InvalidInput(f"urls[{index}]", f"a URL of {length} bytes is too long to store")
        if len(chunk) == URLS_IN_A_CHUNK or size + length > CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
        chunk.append(url)
        size += length
    if chunk:
        yield chunk


def _put_chunks(transaction: Transaction, table: str, run_id: str, first: int, chunks: Sequence[list[str]]) -> None:
    for number, urls in enumerate(chunks, first):
        transaction.put(table, {**chunk_key(run_id, number), "urls": urls})


def _run_item(run: Run, chunks: int) -> Stored:
    has_work = chunks > 0 or (run.kind is RunKind.REPROCESSING and not run.started)
    return {
        **run_key(run.run_id),
        "run_id": run.run_id,
        "kind": run.kind.value,
        "collector": run.collector,
        "normalization_version": run.normalization_version,
        "created_at": run.created_at,
        "tenant_id": run.tenant_id,
        "reprocessing_of_run_id": run.reprocessing_of_run_id,
        "pages": run.pages,
        "started": run.started or (run.kind is RunKind.URLS and not chunks),
        "chunks_left": chunks,
        "pages_passed": 0,
        "call": secrets.token_hex(_CALL_BYTES),
        **(open_mark(run.run_id, run.created_at) if has_work else {}),
    }


def _of_this_id(tables: Tables, run_id: str) -> Run:
    run = read_run(tables, run_id)
    if run is None:
        raise Conflict("the run with this id kept changing")
    return run
