"""The parameters of an API search: the text, the filters and the page. Pure data."""

from __future__ import annotations

from dataclasses import dataclass, field

from feedward.search.results import SearchFilters

PAGE = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedSearch:
    """A search of the directory. `q` is the typed text. `parts`: the answer lists the parts of each score."""

    q: str = ""
    filters: SearchFilters = field(default_factory=SearchFilters)
    limit: int = PAGE
    cursor: str | None = None
    parts: bool = False
