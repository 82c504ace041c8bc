"""The authorize function: the gateway asks it to check a key, and caches the answer for a minute (rule AK4)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import feedward.cold_start
from feedward import authorizer
from feedward.services.access.authorize import authorize


def make_handler(build_services: Callable[[], authorizer.AuthorizerServices]) -> Callable[[Any, Any], dict[str, Any]]:
    """Return a Lambda handler. `build_services` is called once, when the services are first needed."""
    services = functools.cache(build_services)

    def handle(event: Any, _context: Any) -> dict[str, Any]:
        """Judge only the identity source: it is the gateway's cache key."""
        sources = event.get("identitySource") if isinstance(event, Mapping) else None
        if not (isinstance(sources, list) and len(sources) == 1 and isinstance(sources[0], str)):
            return {"isAuthorized": False}
        known = authorize(sources[0], keys=services().presented_keys, now=services().clock.now())
        return {"isAuthorized": False} if known is None else {"isAuthorized": True, "context": known}

    return handle


handler = make_handler(authorizer.services)
feedward.cold_start.finish()
