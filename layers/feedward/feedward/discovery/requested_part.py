"""Decides whether a feed is the part of the site that the typed URL or the caller requested (rule D8)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain, pairwise

from feedward.discovery.candidate import Candidate, Kind, Lead, Source
from feedward.discovery.kind_words import QUERY_KINDS, SEGMENT_KINDS
from feedward.discovery.kinds import intent_of
from feedward.discovery.places import board_number, directory, is_below, query_pairs, says_feed, segments


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request: `url` is the typed URL, made fetchable; `page_url` is its landing URL. `intent` is the wanted kind.

    `language` is the page's, in lower case with `-`, or None.
    """

    url: str
    page_url: str
    intent: Kind = Kind.MAIN
    language: str | None = None


_PARTS = frozenset({Kind.CATEGORY, Kind.TAG, Kind.AUTHOR, Kind.TOPIC, Kind.SECTION})


def is_requested(candidate: Candidate, asked: Asked) -> bool:
    """Return whether a candidate is the feed of the requested part. Its kind must be set. False for a main feed.

    A part is requested by its own page, by a page of the same kind that names no other part, or by a URL for which a
    platform rule proposes it first. A caller that wants the main feed requests no part.
    """
    kind = candidate.kind
    if kind is Kind.MAIN:
        return False
    if kind is asked.intent and kind not in _PARTS:
        return True
    if asked.intent is Kind.MAIN and intent_of(asked.url) is not Kind.MAIN:
        return False
    return any(map(is_first_proposal, candidate.leads)) or (kind in _PARTS and _names_the_part(candidate, asked))


def _names_the_part(candidate: Candidate, asked: Asked) -> bool:
    kind, url = candidate.kind, candidate.final_url or candidate.url
    board = board_number(url)
    if board is not None:
        return any(board == board_number(typed) or board in _numbers(typed) for typed in (asked.url, asked.page_url))
    if any(_lies_below(url, typed) for typed in (asked.url, asked.page_url)):
        return True
    return kind is asked.intent and not _is_another_part(kind, url, asked)


def _numbers(url: str) -> list[str]:
    """Return the numbers in the last segment of a path: `/forums/30-tea`, `/f30/`."""
    return re.findall(r"[0-9]+", segments(url)[-1]) if segments(url) else []


def is_first_proposal(lead: Lead) -> bool:
    """Return whether a platform rule proposes the lead first: then the URL is the page of that part."""
    return lead.source is Source.PLATFORM and lead.position == 0 and lead.kind not in (None, Kind.MAIN)


def _lies_below(url: str, typed: str) -> bool:
    """Return whether the feed's path begins with the typed path, or its query extends the typed one on that path.

    The typed path may stand behind the word feed, too (`/atom/t/tea`).
    """
    place, pairs, path = directory(typed), query_pairs(typed), segments(url)
    if pairs:
        return path == segments(typed) and set(pairs) <= set(query_pairs(url))
    return bool(place) and (is_below(path, place) or (path[-len(place) :] == place and says_feed(path[0])))


def _is_another_part(kind: Kind, url: str, asked: Asked) -> bool:
    """Return True if both URLs name a part, and not the same one. A name and a number may refer to the same part."""
    mine, wanted = _subject(url, kind), _subject(asked.url, kind)
    if kind is Kind.SECTION and wanted is None:
        return bool(directory(asked.url))
    return mine is not None and wanted is not None and mine != wanted and mine.isdecimal() == wanted.isdecimal()


def _subject(url: str, kind: Kind) -> str | None:
    """Return the name of the part: `/category/tea/feed` -> `tea`, `?cat=3` -> `3`."""
    path = segments(url)
    named = (after for segment, after in pairwise(path) if SEGMENT_KINDS.get(segment) is kind)
    queried = (value for name, value in query_pairs(url) if value and QUERY_KINDS.get(name) is kind)
    found = next(chain(named, queried), None)
    return found.partition(".")[0] if found else None
