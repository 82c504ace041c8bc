"""Starts a run: over given URLs, or over an older run's items (POST /v1/runs; rules V3.3, V6.1). Submits its URLs to
the frontier, chunk by chunk (rule M9).

The run and its URLs are written before its message is sent. If the send fails, a later pass finds the run's mark and
sends the message (rule I7). A chunk is marked as done once all its rows exist and wait for the run. If a worker dies
before, the chunk is submitted again, which adds nothing (rule I6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from feedward.access.caller import Caller
from feedward.deadline import Deadline
from feedward.errors import FeedwardError, InvalidInput
from feedward.frontier.messages import Job, JobMessage
from feedward.lineage.run import OpenRun, Run, RunKind
from feedward.lineage.version import CURRENT, producible
from feedward.ports import Clock, WorkQueue
from feedward.services.collect.ports import CollectPorts
from feedward.services.collect.read_lineage import find_run
from feedward.services.collect.submit import Judged, judge, submit
from feedward.ulid import new_ulid

URLS_AT_MOST: Final = 10_000
_SEND_S: Final = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """A started run, and an error for each refused URL, with its position (`urls[3]`)."""

    run: Run
    refused: tuple[InvalidInput, ...] = ()


def start_run(
    caller: Caller,
    *,
    ports: CollectPorts,
    urls: Sequence[str] = (),
    collector: str | None = None,
    reprocessing_of_run_id: str | None = None,
    version: str | None = None,
) -> Started:
    """Start a run over `urls`, or one that reprocesses the items of a run of another version, under the code's version.

    URLs with the same key are one page, and each page is charged; reprocessed items are free. Raises InvalidInput
    (`urls`, `collector`, `version`), NotFound for a run of another tenant, QuotaExceeded, and the errors of the store
    and the counters.
    """
    wanted = producible(version)
    if collector not in (None, CURRENT.collector):
        raise InvalidInput("collector", f"the only collector is {CURRENT.collector}")
    if reprocessing_of_run_id is not None:
        return Started(run=_start_again(caller, reprocessing_of_run_id, str(wanted), urls, ports))
    judged, refused = _judged(urls, caller.tenant_id, ports)
    run = _new_run(caller.tenant_id, RunKind.URLS, str(wanted), ports.clock, pages=len(judged))
    with ports.charges.charged(caller, "pages", len(judged)):
        made = ports.lineage.create_run(run, [each.url for each in judged])
    _wake(made, ports.queue, ports.clock)
    return Started(run=made, refused=refused)


def run_message(run: Run | OpenRun, now: int) -> JobMessage:
    """Return the message with which a worker continues a run."""
    job = Job.REPROCESS if run.kind is RunKind.REPROCESSING else Job.RUN
    return JobMessage(sent_at=now, job=job, job_id=run.run_id, group=run.tenant_id)


def _start_again(caller: Caller, older_id: str, version: str, urls: Sequence[str], ports: CollectPorts) -> Run:
    if urls:
        raise InvalidInput("urls", "a run that reprocesses an older one takes no URLs")
    older = find_run(caller, older_id, ports=ports)
    if older.normalization_version == version:
        raise InvalidInput("version", f"the items of that run are of {version} already")
    run = _new_run(caller.tenant_id, RunKind.REPROCESSING, version, ports.clock, reprocessing_of_run_id=older.run_id)
    made = ports.lineage.create_run(run)
    _wake(made, ports.queue, ports.clock)
    return made


def _judged(
    urls: Sequence[str], tenant_id: str | None, ports: CollectPorts
) -> tuple[list[Judged], tuple[InvalidInput, ...]]:
    if not urls:
        raise InvalidInput("urls", "name at least one URL")
    if len(urls) > URLS_AT_MOST:
        raise InvalidInput("urls", f"{len(urls)} URLs are more than the {URLS_AT_MOST} of one run")
    entries = [judge(url, f"urls[{place}]", tenant_id, ports.url_policy) for place, url in enumerate(urls)]
    refused = tuple(entry for entry in entries if isinstance(entry, InvalidInput))
    distinct = {entry.url_hash: entry for entry in reversed(entries) if isinstance(entry, Judged)}
    if not distinct:
        raise refused[0]
    return list(reversed(distinct.values())), refused


def _new_run(
    tenant_id: str | None,
    kind: RunKind,
    version: str,
    clock: Clock,
    *,
    pages: int | None = None,
    reprocessing_of_run_id: str | None = None,
) -> Run:
    now = clock.now()
    return Run(
        run_id=new_ulid(now),
        kind=kind,
        collector=CURRENT.collector,
        normalization_version=version,
        created_at=now,
        tenant_id=tenant_id,
        reprocessing_of_run_id=reprocessing_of_run_id,
        pages=pages,
    )


def _wake(run: Run, queue: WorkQueue, clock: Clock) -> None:
    """Send the run's message. If the queue does not accept it, a later pass finds the run's mark and sends it."""
    try:
        queue.within(Deadline.after(_SEND_S)).send_batch([run_message(run, clock.now())])
    except FeedwardError:
        return


# The time limit of a chunk. With less time left, none is started.
CHUNK_S: Final = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStep:
    """The result of one step of a run: pages submitted or reprocessed, pages refused, and if the run is complete."""

    run_id: str
    pages: int = 0
    refused: int = 0
    done: bool = True


def run_of_tenant(run_id: str, ports: CollectPorts) -> Run | None:
    """Return the run, or None if it was deleted, or its tenant was."""
    run = ports.runs.find(run_id)
    if run is not None and run.tenant_id is not None and ports.tenants.is_gone(run.tenant_id):
        return None
    return run


def hand_on_urls(run_id: str, *, ports: CollectPorts, within_s: float) -> RunStep:
    """Submit the remaining URLs of a run within `within_s` seconds, unless its tenant was deleted (rule TN5).

    `done` False: another step is needed.

    Raises the errors of the stores and the queue: the current chunk is then repeated.
    """
    deadline = Deadline.after(within_s, ports.clock.monotonic)
    run = run_of_tenant(run_id, ports)
    pages = refused = 0
    busy: dict[str, int] = {}
    handed: set[str] = set()
    follows: int | None = None
    while run is not None and (chunk := ports.lineage.next_urls(run_id)) is not None:
        if deadline.left_s() < CHUNK_S:
            return RunStep(run_id=run_id, pages=pages, refused=refused, done=False)
        number, urls = chunk
        own = frozenset({run_id})
        entries = submit(urls, tenant_id=run.tenant_id, runs=own, ports=ports, busy=busy, deadline=deadline)
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
