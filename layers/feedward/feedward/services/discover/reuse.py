"""Answers a discovery from the store: with a recent result, or with a job that is still running (rule D1)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from feedward.discovery.site import JobStatus, StoredSite
from feedward.services.discover.site_run import DiscoveryAnswer, SiteRun

REUSE_S: Final = 15 * 60
"""How long the result of a complete discovery is reused."""
JOB_YOUNG_S: Final = 15 * 60
"""A job without progress for this time is treated as lost."""
TAKEN_UP_S: Final = 60
"""After this time the message of a pending job may be lost."""
GOES_ON: Final = (JobStatus.PENDING, JobStatus.RUNNING)


def known_answer(run: SiteRun, before: StoredSite | None, *, refresh: bool) -> DiscoveryAnswer | None:
    """Return the stored answer, which needs no request, or None."""
    if before is None:
        return None
    fresh = None if refresh else fresh_answer(run, before, since=run.started_at - REUSE_S)
    return fresh or _job_answer(run, before, (*GOES_ON,) if refresh else (*GOES_ON, JobStatus.DONE))


def fresh_answer(run: SiteRun, before: StoredSite | None, *, since: int) -> DiscoveryAnswer | None:
    """Return the stored site if its discovery was complete at `since` or later and answers the same request.

    Events that a crash left undelivered are published too.
    """
    if before is None or not before.site.complete or before.site.last_discovered_at < since:
        return None
    if not run.request.is_answered_by(before.site):
        return None
    return DiscoveryAnswer(site=run.with_feed_ids(before), reused=True, undelivered=run.publish(before))


def _job_answer(run: SiteRun, before: StoredSite, statuses: Collection[JobStatus]) -> DiscoveryAnswer | None:
    """The stored site with its job, if the job is still running or ended recently.

    The process that created a job may have died before it sent the message, so a job that stays pending gets another.
    """
    site = before.site
    if site.complete or site.job_id is None or site.intent is not run.request.wanted:
        return None
    job = run.sites.job(site.job_id)
    if job is None or job.tenant_id != run.request.tenant_id:  # other tenants' jobs are hidden, their results are not
        return None
    if job.status not in statuses or job.updated_at < run.started_at - JOB_YOUNG_S:
        return None
    if job.status is JobStatus.DONE and not run.request.is_answered_by(site):
        return None
    is_left = job.status is JobStatus.PENDING and job.updated_at < run.started_at - TAKEN_UP_S
    return DiscoveryAnswer(
        site=run.with_feed_ids(before), job=job, reused=True, undelivered=run.send(job) if is_left else ()
    )
