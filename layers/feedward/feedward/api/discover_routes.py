"""Routes of discoveries and of sites (rule G1). The first request of a group loads its modules."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from feedward.access.caller import Caller, Scope
from feedward.api.event import Event
from feedward.api.route import Reply, Route, Routes, later

ANSWER_S: Final = 3.9  # from the start of a call, so that the response is sent within 4 s
_DISCOVER: Final = "POST /v1/discoveries"
_READ: Final = ("GET /v1/discoveries/{id}", "GET /v1/sites/{id}", "GET /v1/sites/{id}/candidates")


def discover_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the ports of discovery."""
    return {
        **later({_DISCOVER: Scope.WRITE}, partial(_discovering_route, ports)),
        **later(dict.fromkeys(_READ, Scope.READ), partial(_reading_routes, ports)),
    }


def _discovering_route(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api.discoveries import decode_request  # noqa: PLC0415
    from feedward.api.fields import json_object  # noqa: PLC0415
    from feedward.api.sites import encode_discovery  # noqa: PLC0415
    from feedward.deadline import Deadline  # noqa: PLC0415
    from feedward.observability.discover import record_discovery  # noqa: PLC0415
    from feedward.services.discover.discover_site import answer_discovery  # noqa: PLC0415

    def discover(caller: Caller, event: Event, _context: Any) -> Reply:
        began = time.monotonic()
        asked, directory = decode_request(json_object(event)), ports()
        deadline = Deadline.after(ANSWER_S - (time.monotonic() - began), directory.clock.monotonic)
        answer = answer_discovery(
            caller, asked.url, directory=directory, intent=asked.intent, refresh=asked.refresh, deadline=deadline
        )
        record_discovery(answer)
        return encode_discovery(answer, kept=answer.stored)

    return {_DISCOVER: Route(Scope.WRITE, discover)}


def _reading_routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api.discoveries import job_id_of, site_id_of  # noqa: PLC0415
    from feedward.api.sites import encode_candidates, encode_found  # noqa: PLC0415
    from feedward.services.discover.read_sites import find_job, find_site  # noqa: PLC0415

    def job(caller: Caller, event: Event, _context: Any) -> object:
        return encode_found(find_job(caller, job_id_of(event), directory=ports()))

    def site(encode: Callable[[Any], object]) -> Callable[[Caller, Event, Any], object]:
        return lambda caller, event, _context: encode(find_site(caller, site_id_of(event), directory=ports()))

    answers = (job, site(encode_found), site(encode_candidates))
    return {name: Route(Scope.READ, answer) for name, answer in zip(_READ, answers, strict=True)}
