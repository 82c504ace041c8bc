"""Puts the parts together: the only place that names adapters. Nothing is made until somebody asks for it.

What a resolver or an address policy may loosen is given here by code only: no setting of a deployment reaches it.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from feedward.adapters.clock import SystemClock
from feedward.adapters.dynamodb.client import dynamodb_client
from feedward.adapters.dynamodb.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.keys import TableNames
from feedward.adapters.fetch import FetchSettings, GuardedFetcher
from feedward.adapters.http.identity import browser_user_agent, user_agent
from feedward.config import Settings, from_environment
from feedward.ports import Clock, FeedStore, Fetcher


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What the functions work with."""

    fetcher: Fetcher
    store: FeedStore
    clock: Clock


def build(settings: Settings, **guard: Any) -> Services:
    """Services for `settings`. `guard` is what GuardedFetcher takes beside its settings: for the demo and for tests."""
    tables = TableNames(urls=settings.urls_table, feeds=settings.feeds_table, state=settings.state_table)
    return Services(
        fetcher=GuardedFetcher(fetch_settings(settings), **guard),
        store=DynamoFeedStore(dynamodb_client(), tables),
        clock=SystemClock(),
    )


def fetch_settings(settings: Settings) -> FetchSettings:
    """How the guarded fetch is to behave in this deployment."""
    return FetchSettings(
        follow_redirects=settings.follow_redirects,
        max_redirects=settings.max_redirects,
        user_agent=user_agent(settings.contact_url),
        browser_user_agent=browser_user_agent(settings.contact_url),
    )


@functools.cache
def services() -> Services:
    """The services of this process, by its environment. Raises InvalidSetting."""
    return build(from_environment())
