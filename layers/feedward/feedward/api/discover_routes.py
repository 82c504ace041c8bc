"""Routes of discoveries and of sites (rule G1)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from feedward.access.caller import Caller, Scope
from feedward.api.body import json_object
from feedward.api.discoveries import decode_request, job_id_of, site_id_of
from feedward.api.event import Event
from feedward.api.route import Reply, Route, Routes
from feedward.api.sites import encode_candidates, encode_discovery, encode_found
from feedward.deadline import Deadline
from feedward.observability.log import record_discovery
from feedward.services.discover.discovery_job import find_job, find_site
from feedward.services.discover.site import answer_discovery

ANSWER_S = 3.9  # from the start of a call, so that the response is sent within 4 s


def discover_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the ports of discovery."""

    def discover(caller: Caller, event: Event, _context: Any) -> Reply:
        began = time.monotonic()
        asked, directory = decode_request(json_object(event)), ports()
        deadline = Deadline.after(ANSWER_S - (time.monotonic() - began), directory.clock.monotonic)
        answer = answer_discovery(
            caller, asked.url, directory=directory, intent=asked.intent, refresh=asked.refresh, deadline=deadline
        )
        record_discovery(answer)
        return encode_discovery(answer, kept=answer.stored)

    def job(caller: Caller, event: Event, _context: Any) -> object:
        return encode_found(find_job(caller, job_id_of(event), directory=ports()))

    def site(encode: Callable[[Any], object]) -> Callable[[Caller, Event, Any], object]:
        return lambda caller, event, _context: encode(find_site(caller, site_id_of(event), directory=ports()))

    return {
        "POST /v1/discoveries": Route(Scope.WRITE, discover),
        "GET /v1/discoveries/{id}": Route(Scope.READ, job),
        "GET /v1/sites/{id}": Route(Scope.READ, site(encode_found)),
        "GET /v1/sites/{id}/candidates": Route(Scope.READ, site(encode_candidates)),
    }
