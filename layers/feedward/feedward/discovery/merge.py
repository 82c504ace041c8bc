"""Candidates that are the same feed become one (research section 7, "Merge").

The same feed: the same final URL, the same document, or the same self link with the same first items. The Atom and the
RSS form of a blog are two feeds, unless they name one self link.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace

from feedward.discovery import weights
from feedward.discovery.candidate import Candidate, Lead, ValidationStatus
from feedward.feeds.signature import signature
from feedward.urls.key import key_or_text
from feedward.urls.parse import join_url, parse_http_url

_FIRST_ITEMS = 10
_STATUSES = (ValidationStatus.VALID, ValidationStatus.INVALID, ValidationStatus.UNTESTED)


def merge(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Make one candidate of all that are one feed; the others are its aliases, and their leads its own.

    The best source wins, then the place on the page, https, and the shorter URL. The order is that of the first of
    each group.
    """
    groups: dict[int, list[Candidate]] = {}
    for candidate, group in zip(candidates, _groups(candidates), strict=True):
        groups.setdefault(group, []).append(candidate)
    return [_joined(group) for group in groups.values()]


def _groups(candidates: Sequence[Candidate]) -> list[int]:
    """For each candidate the number of the group that it shares a mark with, directly or by way of others."""
    parents = list(range(len(candidates)))
    first: dict[Hashable, int] = {}
    alike = Counter(map(_shape, candidates))
    for place, candidate in enumerate(candidates):
        for mark in _marks(candidate, has_a_like=alike[_shape(candidate)] > 1):
            parents[_root(parents, place)] = _root(parents, first.setdefault(mark, place))
    return [_root(parents, place) for place in range(len(candidates))]


def _root(parents: list[int], place: int) -> int:
    while parents[place] != place:
        parents[place] = parents[parents[place]]
        place = parents[place]
    return place


def _shape(candidate: Candidate) -> Hashable:
    """What two forms of one document share, and is cheap to see: without a like, a signature is of no use."""
    return (candidate.format, candidate.title, candidate.item_count)


def _marks(candidate: Candidate, *, has_a_like: bool) -> Iterator[Hashable]:
    """What only candidates that are one feed have in common. A URL that failed is only its own spelling."""
    yield ("url", candidate.url)
    if candidate.status is not ValidationStatus.VALID:
        return
    final = candidate.final_url or candidate.url
    yield ("url", final)
    yield ("key", key_or_text(final))
    feed = candidate.feed
    if feed is None:
        return
    if feed.items and has_a_like:
        yield ("document", signature(feed, final))
    own, items = _self_link(candidate), tuple(_first_items(candidate))
    if own and items:
        yield ("self", own, items)


def _self_link(candidate: Candidate) -> str | None:
    base = parse_http_url(candidate.final_url or candidate.url)
    written = candidate.feed.self_url if candidate.feed else None
    url = join_url(base, written) if base and written else None
    return key_or_text(url.href) if url else None


def _first_items(candidate: Candidate) -> Iterator[str]:
    items = candidate.feed.items if candidate.feed else ()
    for item in items[:_FIRST_ITEMS]:
        yield (key_or_text(item.url) if item.url else None) or item.id or item.title or ""


def _joined(group: Sequence[Candidate]) -> Candidate:
    if len(group) == 1 and len(group[0].leads) == 1:
        return group[0]
    best = min(group, key=_preference)
    leads = sorted(dict.fromkeys(lead for each in group for lead in each.leads), key=_strength)
    known = {best.url, best.final_url}
    aliases = dict.fromkeys(url for each in group for url in _urls(each) if url not in known)
    return replace(best, leads=tuple(leads), aliases=tuple(aliases))


def _urls(candidate: Candidate) -> Iterable[str]:
    return (candidate.url, *([candidate.final_url] if candidate.final_url else []), *candidate.aliases)


def _preference(candidate: Candidate) -> tuple[int, int, int, bool, int, str]:
    best = min(candidate.leads, key=_strength)
    final = candidate.final_url or candidate.url
    status = _STATUSES.index(candidate.status)
    return (status, *_strength(best)[:2], not final.startswith("https:"), len(final), candidate.url)


def _strength(lead: Lead) -> tuple[int, int, str]:
    return (-weights.SOURCE[lead.source], lead.position, lead.url)
