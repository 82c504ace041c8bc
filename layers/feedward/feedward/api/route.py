"""One route: what is asked is decoded, one service is called, what it returns is encoded."""

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
    """A route that gives the service what is decoded, by name, and the `ports`, which are made when it is asked."""
    return lambda event, _context: encode(serve(TENANT, **decode(event), ports=ports()))
