"""Ids in the paths of requests. A text that can be no id is refused before anything is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from feedward.api.event import Event, Reader, path_parameter, query_values
from feedward.errors import NotFound


def path_id(
    event: Event,
    what: str,
    *,
    is_id: Callable[[str], object] | None = None,
    name: str = "id",
    takes: Mapping[str, Reader] = {},
) -> str:
    """Return the id in the path of an object that is a `what`: a ULID, or a text that fulfils `is_id`.

    Raises NotFound for any other text, and InvalidInput for a query parameter not in `takes`.
    """
    if is_id is None:
        from feedward.page_cursor import is_ulid  # noqa: PLC0415 - sites and their jobs have other ids

        is_id = is_ulid
    given = path_parameter(event, name)
    if not is_id(given):
        raise NotFound(f"there is no {what} with this id")
    query_values(event, takes)
    return given
