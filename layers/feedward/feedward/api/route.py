"""A route: decodes the request, calls one service and encodes its result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from feedward.api.event import Event

TENANT: Final = None  # the deployment's own user, until there are tenants (rule T1)
Route: TypeAlias = Callable[[Event, Any], object]


def route(
    decode: Callable[[Event], dict[str, Any]],
    serve: Callable[..., Any],
    encode: Callable[..., object],
    ports: Callable[[], object],
) -> Route:
    """Return a route that calls the service with the decoded values, by name, and the `ports`, made on request."""
    return lambda event, _context: encode(serve(TENANT, **decode(event), ports=ports()))
