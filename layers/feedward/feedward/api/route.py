"""A route: decodes the request, calls one service and encodes its result, as a document or as a reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from feedward.api.event import Event

TENANT: Final = None  # the deployment's own user, until there are tenants (rule T1)
NO_CONTENT: Final = 204
Route: TypeAlias = Callable[[Event, Any], object]


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
