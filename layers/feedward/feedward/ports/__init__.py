"""What the services need from outside, as protocols. Adapters and fakes pass the same contract tests."""

from __future__ import annotations

from feedward.ports.feeds import Audit, CheckStore, Exists, FeedActions, FeedMoves, FeedReader, FeedStore, Revivals
from feedward.ports.fetching import Clock, Fetcher
from feedward.ports.sites import DiscoverQueue, SiteStore
from feedward.ports.subscriptions import Subscriptions
from feedward.ports.sweeping import HealthQueue, HostPauses, MergeDebts, Outages, Pending, Sightings, SweepStore
from feedward.ports.telling import EventBus, Outbox

__all__ = [
    "Audit",
    "CheckStore",
    "Clock",
    "DiscoverQueue",
    "EventBus",
    "Exists",
    "FeedActions",
    "FeedMoves",
    "FeedReader",
    "FeedStore",
    "Fetcher",
    "HealthQueue",
    "HostPauses",
    "MergeDebts",
    "Outages",
    "Outbox",
    "Pending",
    "Revivals",
    "Sightings",
    "SiteStore",
    "Subscriptions",
    "SweepStore",
]
