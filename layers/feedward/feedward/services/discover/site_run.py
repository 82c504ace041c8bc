"""One discovery with its stores: runs the engine, registers the canonical feed, saves the site.

A run that dies at any point can be repeated: feeds are registered by their URLs (rule I1), a site is written with
optimistic locking, and events stay in the outbox until the bus accepts them (rule I7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from feedward.deadline import Deadline
from feedward.discovery.candidate import Kind
from feedward.discovery.kinds import intent_of
from feedward.discovery.result import Discovery, DiscoveryOutcome
from feedward.discovery.site import Job, Site, SiteCandidate, StoredSite
from feedward.discovery.site_update import changed, updated
from feedward.errors import Conflict, FeedwardError
from feedward.ports import Clock, DiscoverQueue, EventBus, FeedStore, HostLimiter, Outbox, PageFetcher, SiteStore
from feedward.services.relay_outbox import relay_outbox
from feedward.urls.compare import without_fragment
from feedward.urls.key import url_hash
from feedward.urls.resolve import resolve_input, resolve_url
from feedward.urls.safety import refuse_url, refuse_userinfo

if TYPE_CHECKING:  # loaded only if the store has no answer
    from feedward.ports.keys import Tenants
    from feedward.ports.quotas import Charges
    from feedward.services.discover.limits import Limits
    from feedward.services.discover.register_canonical import ChosenFeed
    from feedward.services.discover.shared_fetches import SharedFetches

# The part of the deadline that is reserved for the stores.
STORE_S: Final = 0.5
# The extra time of the stores after a search that ended late, so that its result is not lost (rule I7).
LATE_S: Final = 2.0
# The number of retries after a concurrent write of the site.
RETRIES: Final = 3


class Directory(Protocol):
    """The ports of a discovery. bootstrap.Services implements them; tests have their own."""

    @property
    def fetcher(self) -> PageFetcher: ...
    @property
    def limiter(self) -> HostLimiter: ...
    @property
    def store(self) -> FeedStore: ...
    @property
    def sites(self) -> SiteStore: ...
    @property
    def outbox(self) -> Outbox: ...
    @property
    def queue(self) -> DiscoverQueue: ...
    @property
    def bus(self) -> EventBus: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def charges(self) -> Charges: ...
    @property
    def keys(self) -> Tenants: ...
    @property
    def rsshub_base(self) -> str | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A discovery request. `url` is as given; `intent` is the wanted kind of feed, None derives it from the URL.

    `scope` is empty, or the tenant whose private URL this is (rule T1). `tenant_id` is the caller's, None for the
    deployment's own user.
    """

    url: str
    intent: Kind | None = None
    scope: str = ""
    tenant_id: str | None = None

    @property
    def site_id(self) -> str:
        """The id of the stored site; empty for a URL that may not be fetched."""
        url = resolve_url(self.url)
        is_refused = url is None or refuse_userinfo(self.url) is not None or refuse_url(url) is not None
        return "" if is_refused or url is None else url_hash(url, self.scope)

    @property
    def wanted(self) -> Kind:
        """The wanted kind of feed."""
        return self.intent or intent_of(without_fragment(resolve_url(self.url) or self.url))

    def is_answered_by(self, site: Site) -> bool:
        """Return whether the stored result also answers this request.

        All spellings of a site share its feeds, but not its failures: http may serve a document that https does not,
        and a wrong URL may have the same key as the right one.
        """
        if site.intent is not self.wanted:
            return False
        return site.outcome is DiscoveryOutcome.FOUND or _asked(site.last_input) == _asked(self.url)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoveryAnswer:
    """The current result for a site. A pending or running `job` continues the discovery; None if none is needed.

    `reused` is true if the store answered without any request. `stored` is false if the site was not stored, since its
    URL may not be fetched. `undelivered` holds the codes of errors that left an event or message to be sent later.
    """

    site: StoredSite
    job: Job | None = None
    reused: bool = False
    stored: bool = True
    undelivered: tuple[str, ...] = ()


class SiteRun:
    """One discovery of one site. It ends by the `deadline`, whose last part is reserved for the stores.

    If the search ended late, for instance on a busy machine, the result is still saved within LATE_S.

    `is_awaited` is true if a person waits for the result; a host in cooldown is then requested once. All methods raise
    the errors of the stores.
    """

    def __init__(
        self, request: Request, directory: Directory, deadline: Deadline | None = None, *, is_awaited: bool = False
    ) -> None:
        self.request = request
        self.site_id = request.site_id
        self.directory = directory
        self.clock = directory.clock
        self._is_awaited = is_awaited
        self.started_at = self.clock.now()
        self.deadline = deadline or Deadline(monotonic=self.clock.monotonic)
        self.saved_by = Deadline(self.deadline.ends_at + LATE_S, self.deadline.monotonic)

    @property
    def sites(self) -> SiteStore:
        """The site store for the end of the run, bound to `saved_by`."""
        return self.directory.sites.within(self.saved_by)

    def known(self) -> StoredSite | None:
        """Return the stored site, or None: the read before a search."""
        return self.directory.sites.within(self.deadline).site(self.site_id)

    def send(self, job: Job) -> tuple[str, ...]:
        """Send the job's message. Returns the codes of errors; the pending mark then remains (rule I7)."""
        queue = self.directory.queue  # outside the try: a missing setting must raise
        try:
            queue.within(self.saved_by).send(discover_message(job.job_id), group=self.request.tenant_id)
        except FeedwardError as error:
            return (error.code,)
        return ()

    # --- discovering -------------------------------------------------------------------------------

    def look(self, limits: Limits, *, is_last_word: bool) -> Found:
        """Run the engine, and register the chosen feed if the discovery is complete or this run is the last one."""
        # The engine is more than half of the function's code, and an answer from the store does not need it.
        from feedward.services.discover.discover import discover  # noqa: PLC0415
        from feedward.services.discover.shared_fetches import SharedFetches  # noqa: PLC0415
        from feedward.services.work.polite_fetch import polite_fetcher  # noqa: PLC0415

        directory = self.directory
        fetches = SharedFetches(
            polite_fetcher(directory.fetcher, directory.limiter, self.clock, is_awaited=self._is_awaited),
            budget=limits.requests,
            per_host=limits.per_host,
            in_flight=limits.in_flight,
        )
        deadline = self.deadline.before(STORE_S).at_most(limits.answer_s)
        discovery = discover(
            self.request.url,
            fetcher=fetches,
            limits=limits,
            intent=self.request.intent,
            rsshub_base=self.directory.rsshub_base,
            deadline=deadline,
            now=self.clock.now,
        )
        if not (discovery.complete or is_last_word):
            return Found(discovery=discovery)
        return Found(discovery=discovery, feed=self._register(discovery, fetches, deadline))

    def _register(self, discovery: Discovery, fetches: SharedFetches, deadline: Deadline) -> ChosenFeed | None:
        if discovery.canonical is None:
            return None
        from feedward.discovery.site_choice import choice_of  # noqa: PLC0415
        from feedward.services.discover.register_canonical import register_canonical  # noqa: PLC0415

        return register_canonical(
            discovery.canonical,
            choice=choice_of(discovery, self.site_id),
            fetches=fetches,
            store=self.directory.store.within(self.saved_by),
            now=self.clock.now(),
            tenant_id=self.request.tenant_id,
            scope=self.request.scope,
            deadline=deadline,
        )

    # --- saving -------------------------------------------------------------------------------

    def keep(self, found: Found, before: StoredSite | None, *, job_id: str | None = None) -> StoredSite:
        """Save the result with optimistic locking, and return the stored site.

        `before` is the site as it was last read. Raises Conflict if every retry meets a concurrent write.
        """
        from feedward.services.discover.site_feeds import mark_feeds, touch_feeds  # noqa: PLC0415

        for attempt in range(1 + RETRIES):
            before = self.sites.site(self.site_id) if attempt else before
            if before is not None and attempt and self._is_said_already(found, before):
                return before
            after = self.record(found, before, job_id=job_id)
            news = changed(before, after)
            if before is not None and attempt and _says_nothing_new(before, after, news):
                return before
            mark_feeds(found.discovery, found.feed, before, after, sites=self.sites)
            seen_rev = before.site.rev if before else 0
            if self.sites.save(after, changed=news, seen_rev=seen_rev):
                touch_feeds(before, after, sites=self.sites)
                return replace(after, site=replace(after.site, rev=seen_rev + 1))
        raise Conflict("other discoveries of this site were always faster")

    def record(self, found: Found, before: StoredSite | None, *, job_id: str | None = None) -> StoredSite:
        """Return the site to store, without writing it."""
        after = updated(
            before,
            found.discovery,
            site_id=self.site_id,
            now=self.clock.now(),
            scope=self.request.scope,
            feed_id=found.feed.feed_id if found.feed else None,
            canonical_feed_url=found.feed.url if found.feed else None,
            job_id=job_id,
        )
        return self.with_feed_ids(after)

    def with_feed_ids(self, site: StoredSite) -> StoredSite:
        """Return the site with the registered feeds of its candidates, from any registration."""
        from feedward.services.discover.site_feeds import with_feed_ids  # noqa: PLC0415

        return with_feed_ids(site, self.directory.store.within(self.saved_by))

    def publish(self, site: StoredSite) -> tuple[str, ...]:
        """Relay the outbox of the site's feed. Returns the codes of errors that left events undelivered."""
        if site.site.feed_id is None:
            return ()
        code = relay_outbox(
            site.site.feed_id, outbox=self.directory.outbox, bus=self.directory.bus, deadline=self.saved_by
        )
        return (code,) if code else ()

    def _is_said_already(self, found: Found, before: StoredSite) -> bool:
        """Return whether a complete result, or one with a running job, replaced this incomplete result."""
        site = before.site
        is_of_now = site.last_discovered_at >= self.started_at and site.intent is found.discovery.intent
        return is_of_now and not found.discovery.complete and (site.complete or site.job_id is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The result of one run, and the stored feed of its canonical candidate, once it is registered."""

    discovery: Discovery
    feed: ChosenFeed | None = None

    @property
    def may_be_kept(self) -> bool:
        """Return False for a URL that may not be fetched."""
        return self.discovery.outcome not in (DiscoveryOutcome.BLOCKED, DiscoveryOutcome.BAD_URL)


def _asked(written: str) -> tuple[str, bool] | None:
    """The URL to fetch for the input, and whether http may replace its https."""
    resolved = resolve_input(written)
    return (without_fragment(resolved.url), resolved.may_be_http) if resolved else None


def _says_nothing_new(before: StoredSite, after: StoredSite, news: Sequence[SiteCandidate]) -> bool:
    """Return whether a concurrent run stored the same result, which then remains."""
    same = replace(
        after.site,
        rev=before.site.rev,
        last_discovered_at=before.site.last_discovered_at,
        last_input=before.site.last_input,
        requests=before.site.requests,
        rounds=before.site.rounds,
    )
    return not news and same == before.site


def discover_message(job_id: str) -> Mapping[str, Any]:
    """Return the message of DiscoverQueue that starts this job."""
    return {"version": 1, "type": "discover", "job_id": job_id}
