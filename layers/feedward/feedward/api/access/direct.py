"""Direct invocation of a function: a caller with AWS rights creates the first keys, which no route can (rule AK10).

The event is `{"do": "POST /v1/keys", "id": ..., "query": {...}, "body": {...}}`: an operation of the API, called by the
deployment's own operator. An event of the gateway never has a member `do`: its body is a member of its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from feedward.access.caller import SELF_HOSTED
from feedward.api.event import DO, Answer, Event
from feedward.api.problems import RouteNotFound
from feedward.api.route import Route
from feedward.api.router import answered, problem_answer


def answer_directly(event: Event, context: Any, routes: Mapping[str, Route]) -> Answer:
    """Return the response of the operation that the event names, in the gateway's format."""
    route = routes.get(str(event[DO]))
    if route is None:
        return problem_answer(RouteNotFound(f"there are {', '.join(sorted(routes))}"), instance=None)
    asked = _request(event)
    return answered(lambda: route.answer(SELF_HOSTED, asked, context), asked)


def _request(event: Event) -> Event:
    query, body = event.get("query"), event.get("body")
    return {
        "headers": {"content-type": "application/json"},
        "pathParameters": {"id": event.get("id")},
        "queryStringParameters": query if isinstance(query, Mapping) else {},
        "body": None if body is None else json.dumps(body),
    }
