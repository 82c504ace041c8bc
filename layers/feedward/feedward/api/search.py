"""Searches as JSON: requests, and found feeds with their scores and highlights in responses (rule Q11)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from feedward.api.event import Event, cursor, query_values, truth, whole_number
from feedward.api.feeds import encode_listed_feed, feed_state, topic_name
from feedward.api.fields import json_object, known_fields
from feedward.api.route import Reply
from feedward.errors import InvalidInput
from feedward.health.directory_feed import DirectoryFeed
from feedward.search.index_status import IndexStatus
from feedward.search.results import FeedSearch, SearchFilters

RESULTS_AT_MOST: Final = 100
LANGUAGE: Final = re.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}")


def decode_search(event: Event) -> dict[str, Any]:
    """Return the search. Raises InvalidInput, which names the parameter.

    The text of a search is never refused: the response names its unusable parts (rule Q1).
    """
    given = query_values(event, SEARCH_PARAMETERS)
    filters = {name: given.pop(name) for name in FILTERS if name in given}
    return {"search": FeedSearch(filters=SearchFilters(**filters), **given)}


def decode_nothing(event: Event) -> dict[str, Any]:
    """Return nothing. Raises InvalidInput for any parameter or field."""
    query_values(event, {})
    known_fields(json_object(event) if event.get("body") else {}, {})
    return {}


# --- readers ------------------------------------------------------------------------------------------


def _text(value: str, _name: str) -> str:
    return value


def _language(value: str, name: str) -> str:
    if not LANGUAGE.fullmatch(value):
        raise InvalidInput(name, "expected a language, such as pt or pt-BR")
    return value


FILTERS: Final = {"language": _language, "state": feed_state, "topic": topic_name}
SEARCH_PARAMETERS: Final = {
    "q": _text,
    **FILTERS,
    "limit": whole_number(1, RESULTS_AT_MOST),
    "cursor": cursor,
    "parts": truth,
}


# --- answers ------------------------------------------------------------------------------------------


class Mark(Protocol):
    """A word of the query in a field."""

    @property
    def field(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def text(self) -> str | None: ...


class Found(Protocol):
    """A feed that was found."""

    @property
    def feed(self) -> DirectoryFeed: ...
    @property
    def score(self) -> float: ...
    @property
    def parts(self) -> Mapping[str, float]: ...
    @property
    def highlights(self) -> Sequence[Mark]: ...


class Page(Protocol):
    """A page of found feeds."""

    @property
    def results(self) -> Sequence[Found]: ...
    @property
    def cursor(self) -> str | None: ...
    @property
    def is_partial(self) -> bool: ...
    @property
    def corrected(self) -> Mapping[str, str]: ...
    @property
    def ignored(self) -> Sequence[str]: ...
    @property
    def index_age_s(self) -> int | None: ...
    @property
    def shows_parts(self) -> bool: ...


def encode_found(page: Page, *, now: int) -> dict[str, Any]:
    """Return a page of found feeds, their tokens masked (rule T4), with notes on the search."""
    return {
        "results": [_result(found, now=now, shows_parts=page.shows_parts) for found in page.results],
        "cursor": page.cursor,
        "partial": page.is_partial,
        "corrected": dict(page.corrected),
        "ignored": list(page.ignored),
        "index_age_s": page.index_age_s,
    }


def encode_asked(asked_at: int) -> Reply:
    """Return the response to a request for a rebuild: 202, and the address of its status."""
    return Reply(document={"asked_at": asked_at}, status=202, headers={"Location": "/v1/search/index"})


def encode_status(told: tuple[IndexStatus, int]) -> dict[str, Any]:
    """Return the status of the index that answers searches."""
    status, now = told
    return {
        "generation": status.generation,
        "documents": status.documents,
        "deltas": status.deltas,
        "age_s": status.age_s(now),
        "rebuilt_at": status.rebuilt_at,
        "rebuild_wanted": status.is_rebuild_wanted,
    }


def _result(found: Found, *, now: int, shows_parts: bool) -> dict[str, Any]:
    parts = {name: round(value, 6) for name, value in found.parts.items()}
    return {
        "feed": encode_listed_feed(found.feed, now=now),
        "score": round(found.score, 6),
        "highlights": [_mark(mark) for mark in found.highlights],
        **({"parts": parts} if shows_parts else {}),
    }


def _mark(mark: Mark) -> dict[str, Any]:
    said = {"field": mark.field, "start": mark.start, "end": mark.end}
    return said if mark.text is None else {**said, "text": mark.text}
