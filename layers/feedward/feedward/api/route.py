"""A route: its required scope, and a function that decodes the request, calls one service and encodes the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Protocol, TypeAlias

from feedward.access.caller import Caller, Scope
from feedward.api.event import Event
from feedward.errors import NotDeployed

NO_CONTENT: Final = 204
NOT_MODIFIED: Final = 304
# Work of the functions that check and collect. Large exports are refused where they would become a job.
NEED_REFRESH: Final = frozenset(
    {
        "PATCH /v1/feeds/{id}",
        "POST /v1/feeds/{id}/check",
        "POST /v1/frontier",
        "POST /v1/imports",
        "POST /v1/imports/{id}/start",
        "POST /v1/runs",
    }
)


@dataclass(frozen=True, slots=True)
class Route:
    """An operation: the scope that a key must have (rule AK7), and the function that returns a document or a Reply."""

    scope: Scope
    answer: Callable[[Caller, Event, Any], object]


@dataclass(frozen=True, slots=True)
class OpenRoute:
    """An operation that requires no key and reveals no data of a tenant (rule AK11)."""

    answer: Callable[[Event, Any], object]


Routes: TypeAlias = Mapping[str, Route | OpenRoute]
"""Routes by "METHOD /path". A path may have parameters (`/v1/sites/{id}`), which `path_parameter` reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A response of a route with a status other than 200, or with a file. Statuses 204 and 304 have no document.

    `shown_once`: the document has a secret, in `key` or `secret`. No cache keeps the response, and the response stored
    for an Idempotency-Key has null in its place (rule AK2). `file` replaces the document; its `media_type` is the
    Content-Type.
    """

    document: object = None
    file: bytes | None = field(default=None, repr=False)
    media_type: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    shown_once: bool = False


def route(
    scope: Scope,
    decode: Callable[[Event], dict[str, Any]],
    serve: Callable[..., Any],
    encode: Callable[..., object],
    ports: Callable[[], object],
) -> Route:
    """Return a route that calls the service with the caller, the decoded values by name, and the `ports`."""
    return Route(scope, lambda caller, event, _context: encode(serve(caller, **decode(event), ports=ports())))


def later(scopes: Mapping[str, Scope], load: Callable[[], Mapping[str, Route]]) -> dict[str, Route]:
    """Return the routes that `load` creates, by name. Their first request calls it: a start imports none of theirs."""
    loaded = cache(load)

    def deferred(name: str) -> Route:
        def answer(caller: Caller, event: Event, context: Any) -> object:
            return loaded()[name].answer(caller, event, context)

        return Route(scopes[name], answer)

    return {name: deferred(name) for name in scopes}


# --- shapes of a deployment --------------------------------------------------------------------------------


class Shaped(Protocol):
    """Services with the shape of their deployment."""

    @property
    def refreshes(self) -> bool: ...


def within_shape(routes: Routes, services: Callable[[], Shaped]) -> Routes:
    """Return the routes; a route whose function is not deployed raises NotDeployed."""
    return {name: _gated(each, services) if name in NEED_REFRESH else each for name, each in routes.items()}


def _gated(gated: Route | OpenRoute, services: Callable[[], Shaped]) -> Route:
    assert isinstance(gated, Route)  # no open route needs these functions

    def answer(caller: Caller, event: Event, context: Any) -> object:
        if not services().refreshes:
            raise NotDeployed("it was deployed with Refresh=false: a directory with discovery")
        return gated.answer(caller, event, context)

    return Route(gated.scope, answer)
