"""Any URL to its feeds, within an answer's time: from the records, by a discovery, or with a job that goes on.

Nothing is in flight when this returns; a job is written before its message is sent (I7).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from feedward.deadline import Deadline
from feedward.discovery.candidate import Kind
from feedward.discovery.site import Job, JobStatus, StoredSite
from feedward.errors import FeedwardError
from feedward.services.discover.discover import ANSWER_LIMITS, JOB_LIMITS
from feedward.services.discover.site_run import Directory, DiscoveryAnswer, Found, Request, SiteRun
from feedward.ulid import new_ulid

ANSWER_S: Final = 4.0
REUSE_S: Final = 15 * 60
# A job that nobody took up or ended for so long is not waited for any more.
JOB_YOUNG_S: Final = 15 * 60
# After so long a pending job's message may be lost.
TAKEN_UP_S: Final = 60
GOES_ON: Final = (JobStatus.PENDING, JobStatus.RUNNING)


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
    run = SiteRun(Request(url=url, intent=intent, scope=scope), directory, deadline)
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
    return DiscoveryAnswer(site=site, left_owed=run.publish(site))


# --- what is known already ------------------------------------------------------------------------


def known_answer(run: SiteRun, before: StoredSite | None, *, refresh: bool) -> DiscoveryAnswer | None:
    """The answer that needs no request, or None."""
    if before is None:
        return None
    fresh = None if refresh else fresh_answer(run, before, since=run.started_at - REUSE_S)
    return fresh or _job_answer(run, before, (*GOES_ON,) if refresh else (*GOES_ON, JobStatus.DONE))


def fresh_answer(run: SiteRun, before: StoredSite | None, *, since: int) -> DiscoveryAnswer | None:
    """The records, if the site was searched to the end at `since` or later, and would be found the same now.

    What a crash left owed is sent on this occasion.
    """
    if before is None or not before.site.complete or before.site.last_discovered_at < since:
        return None
    if not run.request.is_answered_by(before.site):
        return None
    return DiscoveryAnswer(site=before, reused=True, left_owed=run.publish(before))


def _job_answer(run: SiteRun, before: StoredSite, statuses: Collection[JobStatus]) -> DiscoveryAnswer | None:
    """The records with their job: one that goes on, or that said its last word a moment ago.

    Whoever wrote a job may have died before its message was sent: one that nobody takes up for long gets another.
    """
    site = before.site
    if site.complete or site.job_id is None or site.intent is not run.request.wanted:
        return None
    job = run.sites.job(site.job_id)
    if job is None or job.status not in statuses or job.updated_at < run.started_at - JOB_YOUNG_S:
        return None
    if job.status is JobStatus.DONE and not run.request.is_answered_by(site):
        return None
    is_left = job.status is JobStatus.PENDING and job.updated_at < run.started_at - TAKEN_UP_S
    return DiscoveryAnswer(site=before, job=job, reused=True, left_owed=_send(run, job) if is_left else ())


# --- a job that goes on ---------------------------------------------------------------------------


def _go_on(run: SiteRun, found: Found, before: StoredSite | None) -> DiscoveryAnswer:
    """Write the job, save what is known with its id, send its message: whoever is killed between leaves the job."""
    job = _new_job(run)
    run.sites.open_job(job)
    try:
        site = run.keep(found, before, job_id=job.job_id)
    except FeedwardError:
        _send(run, job)  # the worker will find it again
        raise
    if site.site.job_id != job.job_id:
        return _leave_it_to(run, site, job)
    return DiscoveryAnswer(site=site, job=job, left_owed=_send(run, job))


def _leave_it_to(run: SiteRun, site: StoredSite, job: Job) -> DiscoveryAnswer:
    """Somebody else was done meanwhile, or has a job of their own: this one is not needed."""
    why = "another discovery of this site was quicker"
    run.sites.end_job(job.job_id, status=JobStatus.DONE, now=run.clock.now(), reason=why)
    theirs = None if site.site.complete or not site.site.job_id else run.sites.job(site.site.job_id)
    return DiscoveryAnswer(site=site, job=theirs, reused=True)


def _send(run: SiteRun, job: Job) -> tuple[str, ...]:
    """Send the job's message. Where that fails, its pending mark is there for whoever sends it again (I7)."""
    queue = run.directory.queue  # a setting that is missing is no failure to be borne
    try:
        queue.within(run.deadline).send(discover_message(job.job_id))
    except FeedwardError as error:
        return (error.code,)
    return ()


def discover_message(job_id: str) -> Mapping[str, Any]:
    """The message of DiscoverQueue that makes a worker take up this job."""
    return {"version": 1, "type": "discover", "job_id": job_id}


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
