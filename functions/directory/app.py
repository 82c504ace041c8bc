"""The directory function: feeds, subscriptions, frontier and lineage. Each route: decode, one service, encode."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import feedward.cold_start
from feedward import bootstrap
from feedward.api.collect_routes import collect_routes
from feedward.api.directory_routes import directory_routes
from feedward.api.event import Answer, Event
from feedward.api.export_routes import export_routes
from feedward.api.import_routes import import_routes
from feedward.api.route import within_shape
from feedward.api.router import Api
from feedward.api.stats_routes import stats_routes
from feedward.observability.log import logged


def make_handler(build_services: Callable[[], bootstrap.Services]) -> Callable[[Event, Any], Answer]:
    """Return a Lambda handler. `build_services` is called once, when the services are first needed."""
    services = functools.cache(build_services)
    collecting = collect_routes(lambda: services().collect)
    routes = {
        **directory_routes(services),
        **collecting,
        **import_routes(services),
        **export_routes(lambda: services().exports),
        **stats_routes(services),
    }
    return logged(Api(within_shape(routes, services), services).answer)


handler = make_handler(bootstrap.services)
feedward.cold_start.finish()
