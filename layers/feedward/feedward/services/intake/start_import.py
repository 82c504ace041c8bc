"""Starts an import: its file is stored, or awaited, then its first step is sent (rules IM3, IM4).

The import is written before its message is sent. If the send fails, the reconcile pass sends it (rule I7).
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from feedward.access.caller import Caller, Scope
from feedward.deadline import Deadline
from feedward.errors import Conflict, FeedwardError, InvalidInput, NotFound, WrongState
from feedward.frontier.messages import Job, JobMessage
from feedward.intake.job import Import, ImportStatus, ImportStep, Target
from feedward.intake.limits import FILE_BYTES
from feedward.ports import WorkQueue
from feedward.ports.work import send_all
from feedward.services.intake.ports import ImportPorts
from feedward.ulid import new_ulid

_ROUNDS: Final = 8
_SEND_S: Final = 3.0
_KEY_BYTES: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """An import whose file is awaited, and the URL to which it can be PUT."""

    found: Import
    upload_url: str


def begin_import(
    caller: Caller,
    *,
    ports: ImportPorts,
    body: bytes | None = None,
    length: int | None = None,
    name: str | None = None,
    into: Target | None = None,
) -> Import | Announced:
    """Begin an import of `body`, or of a file of `length` bytes that will be uploaded (POST /v1/imports).

    Only an operator's key may add to the shared directory (rule T3); other callers' entries become subscriptions.
    Raises ScopeMissing, InvalidInput (`bytes`) for a file that is too long, QuotaExceeded, and the errors of the
    stores.
    """
    into = _allowed(caller, into)
    if body is None and (length is None or not 1 <= length <= FILE_BYTES):
        raise InvalidInput("bytes", f"expected the length of the file in bytes, 1 to {FILE_BYTES}")
    with ports.charges.charged(caller, "imports"):
        if body is not None:
            return _taken(caller.tenant_id, body, name, into, ports)
        return _announced(caller, length or 0, name, into, ports)


def _announced(caller: Caller, length: int, name: str | None, into: Target | None, ports: ImportPorts) -> Announced:
    new = _new(caller.tenant_id, length, ports.clock.now(), name=name, into=into)
    ports.imports.create(new)
    return Announced(found=new, upload_url=ports.import_files.upload_url(new.file_key, length))


def _allowed(caller: Caller, into: Target | None) -> Target | None:
    """Return where the entries may go; None if the file's kind decides."""
    if into is Target.DIRECTORY:
        caller.require(Scope.OPERATOR)
    return into if caller.scope.includes(Scope.OPERATOR) else Target.SUBSCRIPTIONS


def start_uploaded(caller: Caller, import_id: str, *, ports: ImportPorts) -> Import:
    """Start an import whose file was uploaded (POST /v1/imports/{id}/start). A started import is returned unchanged.

    Raises NotFound, also for another tenant's; WrongState if the file is missing, or has another length.
    """
    for _ in range(_ROUNDS):
        found = ports.imports.get(caller.tenant_id, import_id)
        if found is None:
            raise NotFound("there is no import with this id")
        if found.status is not ImportStatus.UPLOADING:
            return found
        _check_upload(found, ports)
        now = ports.clock.now()
        started = replace(found, status=ImportStatus.WAITING, updated_at=now, pending_since=now)
        if ports.imports.save(started):
            _wake(started, ports)
            return started
    raise Conflict("the import kept changing")


def _taken(tenant_id: str | None, body: bytes, name: str | None, into: Target | None, ports: ImportPorts) -> Import:
    now = ports.clock.now()
    new = _new(tenant_id, len(body), now, name=name, into=into)
    new = replace(new, status=ImportStatus.WAITING, pending_since=now)
    ports.import_files.put(new.file_key, body)
    ports.imports.create(new)
    _wake(new, ports)
    return new


def _new(tenant_id: str | None, length: int, now: int, *, name: str | None, into: Target | None) -> Import:
    return Import(
        import_id=new_ulid(now),
        tenant_id=tenant_id,
        status=ImportStatus.UPLOADING,
        created_at=now,
        updated_at=now,
        file_key=f"{tenant_id or '_self'}/{secrets.token_hex(_KEY_BYTES)}",
        bytes=length,
        name=name,
        into=into,
    )


def _check_upload(found: Import, ports: ImportPorts) -> None:
    size = ports.import_files.size(found.file_key)
    if size is None:
        raise WrongState("the file was not uploaded, or its upload is more than a day ago")
    if size != found.bytes:
        raise WrongState(f"the uploaded file has {size} bytes, not the {found.bytes} that were announced")


def _wake(found: Import, ports: ImportPorts) -> None:
    """Send the first step. If the queue does not accept it, the reconcile pass finds the import's mark."""
    step = ImportStep(tenant_id=found.tenant_id, import_id=found.import_id)
    try:
        send_steps([step], queue=ports.frontier_queue.within(Deadline.after(_SEND_S)), now=ports.clock.now())
    except FeedwardError:
        return


def send_steps(steps: Sequence[ImportStep], *, queue: WorkQueue, now: int) -> None:
    """Send the steps. Raises QueueUnavailable if the queue did not accept all of them, and the errors of the queue."""
    messages = [JobMessage(sent_at=now, job=Job.IMPORT, job_id=step.job_id, group=step.tenant_id) for step in steps]
    send_all(queue, messages)
