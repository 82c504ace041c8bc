"""Candidates that are the same feed become one (rule D10).

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
from feedward.model import Item
from feedward.urls.key import key_or_text
from feedward.urls.parse import join_url, parse_http_url

# One post alone may be the "Hello world!" that every new blog begins with.
LEAST = 2
_AGREE = 2
_COMPARED = 50
# Posts are deleted; a category has some of its site's posts, and leaves out more than that.
_LEFT_OUT_AT_MOST = 1 / 4

_Names = tuple[str | None, str | None, str | None]


def have_same_items(known: Sequence[Item], found: Sequence[Item]) -> bool:
    """Tell whether at least two of the known items, or the only one, are among those that were found."""
    others = [_names(item) for item in found[:_COMPARED]]
    shared = sum(any(_agree(_names(item), other) for other in others) for item in known[:_COMPARED])
    return shared >= min(LEAST, max(1, len(known)))


def cover_the_same(known: Sequence[Item], found: Sequence[Item]) -> bool:
    """Tell whether neither leaves out what the other has, as far back as both go: `known` is given newest first.

    A part of a site shares items with the whole, and is another feed all the same (rule C8). What is found may go on
    where the known ones end, and may have newer items.
    """
    ours, theirs = list(map(_names, known)), list(map(_names, _newest_first(found)[:_COMPARED]))
    in_theirs = [any(_agree(one, other) for other in theirs) for one in ours]
    in_ours = [any(_agree(one, other) for one in ours) for other in theirs]
    if True not in in_theirs:
        return False
    reached = in_theirs[: _last(in_theirs) + 1], in_ours[in_ours.index(True) : _last(in_ours) + 1]
    return all(shared.count(False) <= _LEFT_OUT_AT_MOST * len(shared) for shared in reached)


def _newest_first(items: Sequence[Item]) -> Sequence[Item]:
    """Most documents are in this order; one that is not says by its dates how it is meant."""
    dates = {n: date for n, item in enumerate(items) if (date := item.published_at or item.updated_at) is not None}
    if len(dates) < len(items):
        return items
    return [items[n] for n in sorted(dates, key=lambda n: -dates[n])]


def _last(shared: Sequence[bool]) -> int:
    return max(n for n, is_shared in enumerate(shared) if is_shared)


def _names(item: Item) -> _Names:
    return (item.id or None, _place(item.url), " ".join(item.title.split()) if item.title else None)


def _place(url: str | None) -> str | None:
    """Path and query: what stays when a site gets another domain. The front page names no item."""
    parsed = parse_http_url(key_or_text(url)) if url else None
    place = f"{parsed.pathname}{parsed.search}" if parsed else ""
    return place if place.strip("/") else None


def _agree(one: _Names, other: _Names) -> bool:
    return sum(a is not None and a == b for a, b in zip(one, other, strict=True)) >= _AGREE


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
