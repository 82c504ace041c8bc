"""Puts the parts together: the only place that names adapters. Nothing is made until somebody asks for it.

What a resolver or an address policy may loosen is given here by code only: no setting of a deployment reaches it.
"""

from __future__ import annotations

import functools
from typing import Any, Final

from feedward.adapters.clock import SystemClock
from feedward.adapters.dynamodb.feeds.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.store.client import dynamodb_client
from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.adapters.fetching.settings import FetchSettings, browser_user_agent, user_agent
from feedward.bootstrap import parts
from feedward.bootstrap.container import Services
from feedward.config import Settings, from_environment

__all__ = ["REQUEST_S", "Services", "build", "fetch_settings", "services"]

# Of one request, where nobody sets a limit that is nearer: what a job gives a slow site (spec D5).
REQUEST_S: Final = 15.0


def build(settings: Settings, **guard: Any) -> Services:
    """Services for `settings`. `guard` is what GuardedFetcher takes beside its settings: for the demo and for tests."""
    client = dynamodb_client()
    return Services(
        fetcher=parts.with_rsshub_access(GuardedFetcher(fetch_settings(settings), **guard), settings),
        store=DynamoFeedStore(client, parts.tables(settings)),
        clock=SystemClock(),
        make_sites=lambda: parts.sites(client, settings),
        make_outbox=lambda: parts.outbox(client, settings),
        make_queue=lambda: parts.queue(settings),
        make_bus=lambda: parts.bus(settings),
        make_subscriptions=lambda: parts.subscriptions(client, settings),
        make_health=lambda: parts.health(client, parts.tables(settings)),
        make_health_queue=lambda: parts.health_queue(settings),
        rsshub_base=parts.rsshub_base(settings),
        make_collect=lambda fetcher, clock: parts.collect(client, settings, fetcher, clock),
        make_collect_upkeep=lambda: parts.collect_upkeep(client, settings),
        make_directory=lambda: parts.directory(client, parts.tables(settings)),
        make_begun=lambda: parts.begun(client, parts.tables(settings)),
        make_limiter=lambda: parts.limiter(client, parts.tables(settings)),
        make_idempotency=lambda: parts.idempotency(client, parts.tables(settings)),
    )


def fetch_settings(settings: Settings) -> FetchSettings:
    """How the guarded fetch is to behave in this deployment."""
    return FetchSettings(
        total_s=REQUEST_S,
        io_s=REQUEST_S,
        follow_redirects=settings.follow_redirects,
        max_redirects=settings.max_redirects,
        user_agent=user_agent(settings.contact_url),
        browser_user_agent=browser_user_agent(settings.contact_url),
    )


@functools.cache
def services() -> Services:
    """The services of this process, by its environment. Raises InvalidSetting."""
    return build(from_environment())
