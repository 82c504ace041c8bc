"""How a run comes to be: its URLs in chunks, its row, and its version among those that runs were made under.

RUN is written last, and a chunk only while there is no RUN: so a call that is made again never brings back URLs that
were handed on meanwhile, and whoever sees the run sees all its URLs.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import Final

from feedward.adapters.dynamodb.codec import Item as Stored
from feedward.adapters.dynamodb.lineage_keys import chunk_key, run_key, versions_key
from feedward.adapters.dynamodb.lineage_runs import open_mark, read_run
from feedward.adapters.dynamodb.tables import Tables
from feedward.adapters.dynamodb.transaction import Transaction, absent
from feedward.errors import Conflict, InvalidInput
from feedward.lineage.run import Run, RunKind

URLS_IN_A_CHUNK: Final = 100
# An item holds 400 KB, and a transaction 4 MB and 100 items.
CHUNK_BYTES: Final = 200 * 1024
CHUNKS_AT_ONCE: Final = 16
# A call names itself in RUN: the same run again is another call, and is told what is there.
_CALL_BYTES: Final = 8


def create_run(tables: Tables, run: Run, urls: Sequence[str]) -> Run:
    """Put the run with its URLs, or return the one of its id. Raises InvalidInput (`urls[i]`) for over 200 KB."""
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
    if run.normalization_version not in read_versions(tables, scope):
        transaction.update(table, versions_key(scope), None, unite={"versions": {run.normalization_version}})
    return _of_this_id(tables, run.run_id) if tables.transact(transaction) else run


def read_versions(tables: Tables, scope: str) -> Sequence[str]:
    """Return all versions that a run of this tenant was ever made under, sorted."""
    row = tables.get(tables.names.lineage, versions_key(scope))
    return sorted(row["versions"]) if row else []


def _chunks(urls: Sequence[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    size = 0
    for index, url in enumerate(urls):
        length = len(url.encode("utf-8", "replace"))
        if length > CHUNK_BYTES:
            raise InvalidInput(f"urls[{index}]", f"a URL of {length} bytes is more than can be kept")
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
        raise Conflict("the run of this id is there and not there")
    return run
