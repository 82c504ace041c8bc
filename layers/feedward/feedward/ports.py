"""What the services need from outside, as protocols. Adapters and fakes pass the same contract tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from feedward.discovery.site import Job, JobStatus, SiteCandidate, StoredSite
from feedward.health.feed_move import AuditEntry, FeedMove, MoveResult
from feedward.model import FetchResult, Known, NewFeed, OwedEvent, Registration, Validators


class Fetcher(Protocol):
    """The guarded fetch (design section 5). Never raises for what a server, a name or a URL does."""

    def fetch(
        self,
        url: str,
        *,
        validators: Validators | None = None,
        within_s: float | None = None,
        as_browser: bool = False,
        max_redirects: int | None = None,
    ) -> FetchResult:
        """GET `url`, following redirects within the limits. The whole call ends within `within_s` seconds, if given.

        `as_browser` sends the browser-compatible User-Agent (spec D4). `max_redirects` can only lower the limit of
        redirects.
        """
        ...


class Exists(Protocol):
    """`exists_fn` of the specification (C10): one call for all candidates, best first. Its errors propagate."""

    def __call__(self, urls: Sequence[str]) -> Known | None:
        """Return the stored feed that the first known URL belongs to, or None."""
        ...


class FeedStore(Protocol):
    """The directory's feeds and the registry of their URLs (design section 3).

    After `within_s` seconds, if given, nothing more is asked or written, and StoreUnavailable is raised.
    """

    def find(self, urls: Sequence[str], *, scope: str = "", within_s: float | None = None) -> Known | None:
        """Look up all URLs by url_hash in one batch; `data` holds feed_id. Tombstones are resolved.

        Raises Throttled or StoreUnavailable.
        """
        ...

    def register(self, feed: NewFeed, *, within_s: float | None = None) -> Registration:
        """Operation Register: claim the URLs, or join or merge the feeds that own them already (I1, I3, I4).

        Raises Throttled, Conflict or StoreUnavailable.
        """
        ...

    def attach(self, feed_id: str, urls: Sequence[str], *, scope: str = "", within_s: float | None = None) -> None:
        """Claim for a feed those of `urls` that nobody owns, if it owns one of them already: all are one feed's (C9).

        Writes nothing where all are known. Raises Throttled, Conflict or StoreUnavailable.
        """
        ...


class Outbox(Protocol):
    """What feeds owe to the bus: events written together with what they tell of, until somebody sent them (I7)."""

    def owed_events(self, feed_id: str, *, within_s: float | None = None) -> Sequence[OwedEvent]:
        """The events of a feed that nobody has sent yet (I7), oldest first. Raises Throttled or StoreUnavailable."""
        ...

    def events_sent(self, events: Sequence[OwedEvent], *, within_s: float | None = None) -> None:
        """Take these off what is owed; doing it again is harmless. Raises Throttled or StoreUnavailable."""
        ...


class FeedMoves(Protocol):
    """Operation Swap and its undoing (design section 3). All raise Throttled, Conflict or StoreUnavailable."""

    def move(self, move: FeedMove, *, within_s: float | None = None) -> MoveResult:
        """Give the feed another URL, in one transaction with its audit row and its event; the old URL stays its own.

        Where the new URL is another feed's, the two are merged. The feed is healthy then, and due as a healthy one.
        Raises InvalidInput (`to`) for what cannot be fetched.
        """
        ...

    def undo(
        self,
        feed_id: str,
        *,
        by: str,
        now: int,
        why: str = "",
        entry_id: str | None = None,
        within_s: float | None = None,
    ) -> MoveResult:
        """Take back the feed's last move, or the one with this audit entry, if its URL is still what that made it.

        Raises NotFound where there is no such feed or move, WrongState (saying why) where it was undone before or the
        feed moved on or was merged since.
        """
        ...


class Audit(Protocol):
    """The history of feeds (design section 3)."""

    def entries(
        self, feed_id: str, *, limit: int = 50, before: str | None = None, within_s: float | None = None
    ) -> Sequence[AuditEntry]:
        """The feed's rows, newest first, at most `limit`; `before` is the entry_id to go on after.

        Raises Throttled or StoreUnavailable.
        """
        ...


class SiteStore(Protocol):
    """The directory's sites with their candidates and jobs (design section 3, SitesTable).

    `within_s` is as in FeedStore. All raise Throttled, Conflict or StoreUnavailable.
    """

    def site(self, site_id: str, *, within_s: float | None = None) -> StoredSite | None:
        """The site with all its candidates, read consistently, or None."""
        ...

    def save(
        self,
        site: StoredSite,
        *,
        changed: Sequence[SiteCandidate],
        seen_rev: int,
        within_s: float | None = None,
    ) -> bool:
        """Write SITE and those candidates that changed, if the site's rev is still `seen_rev` (0: not there yet).

        False if another writer was quicker: read again and decide again.
        """
        ...

    def mark_choice(self, feed_id: str, *, site_id: str, score: int | None, within_s: float | None = None) -> None:
        """Say with the feed that it is the site's choice, with this score; None: no more. Another site's stays so."""
        ...

    def open_job(self, job: Job, *, within_s: float | None = None) -> None:
        """Write a pending job with its pending mark, before its message is sent (I7)."""
        ...

    def job(self, job_id: str, *, within_s: float | None = None) -> Job | None:
        """The job, or None."""
        ...

    def take_job(self, job_id: str, *, now: int, within_s: float | None = None) -> Job | None:
        """Mark a job that is not over as running, count the attempt, and return it. None if it is over or unknown."""
        ...

    def end_job(
        self, job_id: str, *, status: JobStatus, now: int, reason: str | None = None, within_s: float | None = None
    ) -> bool:
        """Mark a job that is not over as done or failed, and take its pending mark off. False if it was over."""
        ...


class DiscoverQueue(Protocol):
    """Where discovery jobs wait for a worker."""

    def send(self, message: Mapping[str, Any], *, within_s: float | None = None) -> None:
        """Send one message, a JSON object. Raises Throttled or QueueUnavailable."""
        ...


class EventBus(Protocol):
    """The bus that feedward tells its events to (design section 8)."""

    def publish(self, events: Sequence[OwedEvent], *, within_s: float | None = None) -> Sequence[OwedEvent]:
        """Put the events on the bus; return those that it took. Raises Throttled or BusUnavailable."""
        ...


class Clock(Protocol):
    """Time, so that it can be passed in."""

    def now(self) -> int:
        """Whole epoch seconds, UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back, for deadlines."""
        ...
