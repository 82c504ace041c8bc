"""The canonicalize function, with the API's health and description: decode, call one service, encode."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import feedward.cold_start
from feedward import __version__, bootstrap
from feedward.access.caller import Caller, Scope
from feedward.api.canonicalize import decode_request, encode_answer
from feedward.api.event import Answer, Event, instance_of
from feedward.api.fields import json_object
from feedward.api.openapi import openapi_document
from feedward.api.route import OpenRoute, Route
from feedward.api.router import Api, log_fault
from feedward.deadline import Deadline, call_time_s
from feedward.observability.canonicalize import record_canonicalizations
from feedward.observability.log import logged
from feedward.services.canonicalize.canonicalize_urls import BATCH_S, canonicalize_urls


@functools.cache
def memory() -> Any:
    """Return the memory of this process for documents. One URL needs no limit, and does not load this."""
    from feedward.services.work.memory_budget import MemoryBudget  # noqa: PLC0415

    return MemoryBudget()


def make_handler(build_services: Callable[[], bootstrap.Services]) -> Callable[[Event, Any], Answer]:
    """Return a Lambda handler. `build_services` is called once, when the services are first needed."""
    services = functools.cache(build_services)

    def canonicalize(caller: Caller, event: Event, context: Any) -> dict[str, Any]:
        request = decode_request(json_object(event))
        outcomes = canonicalize_urls(
            caller,
            request.urls,
            fetcher=services().awaited_fetcher,
            store=services().store,
            clock=services().clock,
            options=request.options,
            register=request.register,
            charges=services().charges,
            memory=memory() if len(request.urls) > 1 else None,
            deadline=Deadline.after(call_time_s(context), services().clock.monotonic).at_most(BATCH_S),
        )
        record_canonicalizations(request.urls, outcomes)
        answer = encode_answer(request, outcomes)  # raises the error of a single URL; the router logs it
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                log_fault(outcome, instance=instance_of(event))
        return answer

    api = Api(
        {
            "POST /v1/canonicalize": Route(Scope.READ, canonicalize),
            "GET /v1/health": OpenRoute(lambda _event, _context: {"status": "ok", "version": __version__}),
            "GET /v1/openapi.json": Route(Scope.READ, lambda _caller, _event, _context: openapi_document()),
        },
        services,
    )

    return logged(api.answer)


handler = make_handler(bootstrap.services)
feedward.cold_start.finish()
