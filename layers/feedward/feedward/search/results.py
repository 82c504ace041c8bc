"""Parameters and results of a search. Pure data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from feedward.model import FeedState

PAGE = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFilters:
    """The filters of a search in addition to its text; None does not filter."""

    language: str | None = None
    state: FeedState | None = None
    topic: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A found feed. `parts` are the parts of its score by name; `place` is its position in the total order.

    `item_titles` are the indexed ones that contain a word of the query.
    """

    feed_id: str
    score: float
    parts: Mapping[str, float]
    place: tuple[float | int | str, ...]
    item_titles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFound:
    """A page of hits, best first. `is_partial`: a work limit cut the search. `corrected` has the corrected words.

    `ignored` are omitted parts of the query, such as a 17th word. `generation` is that of the index.
    """

    hits: tuple[SearchHit, ...]
    has_more: bool = False
    is_partial: bool = False
    corrected: Mapping[str, str] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    generation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedSearch:
    """A search of the directory. `q` is the typed text. `parts`: the answer lists the parts of each score."""

    q: str = ""
    filters: SearchFilters = field(default_factory=SearchFilters)
    limit: int = PAGE
    cursor: str | None = None
    parts: bool = False
