"""Merges candidates that are the same feed (rule D10).

Candidates are the same feed if they have the same final URL, the same document, or the same self link and first items.
The Atom and the RSS form of a blog are two feeds, unless they have the same self link.
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

# A single post may be the "Hello world!" of every new blog.
LEAST = 2
_AGREE = 2
_COMPARED = 50
# Some posts may have been deleted, but a category leaves out more of its site's posts than this.
_LEFT_OUT_AT_MOST = 1 / 4

_Names = tuple[str | None, str | None, str | None]


def have_same_items(known: Sequence[Item], found: Sequence[Item]) -> bool:
    """Return whether at least two of the known items, or the only one, are among the found ones."""
    others = [_names(item) for item in found[:_COMPARED]]
    shared = sum(any(_agree(_names(item), other) for other in others) for item in known[:_COMPARED])
    return shared >= min(LEAST, max(1, len(known)))


def cover_the_same(known: Sequence[Item], found: Sequence[Item]) -> bool:
    """Return whether neither list leaves out items of the other, as far back as both go. `known` is newest first.

    A section shares items with its whole site but is another feed (rule C8). The found items may go further back than
    the known ones, and may include newer items.
    """
    ours, theirs = list(map(_names, known)), list(map(_names, _newest_first(found)[:_COMPARED]))
    in_theirs = [any(_agree(one, other) for other in theirs) for one in ours]
    in_ours = [any(_agree(one, other) for one in ours) for other in theirs]
    if True not in in_theirs:
        return False
    reached = in_theirs[: _last(in_theirs) + 1], in_ours[in_ours.index(True) : _last(in_ours) + 1]
    return all(shared.count(False) <= _LEFT_OUT_AT_MOST * len(shared) for shared in reached)


def _newest_first(items: Sequence[Item]) -> Sequence[Item]:
    """Return the items newest first, the order of most documents; others are sorted by their dates."""
    dates = {n: date for n, item in enumerate(items) if (date := item.published_at or item.updated_at) is not None}
    if len(dates) < len(items):
        return items
    return [items[n] for n in sorted(dates, key=lambda n: -dates[n])]


def _last(shared: Sequence[bool]) -> int:
    return max(n for n, is_shared in enumerate(shared) if is_shared)


def _names(item: Item) -> _Names:
    return (item.id or None, _place(item.url), " ".join(item.title.split()) if item.title else None)


def _place(url: str | None) -> str | None:
    """Path and query, which stay the same if a site changes its domain. None for the front page."""
    parsed = parse_http_url(key_or_text(url)) if url else None
    place = f"{parsed.pathname}{parsed.search}" if parsed else ""
    return place if place.strip("/") else None


def _agree(one: _Names, other: _Names) -> bool:
    return sum(a is not None and a == b for a, b in zip(one, other, strict=True)) >= _AGREE


_FIRST_ITEMS = 10
_STATUSES = (ValidationStatus.VALID, ValidationStatus.INVALID, ValidationStatus.UNTESTED)


def merge(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return one candidate for each feed, with the URLs of the others as aliases and with their leads.

    The best source wins, then the position on the page, https, and the shorter URL. The groups are in the order of
    their first candidates.
    """
    groups: dict[int, list[Candidate]] = {}
    for candidate, group in zip(candidates, _groups(candidates), strict=True):
        groups.setdefault(group, []).append(candidate)
    return [_joined(group) for group in groups.values()]


def _groups(candidates: Sequence[Candidate]) -> list[int]:
    """Return the group number of each candidate. Candidates that share a mark, directly or not, are one group."""
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
    """Return a cheap key that forms of one document share. Only candidates with the same key need a signature."""
    return (candidate.format, candidate.title, candidate.item_count)


def _marks(candidate: Candidate, *, has_a_like: bool) -> Iterator[Hashable]:
    """Yield the marks that only candidates of the same feed share. A failed URL has only its own."""
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
