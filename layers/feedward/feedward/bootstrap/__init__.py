"""Composition root: the only package that names adapters. A client is made when a port first needs it.

Only code can pass a resolver or an address policy, which loosen the guarded fetch: no setting of a deployment can.
"""

from __future__ import annotations

import functools
from typing import Any

from feedward.bootstrap.fetching import REQUEST_S, fetch_settings
from feedward.bootstrap.wiring import Services
from feedward.config import Settings, from_environment

__all__ = ["REQUEST_S", "Services", "build", "fetch_settings", "services"]


def build(settings: Settings, **guard: Any) -> Services:
    """Return services for `settings`. `guard` are further arguments of GuardedFetcher (demo, tests)."""
    return Services(settings, guard=guard)


@functools.cache
def services() -> Services:
    """Return the services of this process, with settings from the environment. Raises InvalidSetting."""
    return build(from_environment())
