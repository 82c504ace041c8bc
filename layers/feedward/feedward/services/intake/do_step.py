"""A step of an import: reads its file into chunks, or does some chunks (rules IM3, M9).

A step may run twice, late, or on two workers at the same time: chunks are the same each time, and each entry is
completed once (rule I6). A worker that dies loses nothing: the message is received again, or the reconcile pass sends
the step.

The reconcile pass sends the steps of abandoned imports again (rule I7).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import BoundedSemaphore
from typing import Final

from feedward.deadline import Deadline
from feedward.errors import Conflict
from feedward.intake.entry import UnusableFile
from feedward.intake.job import Chunk, Import, ImportStatus, ImportStep, chunks_of, shown_beyond, steps_of
from feedward.intake.read_file import FileRead, read_file
from feedward.services.intake.end_chunk import end_chunk
from feedward.services.intake.ports import ImportPorts
from feedward.services.intake.start_import import send_steps

# The time limit of a chunk. With less time left, none is started.
CHUNK_S: Final = 12.0
_CHUNKS_AT_ONCE: Final = 16
_ROUNDS: Final = 20
# The number of chunks that a process handles in parallel, over all steps: more would only wait for the store.
_SIDE_BY_SIDE: Final = BoundedSemaphore(2)
# The time limit of reading a file. A process reads one at a time: a file of 10 MB takes some 150 MB of memory.
READ_S: Final = 30.0
_ONE_FILE: Final = BoundedSemaphore(1)
_GONE: Final = "The file no longer exists: it is kept for a day. Import it again."


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDone:
    """The result of a step, for the log: the entries that it read or completed."""

    import_id: str
    read: int = 0
    ended: int = 0


def do_step(job_id: str, *, ports: ImportPorts, within_s: float) -> StepDone:
    """Do the step that a job's id names within `within_s` seconds; the rest is sent as a new step.

    Nothing is done for a deleted tenant (rule TN5).
    Raises InvalidInput (`job_id`), and the errors of the stores and the queue: the step is then repeated.
    """
    step = ImportStep.of(job_id)
    deadline = Deadline.after(within_s, ports.clock.monotonic)
    found = ports.imports.get(step.tenant_id, step.import_id)
    if found is None or found.status in (ImportStatus.FAILED, ImportStatus.UPLOADING):
        return StepDone(import_id=step.import_id)
    if step.tenant_id is not None and ports.keys.within(deadline).is_gone(step.tenant_id):
        return StepDone(import_id=step.import_id)
    return _do_chunks(found, step, ports, deadline) if step.end else _read(found, ports, deadline)


def resume_step(found: Import) -> list[ImportStep]:
    """Return the steps of an abandoned import: all of them, since completed steps do nothing."""
    if not found.is_read:
        return [ImportStep(tenant_id=found.tenant_id, import_id=found.import_id)]
    return steps_of(found)


# --- reading -----------------------------------------------------------------------------------------


def _read(found: Import, ports: ImportPorts, deadline: Deadline) -> StepDone:
    number, steps = 0, steps_of(found)
    if not found.is_read:
        if not _ONE_FILE.acquire(timeout=max(deadline.left_s() - READ_S, 0.0)):
            steps = [ImportStep(tenant_id=found.tenant_id, import_id=found.import_id)]  # another file took the time
            send_steps(steps, queue=ports.frontier_queue, now=ports.clock.now())
            return StepDone(import_id=found.import_id)
        try:
            read = _file(found, ports)
            found, number = _written(found, read, ports), len(read.entries)
        except UnusableFile as error:
            _fail(found, str(error), ports)
            return StepDone(import_id=found.import_id)
        finally:
            _ONE_FILE.release()
        steps = steps_of(found)
    send_steps(steps, queue=ports.frontier_queue, now=ports.clock.now())
    return StepDone(import_id=found.import_id, read=number)


def _file(found: Import, ports: ImportPorts) -> FileRead:
    body = ports.import_files.read(found.file_key)
    if body is None:
        raise UnusableFile(_GONE)
    return read_file(body)


def _written(found: Import, read: FileRead, ports: ImportPorts) -> Import:
    """The import with all its chunks. Another worker may have written some of them: they are the same."""
    chunks = chunks_of(read.entries)
    for _ in range(len(chunks) + _ROUNDS):
        if found.is_read:
            return found
        some = _some(chunks[found.chunks :])
        written = found.chunks + len(some)
        now = ports.clock.now()
        after = replace(
            found,
            status=ImportStatus.RUNNING,
            kind=read.kind,
            beyond=shown_beyond(read.beyond),
            chunks=written,
            is_read=written == len(chunks),
            updated_at=now,
            pending_since=now,
        )
        is_ours = ports.imports.add_chunks(after, some)
        found = replace(after, rev=after.rev + 1) if is_ours else _again(found, ports)
    raise Conflict("the import kept changing")


def _some(chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    """As many chunks as one transaction takes."""
    return chunks[:_CHUNKS_AT_ONCE]


def _again(found: Import, ports: ImportPorts) -> Import:
    again = ports.imports.get(found.tenant_id, found.import_id)
    if again is None:
        raise Conflict("the import was deleted while it was read")
    return again


def _fail(found: Import, reason: str, ports: ImportPorts) -> None:
    now = ports.clock.now()
    failed = replace(found, status=ImportStatus.FAILED, reason=reason, updated_at=now, pending_since=None)
    if not ports.imports.save(failed):
        raise Conflict("the import changed while it was read")


# --- chunks ------------------------------------------------------------------------------------------


def _do_chunks(found: Import, step: ImportStep, ports: ImportPorts, deadline: Deadline) -> StepDone:
    ended = 0
    for number in range(step.first, min(step.end, found.chunks)):
        spare_s = deadline.left_s() - CHUNK_S
        if spare_s < 0 or not _SIDE_BY_SIDE.acquire(timeout=spare_s):
            send_steps([replace(step, first=number)], queue=ports.frontier_queue, now=ports.clock.now())
            return StepDone(import_id=found.import_id, ended=ended)
        try:
            ended += end_chunk(found, number, ports=ports)
        finally:
            _SIDE_BY_SIDE.release()
    _finish(found, ports)
    return StepDone(import_id=found.import_id, ended=ended)


def _finish(found: Import, ports: ImportPorts) -> None:
    """Delete the pending mark if no chunk is left. If two workers complete the last ones, at least one sees it."""
    for _ in range(_ROUNDS):
        now_found = ports.imports.get(found.tenant_id, found.import_id)
        if now_found is None or now_found.pending_since is None:
            return
        if not (now_found.is_read and now_found.counts.told == now_found.chunks):
            return
        if ports.imports.save(replace(now_found, pending_since=None, updated_at=ports.clock.now())):
            return


# A step takes at most the time of a call, and its message is hidden for longer.
LEFT_FOR_S: Final = 10 * 60
AT_ONCE: Final = 20


def resume_imports(*, ports: ImportPorts) -> int:
    """Send the steps of imports that have been unfinished for 10 minutes. Returns how many imports were resumed.

    Raises the errors of the store and the queue; the next pass resumes the remaining imports.
    """
    now = ports.clock.now()
    resumed = 0
    for tenant_id, import_id in ports.imports.pending(before=now - LEFT_FOR_S, limit=AT_ONCE):
        found = ports.imports.get(tenant_id, import_id)
        if found is None or found.pending_since is None or found.pending_since > now - LEFT_FOR_S:
            continue
        if ports.imports.save(replace(found, pending_since=now)):
            send_steps(resume_step(found), queue=ports.frontier_queue, now=now)
            resumed += 1
    return resumed
