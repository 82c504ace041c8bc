"""Ports of sites and of the queue of discovery jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from feedward.discovery.site import Job, JobStatus, SiteCandidate, StoredSite
    from feedward.health.directory_feed import DirectoryFeed


class SiteStore(Bounded, Protocol):
    """Sites with their candidates and jobs (rule R13).

    All raise Throttled, Conflict or StoreUnavailable.
    """

    def site(self, site_id: str) -> StoredSite | None:
        """Return the site with all its candidates from a consistent read, or None."""
        ...

    def save(
        self,
        site: StoredSite,
        *,
        changed: Sequence[SiteCandidate],
        seen_rev: int,
    ) -> bool:
        """Write SITE and the changed candidates with optimistic locking on `seen_rev` (0: the site is new).

        Returns False if the rev has changed: the caller reads and decides again.
        """
        ...

    def mark_choice(self, feed_id: str, *, site_id: str, score: int | None) -> None:
        """Mark the feed as the site's choice with this score, or unmark it (None). A choice of another site is kept."""
        ...

    def found_at(self, feed_id: str, *, site_id: str) -> None:
        """Store the site of a feed that has none yet (rule D5)."""
        ...

    def touch_feeds(self, feed_ids: Collection[str], *, site_id: str) -> None:
        """Make the search index read the feeds that belong to the site again, after its texts changed."""
        ...

    def feeds_of_domain(self, domain: str, *, scope: str) -> Iterable[DirectoryFeed]:
        """Return some feeds of a registrable domain, at most 100: shared ones and those of the scope's tenant."""
        ...

    def open_job(self, job: Job) -> None:
        """Write a pending job with its pending mark, before its message is sent (rule I7)."""
        ...

    def job(self, job_id: str) -> Job | None:
        """Return the job, or None."""
        ...

    def take_job(self, job_id: str, *, now: int) -> Job | None:
        """Mark an open job as running, count the attempt and return it. None if it has ended or is unknown."""
        ...

    def end_job(self, job_id: str, *, status: JobStatus, now: int, reason: str | None = None) -> bool:
        """Mark an open job as done or failed and delete its pending mark. Returns False if it has ended."""
        ...


class DiscoverQueue(Bounded, Protocol):
    """The queue of discovery jobs."""

    def send(self, message: Mapping[str, Any], *, group: str | None = None) -> None:
        """Send one message, a JSON object, for the tenant `group`. Raises Throttled or QueueUnavailable."""
        ...
