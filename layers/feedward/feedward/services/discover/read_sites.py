"""Reads stored sites and the jobs of their discoveries. It loads nothing that runs a discovery."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from feedward.access.caller import Caller
from feedward.access.ownership import is_visible
from feedward.discovery.registered_feeds import shown_to
from feedward.discovery.site import Job, StoredSite
from feedward.errors import NotFound

if TYPE_CHECKING:
    from feedward.services.discover.site_run import Directory


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundJob:
    """A job and its stored site, or None if nothing was stored yet."""

    job: Job
    site: StoredSite | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSite:
    """A stored site and its latest job, or None if its discovery is complete or the job is another tenant's."""

    site: StoredSite
    job: Job | None


def find_job(caller: Caller, job_id: str, *, directory: Directory) -> FoundJob:
    """Return the job and its stored site (GET /v1/discoveries/{id}).

    Raises NotFound, also for another tenant's job (rule I8), and the errors of the store.
    """
    job = directory.sites.job(job_id)
    if job is None or job.tenant_id != caller.tenant_id:
        raise NotFound("there is no discovery with this id")
    site = directory.sites.site(job.site_id)
    return FoundJob(job=job, site=_shown(caller, site, directory) if site else None)


def find_site(caller: Caller, site_id: str, *, directory: Directory) -> FoundSite:
    """Return a stored site (GET /v1/sites/{id}), with its latest job unless its discovery is complete.

    Raises NotFound, and the errors of the store.
    """
    found = directory.sites.site(site_id)
    if found is None or not is_visible(caller.tenant_id, owner=found.site.scope, url=found.site.input_url):
        raise NotFound("there is no site with this id")
    job_id = None if found.site.complete else found.site.job_id
    job = directory.sites.job(job_id) if job_id else None
    own = job if job is not None and job.tenant_id == caller.tenant_id else None
    return FoundSite(site=_shown(caller, found, directory), job=own)


def _shown(caller: Caller, site: StoredSite, directory: Directory) -> StoredSite:
    from feedward.services.discover.site_feeds import with_feed_ids  # noqa: PLC0415 - a start reads no site

    return shown_to(caller.tenant_id, with_feed_ids(site, directory.store))
