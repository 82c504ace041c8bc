"""The push function: the callback of hubs. It is separate, so that a flood of pushes affects no other function."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import feedward.cold_start
from feedward import bootstrap
from feedward.api.event import Answer, Event
from feedward.api.push_routes import push_routes
from feedward.api.router import Api
from feedward.observability.log import logged
from feedward.observability.push import record_callback


def make_handler(build_services: Callable[[], bootstrap.Services]) -> Callable[[Event, Any], Answer]:
    """Return a Lambda handler. `build_services` is called once, when the services are first needed."""
    services = functools.cache(build_services)
    return logged(Api(push_routes(lambda: services().callback_ports, record_callback), services).answer)


handler = make_handler(bootstrap.services)
feedward.cold_start.finish()
