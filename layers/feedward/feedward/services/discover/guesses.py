"""The last stages, for sites that name no feed: common paths, the site's other pages, RSSHub (rule D6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from feedward.discovery.candidate import Lead, Source, ValidationStatus
from feedward.discovery.guesses import guess_waves, guess_waves_below
from feedward.discovery.places import segments, without_feed_words
from feedward.discovery.platforms.index import platform_leads
from feedward.feeds.read_feed import FetchedFeed
from feedward.services.discover.advertised import named_by
from feedward.services.discover.first_stages import read_if_page
from feedward.services.discover.search_state import Search
from feedward.urls.hosts import domain_of_url
from feedward.urls.parse import parse_url

KEPT_FOR_LATER = 4
"""The requests that guesses must leave for the feeds of the site's other pages and for RSSHub."""
KEPT_FOR_BLOG = 5
"""The requests that guesses must leave for the first common paths of its blog."""


def try_guesses(search: Search) -> None:
    """Try the common paths, wave by wave, except for the last wave. A site that refuses us gets one wave only."""
    waves = _waves(search)
    for wave in _for_a_closed_site(waves) if search.is_closed else waves[:-1]:
        search.try_leads(_affordable(search, wave))
        if search.is_over or search.time_left() <= 0:
            return


def try_elsewhere(search: Search) -> None:
    """Try the last common paths, and in the same wave fetch the site's other pages, which may name its feeds."""
    if search.is_closed:
        return
    pages = _other_pages(search)
    guesses = [lead for wave in _waves(search)[-1:] for lead in wave]
    answers = search.try_leads(_affordable(search, guesses), pages=pages)
    if not search.is_over:
        leads: list[Lead] = []
        for url, answer in ((url, answers[url]) for url in pages if url in answers):
            leads += _found_there(search, url, answer) if search.time_left() > 0 else []
        search.consider(leads)
        search.try_leads(search.untried(leads)[: search.limits.second_hop])


def try_blog(search: Search) -> None:
    """Try the common paths below the site's blog and news, if these pages name no feeds either."""
    for wave in _blog_waves(search):
        search.try_leads(wave[: max(0, search.fetches.left - len(_rsshub(search)))])
        if search.is_over or search.time_left() <= 0:
            return


def _blog_waves(search: Search) -> Iterator[list[Lead]]:
    """The guesses below the pages of the site's blog and news that were read, likeliest first.

    A page with a feed of its own, such as `/notes` with `/notes/feed`, has no other one below it.
    """
    at_home = search.page.generator if search.page else None
    valid = [each for each in search.candidates.values() if each.status is ValidationStatus.VALID]
    own = {without_feed_words(segments(url)) for each in valid for url in (each.url, each.final_url or each.url)}
    pages = [page for page in search.others if domain_of_url(page.url) == domain_of_url(search.asked.page_url)]
    pages = [page for page in pages if segments(page.url) not in own]
    waves = [guess_waves_below(page.url, page.generator or at_home) for page in pages]
    for together in zip_longest(*waves, fillvalue=()):
        leads = [lead for wave in together for lead in wave if not search.was_tried(lead.url)]
        if leads:
            yield leads


def _affordable(search: Search, guesses: Sequence[Lead]) -> list[Lead]:
    """The new guesses that the budget allows, with requests left for other pages, their feeds, and RSSHub."""
    pages = [] if search.is_closed else _other_pages(search)
    kept = len(pages) + KEPT_FOR_LATER if pages or _rsshub(search) else 0
    kept += KEPT_FOR_BLOG if search.page and search.page.next_urls else 0
    new = [lead for lead in guesses if not search.was_tried(lead.url)]
    return new[: max(0, search.fetches.left - kept)]


def try_rsshub(search: Search) -> None:
    """Try the feeds that RSSHub generates for the site. This is the last stage (rule D3)."""
    search.try_leads(_rsshub(search))


def _for_a_closed_site(waves: Sequence[Sequence[Lead]]) -> list[list[Lead]]:
    """One wave: the first guesses and `feed/`. Bot walls often allow that exact path; `feed` would redirect to it."""
    slashed = [lead for wave in waves[1:] for lead in wave if lead.url.endswith("/feed/")]
    return [[*wave, *slashed] for wave in waves[:1]]


def _waves(search: Search) -> list[list[Lead]]:
    """The guesses for the page. If the input redirected to another site, the last wave includes guesses for the input.

    A site that redirects to a consent or login page on another domain often still serves its feeds.
    """
    waves = guess_waves(search.asked.page_url, search.page.generator if search.page else None)
    if waves and domain_of_url(search.url) != domain_of_url(search.asked.page_url):
        waves[-1] = [*(lead for wave in guess_waves(search.url)[:1] for lead in wave), *waves[-1]]
    return waves


def _other_pages(search: Search) -> list[str]:
    """Other pages of the site: its root, this page's canonical URL, its frames and the site's blog."""
    page, page_url = search.page, search.asked.page_url
    base = parse_url(page_url)
    root = f"{base.origin}/" if base else None
    named = [page.canonical_url, page.refresh_url, *page.next_urls] if page else []
    known = (search.url, page_url)
    urls = dict.fromkeys(url for url in [root, *named] if url and url not in known)
    return [url for url in urls if search.refuse(url) is None]


def _found_there(search: Search, url: str, answer: FetchedFeed) -> list[Lead]:
    """The leads of another page: its named feeds, the page itself if it is a feed, and those of platform rules."""
    lead = Lead(url=url, source=Source.GUESS_ROOT, why="guess: the page itself", page_url=url)
    page = read_if_page(answer.fetch)
    if page is not None and search.page is not None and url in search.page.next_urls:
        search.others.append(page)
    return [*([lead] if answer.feed else []), *(named_by(page) if page else []), *platform_leads(url)]


def _rsshub(search: Search) -> list[Lead]:
    if search.rsshub_base is None:
        return []
    from feedward.discovery.rsshub.routes import rsshub_leads  # noqa: PLC0415 # most deployments use no RSSHub

    urls = dict.fromkeys([search.url, search.asked.page_url])
    leads = [lead for url in urls for lead in rsshub_leads(url, search.rsshub_base)]
    return leads[: search.limits.rsshub]
