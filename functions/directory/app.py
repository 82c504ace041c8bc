"""The directory function: feeds, subscriptions, frontier and lineage. Each route: decode, one service, encode."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import feedward.cold_start
from feedward import bootstrap
from feedward.api.access.access_routes import key_routes, keys_by_hand, quota_routes, tenant_routes, tenants_by_hand
from feedward.api.collect_routes import collect_routes
from feedward.api.directory_routes import directory_routes, export_routes, import_routes, stats_routes
from feedward.api.event import DO, Answer, Event, is_direct
from feedward.api.route import within_shape
from feedward.api.router import Api
from feedward.api.webhooks.webhook_routes import webhook_routes
from feedward.deadline import task_time_s
from feedward.observability.log import logged

RECONCILE = "reconcile"


def do_by_hand(event: Event, context: Any, services: Callable[[], bootstrap.Services]) -> dict[str, Any]:
    """Handle a direct invocation or a schedule. Imports here are not loaded for requests."""
    if event[DO] == RECONCILE:
        from feedward.services.access.delete_tenant import continue_deletions  # noqa: PLC0415

        return {"tenants": continue_deletions(ports=services(), within_s=task_time_s(context))}
    from feedward.api.access.direct import answer_directly  # noqa: PLC0415

    return answer_directly(event, context, {**keys_by_hand(services), **tenants_by_hand(services)})


def make_handler(build_services: Callable[[], bootstrap.Services]) -> Callable[[Event, Any], Answer]:
    """Return a Lambda handler. `build_services` is called once, when the services are first needed."""
    services = functools.cache(build_services)
    collecting = collect_routes(lambda: services().collect)
    routes = {
        **directory_routes(services),
        **collecting,
        **import_routes(services),
        **key_routes(services),
        **tenant_routes(services),
        **export_routes(lambda: services().exports),
        **stats_routes(services),
        **webhook_routes(lambda: services().webhook_ports),
        **quota_routes(services),
    }
    api = Api(within_shape(routes, services), services)

    def handle(event: Event, context: Any) -> Answer:
        if not is_direct(event):
            return api.answer(event, context)
        return do_by_hand(event, context, services)

    return logged(handle)


handler = make_handler(bootstrap.services)
feedward.cold_start.finish()
