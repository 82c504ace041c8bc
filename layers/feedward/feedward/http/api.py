"""Routes under one error map: what a route raises becomes a problem document, and what is our fault goes to the log."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from aws_lambda_powertools.event_handler.api_gateway import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError

from feedward.http import problems
from feedward.observability import logger

JSON: Final = "application/json"

Routes = Mapping[tuple[str, str], Callable[[], Response[str]]]


def create_api(routes: Routes) -> APIGatewayHttpResolver:
    """A resolver of HTTP API events (payload 2.0) for `routes`, which are named by method and path."""
    api = APIGatewayHttpResolver()
    for (method, path), answer in routes.items():
        api.route(path, method=method)(answer)

    def no_route(_: NotFoundError) -> Response[str]:
        return problem_response(_missing(api, routes), instance=instance_of(api))

    def failed(error: Exception) -> Response[str]:
        return problem_response(error, instance=instance_of(api))

    api.exception_handler(NotFoundError)(no_route)
    api.exception_handler(Exception)(failed)
    return api


def json_response(document: object) -> Response[str]:
    """200 with `document`."""
    return Response(status_code=200, content_type=JSON, body=to_json(document))


def problem_response(error: Exception, *, instance: str | None) -> Response[str]:
    """`error` as a problem document."""
    log_fault(error, instance=instance)
    problem = problems.problem_of(error, instance=instance)
    headers: dict[str, str | list[str]] = {**problem.headers}
    return Response(
        status_code=problem.status, content_type=problems.CONTENT_TYPE, body=to_json(problem.body), headers=headers
    )


def log_fault(error: Exception, *, instance: str | None) -> None:
    """Log `error` with its trace, if it is a fault of feedward itself."""
    if not problems.is_expected(error):
        logger().error("unexpected failure", instance=instance, exc_info=error)


def instance_of(api: APIGatewayHttpResolver) -> str | None:
    """The name of the request that is being answered; the log lines have the same id."""
    request_id = (api.current_event.raw_event.get("requestContext") or {}).get("requestId")
    return f"urn:feedward:request:{request_id}" if request_id else None


def to_json(document: object) -> str:
    """Compact JSON in ASCII, so that no text in it can break the transport."""
    return json.dumps(document, separators=(",", ":"))


def _missing(api: APIGatewayHttpResolver, routes: Routes) -> problems.HttpError:
    event: Any = api.current_event
    allow = tuple(method for method, path in routes if path == event.path)
    if allow:
        return problems.MethodNotAllowed(f"{event.path} answers to {', '.join(allow)}", allow)
    return problems.RouteNotFound("the routes are listed at /v1/openapi.json")
