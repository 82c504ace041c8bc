"""What a search is asked and what it answers. Pure data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from feedward.model import FeedState


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFilters:
    """The filters of a search beside its text; None does not filter."""

    language: str | None = None
    state: FeedState | None = None
    topic: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A feed that was found. `parts` are the parts of its score by name; `place` is its place in the total order.

    `item_titles` are the indexed ones that hold a word of the query.
    """

    feed_id: str
    score: float
    parts: Mapping[str, float]
    place: tuple[float | int | str, ...]
    item_titles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFound:
    """A page of hits, best first. `is_partial`: a limit of work cut the search. `corrected` are words taken for others.

    `ignored` are parts of the query that were left out, such as a 17th word. `generation` is that of the index.
    """

    hits: tuple[SearchHit, ...]
    has_more: bool = False
    is_partial: bool = False
    corrected: Mapping[str, str] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    generation: str = ""
