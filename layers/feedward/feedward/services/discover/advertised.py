"""The stages for feeds that a site names: links, platform feeds, anchors, and the pages behind them (rule D6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from feedward.discovery.anchor_words import PathHint, label_word, path_hint
from feedward.discovery.candidate import Candidate, Kind, Lead, Source
from feedward.discovery.kinds import kind_of
from feedward.discovery.own_site import names_whole_site
from feedward.discovery.page import Page
from feedward.discovery.places import directory, is_below, segments, without_feed_words
from feedward.discovery.platforms.index import page_platform_leads
from feedward.discovery.requested_part import Asked, is_first_proposal
from feedward.model import Outcome
from feedward.services.discover.first_stages import read_if_page
from feedward.services.discover.search_state import ADVERTISED, Search
from feedward.urls.compare import with_scheme
from feedward.urls.hosts import domain_of_url
from feedward.urls.parse import Url, parse_url

_ANCHORS = frozenset({Source.ANCHOR, Source.WEAK_ANCHOR})
_NAMED = ADVERTISED | _ANCHORS | {Source.PAGE_DATA}
_GONE = frozenset({Outcome.NOT_FOUND, Outcome.GONE})
_NO_TLS = frozenset({Outcome.CONNECT_ERROR, Outcome.TLS_ERROR, Outcome.CONNECTION_RESET})


def try_named(search: Search) -> None:
    """Try in one wave the links that the page advertises, with those anchors and platform feeds that may matter.

    Weak anchors, where only the surrounding words suggest a feed, and platform rules are used only if no advertised
    link looks like the wanted feed. The same holds for links with a generic type and no other sign of a feed. A
    platform rule for the requested part is always used.
    """
    page, limits = search.page, search.limits
    links = _wanted_first(search.links, search.asked)
    search.platform += page_platform_leads(search.url, page) if page else []
    strong = [lead for lead in _anchors(page) if lead.source is Source.ANCHOR][: limits.anchors]
    search.consider(search.platform)
    search.consider(links)
    sure = [lead for lead in links if not _is_vague(lead)]
    is_promised = _promise(sure, search.asked)
    leads = [*_once(search, sure if is_promised else links)[: limits.advertised], *_once(search, strong)]
    if not _promise(links, search.asked):
        leads += search.platform[: limits.platform]
        leads += [lead for lead in _anchors(page) if lead not in strong][: limits.anchors - len(strong)]
    else:
        leads += [lead for lead in search.platform if _is_asked_for(lead, search.asked)][: limits.platform]
    search.try_leads(leads)


def try_next_best(search: Search) -> None:
    """Try the next leads: feeds that the anchors' pages name, other places of missing feeds, and leads not yet
    tried.
    """
    hops = _once(search, _second_hop(search))[: search.limits.second_hop]
    moved = [lead for each in search.candidates.values() for lead in _other_places(each, search.asked)]
    vague = [lead for lead in search.links if _is_vague(lead)][: search.limits.advertised]
    rest = [*vague, *search.platform[: search.limits.platform], *_anchors(search.page)[: search.limits.anchors]]
    search.try_leads([*moved, *hops, *rest])


def try_itself(search: Search) -> None:
    """Fetch the page's own URL as a feed, if the page declares itself one and was requested as a page."""
    url = search.asked.page_url
    if search.page is None or not search.page.advertises_itself or path_hint(url) is PathHint.ENDS_LIKE_FEED:
        return
    search.try_as_feed(Lead(url=url, source=Source.LINK, why="link to the page itself", page_url=url))


def _is_vague(lead: Lead) -> bool:
    """True for a link with a generic type and no sign of a feed in path and title: often the page itself as JSON."""
    if lead.source is not Source.LINK_GENERIC or path_hint(lead.url) is not PathHint.NONE:
        return False
    return label_word(lead.title or "") is None


def _anchors(page: Page | None) -> tuple[Lead, ...]:
    return page.anchors if page else ()


def _once(search: Search, leads: Iterable[Lead]) -> list[Lead]:
    """The leads that would be fetched, so that refused and known ones do not use up a limit."""
    leads = list(leads)
    search.consider(leads)
    return search.untried(leads)


def _wanted_first(links: Iterable[Lead], asked: Asked) -> list[Lead]:
    """The links in document order, except that the wanted kind comes first, and among these the nearest.

    A page may advertise a hundred feeds. A feed that is neither below the page nor in a directory above it is probably
    that of a section, unless its name says otherwise.
    """
    place = directory(asked.page_url)

    def lies_aside(lead: Lead) -> bool:
        is_near = is_below(place, without_feed_words(segments(lead.url)))
        return not is_near and not names_whole_site(lead.url, lead.title)

    return sorted(links, key=lambda lead: (not _promises(lead, asked), lies_aside(lead)))


def _promise(links: Sequence[Lead], asked: Asked) -> bool:
    """Return whether one of these links, the wanted ones first, looks like the wanted feed."""
    return bool(links) and _promises(links[0], asked)


def _promises(lead: Lead, asked: Asked) -> bool:
    """Return whether a lead looks like the wanted feed: the site's main feed, or one of the requested kind."""
    if lead.source not in ADVERTISED or domain_of_url(lead.url) != domain_of_url(asked.page_url):
        return False
    kind = lead.kind or kind_of(lead.url, lead.title, page_url=asked.page_url)
    return kind in (asked.intent, Kind.MAIN)


def _is_asked_for(lead: Lead, asked: Asked) -> bool:
    """Return whether a platform rule gives the requested part; a page may advertise only its main feed."""
    return is_first_proposal(lead) or (asked.intent is not Kind.MAIN and lead.kind is asked.intent)


# --- one hop further ---------------------------------------------------------------------------------


def _second_hop(search: Search) -> list[Lead]:
    """The leads of the pages behind anchors, feeds of the whole site first, since such pages list many feeds.

    Links that were advertised as feeds but are pages are not read.
    """
    leads: list[Lead] = []
    for candidate in list(search.candidates.values()):
        if candidate.source not in _ANCHORS or candidate.fetch is None or candidate.feed is not None:
            continue
        if candidate.fetch.url in (search.asked.page_url, search.url):
            continue
        if search.time_left() <= 0:
            break  # a page of 2 MB takes half a second
        page = read_if_page(candidate.fetch)
        leads += named_by(page) if page else []
    leads.sort(key=lambda lead: not names_whole_site(lead.url, lead.title))
    return [replace(lead, position=position) for position, lead in enumerate(leads)]


def named_by(page: Page) -> list[Lead]:
    """Return the leads of another page than the input: its advertised links, then its anchors."""
    links = [replace(lead, source=Source.SECOND_HOP_LINK) for lead in page.links]
    return [*links, *(replace(lead, source=Source.SECOND_HOP) for lead in page.anchors)]


def _other_places(candidate: Candidate, asked: Asked) -> Iterator[Lead]:
    """Other URLs for a feed that the page names but that did not answer."""
    url, page = parse_url(candidate.url), parse_url(asked.page_url)
    if candidate.source not in _NAMED or url is None or page is None or url.host != page.host:
        return
    lead = candidate.leads[0]
    if candidate.outcome in _GONE and _is_relative_of_a_deep_page(url, page):
        name = url.pathname.rpartition("/")[2]
        yield replace(lead, url=f"{url.origin}/{name}{url.search}", why=f"{lead.why}, at the root")
    if candidate.outcome in _NO_TLS and page.protocol == "http:" != url.protocol:
        yield replace(lead, url=with_scheme(candidate.url, "http"), why=f"{lead.why}, over http like the page")


def _is_relative_of_a_deep_page(url: Url, page: Url) -> bool:
    """True for a link relative to a deep page: some themes write relative links that work on the home page only."""
    directory = url.pathname.rpartition("/")[0]
    return bool(directory) and url.origin == page.origin and page.pathname.rpartition("/")[0] == directory
