"""A discovery that goes on after its answer: the worker's side of a job (rule G6).

The same message may come again, late, or to two workers at once: the end is that of one delivery (rule I6).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from feedward.deadline import NO_DEADLINE, Deadline
from feedward.discovery.site import Job, JobStatus, StoredSite
from feedward.errors import NotFound
from feedward.services.discover.reuse import fresh_answer
from feedward.services.discover.site import look_in_full
from feedward.services.discover.site_run import Directory, DiscoveryAnswer, Request, SiteRun


@dataclass(frozen=True, slots=True, kw_only=True)
class JobAnswer:
    """A job and what is known of its site; None before anything was kept."""

    job: Job
    site: StoredSite | None


def run_job(job_id: str, *, directory: Directory, deadline: Deadline = NO_DEADLINE) -> DiscoveryAnswer | None:
    """Take the job up, look with a job's limits, save, and end it. None: it was over already, or is unknown.

    Raises what the stores raise; the job is then left as it is, for the message's next delivery.
    """
    sites = directory.sites.within(deadline)
    job = sites.take_job(job_id, now=directory.clock.now())
    if job is None:
        return None
    request = Request(url=job.url, intent=job.intent, scope=job.scope)
    run = SiteRun(request, directory, deadline)
    before = run.known()
    # Who was killed after saving has left only the end to do.
    answer = fresh_answer(run, before, since=job.created_at) or look_in_full(run, before, job_id=job_id)
    now = directory.clock.now()
    sites.end_job(job_id, status=JobStatus.DONE, now=now)
    return replace(answer, job=replace(job, status=JobStatus.DONE, updated_at=now))


def fail_job(job_id: str, reason: str, *, directory: Directory) -> bool:
    """Mark a job as failed after its last delivery. False if it was over already."""
    return directory.sites.end_job(job_id, status=JobStatus.FAILED, now=directory.clock.now(), reason=reason)


def find_job(job_id: str, *, directory: Directory) -> JobAnswer:
    """The job and what is known of its site (GET /v1/discoveries/{id}). Raises NotFound, and what the store raises."""
    job = directory.sites.job(job_id)
    if job is None:
        raise NotFound("there is no discovery with this id")
    return JobAnswer(job=job, site=directory.sites.site(job.site_id))


def find_site(site_id: str, *, directory: Directory) -> DiscoveryAnswer:
    """What is known of a site (GET /v1/sites/{id}), with the job that still looks, or looked last, for more.

    Raises NotFound, and what the store raises.
    """
    found = directory.sites.site(site_id)
    if found is None:
        raise NotFound("there is no site with this id")
    job_id = None if found.site.complete else found.site.job_id
    return DiscoveryAnswer(site=found, job=directory.sites.job(job_id) if job_id else None, reused=True)
