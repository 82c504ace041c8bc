"""Routes of discoveries and of sites (rule G1)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from feedward.api.body import json_object
from feedward.api.discoveries import decode_request, job_id_of, site_id_of
from feedward.api.event import Event
from feedward.api.route import Reply, Route
from feedward.api.sites import encode_candidates, encode_discovery, encode_found
from feedward.deadline import Deadline
from feedward.observability.log import record_discovery
from feedward.services.discover.discovery_job import find_job, find_site
from feedward.services.discover.site import answer_discovery

ANSWER_S = 3.9  # from the start of a call, so that the response is sent within 4 s


def discover_routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    """Return the routes by "METHOD /path". `ports` returns the ports of discovery."""

    def discover(event: Event, _context: Any) -> Reply:
        began = time.monotonic()
        asked, directory = decode_request(json_object(event)), ports()
        deadline = Deadline.after(ANSWER_S - (time.monotonic() - began), directory.clock.monotonic)
        answer = answer_discovery(
            asked.url, directory=directory, intent=asked.intent, refresh=asked.refresh, deadline=deadline
        )
        record_discovery(answer)
        return encode_discovery(answer, kept=answer.stored)

    return {
        "POST /v1/discoveries": discover,
        "GET /v1/discoveries/{id}": lambda e, _: encode_found(find_job(job_id_of(e), directory=ports())),
        "GET /v1/sites/{id}": lambda e, _: encode_found(find_site(site_id_of(e), directory=ports())),
        "GET /v1/sites/{id}/candidates": lambda e, _: encode_candidates(find_site(site_id_of(e), directory=ports())),
    }
