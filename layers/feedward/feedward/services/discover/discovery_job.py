"""Discovery jobs: the worker that continues a discovery after its response (rule G6).

The handler is idempotent: the same message may arrive twice, late, or at two workers at the same time (rule I6).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from feedward.access.caller import Caller
from feedward.access.ownership import is_visible
from feedward.deadline import NO_DEADLINE, Deadline
from feedward.discovery.registered import shown_to
from feedward.discovery.site import Job, JobStatus, StoredSite
from feedward.errors import NotFound
from feedward.services.discover.reuse import fresh_answer
from feedward.services.discover.site import look_in_full
from feedward.services.discover.site_run import Directory, DiscoveryAnswer, Request, SiteRun


@dataclass(frozen=True, slots=True, kw_only=True)
class JobAnswer:
    """A job and its stored site, or None if nothing was stored yet."""

    job: Job
    site: StoredSite | None


def run_job(job_id: str, *, directory: Directory, deadline: Deadline = NO_DEADLINE) -> DiscoveryAnswer | None:
    """Start the job, discover with a job's limits, save the result, and end the job.

    Returns None for a job that ended already or is unknown. Raises the errors of the stores; the job then keeps its
    state for the message's next delivery.
    """
    sites = directory.sites.within(deadline)
    job = sites.take_job(job_id, now=directory.clock.now())
    if job is None:
        return None
    request = Request(url=job.url, intent=job.intent, scope=job.scope, tenant_id=job.tenant_id)
    run = SiteRun(request, directory, deadline)
    before = run.known()
    # If a worker died after saving, only the end of the job remains to do.
    answer = fresh_answer(run, before, since=job.created_at) or look_in_full(run, before, job_id=job_id)
    now = directory.clock.now()
    run.sites.end_job(job_id, status=JobStatus.DONE, now=now)
    return replace(answer, job=replace(job, status=JobStatus.DONE, updated_at=now))


def fail_job(job_id: str, reason: str, *, directory: Directory) -> bool:
    """Mark a job as failed after its last delivery. Returns False if it ended already."""
    return directory.sites.end_job(job_id, status=JobStatus.FAILED, now=directory.clock.now(), reason=reason)


def find_job(caller: Caller, job_id: str, *, directory: Directory) -> JobAnswer:
    """Return the job and its stored site (GET /v1/discoveries/{id}).

    Raises NotFound, also for another tenant's job (rule I8), and the errors of the store.
    """
    job = directory.sites.job(job_id)
    if job is None or job.tenant_id != caller.tenant_id:
        raise NotFound("there is no discovery with this id")
    site = directory.sites.site(job.site_id)
    return JobAnswer(job=job, site=_shown(caller, site, directory) if site else None)


def find_site(caller: Caller, site_id: str, *, directory: Directory) -> DiscoveryAnswer:
    """Return a stored site (GET /v1/sites/{id}), with its latest job unless its discovery is complete.

    Raises NotFound, and the errors of the store.
    """
    found = directory.sites.site(site_id)
    if found is None or not is_visible(caller.tenant_id, owner=found.site.scope, url=found.site.input_url):
        raise NotFound("there is no site with this id")
    job_id = None if found.site.complete else found.site.job_id
    job = directory.sites.job(job_id) if job_id else None
    own = job if job is not None and job.tenant_id == caller.tenant_id else None
    return DiscoveryAnswer(site=_shown(caller, found, directory), job=own, reused=True)


def _shown(caller: Caller, site: StoredSite, directory: Directory) -> StoredSite:
    from feedward.services.discover.site_feeds import with_feed_ids  # noqa: PLC0415 - a start reads no site

    return shown_to(caller.tenant_id, with_feed_ids(site, directory.store))
