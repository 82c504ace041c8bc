"""Requests of discovery: the body of POST /v1/discoveries, and the ids in paths (rule G1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from feedward.api.event import Event
from feedward.api.fields import boolean, choice, known_fields, url_text
from feedward.api.path_ids import path_id
from feedward.discovery.candidate import Kind
from feedward.errors import InvalidInput

# The id of a site is its url_hash. The id of a job is its site's id and a ULID.
SITE_ID: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoveryRequest:
    """A request: `url` as typed, and the wanted kind of feed (None: the URL decides).

    `refresh`: run a new discovery, even if the last one is recent.
    """

    url: str
    intent: Kind | None = None
    refresh: bool = False


def decode_request(body: Mapping[str, Any]) -> DiscoveryRequest:
    """Return the request in the body. Raises InvalidInput, which names the field."""
    known_fields(body, FIELDS)
    if "url" not in body:
        raise InvalidInput("url", "a URL is required, in any form that a person would paste")
    return DiscoveryRequest(**{name: FIELDS[name](value, name) for name, value in body.items()})


def job_id_of(event: Event) -> str:
    """Return the job's id in the path. Raises NotFound for an invalid id."""
    return path_id(event, "discovery", is_id=is_job_id)


def is_job_id(given: str) -> bool:
    """Return whether a text has the form of a job's id: its site's id and a ULID."""
    from feedward.page_cursor import is_ulid  # noqa: PLC0415 - reading a site needs none

    site_id, _, ulid = given.partition(".")
    return SITE_ID.fullmatch(site_id) is not None and is_ulid(ulid)


def site_id_of(event: Event) -> str:
    """Return the site's id in the path. Raises NotFound for an invalid id."""
    return path_id(event, "site", is_id=SITE_ID.fullmatch)


def _intent(value: object, path: str) -> Kind:
    return Kind(choice(value, path, of=tuple(Kind)))


FIELDS: Final[Mapping[str, Callable[[object, str], Any]]] = {"url": url_text, "intent": _intent, "refresh": boolean}
