"""Returns a small, quick export directly; a job writes any other (rule EX1)."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from feedward.access.caller import Caller
from feedward.deadline import Deadline
from feedward.errors import NotFound, StoreUnavailable, Throttled
from feedward.exports.document import pieces
from feedward.exports.export_entry import ExportEntry
from feedward.exports.job import INLINE_BYTES, WINDOW_S, ExportJob, ExportQuery, ExportStatus
from feedward.frontier.messages import Job, JobMessage
from feedward.ports.work import send_all
from feedward.services.export.entries import entries_of
from feedward.services.export.ports import ExportPorts
from feedward.ulid import derived_ulid
from feedward.urls.secrets import mask_tokens

ANSWER_S: Final = 8.0
# A job without progress for this long is sent again when it is read.
LEFT_FOR_S: Final = 180


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A small export. `signature` is that of its bytes, in base64; `private` counts addresses with a token."""

    query: ExportQuery
    body: bytes
    entries: int
    private: int
    signature: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundJob:
    """A job, and the addresses of its file and of the file's signature, if they exist."""

    job: ExportJob
    url: str | None = None
    signature_url: str | None = None


def export_feeds(caller: Caller, query: ExportQuery, *, ports: ExportPorts) -> Exported | FoundJob:
    """Export the feeds of the query (GET /v1/exports/{format}): the file, or the job that writes it.

    Raises SearchUnavailable, QueueUnavailable, and the errors of the stores.
    """
    deadline = Deadline.after(ANSWER_S, ports.clock.monotonic)
    try:
        exported = _export_in_time(caller, query, ports, deadline)
    except (StoreUnavailable, Throttled):
        if deadline.left_s() > 0:
            raise
        exported = None  # a slow store, or many feeds: the first one may take longer than the answer
    return exported or FoundJob(job=_start(caller.tenant_id, query, ports))


def _export_in_time(caller: Caller, query: ExportQuery, ports: ExportPorts, deadline: Deadline) -> Exported | None:
    """Return the export; None if it is large, or takes too long."""
    body = bytearray()
    entries = private = 0
    entries_shown = _shown(caller, entries_of(caller.tenant_id, query, ports, deadline=deadline))
    for piece in pieces(query, entries_shown, now=ports.clock.now()):
        body += piece.body
        entries, private = entries + piece.entries, private + piece.private
        if len(body) > INLINE_BYTES or deadline.left_s() <= 0:
            return None
    signature = signature_of(hashlib.sha256(body).digest(), ports)
    return Exported(query=query, body=bytes(body), entries=entries, private=private, signature=signature)


def find_export(caller: Caller, export_id: str, *, ports: ExportPorts) -> FoundJob:
    """Return the job with this id (GET /v1/exports/jobs/{id}). An abandoned one is sent again.

    A read-only key gets no link to the file, which has tokens and can be read without a key (rule AK8). Raises
    NotFound, also for another tenant's (rule I8), and the errors of the stores.
    """
    job = ports.export_jobs.get(export_id)
    if job is None or job.tenant_id != caller.tenant_id:
        raise NotFound("there is no export with this id")
    if not job.is_over and ports.clock.now() - job.updated_at > LEFT_FOR_S:
        send_step(job, ports)
    if job.status is not ExportStatus.DONE:
        return FoundJob(job=job)
    if not caller.sees_secrets:
        return FoundJob(job=job)
    files = ports.export_files
    signed = files.link(f"{job.file_key}.sig") if job.signature else None
    return FoundJob(job=job, url=files.link(job.file_key), signature_url=signed)


def _shown(caller: Caller, entries: Iterable[ExportEntry]) -> Iterable[ExportEntry]:
    """Return the entries, without tokens for a read-only key (rule AK8)."""
    if caller.sees_secrets:
        return entries
    return (
        replace(each, url=mask_tokens(each.url), site_url=each.site_url and mask_tokens(each.site_url))
        for each in entries
    )


def signature_of(digest: bytes, ports: ExportPorts) -> str | None:
    """Return the signature of a file's digest in base64; None without a key."""
    signer = ports.export_signer
    return base64.b64encode(signer.sign(digest)).decode() if signer else None


def send_step(job: ExportJob, ports: ExportPorts) -> None:
    """Send the next step of a job. Raises QueueUnavailable, and the errors of the queue."""
    message = JobMessage(sent_at=ports.clock.now(), job=Job.EXPORT, job_id=job.export_id, group=job.tenant_id)
    send_all(ports.frontier_queue, [message])


def _start(tenant_id: str | None, query: ExportQuery, ports: ExportPorts) -> ExportJob:
    """Start a job, or return a recent one with the same query."""
    now = ports.clock.now()
    said = ["", *(f"{name}={value}" for name, value in sorted(query.stored().items()))]
    export_id = derived_ulid(now - now % WINDOW_S, "export", tenant_id or "", "\n".join(said))
    new = ExportJob(export_id=export_id, tenant_id=tenant_id, query=query, created_at=now, updated_at=now)
    job = ports.export_jobs.open(new)
    if job.status is ExportStatus.WAITING:  # a duplicate step is harmless
        send_step(job, ports)
    return job
