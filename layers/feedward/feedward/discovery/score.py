"""Scores candidates with a sum of points, whose parts are stored as the explanation (rule D1).

The same candidates always have the same order: the score does not depend on the time, and ties are resolved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from feedward.discovery import weights
from feedward.discovery.candidate import Candidate, Kind, Source, ValidationStatus
from feedward.discovery.kinds import kind_of
from feedward.discovery.own_site import Whose, belongs, is_own_site
from feedward.discovery.places import directory, is_below, is_post, segments
from feedward.discovery.requested_part import Asked, is_requested
from feedward.urls.key import key_or_text
from feedward.urls.parse import join_url, parse_http_url

_ORDER = {ValidationStatus.VALID: 0, ValidationStatus.UNTESTED: 1, ValidationStatus.INVALID: 2}
_SITE_WIDE = frozenset({Kind.COMMENTS, Kind.SEARCH})
_WHOLE = frozenset({Kind.MAIN, Kind.PODCAST})


def rank(candidates: Sequence[Candidate], asked: Asked) -> tuple[Candidate, ...]:
    """Set the kinds, scores, score parts and the choice, and sort: valid candidates first, best first.

    Only a valid feed is scored in full; for others only the source counts. The choice is the best valid feed that is
    not another site's (rule D5). A feed whose own URL was typed is always the choice.
    """
    known = [replace(candidate, kind=_kind(candidate, asked), is_canonical=False) for candidate in candidates]
    newest = _newest(known, asked)
    ranked = sorted((_scored(candidate, asked, newest) for candidate in known), key=_place)
    choice = next((candidate for candidate in ranked if _may_be_chosen(candidate, asked)), None)
    return tuple(replace(candidate, is_canonical=True) if candidate is choice else candidate for candidate in ranked)


def _place(candidate: Candidate) -> tuple[int, int, bool, int, str, str]:
    """Return the sort key: higher score, then a feed with dates, then the shorter URL, then its text."""
    url, is_undated = landing(candidate), candidate.newest_item_at is None
    return (_ORDER[candidate.status], -candidate.score, is_undated, len(url), url, candidate.url)


def _may_be_chosen(candidate: Candidate, asked: Asked) -> bool:
    return candidate.status is ValidationStatus.VALID and is_own_site(candidate, asked)


def landing(candidate: Candidate) -> str:
    """Return a candidate's final URL, or its own URL if that is unknown."""
    return candidate.final_url or candidate.url


# --- kind -----------------------------------------------------------------------------------------


def _kind(candidate: Candidate, asked: Asked) -> Kind:
    """Return the kind from a platform rule, else from the URL and the titles, relative to the page.

    If the feed redirects to another host, its first URL counts, since the new one may not show what it covers.
    """
    known = next((lead.kind for lead in candidate.leads if lead.kind is not None), None)
    if known is not None:
        return known
    urls = [landing(candidate)]
    if not _is_same_host(candidate.url, urls[0]):
        urls.append(candidate.url)
    titles = dict.fromkeys([candidate.title, *(lead.title for lead in candidate.leads)])
    kinds = [kind_of(url, title, page_url=asked.page_url, feed=candidate.feed) for url in urls for title in titles]
    return min(kinds, key=lambda kind: weights.KIND[kind])


def _is_same_host(one: str, other: str) -> bool:
    hosts = {parsed.host.removeprefix("www.") for url in (one, other) if (parsed := parse_http_url(url))}
    return len(hosts) == 1


# --- score ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """A valid candidate with the data for its score."""

    candidate: Candidate
    asked: Asked
    newest: int | None


def _scored(candidate: Candidate, asked: Asked, newest: int | None) -> Candidate:
    parts = {"source": weights.SOURCE[candidate.source]}
    if candidate.status is ValidationStatus.VALID and candidate.source is not Source.DIRECT:
        view = _View(candidate=candidate, asked=asked, newest=newest)
        parts |= {name: points for name, points in _valid_parts(view).items() if points}
    return replace(candidate, parts=parts, score=sum(parts.values()))


def _valid_parts(view: _View) -> Mapping[str, int]:
    candidate = view.candidate
    whose = belongs(candidate, view.asked)
    return {
        "site_link": _site_link(view, whose.site_link),
        "item_links": _either(whose.item_links, weights.ITEM_LINKS_OWN, weights.ITEM_LINKS_OTHER),
        "feed_host": _either(whose.feed_host, weights.FEED_HOST, 0),
        "another_site": 0 if is_own_site(candidate, view.asked) else weights.ANOTHER_SITE,
        "kind": _kind_points(view),
        "depth": max(weights.DEPTH_AT_MOST, weights.DEPTH * _depth(view)),
        "order": _order(candidate),
        "items": min(candidate.item_count, weights.ITEMS_AT_MOST) if candidate.item_count else weights.NO_ITEMS,
        "stale": weights.STALE if _is_stale(view) else 0,
        "format": weights.FORMAT[candidate.format] if candidate.format else 0,
        "https": weights.HTTPS if landing(candidate).startswith("https:") else 0,
        "language": weights.LANGUAGE if _is_in_another_language(view) else 0,
    }


def _either(whose: Whose, own: int, other: int) -> int:
    return {Whose.OWN: own, Whose.OTHER: other, Whose.UNKNOWN: 0}[whose]


def _site_link(view: _View, whose: Whose) -> int:
    points = _either(whose, weights.SITE_LINK_OWN, weights.SITE_LINK_OTHER)
    if whose is Whose.OWN and view.candidate.kind not in _SITE_WIDE and _links_to_page(view):
        return points + weights.SITE_LINK_IS_PAGE + (weights.OF_TYPED_PAGE if _is_of_typed_page(view) else 0)
    return points


def _is_of_typed_page(view: _View) -> bool:
    """Return whether a feed stands in the directory of the typed page (`/blog/feed` of `/blog`), found by an anchor."""
    candidate, place = view.candidate, directory(view.asked.page_url)
    is_found_there = candidate.kind in _WHOLE and candidate.source is Source.ANCHOR and bool(place)
    return is_found_there and is_below(segments(landing(candidate)), place)


def _links_to_page(view: _View) -> bool:
    base = parse_http_url(landing(view.candidate))
    site = join_url(base, view.candidate.site_url or "") if base else None
    asked = {key_or_text(view.asked.url), key_or_text(view.asked.page_url)}
    return site is not None and key_or_text(site.href) in asked


def _kind_points(view: _View) -> int:
    kind, url = view.candidate.kind, landing(view.candidate)
    if is_requested(view.candidate, view.asked):
        return weights.REQUESTED
    return weights.KIND[kind] + (weights.ONE_POST if kind is Kind.COMMENTS and _is_of_one_post(url, view.asked) else 0)


def _is_of_one_post(url: str, asked: Asked) -> bool:
    place = directory(asked.page_url)
    return bool(place) and is_post(asked.page_url) and is_below(segments(url), place)


def _depth(view: _View) -> int:
    """Return the number of segments beyond one, without those shared with the typed directory of the same site."""
    url = landing(view.candidate)
    path, page = segments(url), directory(view.asked.page_url)
    if not _is_same_host(url, view.asked.page_url):
        page = ()
    shared = next(
        (place for place, (a, b) in enumerate(zip(path, page, strict=False)) if a != b), min(len(path), len(page))
    )
    return max(0, len(path) - shared - 1)


def _order(candidate: Candidate) -> int:
    if candidate.source in weights.GUESSES:
        return 0
    position = candidate.leads[0].position
    if candidate.source is Source.PLATFORM:
        return max(weights.PLATFORM_ORDER_AT_MOST, weights.PLATFORM_ORDER * position)
    return max(weights.ORDER_AT_MOST, weights.ORDER * position)


def _is_stale(view: _View) -> bool:
    mine = view.candidate.newest_item_at
    return mine is not None and view.newest is not None and view.newest - mine > weights.STALE_AFTER_S


def _newest(candidates: Sequence[Candidate], asked: Asked) -> int | None:
    """Return the newest item of the site's own feeds. Staleness is relative to this, not to the current time."""
    own = (candidate for candidate in candidates if _may_be_chosen(candidate, asked))
    return max((candidate.newest_item_at for candidate in own if candidate.newest_item_at is not None), default=None)


def _is_in_another_language(view: _View) -> bool:
    said = next((lead.language for lead in view.candidate.leads if lead.language), view.candidate.language)
    page = view.asked.language
    return bool(said and page) and _primary(str(said)) != _primary(str(page))


def _primary(language: str) -> str:
    return language.lower().replace("_", "-").partition("-")[0]
