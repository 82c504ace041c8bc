"""The callback of hubs. It is open to all callers and does not reveal which feeds exist (rules W8, W15, W16)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from feedward.api.event import Event, header, member, path_parameter
from feedward.api.fields import body_bytes
from feedward.api.problems import Gone, RouteNotFound
from feedward.api.route import NO_CONTENT, OpenRoute, Reply
from feedward.services.push.ports import CallbackPorts
from feedward.services.push.receive import CallbackAnswer, PushResult, answer_hub, receive_push

PATH: Final = "/v1/push/{feed}/{token}"
BODY_BYTES_AT_MOST: Final = 4 * 1024 * 1024
"""The size that fits into a function's event in base64. A larger push is refused in any encoding."""
_ECHOED: Final = {"Cache-Control": "no-store", "Content-Security-Policy": "default-src 'none'; sandbox"}
Heard = Callable[[CallbackAnswer], None]


def push_routes(ports: Callable[[], CallbackPorts], heard: Heard) -> dict[str, OpenRoute]:
    """Return the routes of the callback. `heard` gets the outcome of each request."""

    def verify(event: Event, _context: Any) -> Reply:
        if member(event, "requestContext", "http", "method") != "GET":  # HEAD would hide the challenge
            raise _no_such()
        query = str(member(event, "rawQueryString") or "")
        answer = answer_hub(*_place(event), query=query, ports=ports())
        heard(answer)
        return _verified(answer)

    def push(event: Event, _context: Any) -> Reply:
        body = body_bytes(event, BODY_BYTES_AT_MOST)
        signature = header(event, "X-Hub-Signature")
        answer = receive_push(*_place(event), body=body, signature=signature, ports=ports())
        heard(answer)
        if answer.result is PushResult.UNKNOWN:
            raise Gone("there is no such subscription")
        return Reply(status=NO_CONTENT)

    return {f"GET {PATH}": OpenRoute(verify), f"POST {PATH}": OpenRoute(push)}


def _place(event: Event) -> tuple[str, str]:
    return path_parameter(event, "feed"), path_parameter(event, "token")


def _verified(answer: CallbackAnswer) -> Reply:
    """Return the challenge alone, in a form that no browser shows as a page. Raises RouteNotFound for a refusal."""
    if answer.result is PushResult.DENIED:
        return Reply(status=NO_CONTENT)
    if answer.result is not PushResult.VERIFIED:
        raise _no_such()
    return Reply(file=answer.challenge.encode("ascii"), media_type="text/plain; charset=utf-8", headers=_ECHOED)


def _no_such() -> RouteNotFound:
    return RouteNotFound("there is no such subscription")
