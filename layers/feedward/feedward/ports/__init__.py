"""Ports: the protocols through which services reach stores, queues, the event bus and the web.

Adapters and fakes pass the same contract tests.
"""

from __future__ import annotations

from feedward.ports.collecting import (
    Bodies,
    FrontierStore,
    LineageStore,
    RekeyStore,
    RobotsStore,
)
from feedward.ports.feeds import (
    Audit,
    CheckStore,
    Exists,
    FeedActions,
    FeedMoves,
    FeedReader,
    FeedStore,
    Revivals,
    TopicClassifier,
)
from feedward.ports.fetching import BodyRoom, Clock, Fetcher, PageFetcher
from feedward.ports.outbox import EventBus, Outbox
from feedward.ports.sites import DiscoverQueue, SiteStore
from feedward.ports.subscriptions import Subscriptions
from feedward.ports.sweeping import (
    DueStore,
    MoveObservations,
    Outages,
    Pending,
    PendingMerges,
    RowSweepStore,
    SlotLoads,
    SlotStore,
    SweepStore,
)
from feedward.ports.work import BegunTasks, HostLimiter, WorkQueue

__all__ = [
    "Audit",
    "BegunTasks",
    "Bodies",
    "BodyRoom",
    "CheckStore",
    "Clock",
    "DiscoverQueue",
    "DueStore",
    "EventBus",
    "Exists",
    "FeedActions",
    "FeedMoves",
    "FeedReader",
    "FeedStore",
    "Fetcher",
    "FrontierStore",
    "HostLimiter",
    "LineageStore",
    "MoveObservations",
    "Outages",
    "Outbox",
    "PageFetcher",
    "Pending",
    "PendingMerges",
    "RekeyStore",
    "Revivals",
    "RobotsStore",
    "RowSweepStore",
    "SiteStore",
    "SlotLoads",
    "SlotStore",
    "Subscriptions",
    "SweepStore",
    "TopicClassifier",
    "WorkQueue",
]
