"""One discovery against the directory: the engine, the canonical feed registered on its way, the records saved.

Whoever is killed at any point leaves something that running again completes: feeds are joined by their URLs (I1), a
site is only written over the state it was decided from, and events stay owed until the bus has them (I7).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from feedward.discovery.candidate import Kind
from feedward.discovery.site import Job, StoredSite
from feedward.ports import Clock, DiscoverQueue, EventBus, FeedStore, Fetcher, Outbox, SiteStore


class Directory(Protocol):
    """What a discovery works with. bootstrap.Services is one; tests bring their own."""

    @property
    def fetcher(self) -> Fetcher: ...
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
    def rsshub_base(self) -> str | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is looked for. `url` is as it was given; `intent` is the kind of feed that is wanted, None: as the URL says.

    `scope` is empty, or the tenant whose private URL this is (T1).
    """

    url: str
    intent: Kind | None = None
    scope: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoveryAnswer:
    """What is known of a site now. `job` goes on looking while it is pending or running; None: nothing is left to do.

    `reused`: the records answered, without any request. `stored`: the site is in the directory (a URL that may not be
    fetched never is).
    """

    site: StoredSite
    job: Job | None = None
    reused: bool = False
    stored: bool = True
