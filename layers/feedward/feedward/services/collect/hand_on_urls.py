"""Runs one step of a run: submits its URLs to the frontier, chunk by chunk (rule M9).

A chunk is marked as done once all its rows exist and wait for the run. If a worker dies before, the chunk is submitted
again, which adds nothing (rule I6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from feedward.errors import InvalidInput
from feedward.services.collect.ports import CollectPorts
from feedward.services.collect.submit import submit

# The time limit of a chunk. With less time left, none is started.
CHUNK_S: Final = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStep:
    """The result of one step of a run: pages submitted or reprocessed, pages refused, and if the run is complete."""

    run_id: str
    pages: int = 0
    refused: int = 0
    done: bool = True


def hand_on_urls(run_id: str, *, ports: CollectPorts, within_s: float) -> RunStep:
    """Submit the remaining URLs of a run within `within_s` seconds. `done` False: another step is needed.

    Raises the errors of the stores and the queue: the current chunk is then repeated.
    """
    ends_at = ports.clock.monotonic() + within_s
    run = ports.runs.find(run_id)
    pages = refused = 0
    busy: dict[str, int] = {}
    handed: set[str] = set()
    follows: int | None = None
    while run is not None and (chunk := ports.lineage.next_urls(run_id)) is not None:
        if ends_at - ports.clock.monotonic() < CHUNK_S:
            return RunStep(run_id=run_id, pages=pages, refused=refused, done=False)
        number, urls = chunk
        entries = submit(urls, tenant_id=run.tenant_id, runs=frozenset({run_id}), ports=ports, busy=busy)
        rows = [entry.row.row_id for entry in entries if not isinstance(entry, InvalidInput)]
        if number != follows:  # another worker did the chunks in between
            handed = set(ports.lineage.handed_rows(run_id))
        new = set(rows) - handed
        of_chunk = len(urls) - len(rows)
        is_ours = ports.lineage.urls_done(
            run_id, number, rows=new, refused=of_chunk, duplicates=len(rows) - len(new), now=ports.clock.now()
        )
        handed |= new
        follows = number + 1 if is_ours else None
        pages, refused = pages + len(urls), refused + of_chunk
    return RunStep(run_id=run_id, pages=pages, refused=refused)
