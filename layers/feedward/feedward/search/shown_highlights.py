"""Where the words of a query are in what is shown of a feed: offsets, never markup (rule Q11). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from feedward.health.directory_feed import DirectoryFeed
from feedward.search.highlights import highlights
from feedward.urls.secrets import mask_tokens

_AT_MOST: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlight:
    """A word of the query in a field: from code point `start` up to `end`, without that one.

    `text` is the text that the offsets are in, where the feed does not have it as a field: an item's title.
    """

    field: str
    start: int
    end: int
    text: str | None = None


def highlights_of(query: str, feed: DirectoryFeed, item_titles: Sequence[str]) -> tuple[Highlight, ...]:
    """Return the highlights of a found feed, field by field, in order; those of its URL as it is shown (rule T4)."""
    texts = feed.texts
    fields = (
        ("title", texts.title, None),
        ("url", mask_tokens(feed.url), None),
        ("description", texts.description, None),
    )
    items = tuple(("item_title", title, title) for title in item_titles)
    found = [
        Highlight(field=name, start=start, end=end, text=told)
        for name, text, told in (*fields, *items)
        if text
        for start, end in highlights(query, text)
    ]
    return tuple(found[:_AT_MOST])
