"""The positions of a query's words in the displayed fields of a feed: offsets, never markup (rule Q11). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from feedward.health.directory_feed import DirectoryFeed
from feedward.search.highlights import highlights
from feedward.urls.secrets import mask_tokens

_AT_MOST: Final = 50
_ITEMS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlight:
    """A word of the query in a field: from code point `start` up to `end` (exclusive).

    `text` is the text of the offsets if it is not a field of the feed: an item's title.
    """

    field: str
    start: int
    end: int
    text: str | None = None


def highlights_of(query: str, feed: DirectoryFeed, corrected: Mapping[str, str]) -> tuple[Highlight, ...]:
    """Return the highlights of a found feed, field by field, in order; those of its URL as displayed (rule T4).

    `corrected` names the words that the search corrected.
    """
    texts = feed.texts
    fields = (("title", texts.title), ("url", mask_tokens(feed.url)), ("description", texts.description))
    return tuple(_marks(query, ((name, text, None) for name, text in fields if text), corrected))


def item_highlights(query: str, titles: Sequence[str], corrected: Mapping[str, str]) -> tuple[Highlight, ...]:
    """Return the highlights of the titles of a feed's items, for the first few with any."""
    marked = [marks for title in titles if (marks := list(_marks(query, [("item_title", title, title)], corrected)))]
    return tuple(mark for marks in marked[:_ITEMS] for mark in marks)


def _marks(
    query: str, texts: Iterable[tuple[str, str, str | None]], corrected: Mapping[str, str]
) -> Iterator[Highlight]:
    found = (
        Highlight(field=name, start=start, end=end, text=told)
        for name, text, told in texts
        for start, end in highlights(query, text, corrected)
    )
    return islice(found, _AT_MOST)
