"""A step of an export job: writes parts of its file, and completes it (rule EX1).

The job records each part, so that a repeated step continues behind the last one. A part has 6 MB, but the time of a
step is limited: the bytes read for the next part are stored as a separate object until then. Two workers write the
same; the losing worker stops.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from feedward.deadline import Deadline
from feedward.exports.document import pieces
from feedward.exports.job import PART_BYTES, ExportJob, ExportStatus
from feedward.services.export.entries import entries_of
from feedward.services.export.export_now import send_step, signature_of
from feedward.services.export.ports import ExportPorts

# With less time left than this, no more feeds are read: those already read are kept for the next step.
RESERVE_S: Final = 15.0


@dataclass(frozen=True, slots=True)
class _Part:
    """Bytes of the file. `fresh`: how many of them this step read; `entries`, `private`: of those bytes."""

    body: bytes
    place: str
    entries: int = 0
    private: int = 0
    fresh: int = 0
    is_last: bool = False
    is_rest: bool = False


def do_export_step(export_id: str, *, ports: ExportPorts, within_s: float) -> ExportJob | None:
    """Do the next parts of the job within `within_s` seconds. Return it; None if it no longer exists.

    Nothing is done for a deleted tenant (rule TN5).
    Raises SearchUnavailable, and the errors of the stores and the queue: the step is then repeated.
    """
    deadline = Deadline.after(within_s, ports.clock.monotonic)
    job = ports.export_jobs.get(export_id)
    if job is None or job.is_over:
        return job
    if job.tenant_id is not None and ports.keys.within(deadline).is_gone(job.tenant_id):
        return job
    begun = job if job.upload_id and not job.query.is_own else _begun(job, ports)
    return _written(begun, ports, deadline) if begun else job


def _begun(job: ExportJob, ports: ExportPorts) -> ExportJob | None:
    """Return the job with a new upload, written from the start; None if another worker has it."""
    query = job.query
    upload_id = ports.export_files.begin(job.file_key, media_type=query.format.media_type, name=query.file_name)
    clean = replace(job, upload_id=upload_id, etags=(), rest=False, place="", entries=0, private=0, size=0)
    return _saved(replace(clean, status=ExportStatus.RUNNING), ports)


def _written(job: ExportJob, ports: ExportPorts, deadline: Deadline) -> ExportJob:
    for part in _parts(job, ports, deadline):
        if part.is_rest:
            return _put_off(job, part, ports)
        etag = _put(job, part, ports)
        if etag is None:
            return _again(job, ports)
        after = _with(job, part, etag)
        if part.is_last:
            return _ended(after, ports)
        saved = _saved(after, ports)
        if saved is None:
            return job
        job = saved
    return job


def _put_off(job: ExportJob, part: _Part, ports: ExportPorts) -> ExportJob:
    """Store the bytes read, and leave the rest to the next step."""
    after = replace(_with(job, part, ""), rest=True)
    ports.export_files.put(after.rest_key, part.body)
    saved = _saved(after, ports)
    if saved:
        send_step(saved, ports)
    return saved or job


def _put(job: ExportJob, part: _Part, ports: ExportPorts) -> str | None:
    """Store a part, and return its tag: an empty one for an empty last part. None if the upload no longer exists."""
    if not part.body and job.etags:
        return ""
    return ports.export_files.put_part(job.file_key, job.upload_id or "", len(job.etags) + 1, part.body)


def _again(job: ExportJob, ports: ExportPorts) -> ExportJob:
    """Let the next step start over: the upload no longer exists."""
    _saved(replace(job, upload_id=None), ports)
    send_step(job, ports)
    return job


def _with(job: ExportJob, part: _Part, etag: str) -> ExportJob:
    return replace(
        job,
        etags=(*job.etags, *([etag] if etag else [])),
        rest=False,
        place=part.place,
        entries=job.entries + part.entries,
        private=job.private + part.private,
        size=job.size + part.fresh,
    )


def _parts(job: ExportJob, ports: ExportPorts, deadline: Deadline) -> Iterator[_Part]:
    """Yield the rest of the file in parts. Only the last one, or the one kept for lack of time, may be small."""
    entries = entries_of(job.tenant_id, job.query, ports, after=job.place, deadline=deadline)
    document = pieces(job.query, entries, now=job.created_at, after=job.place)
    body = bytearray(b"".join(ports.export_files.chunks(job.rest_key)) if job.rest else b"")
    part = _Part(b"", job.place)
    for piece in document:
        if len(body) >= PART_BYTES and piece.body:
            yield replace(part, body=bytes(body))
            body, part = bytearray(), _Part(b"", part.place)
        body += piece.body
        part = replace(
            part,
            place=piece.place or part.place,
            entries=part.entries + piece.entries,
            private=part.private + piece.private,
            fresh=part.fresh + len(piece.body),
        )
        if piece.place and deadline.left_s() < RESERVE_S:
            yield replace(part, body=bytes(body), is_rest=True)
            return
    yield replace(part, body=bytes(body), is_last=True)


def _ended(job: ExportJob, ports: ExportPorts) -> ExportJob:
    files = ports.export_files
    if not files.end(job.file_key, job.upload_id or "", job.etags):
        return _again(job, ports)
    digest = hashlib.sha256()
    for chunk in files.chunks(job.file_key):
        digest.update(chunk)
    signature = signature_of(digest.digest(), ports)
    if signature:
        files.put(f"{job.file_key}.sig", base64.b64decode(signature))
    done = replace(job, status=ExportStatus.DONE, sha256=digest.hexdigest(), signature=signature)
    return _saved(done, ports) or job


def _saved(job: ExportJob, ports: ExportPorts) -> ExportJob | None:
    """Write the job, and return the stored one; None if another worker has written it."""
    after = replace(job, updated_at=ports.clock.now())
    return replace(after, rev=after.rev + 1) if ports.export_jobs.save(after) else None
