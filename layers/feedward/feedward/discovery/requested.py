"""Is a feed the part of the site that was asked for? The typed URL says so, or the caller (research section 7)."""

from __future__ import annotations

from itertools import chain, pairwise

from feedward.discovery.asked import Asked
from feedward.discovery.candidate import Kind
from feedward.discovery.kinds import intent_of
from feedward.discovery.places import directory, is_below, is_post, query_pairs, segments
from feedward.discovery.words import QUERY_KINDS, SEGMENT_KINDS

_PARTS = frozenset({Kind.CATEGORY, Kind.TAG, Kind.AUTHOR, Kind.TOPIC, Kind.SECTION})


def is_requested(kind: Kind, url: str, asked: Asked) -> bool:
    """Tell whether the feed at `url`, which covers `kind`, is what was asked for.

    Never for the main feed, which needs no request. A part is asked for by its own page, or by one of the same kind
    that does not name another part; a caller who asks for the main feed asks for no part.
    """
    if kind not in _PARTS:
        return kind is not Kind.MAIN and kind is asked.intent
    if asked.intent is Kind.MAIN and intent_of(asked.url) is not Kind.MAIN:
        return False
    if any(_lies_below(url, typed) for typed in (asked.url, asked.page_url)):
        return True
    if kind is not asked.intent:
        return False
    mine, wanted = _subject(url, kind), _subject(asked.url, kind)
    if kind is Kind.SECTION and wanted is None:
        return not directory(asked.url)
    return mine is None or wanted is None or mine == wanted or mine.isdecimal() != wanted.isdecimal()


def _lies_below(url: str, typed: str) -> bool:
    """The feed's path begins with the typed one, or it has the typed path and query and more of it."""
    place, pairs = directory(typed), query_pairs(typed)
    if pairs and not is_post(typed):
        return segments(url) == segments(typed) and set(pairs) <= set(query_pairs(url))
    return bool(place) and not is_post(typed) and is_below(segments(url), place)


def _subject(url: str, kind: Kind) -> str | None:
    """The name of the part: `/category/tea/feed` -> `tea`, `?cat=3` -> `3`."""
    path = segments(url)
    named = (after for segment, after in pairwise(path) if SEGMENT_KINDS.get(segment) is kind)
    queried = (value for name, value in query_pairs(url) if value and QUERY_KINDS.get(name) is kind)
    found = next(chain(named, queried), None)
    return found.partition(".")[0] if found else None
