"""Discovery jobs: the worker that continues a discovery after its response (rule G6).

The handler is idempotent: the same message may arrive twice, late, or at two workers at the same time (rule I6).
"""

from __future__ import annotations

from dataclasses import replace

from feedward.deadline import NO_DEADLINE, Deadline
from feedward.discovery.site import JobStatus
from feedward.services.discover.reuse import fresh_answer
from feedward.services.discover.site import look_in_full
from feedward.services.discover.site_run import Directory, DiscoveryAnswer, Request, SiteRun


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
