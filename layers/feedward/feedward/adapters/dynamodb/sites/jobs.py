"""Discovery jobs in SitesTable: JOB#ulid under its site, with a pending mark while the job is open (rule I7)."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Final

from feedward.adapters.dynamodb.store.codec import Item, text
from feedward.adapters.dynamodb.store.keys import job_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Condition, Transaction, absent, either, equals
from feedward.discovery.candidate import Kind
from feedward.discovery.site import Job, JobStatus
from feedward.scheduling.shards import pending_shard
from feedward.ulid import new_ulid

MARK: Final = ("pending_shard", "pending_since")
_OPEN: Final = (JobStatus.PENDING, JobStatus.RUNNING)
_FIELDS: Final = tuple(field.name for field in fields(Job))
_ENUMS: Final[dict[str, Any]] = {"status": JobStatus, "intent": Kind}
_REASON_CHARS: Final = 500


def open_job(tables: Tables, job: Job) -> None:
    """Write a new job. A stored job with this id is kept: it is from an earlier attempt of this call."""
    transaction = Transaction()
    transaction.put(tables.names.sites, _job_item(job), absent("site_hash"))
    tables.transact(transaction)


def read_job(tables: Tables, job_id: str) -> Job | None:
    """Return the job. None if it is unknown or the id is invalid."""
    item = tables.get(tables.names.sites, job_key(job_id)) if _may_be_id(job_id) else None
    return _job(item) if item else None


def take_job(tables: Tables, job_id: str, now: int) -> Job | None:
    """Mark an open job as running and count the attempt. Returns None if it has ended or is unknown."""
    job = read_job(tables, job_id)
    if job is None or job.status not in _OPEN:
        return None
    taken = replace(job, status=JobStatus.RUNNING, attempts=job.attempts + 1, updated_at=now)
    transaction = Transaction()
    transaction.update(
        tables.names.sites,
        job_key(job_id),
        _is_open(),
        # Each attempt has a new id: two attempts in one second are two writes.
        assign={"status": taken.status.value, "updated_at": now, "pending_since": now, "taking": new_ulid(now)},
        increment=("attempts",),
    )
    return None if tables.transact(transaction) else taken


def end_job(tables: Tables, job_id: str, status: JobStatus, now: int, reason: str | None) -> bool:
    """Mark an open job as ended and delete its pending mark. Returns False if it has ended or is unknown."""
    if not _may_be_id(job_id):
        return False
    transaction = Transaction()
    ended = {"status": status.value, "updated_at": now}
    cut = text(reason, _REASON_CHARS)
    transaction.update(
        tables.names.sites,
        job_key(job_id),
        _is_open(),
        assign=ended | ({"reason": cut} if cut else {}),
        remove=MARK,
    )
    return not tables.transact(transaction)


def _may_be_id(job_id: str) -> bool:
    site_id, _, ulid = job_id.partition(".")
    return bool(site_id and ulid)


def _is_open() -> Condition:
    return either(*(equals("status", status.value) for status in _OPEN))


def _job_item(job: Job) -> Item:
    _, _, ulid = job.job_id.partition(".")
    mark = {"pending_shard": pending_shard("job", ulid), "pending_since": job.created_at}
    return {**job_key(job.job_id), **{name: getattr(job, name) for name in _FIELDS}, **mark}


def _job(item: Item) -> Job:
    return Job(**{name: _ENUMS.get(name, _as_it_is)(item[name]) for name in _FIELDS if name in item})


def _as_it_is(value: Any) -> Any:
    return value
