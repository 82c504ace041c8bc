"""Puts the parts together: the only place that names adapters. Nothing is made until somebody asks for it.

What a resolver or an address policy may loosen is given here by code only: no setting of a deployment reaches it.
"""

from __future__ import annotations

import functools
from typing import Any

from feedward.bootstrap.fetching import REQUEST_S, fetch_settings
from feedward.bootstrap.wiring import Services
from feedward.config import Settings, from_environment

__all__ = ["REQUEST_S", "Services", "build", "fetch_settings", "services"]


def build(settings: Settings, **guard: Any) -> Services:
    """Services for `settings`. `guard` is what GuardedFetcher takes beside its settings: for the demo and for tests."""
    return Services(settings, guard=guard)


@functools.cache
def services() -> Services:
    """The services of this process, by its environment. Raises InvalidSetting."""
    return build(from_environment())
