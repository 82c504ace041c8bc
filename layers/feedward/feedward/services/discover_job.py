"""A discovery that goes on after its answer: the worker's side of a job (design section 7).

The same message may come again, late, or to two workers at once: the end is that of one delivery (I6).
"""

from __future__ import annotations

from dataclasses import dataclass

from feedward.discovery.site import Job, StoredSite
from feedward.services.site_run import Directory, DiscoveryAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class JobAnswer:
    """A job and what is known of its site; None before anything was kept."""

    job: Job
    site: StoredSite | None


def run_job(job_id: str, *, directory: Directory, within_s: float | None = None) -> DiscoveryAnswer | None:
    """Take the job up, look with a job's limits, save, and end it. None: it was over already, or is unknown.

    Raises what the stores raise; the job is then left as it is, for the message's next delivery.
    """
    raise NotImplementedError


def fail_job(job_id: str, reason: str, *, directory: Directory) -> bool:
    """Mark a job as failed after its last delivery. False if it was over already."""
    raise NotImplementedError


def find_job(job_id: str, *, directory: Directory) -> JobAnswer:
    """The job and what is known of its site (GET /v1/discoveries/{id}). Raises NotFound."""
    raise NotImplementedError


def find_site(site_id: str, *, directory: Directory) -> DiscoveryAnswer:
    """What is known of a site (GET /v1/sites/{id}), with its last job where that goes on. Raises NotFound."""
    raise NotImplementedError
