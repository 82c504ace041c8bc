"""Dispatches events to routes, with their callers. Errors of a route become problem documents; own faults are logged.

The authorizer passes every known key on, with its verdict. The caller of a request is made from it, once (rule TN1); a
refused key gets its problem document here. A request without a verdict is refused, unless the deployment requires no
keys.

The gateway has selected the path and names it in `routeKey` (`ANY /path`), so this is a lookup and no second router.
The method is looked up here: HEAD is answered as GET without the body; a method that the path does not have gets 405.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol

from feedward.access import NEVER, tenant_named
from feedward.access.caller import SELF_HOSTED, Caller, Scope
from feedward.api import problems
from feedward.api.event import IDEMPOTENCY_KEY, Answer, Event, header, instance_of, member
from feedward.api.problems import KeyExpired, KeyRevoked, Unauthorized
from feedward.api.route import NO_CONTENT, NOT_MODIFIED, OpenRoute, Reply, Route, Routes
from feedward.observability.log import logger

if TYPE_CHECKING:
    from feedward.ports import Clock
    from feedward.ports.idempotency import IdempotencyRecords


JSON: Final = "application/json"
NO_STORE: Final = "no-store"
_ANY: Final = "ANY "
_HEAD: Final = "HEAD"


class ApiPorts(Protocol):
    """Ports of the router. bootstrap.Services implements them. `is_open`: requests without a key are accepted."""

    @property
    def is_open(self) -> bool: ...
    @property
    def idempotency(self) -> IdempotencyRecords: ...
    @property
    def clock(self) -> Clock: ...


class Api:
    """Answers an event (payload 2.0) by its route. It creates the caller, for every route that is not open.

    A POST with an Idempotency-Key is executed once (api/idempotency.py).
    """

    def __init__(self, routes: Routes, ports: Callable[[], ApiPorts]) -> None:
        self.routes = routes
        self._ports = ports

    def answer(self, event: Event, context: Any) -> Answer:
        """Return the response to `event` in the gateway's format: the route's document, or a problem."""
        answered = self._answered(event, context)
        return {**answered, "body": ""} if _method(event) == _HEAD else answered

    def _answered(self, event: Event, context: Any) -> Answer:
        try:
            key, found = self._found(event)
            route = self.routes[key]
            if isinstance(route, OpenRoute):
                return answered(lambda: route.answer(found, context), found)
            caller = self._caller(route, found)
            return self._answered_to(caller, key, found, lambda: _shown(route, caller, found, context), context)
        except Exception as error:  # noqa: BLE001 - errors before the route
            return problem_answer(error, instance=instance_of(event))

    def _caller(self, route: Route, event: Event) -> Caller:
        """Return the caller, if its key allows the route. Raises Unauthorized and ScopeMissing."""
        ports = self._ports()
        caller = caller_of(event, is_open=ports.is_open, now=ports.clock.now())
        caller.require(route.scope)
        return caller

    def _answered_to(
        self, caller: Caller, key: str, event: Event, answer: Callable[[], object], context: Any
    ) -> Answer:
        if not (key.startswith("POST ") and header(event, IDEMPOTENCY_KEY) is not None):
            return answered(answer, event)
        from feedward.api.idempotency import answer_once  # noqa: PLC0415 - loaded only if a key was sent

        return answer_once(caller, event, context, key, answer=lambda: answered(answer, event), ports=self._ports())

    def _found(self, event: Event) -> tuple[str, Event]:
        """Return the key of the event's route, and the event for it. Raises RouteNotFound or MethodNotAllowed."""
        chosen = str(member(event, "routeKey"))
        if chosen in self.routes:
            return chosen, event
        if chosen.startswith(_ANY):
            return self._key(chosen.removeprefix(_ANY), event), event
        return self._found_by_path(event)

    def _found_by_path(self, event: Event) -> tuple[str, Event]:
        """Return the same for a gateway with one default route, which finds no path parameters."""
        path = str(member(event, "rawPath"))
        for template in dict.fromkeys(key.partition(" ")[2] for key in self.routes):
            parameters = _parameters(template, path)
            if parameters is not None:
                return self._key(template, event), {**event, "pathParameters": parameters}
        raise _no_route()

    def _key(self, template: str, event: Event) -> str:
        """Return the key of the route at `template` that has the event's method."""
        methods = [method for method, _, path in (key.partition(" ") for key in self.routes) if path == template]
        method = _method(event)
        asked = "GET" if method == _HEAD else method
        if asked in methods:
            return f"{asked} {template}"
        if not methods:
            raise _no_route()
        allow = tuple(each for method in methods for each in ((method, _HEAD) if method == "GET" else (method,)))
        raise problems.MethodNotAllowed(f"this route answers to {', '.join(allow)}", allow)


def _shown(route: Route, caller: Caller, event: Event, context: Any) -> object:
    """Return the route's response, masked for the caller."""
    found = route.answer(caller, event, context)
    if caller.sees_secrets:
        return found
    from feedward.api.masking import for_readers  # noqa: PLC0415 - few keys may only read

    return for_readers(found)


def _method(event: Event) -> str:
    return str(member(event, "requestContext", "http", "method"))


def _no_route() -> problems.RouteNotFound:
    return problems.RouteNotFound("the routes are listed at /v1/openapi.json")


def _parameters(template: str, path: str) -> dict[str, str] | None:
    """Return the path parameters if `path` matches `template`, else None."""
    wanted, found = template.split("/"), path.split("/")
    if len(wanted) != len(found):
        return None
    parameters = {}
    for part, value in zip(wanted, found, strict=True):
        if part.startswith("{") and value:
            parameters[part.strip("{}")] = value
        elif part != value:
            return None
    return parameters


def answered(answer: Callable[[], object], event: Event) -> Answer:
    """Return the result or the error of the route in the gateway's format."""
    try:
        found = answer()
        reply = found if isinstance(found, Reply) else Reply(document=found)
        if reply.file is not None:
            return _file_answer(reply, reply.file)
        if reply.shown_once:
            return _answer(reply.status, JSON, reply.document, {**reply.headers, "Cache-Control": NO_STORE})
        return _answer(reply.status, JSON, reply.document, reply.headers)
    except Exception as error:  # noqa: BLE001 - all errors become responses here
        return problem_answer(error, instance=instance_of(event))


def _file_answer(reply: Reply, file: bytes) -> Answer:
    """Return a file in base64, which is a third larger: as text it could take twice the size in a call."""
    import base64  # noqa: PLC0415 - few answers are files

    headers = {"Content-Type": reply.media_type, "X-Content-Type-Options": "nosniff", **reply.headers}
    body = base64.b64encode(file).decode()
    return {"statusCode": reply.status, "headers": headers, "body": body, "isBase64Encoded": True}


def problem_answer(error: Exception, *, instance: str | None) -> Answer:
    """Return `error` as a problem document."""
    log_fault(error, instance=instance)
    problem = problems.problem_of(error, instance=instance)
    return _answer(problem.status, problems.CONTENT_TYPE, problem.body, problem.headers)


def log_fault(error: Exception, *, instance: str | None) -> None:
    """Log `error` with its trace, if it is a fault of feedward itself."""
    if not problems.is_expected(error):
        logger().error("unexpected failure", instance=instance, exc_info=error)


def _answer(status: int, content_type: str, document: object, headers: Mapping[str, str] | None = None) -> Answer:
    """Return a response with JSON in ASCII, which no transport can break."""
    is_empty = status in (NO_CONTENT, NOT_MODIFIED)
    typed = {} if is_empty else {"Content-Type": content_type}
    return {
        "statusCode": status,
        "headers": {**typed, "X-Content-Type-Options": "nosniff", **(headers or {})},
        "body": "" if is_empty else json.dumps(document, separators=(",", ":")),
        "isBase64Encoded": False,
    }


def caller_of(event: Event, *, is_open: bool, now: int) -> Caller:
    """Return the caller of a request at `now`. `is_open`: the deployment accepts requests without a key.

    Raises Unauthorized, KeyRevoked, or KeyExpired, also for a key that expired after the verdict was cached (rule AK5).
    """
    said = member(event, "requestContext", "authorizer", "lambda")
    if said is None and is_open:
        return SELF_HOSTED
    verdict = member(said, "verdict")
    if verdict == "revoked":
        raise KeyRevoked("this key was revoked: take another one")
    if verdict == "expired":
        raise KeyExpired("this key has expired: take another one")
    if verdict != "ok":
        raise Unauthorized("send a key: Authorization: Bearer fw_...")
    if _has_ended(member(said, "expires_at"), now):
        raise KeyExpired("this key has expired: take another one")
    tenant_id = tenant_named(_name(member(said, "tenant")))
    scope = _scope(member(said, "scope"))
    return Caller(tenant_id=tenant_id, key_id=_name(member(said, "key_id")), scope=scope)


def _has_ended(value: Any, now: int) -> bool:
    """Return whether the key's end has passed. The gateway may pass the number on as text. Raises Unauthorized."""
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _unreadable()
    return value != NEVER and value <= now


def _name(value: Any) -> str:
    if not (isinstance(value, str) and value):
        raise _unreadable()
    return value


def _scope(value: Any) -> Scope:
    try:
        return Scope(value)
    except ValueError:
        raise _unreadable() from None


def _unreadable() -> Unauthorized:
    return Unauthorized("the authorizer's verdict on this key cannot be read")
