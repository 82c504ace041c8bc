"""What the services need from outside, as protocols. Adapters and fakes pass the same contract tests."""

from __future__ import annotations

from feedward.ports.collecting import (
    Bodies,
    FrontierQueue,
    FrontierStore,
    HostTurns,
    LineageStore,
    RekeyStore,
    RobotsStore,
)
from feedward.ports.feeds import Audit, CheckStore, Exists, FeedActions, FeedMoves, FeedReader, FeedStore, Revivals
from feedward.ports.fetching import BodyRoom, Clock, Fetcher, PageFetcher
from feedward.ports.sites import DiscoverQueue, SiteStore
from feedward.ports.subscriptions import Subscriptions
from feedward.ports.sweeping import (
    DueQueue,
    DueStore,
    HealthQueue,
    HostPauses,
    MergeDebts,
    Outages,
    Pending,
    RowSweepStore,
    Sightings,
    SweepStore,
)
from feedward.ports.telling import EventBus, Outbox

__all__ = [
    "Audit",
    "Bodies",
    "BodyRoom",
    "CheckStore",
    "Clock",
    "DiscoverQueue",
    "DueQueue",
    "DueStore",
    "EventBus",
    "Exists",
    "FeedActions",
    "FeedMoves",
    "FeedReader",
    "FeedStore",
    "Fetcher",
    "FrontierQueue",
    "FrontierStore",
    "HealthQueue",
    "HostPauses",
    "HostTurns",
    "LineageStore",
    "MergeDebts",
    "Outages",
    "Outbox",
    "PageFetcher",
    "Pending",
    "RekeyStore",
    "Revivals",
    "RobotsStore",
    "RowSweepStore",
    "Sightings",
    "SiteStore",
    "Subscriptions",
    "SweepStore",
]
