"""Composition root of the authorizer. That of the other functions would load more modules than it needs.

The authorizer runs when a key is new to the gateway, while a caller waits.
"""

from __future__ import annotations

import functools

from feedward.adapters.clock import SystemClock
from feedward.adapters.dynamodb.access.presented_keys import DynamoPresentedKeys
from feedward.adapters.dynamodb.store.client import dynamodb_client
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.config import from_environment

READ_TIMEOUT_S = 1


class AuthorizerServices:
    """The ports of the authorizer, with a clock."""

    def __init__(self) -> None:
        settings = from_environment()
        names = TableNames(
            urls=settings.urls_table,
            feeds=settings.feeds_table,
            state=settings.state_table,
            keys=settings.required("keys_table"),
        )
        self.presented_keys = DynamoPresentedKeys(Tables(dynamodb_client(read_timeout_s=READ_TIMEOUT_S), names))
        self.clock = SystemClock()


@functools.cache
def services() -> AuthorizerServices:
    """Return the services of this process, with settings from the environment. Raises InvalidSetting."""
    return AuthorizerServices()
