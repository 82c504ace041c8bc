"""What the services need from outside, as protocols. Adapters and fakes pass the same contract tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:  # annotations only: whoever needs one port does not load what the others speak of
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from feedward.discovery.site import Job, JobStatus, LeftJob, SiteCandidate, StoredSite
    from feedward.events import RevivalRequested
    from feedward.health.due_feed import DueFeed
    from feedward.health.feed_move import AuditEntry, FeedMove, MoveResult
    from feedward.health.feed_update import FeedUpdate, Remembered, Stored
    from feedward.health.lost_feed import LostFeed
    from feedward.health.messages import HealthMessage
    from feedward.health.moves import Sighting
    from feedward.health.portals import Arrivals
    from feedward.health.sweep_state import Cursor, DuePage, SweepShard
    from feedward.model import FeedState, FetchResult, Known, NewFeed, Outcome, OwedEvent, Registration, Validators
    from feedward.subscriptions.subscription import Subscription


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


class CheckStore(Protocol):
    """What a check reads and writes of a feed (design section 3). All raise Throttled, Conflict or StoreUnavailable."""

    def write(self, update: FeedUpdate) -> Stored | None:
        """Write what a check found, if FEED is still at the rev that was seen: None if it is written.

        Else nothing is written, and what stands there is returned. FEED alone is one write, and nothing is read.
        """
        ...

    def remembered(self, feed_id: str) -> Remembered:
        """The feed's last items and its texts, read consistently in one call."""
        ...

    def host_feeds(self, host: str, owner: str | None) -> Iterator[tuple[str, FeedState, int]]:
        """Yield the feeds of a host that may be known to `owner`: id, state and failures in a row. Lazily read."""
        ...

    def due_feed(self, feed_id: str) -> DueFeed | None:
        """The feed as it is now, for a check that somebody asks for; None for one that is paused, merged or unknown."""
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


class Revivals(Protocol):
    """What revival reads of a feed, and what it says of itself (spec H6). All raise what FeedMoves raises."""

    def lost_feed(self, feed_id: str, *, within_s: float | None = None) -> LostFeed | None:
        """The feed as it is now, tombstones too, read consistently; None if there never was one."""
        ...

    def begin(self, asked: RevivalRequested, *, within_s: float | None = None) -> bool:
        """Say that this request is being done. False if it was done before, or if it comes within a day of another.

        What a person asks for never comes too soon. A request that was begun and not ended is begun again.
        """
        ...

    def end(
        self,
        asked: RevivalRequested,
        *,
        now: int,
        outcome: str,
        evidence: Mapping[str, Any],
        is_told: bool = False,
        within_s: float | None = None,
    ) -> None:
        """Say what came of it. `is_told`: the feed's history keeps it too."""
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


class Subscriptions(Protocol):
    """The tenants' subscriptions (design section 3, TenantsTable). `tenant_id` None is the deployment's own user (T1).

    Everything is read and written under one tenant only (I8), but for what keeps the machinery going: `pending` and
    `repoint`. A subscription that is given to write is written over the one that it was decided from, by its `rev`.
    `within_s` is as in FeedStore. All raise Throttled, Conflict or StoreUnavailable.
    """

    def open(self, subscription: Subscription, *, within_s: float | None = None) -> Subscription:
        """Write a new subscription, if its tenant has none to this URL (url_hash); else return the one there is."""
        ...

    def get(self, tenant_id: str | None, subscription_id: str, *, within_s: float | None = None) -> Subscription | None:
        """The tenant's subscription with this id as it is stored, or None."""
        ...

    def page(
        self, tenant_id: str | None, *, after: str | None = None, limit: int, within_s: float | None = None
    ) -> Sequence[Subscription]:
        """Up to `limit` of the tenant's subscriptions after this id, oldest first, without duplicates of others."""
        ...

    def live_feeds(self, feed_ids: Sequence[str], *, within_s: float | None = None) -> Mapping[str, str]:
        """What each of these feeds is now, through all merges: feed_id -> feed_id. What is unknown is left out."""
        ...

    def save(self, after: Subscription, *, within_s: float | None = None) -> bool:
        """Write one over the one that it was decided from. False if that changed or went: read and decide again.

        Its feed must be the one that was read, or none; a feed is given by `make_ready`.
        """
        ...

    def make_ready(
        self, before: Subscription, *, feed_id: str, now: int, within_s: float | None = None
    ) -> Subscription | None:
        """Give a pending subscription its feed, in one transaction with the claim that makes it the tenant's only one.

        Where another of the tenant's has the feed, this one is ready as its duplicate, and the other gets its tags, and
        its title if it has none. None if `before` changed or went.
        """
        ...

    def delete(self, before: Subscription, *, within_s: float | None = None) -> bool:
        """Delete it, and free its URL and its feed, in one transaction; then its duplicates. False as for `save`."""
        ...

    def pending(self, *, before: int, limit: int, within_s: float | None = None) -> Sequence[tuple[str | None, str]]:
        """(tenant_id, subscription_id) of some that have owed something since `before` or earlier. It may lag."""
        ...

    def repoint(self, feed_id: str, *, now: int, within_s: float | None = None) -> bool:
        """Let the subscriptions that are seen to name a merged feed name the one that it went into.

        Two of one tenant that end on one feed become one and its duplicate. True when none is left that was seen; the
        index lags, so whoever merged asks again later. Doing it again is harmless.
        """
        ...


class DiscoverQueue(Protocol):
    """Where discovery jobs wait for a worker."""

    def send(self, message: Mapping[str, Any], *, within_s: float | None = None) -> None:
        """Send one message, a JSON object. Raises Throttled or QueueUnavailable."""
        ...


class HealthQueue(Protocol):
    """Where checks wait for a worker."""

    def send_batch(
        self, messages: Sequence[HealthMessage], *, within_s: float | None = None
    ) -> Sequence[HealthMessage]:
        """Send the messages, each with its delay; return those that the queue took, in their order.

        Raises Throttled or QueueUnavailable where it took none and did not answer.
        """
        ...


class SweepStore(Protocol):
    """What the sweep reads and writes: the due index, and a row of how far it is for each shard (design section 3).

    All raise Throttled, Conflict or StoreUnavailable.
    """

    def shards(self, *, within_s: float | None = None) -> Sequence[SweepShard]:
        """How far each shard is."""
        ...

    def due(self, shard: int, *, after: Cursor | None, until: int, within_s: float | None = None) -> DuePage:
        """What is due in a shard after the cursor, up to the epoch second `until`: some hundreds of feeds, or all."""
        ...

    def take_lease(
        self, seen: SweepShard, *, holder: str, until: int, within_s: float | None = None
    ) -> SweepShard | None:
        """Take the shard until then, if it is still as it was seen. None: somebody else was quicker.

        `holder` is another text for each sweep.
        """
        ...

    def move_cursor(
        self,
        held: SweepShard,
        *,
        cursor: Cursor | None,
        busy: Mapping[str, int],
        lease_until: int,
        within_s: float | None = None,
    ) -> SweepShard | None:
        """Say how far a held shard is. `lease_until` 0 drops the lease. None: somebody else took it meanwhile."""
        ...

    def postpone(self, feed_id: str, *, seen: int, to: int, within_s: float | None = None) -> bool:
        """Let a feed be due at `to`, if it is in the due index at `seen` still (epoch seconds). False if not."""
        ...


class Pending(Protocol):
    """What is marked as owed for long, for whoever drives it on (I7). All raise Throttled or StoreUnavailable."""

    def owing_feeds(self, *, before: int, within_s: float | None = None) -> Iterator[str]:
        """The ids of feeds that owe something since before then, each once, as the index shows them."""
        ...

    def left_jobs(self, *, before: int, within_s: float | None = None) -> Iterator[LeftJob]:
        """The discovery jobs that are open, and that nobody has taken up or ended since before then."""
        ...

    def job_sent_again(self, job: LeftJob, *, now: int, within_s: float | None = None) -> None:
        """Count a message that was sent for the job, and give it as much time again."""
        ...


class MergeDebts(Protocol):
    """What a merge leaves to do: the URLs of the feed that went have to name the one that stayed (I3)."""

    def repoint(self, feed_id: str, *, now: int) -> bool:
        """Do it. True when nothing is owed any more; doing it again is harmless."""
        ...


class Outages(Protocol):
    """Our own outages: what the checks of each minute came to, and which minutes are marked (spec H5).

    Minutes are whole epoch minutes. All raise Throttled or StoreUnavailable.
    """

    def marked(self, *, now: int, within_s: float | None = None) -> frozenset[int]:
        """The marked minutes that may still explain a failure: those of the last 27 h."""
        ...

    def add(
        self, checks: Sequence[tuple[int, str, Outcome]], *, now: int, within_s: float | None = None
    ) -> frozenset[int]:
        """Add all checks of one invocation, once, as (epoch second, host, outcome); return their minutes marked now.

        Adding the same again changes nothing.
        """
        ...


class HostPauses(Protocol):
    """Hosts that want peace: one answer speaks for all their feeds. All raise Throttled or StoreUnavailable."""

    def paused(self, hosts: Iterable[str], *, now: int, within_s: float | None = None) -> Mapping[str, int]:
        """Those of the hosts that must not be asked now, with the epoch second until which."""
        ...

    def pause(self, host: str, *, until: int, now: int, within_s: float | None = None) -> None:
        """Let nobody ask the host until then. A later end that is stored stays."""
        ...


class Sightings(Protocol):
    """What waits to be seen again before a move is adopted (spec F2). All raise Throttled or StoreUnavailable."""

    def sighting(self, feed_id: str, *, now: int, within_s: float | None = None) -> Sighting | None:
        """The target that a feed was seen moving to, or None."""
        ...

    def remember(self, feed_id: str, sighting: Sighting, *, within_s: float | None = None) -> None:
        """Keep the sighting, for as long as it counts, in the place of the one before."""
        ...

    def arrivals(self, target_key: str, *, now: int, within_s: float | None = None) -> tuple[Arrivals, int]:
        """Who moved to a target lately (see health/portals.py), and the revision to write over."""
        ...

    def save_arrivals(
        self, target_key: str, arrivals: Arrivals, *, seen_rev: int, now: int, within_s: float | None = None
    ) -> bool:
        """Keep the arrivals, if their revision is still `seen_rev`. False if somebody else was quicker: read again."""
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
