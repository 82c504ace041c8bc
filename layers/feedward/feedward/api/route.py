"""A route: decodes the request, calls one service and encodes its result, as a document or as a reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeAlias

from feedward.api.event import Event
from feedward.errors import NotDeployed

TENANT: Final = None  # the deployment's own user, until there are tenants (rule T1)
NO_CONTENT: Final = 204
Route: TypeAlias = Callable[[Event, Any], object]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A response of a route with a status other than 200, or with a file. Status 204 has no document.

    `file` replaces the document; its `media_type` is the Content-Type.
    """

    document: object = None
    file: bytes | None = field(default=None, repr=False)
    media_type: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


def route(
    decode: Callable[[Event], dict[str, Any]],
    serve: Callable[..., Any],
    encode: Callable[..., object],
    ports: Callable[[], object],
) -> Route:
    """Return a route that calls the service with the decoded values, by name, and the `ports`, made on request."""
    return lambda event, _context: encode(serve(TENANT, **decode(event), ports=ports()))


# --- shapes of a deployment --------------------------------------------------------------------------------


class Shaped(Protocol):
    """Services that know the shape of their deployment."""

    @property
    def refreshes(self) -> bool: ...


def within_shape(routes: Mapping[str, Route], services: Callable[[], Shaped]) -> Mapping[str, Route]:
    """Return the routes, of which those that need a function that is not deployed raise NotDeployed."""
    return {name: _gated(route, services) if name in NEED_REFRESH else route for name, route in routes.items()}


def _gated(route: Route, services: Callable[[], Shaped]) -> Route:
    def answer(event: Event, context: Any) -> object:
        if not services().refreshes:
            raise NotDeployed("it was deployed with Refresh=false: a directory with discovery")
        return route(event, context)

    return answer
