"""Routes under one error map: what a route raises becomes a problem document, and what is our fault goes to the log.

The gateway has chosen the route already and says so in `routeKey`, so this is a look-up and not a second router.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from feedward.http import problems
from feedward.observability import logger

JSON: Final = "application/json"

Event: TypeAlias = Mapping[str, Any]
Answer: TypeAlias = dict[str, Any]


class Api:
    """`routes` by "METHOD /path": each takes the event (payload 2.0) and Lambda's context, and returns a document."""

    def __init__(self, routes: Mapping[str, Callable[[Event, Any], object]]) -> None:
        self.routes = routes

    def answer(self, event: Event, context: Any) -> Answer:
        """The answer to `event`, as the gateway takes it: the route's document, or a problem."""
        try:
            return _answer(200, JSON, self._route(event)(event, context))
        except Exception as error:  # noqa: BLE001 - the one place where errors become answers
            return problem_answer(error, instance=instance_of(event))

    def _route(self, event: Event) -> Callable[[Event, Any], object]:
        """The event's route. Raises RouteNotFound or MethodNotAllowed."""
        method = str(_member(event, "requestContext", "http", "method"))
        path = str(_member(event, "rawPath"))
        for key in (str(_member(event, "routeKey")), f"{method} {path}"):
            if key in self.routes:
                return self.routes[key]
        raise self._missing(path)

    def _missing(self, path: str) -> problems.HttpError:
        allow = tuple(method for method, _, known in (key.partition(" ") for key in self.routes) if known == path)
        if allow:
            return problems.MethodNotAllowed(f"this route answers to {', '.join(allow)}", allow)
        return problems.RouteNotFound("the routes are listed at /v1/openapi.json")


def problem_answer(error: Exception, *, instance: str | None) -> Answer:
    """`error` as a problem document."""
    log_fault(error, instance=instance)
    problem = problems.problem_of(error, instance=instance)
    return _answer(problem.status, problems.CONTENT_TYPE, problem.body, problem.headers)


def log_fault(error: Exception, *, instance: str | None) -> None:
    """Log `error` with its trace, if it is a fault of feedward itself."""
    if not problems.is_expected(error):
        logger().error("unexpected failure", instance=instance, exc_info=error)


def instance_of(event: Event) -> str | None:
    """The name of the request that is being answered; the log lines have the same id."""
    request_id = _member(event, "requestContext", "requestId")
    return f"urn:feedward:request:{request_id}" if request_id else None


def _member(event: object, *path: str) -> Any:
    """What lies at `path` in an event, or None: whoever may invoke the function may send it anything."""
    for name in path:
        event = event.get(name) if isinstance(event, Mapping) else None
    return event


def _answer(status: int, content_type: str, document: object, headers: Mapping[str, str] | None = None) -> Answer:
    """JSON in ASCII, so that no text in it can break the transport."""
    return {
        "statusCode": status,
        "headers": {"Content-Type": content_type, "X-Content-Type-Options": "nosniff", **(headers or {})},
        "body": json.dumps(document, separators=(",", ":")),
        "isBase64Encoded": False,
    }
