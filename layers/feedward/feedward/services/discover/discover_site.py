"""Discovers a site: for a request within its time (from the store, by a discovery, or with a job that continues), and
for such a job (rule G6).

No request is in flight when a function returns. A job is stored before its message is sent (rule I7). Its worker is
idempotent: the same message may arrive twice, late, or at two workers at the same time (rule I6).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from feedward.access.caller import Caller
from feedward.access.ownership import scope_of
from feedward.deadline import NO_DEADLINE, Deadline
from feedward.discovery.candidate import Kind
from feedward.discovery.registered_feeds import shown_to
from feedward.discovery.site import Job, JobStatus, StoredSite
from feedward.errors import FeedwardError
from feedward.services.discover.limits import ANSWER_LIMITS, JOB_LIMITS
from feedward.services.discover.reuse import fresh_answer, known_answer
from feedward.services.discover.site_run import Directory, DiscoveryAnswer, Found, Request, SiteRun
from feedward.ulid import new_ulid

ANSWER_S: Final = 4.0


def answer_discovery(
    caller: Caller,
    url: str,
    *,
    directory: Directory,
    intent: Kind | None = None,
    refresh: bool = False,
    deadline: Deadline | None = None,
) -> DiscoveryAnswer:
    """Answer POST /v1/discoveries by the `deadline`, or in 4 s. A pending or running `answer.job` means status 202.

    A discovery of the same site and kind of feed in the last 15 minutes is reused, unless `refresh` is set. A site with
    a running job is answered with that job. Both are free (rule QT3). Raises QuotaExceeded, TooManyAtOnce, and the
    errors of the stores and counters.
    """
    deadline = deadline or Deadline.after(ANSWER_S, directory.clock.monotonic)
    tenant_id = caller.tenant_id
    request = Request(url=url, intent=intent, scope=scope_of(tenant_id, url), tenant_id=tenant_id)
    run = SiteRun(request, directory, deadline, is_awaited=True)
    before = run.known() if run.site_id else None
    known = known_answer(run, before, refresh=refresh)
    answer = known if known is not None else _charged(caller, run, before)
    return replace(answer, site=shown_to(tenant_id, answer.site))


def _charged(caller: Caller, run: SiteRun, before: StoredSite | None) -> DiscoveryAnswer:
    """Charge the tenant, and search. Text that cannot be a URL is not searched, and is free (rule QT3)."""
    if not run.site_id:
        return _searched(run, before)
    charges, within_s = run.directory.charges, run.deadline.left_s()
    with charges.place(caller, "discover", within_s=within_s), charges.charged(caller, "discoveries"):
        return _searched(run, before)


def _searched(run: SiteRun, before: StoredSite | None) -> DiscoveryAnswer:
    found = run.look(ANSWER_LIMITS, is_last_word=False)
    if not run.site_id or not (found.may_be_kept or before):
        return DiscoveryAnswer(site=run.record(found, None), stored=False)
    return kept(run, found, before) if found.discovery.complete else _go_on(run, found, before)


def look_in_full(run: SiteRun, before: StoredSite | None, *, job_id: str | None = None) -> DiscoveryAnswer:
    """Discover with a job's limits. The result is final, complete or not."""
    found = run.look(JOB_LIMITS, is_last_word=True)
    if not run.site_id or not (found.may_be_kept or before):
        return DiscoveryAnswer(site=run.record(found, None), stored=False)
    return kept(run, found, before, job_id=job_id)


def kept(run: SiteRun, found: Found, before: StoredSite | None, *, job_id: str | None = None) -> DiscoveryAnswer:
    """Save the result and then publish its events. An error of the bus does not change the answer."""
    site = run.keep(found, before, job_id=job_id)
    return DiscoveryAnswer(site=site, undelivered=run.publish(site))


# --- a job that continues ---------------------------------------------------------------------------


def _go_on(run: SiteRun, found: Found, before: StoredSite | None) -> DiscoveryAnswer:
    """Store the job, save the result with the job's id, send the message. A crash in between leaves the stored job."""
    job = _new_job(run)
    run.sites.open_job(job)
    try:
        site = run.keep(found, before, job_id=job.job_id)
    except FeedwardError:
        run.send(job)  # the worker repeats the discovery
        raise
    if site.site.job_id != job.job_id:
        return _leave_it_to(run, site, job)
    return DiscoveryAnswer(site=site, job=job, undelivered=run.send(job))


def _leave_it_to(run: SiteRun, site: StoredSite, job: Job) -> DiscoveryAnswer:
    """End this job: another discovery finished meanwhile or has its own job.

    The job of another tenant is hidden: this one continues, and finds the result of that one.
    """
    theirs = None if site.site.complete or not site.site.job_id else run.sites.job(site.site.job_id)
    if theirs is not None and theirs.tenant_id != job.tenant_id:
        return DiscoveryAnswer(site=site, job=job, undelivered=run.send(job))
    why = "another discovery of this site was faster"
    run.sites.end_job(job.job_id, status=JobStatus.DONE, now=run.clock.now(), reason=why)
    return DiscoveryAnswer(site=site, job=theirs, reused=True)


def _new_job(run: SiteRun) -> Job:
    now = run.clock.now()
    return Job(
        job_id=f"{run.site_id}.{new_ulid(now)}",
        site_id=run.site_id,
        url=run.request.url,
        status=JobStatus.PENDING,
        created_at=now,
        updated_at=now,
        intent=run.request.intent,
        scope=run.request.scope,
        tenant_id=run.request.tenant_id,
    )


def run_job(job_id: str, *, directory: Directory, deadline: Deadline = NO_DEADLINE) -> DiscoveryAnswer | None:
    """Start the job, discover with a job's limits, save the result, and end the job.

    Returns None for a job that ended already or is unknown; that of a deleted tenant fails unsearched (rule TN5).
    Raises the errors of the stores; the job then keeps its state for the message's next delivery.
    """
    sites = directory.sites.within(deadline)
    job = sites.take_job(job_id, now=directory.clock.now())
    if job is None:
        return None
    if job.tenant_id is not None and directory.keys.within(deadline).is_gone(job.tenant_id):
        fail_job(job_id, "its tenant was deleted", directory=directory)
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
