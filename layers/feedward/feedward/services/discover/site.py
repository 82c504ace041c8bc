"""Any URL to its feeds, within an answer's time: from the records, by a discovery, or with a job that goes on.

Nothing is in flight when this returns; a job is written before its message is sent (rule I7).
"""

from __future__ import annotations

from typing import Final

from feedward.deadline import Deadline
from feedward.discovery.candidate import Kind
from feedward.discovery.site import Job, JobStatus, StoredSite
from feedward.errors import FeedwardError
from feedward.services.discover.limits import ANSWER_LIMITS, JOB_LIMITS
from feedward.services.discover.reuse import known_answer
from feedward.services.discover.site_run import Directory, DiscoveryAnswer, Found, Request, SiteRun
from feedward.ulid import new_ulid

ANSWER_S: Final = 4.0


def answer_discovery(
    url: str,
    *,
    directory: Directory,
    intent: Kind | None = None,
    refresh: bool = False,
    scope: str = "",
    deadline: Deadline | None = None,
) -> DiscoveryAnswer:
    """Answer POST /v1/discoveries by the `deadline`; None: in 4 s. `answer.job` pending or running means: 202.

    A site that was looked at in the last 15 minutes for the same kind of feed is answered from the records, unless
    `refresh`; one whose job goes on, with that job. Raises what the stores raise.
    """
    deadline = deadline or Deadline.after(ANSWER_S, directory.clock.monotonic)
    run = SiteRun(Request(url=url, intent=intent, scope=scope), directory, deadline, is_awaited=True)
    before = run.known() if run.site_id else None
    known = known_answer(run, before, refresh=refresh)
    if known is not None:
        return known
    found = run.look(ANSWER_LIMITS, is_last_word=False)
    if not run.site_id or not (found.may_be_kept or before):
        return DiscoveryAnswer(site=run.record(found, None), stored=False)
    return kept(run, found, before) if found.discovery.complete else _go_on(run, found, before)


def look_in_full(run: SiteRun, before: StoredSite | None, *, job_id: str | None = None) -> DiscoveryAnswer:
    """Discover with a job's limits; what comes of it is the last word, complete or not."""
    found = run.look(JOB_LIMITS, is_last_word=True)
    if not run.site_id or not (found.may_be_kept or before):
        return DiscoveryAnswer(site=run.record(found, None), stored=False)
    return kept(run, found, before, job_id=job_id)


def kept(run: SiteRun, found: Found, before: StoredSite | None, *, job_id: str | None = None) -> DiscoveryAnswer:
    """Save what was found, and then tell the bus, which the answer does not depend on."""
    site = run.keep(found, before, job_id=job_id)
    return DiscoveryAnswer(site=site, undelivered=run.publish(site))


# --- a job that goes on ---------------------------------------------------------------------------


def _go_on(run: SiteRun, found: Found, before: StoredSite | None) -> DiscoveryAnswer:
    """Write the job, save what is known with its id, send its message: whoever is killed between leaves the job."""
    job = _new_job(run)
    run.sites.open_job(job)
    try:
        site = run.keep(found, before, job_id=job.job_id)
    except FeedwardError:
        run.send(job)  # the worker will find it again
        raise
    if site.site.job_id != job.job_id:
        return _leave_it_to(run, site, job)
    return DiscoveryAnswer(site=site, job=job, undelivered=run.send(job))


def _leave_it_to(run: SiteRun, site: StoredSite, job: Job) -> DiscoveryAnswer:
    """Somebody else was done meanwhile, or has a job of their own: this one is not needed."""
    why = "another discovery of this site was quicker"
    run.sites.end_job(job.job_id, status=JobStatus.DONE, now=run.clock.now(), reason=why)
    theirs = None if site.site.complete or not site.site.job_id else run.sites.job(site.site.job_id)
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
    )
