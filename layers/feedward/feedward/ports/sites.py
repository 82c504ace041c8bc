"""The directory's sites, and the queue of their discoveries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # annotations only: whoever needs a port does not load what it speaks of
    from collections.abc import Mapping, Sequence

    from feedward.discovery.site import Job, JobStatus, SiteCandidate, StoredSite


class SiteStore(Bounded, Protocol):
    """The directory's sites with their candidates and jobs (rule R13).

    All raise Throttled, Conflict or StoreUnavailable.
    """

    def site(self, site_id: str) -> StoredSite | None:
        """The site with all its candidates, read consistently, or None."""
        ...

    def save(
        self,
        site: StoredSite,
        *,
        changed: Sequence[SiteCandidate],
        seen_rev: int,
    ) -> bool:
        """Write SITE and those candidates that changed, if the site's rev is still `seen_rev` (0: not there yet).

        False if another writer was quicker: read again and decide again.
        """
        ...

    def mark_choice(self, feed_id: str, *, site_id: str, score: int | None) -> None:
        """Say with the feed that it is the site's choice, with this score; None: no more. Another site's stays so."""
        ...

    def open_job(self, job: Job) -> None:
        """Write a pending job with its pending mark, before its message is sent (rule I7)."""
        ...

    def job(self, job_id: str) -> Job | None:
        """The job, or None."""
        ...

    def take_job(self, job_id: str, *, now: int) -> Job | None:
        """Mark a job that is not over as running, count the attempt, and return it. None if it is over or unknown."""
        ...

    def end_job(self, job_id: str, *, status: JobStatus, now: int, reason: str | None = None) -> bool:
        """Mark a job that is not over as done or failed, and take its pending mark off. False if it was over."""
        ...


class DiscoverQueue(Bounded, Protocol):
    """Where discovery jobs wait for a worker."""

    def send(self, message: Mapping[str, Any]) -> None:
        """Send one message, a JSON object. Raises Throttled or QueueUnavailable."""
        ...
