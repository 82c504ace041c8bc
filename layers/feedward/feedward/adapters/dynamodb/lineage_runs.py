"""Runs in LineageTable: RUN, the URLs that it has still to hand on (CHUNK), what its pages came to (COUNT).

A run's normalization version is written once (contract 6.1). For as long as it has work left it is in the index
`listed`, so that a run whose message was lost is found (I7).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import islice
from typing import Any, Final

from feedward.adapters.dynamodb.codec import Item as Stored
from feedward.adapters.dynamodb.lineage_keys import (
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
)
from feedward.adapters.dynamodb.tables import Tables
from feedward.adapters.dynamodb.transaction import Transaction, both, equals, present
from feedward.errors import Conflict
from feedward.lineage.run import Counters, OpenRun, Run, RunKind

_COUNTERS: Final = tuple(field.name for field in fields(Counters))
# What a run has only while there is work left: its place in the index, and what the schedule notes.
MARK: Final = (*INDEX_KEYS, "pending_since", "sent_again")
_ROUNDS: Final = 8
_CHUNK: Final = 0  # the place of its write in the transaction


def open_mark(run_id: str, since: int) -> dict[str, Any]:
    """Return what marks a run as one that has work left, and that nobody worked on since then."""
    return {"list_shard": open_runs_shard(run_id), "list_place": open_since(since), "pending_since": since}


def read_run(tables: Tables, run_id: str) -> Run | None:
    """Return the run with its counters added up: one query, for RUN and its counters lie side by side."""
    rows = list(tables.query(tables.names.lineage, ("pk", run_pk(run_id)), between=("sk", COUNT_PREFIX, RUN)))
    if not rows or rows[-1]["sk"] != RUN:
        return None
    return _run(rows[-1], rows[:-1])


def next_urls(tables: Tables, run_id: str) -> tuple[int, Sequence[str]] | None:
    """Return the first chunk of URLs that is left, and its number; None when none is."""
    chunks = tables.query(tables.names.lineage, ("pk", run_pk(run_id)), prefix=("sk", CHUNK_PREFIX), page_items=1)
    for chunk in islice(chunks, 1):
        return int(chunk["sk"].removeprefix(CHUNK_PREFIX)), chunk["urls"]
    return None


def handed_rows(tables: Tables, run_id: str) -> frozenset[str]:
    """Return the ids of the rows that the chunks which were struck off came to: one query of 3 KB for each 100."""
    chunked = tables.query(tables.names.lineage, ("pk", run_pk(run_id)), prefix=("sk", CHUNKED_PREFIX))
    return frozenset(row_id for each in chunked for row_id in each["rows"])


def urls_done(
    tables: Tables, run_id: str, chunk: int, *, rows: Collection[str], counts: Mapping[str, int], now: int
) -> bool:
    """Strike a chunk off; False if it was. Raises Conflict where others kept striking off chunks of the run."""
    for _ in range(_ROUNDS):
        run = tables.get(tables.names.lineage, run_key(run_id))
        if run is None:
            return False
        refusals = tables.transact(_striking_off(tables.names.lineage, run, chunk, rows=rows, counts=counts, now=now))
        if not refusals:
            return True
        if any(refusal.index == _CHUNK for refusal in refusals):
            return False
    raise Conflict("the URLs that this run has left kept changing")


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
    """Yield the runs whose mark is from before then, page by page; what the index shows too late is left out."""
    if before <= 0:
        return
    for shard in open_runs_shards():
        places = ("list_place", open_since(0), open_since(before - 1))
        for entry in tables.query(tables.names.lineage, ("list_shard", shard), index=INDEX, between=places):
            run = tables.get(tables.names.lineage, {"pk": entry["pk"], "sk": entry["sk"]})
            if run is not None and run.get("pending_since", before) < before:
                yield _open_run(run)


def run_sent_again(tables: Tables, run: OpenRun, now: int) -> None:
    """Set the run's mark to now and count the message, if the mark is still as it was seen."""
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
    )
