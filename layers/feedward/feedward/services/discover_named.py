"""What a site names itself: links, platform feeds, anchors, and what those lead to (research section 7, stage 3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from feedward.discovery.asked import Asked
from feedward.discovery.candidate import Candidate, Kind, Lead, Source
from feedward.discovery.kinds import kind_of
from feedward.discovery.page import Page
from feedward.discovery.platforms.table import page_platform_leads
from feedward.model import Outcome
from feedward.services.discover_run import ADVERTISED, Search
from feedward.services.discover_stages import read_if_page
from feedward.urls.hosts import registrable_domain
from feedward.urls.parse import parse_url

_ANCHORS = frozenset({Source.ANCHOR, Source.WEAK_ANCHOR})
_GONE = frozenset({Outcome.NOT_FOUND, Outcome.GONE})


def try_named(search: Search) -> None:
    """Try in one wave what the page advertises, and its anchors and its platform's feeds as far as they may matter.

    Anchors of which only the words around them say feed, and platform rules, are for pages that advertise nothing
    which looks like the feed that is wanted.
    """
    page, limits = search.page, search.limits
    links = _wanted_first(page.links if page else search.headers, search.asked)
    search.platform += page_platform_leads(search.url, page) if page else []
    strong = [lead for lead in _anchors(page) if lead.source is Source.ANCHOR][: limits.anchors]
    search.consider([*links, *search.platform, *_anchors(page)])
    leads = [*_once(search, links)[: limits.advertised], *_once(search, strong)]
    if not any(_promises(lead, search.asked) for lead in links):
        leads += search.platform[: limits.platform]
        leads += [lead for lead in _anchors(page) if lead not in strong][: limits.anchors - len(strong)]
    search.try_leads(leads)


def try_next_best(search: Search) -> None:
    """Try what those led to: feeds that the anchors' pages name, the same names at the root, and what was left out."""
    hops = _once(search, _second_hop(search))[: search.limits.second_hop]
    rest = [*search.platform[: search.limits.platform], *_anchors(search.page)[: search.limits.anchors]]
    search.try_leads([*hops, *_names_at_the_root(search), *rest])


def _anchors(page: Page | None) -> tuple[Lead, ...]:
    return page.anchors if page else ()


def _once(search: Search, leads: Iterable[Lead]) -> list[Lead]:
    """Those that would be asked for, so that refused and known ones take no place of others."""
    leads = list(leads)
    search.consider(leads)
    return search.untried(leads)


def _wanted_first(links: Iterable[Lead], asked: Asked) -> list[Lead]:
    """In document order, but with those first that look like the wanted kind: a page may advertise a hundred feeds."""
    return sorted(links, key=lambda lead: not _promises(lead, asked))


def _promises(lead: Lead, asked: Asked) -> bool:
    """Tell whether a lead looks like the feed that is wanted: the site's main one, or one of the kind asked for."""
    if lead.source not in ADVERTISED or _domain(lead.url) != _domain(asked.page_url):
        return False
    kind = lead.kind or kind_of(lead.url, lead.title, page_url=asked.page_url)
    return kind in (asked.intent, Kind.MAIN)


def _domain(url: str) -> str:
    parsed = parse_url(url)
    return registrable_domain(parsed.hostname) if parsed else ""


# --- one hop further ---------------------------------------------------------------------------------


def _second_hop(search: Search) -> list[Lead]:
    """What the pages name that anchors led to. Links that were advertised as feeds and are pages are not read."""
    leads: list[Lead] = []
    for candidate in list(search.candidates.values()):
        if candidate.source not in _ANCHORS or candidate.fetch is None or candidate.feed is not None:
            continue
        if candidate.fetch.url in (search.asked.page_url, search.url):
            continue
        page = read_if_page(candidate.fetch)
        leads += named_by(page) if page else []
    return leads


def named_by(page: Page) -> list[Lead]:
    """The leads of a page that was not asked for itself: what it advertises, then its anchors."""
    links = [replace(lead, source=Source.SECOND_HOP_LINK) for lead in page.links]
    return [*links, *(replace(lead, source=Source.SECOND_HOP) for lead in page.anchors)]


def _names_at_the_root(search: Search) -> list[Lead]:
    """For each advertised feed beside a deep page that is not there: the same name at the root.

    Themes write relative links that are right on the home page only.
    """
    return [lead for candidate in search.candidates.values() if (lead := _name_at_the_root(candidate, search.asked))]


def _name_at_the_root(candidate: Candidate, asked: Asked) -> Lead | None:
    url, page = parse_url(candidate.url), parse_url(asked.page_url)
    if candidate.source not in ADVERTISED or candidate.outcome not in _GONE or not url or not page:
        return None
    directory, _, name = url.pathname.rpartition("/")
    if url.origin != page.origin or not directory or page.pathname.rpartition("/")[0] != directory:
        return None
    lead = candidate.leads[0]
    return replace(lead, url=f"{url.origin}/{name}{url.search}", why=f"{lead.why}, at the root")
