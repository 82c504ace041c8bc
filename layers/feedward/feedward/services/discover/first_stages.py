"""The first stages of a discovery: the input URL, its response, and the page (rule D6).

Each stage is a function of the search that fetches at most two waves. The search may end between stages.
"""

from __future__ import annotations

from feedward.canonical.schemes import connection_failed, first_twin
from feedward.discovery.candidate import Lead, Source
from feedward.discovery.kinds import intent_of
from feedward.discovery.page import Page, header_leads, read_page
from feedward.discovery.places import segments
from feedward.discovery.platforms.index import platform_leads, platform_lookup
from feedward.discovery.platforms.rule import Lookup
from feedward.discovery.result import is_hopeless
from feedward.feeds.read_feed import FetchedFeed
from feedward.model import FetchResult, Outcome
from feedward.pages.charset import is_html
from feedward.services.discover.search_state import Search
from feedward.urls.compare import without_fragment, without_root_dot
from feedward.urls.resolve import resolve_input, resolve_url
from feedward.urls.safety import Refusal, refuse_userinfo

# --- 0: a URL ---------------------------------------------------------------------------------------


def take_input(search: Search) -> None:
    """Turn the input into a fetchable URL, or end the search with the reason why that is impossible."""
    resolved = resolve_input(search.written)
    if resolved is None:
        search.refusal = Refusal(outcome=Outcome.BAD_URL, detail="this is not an http(s) URL")
    else:
        search.refusal = refuse_userinfo(search.written) or search.refuse(resolved.url)
    if resolved is None or search.refusal is not None:
        search.ended = True
        return
    search.url = without_root_dot(without_fragment(resolved.url))
    search.may_be_http = resolved.may_be_http
    search.intent = search.intent or intent_of(search.url)
    search.see_from(search.url)


# --- 1: the response -------------------------------------------------------------------------------


def ask_input(search: Search) -> None:
    """Fetch the input together with the feeds that platform rules propose for it. An input that is a feed is chosen."""
    lookup = platform_lookup(search.url)
    pages = [search.url, *([lookup.url] if lookup else [])]
    proposed, at_once = platform_leads(search.url), search.limits.platform
    search.consider(proposed)
    answers = search.try_leads(proposed[:at_once], pages=pages)
    search.answer = _or_its_twin(search, answers.get(search.url))
    named = _looked_up(lookup, answers.get(lookup.url)) if lookup else []
    search.platform = [*named, *proposed[at_once:]]
    if search.answer is None:
        return
    if search.answer.feed is not None:
        search.take_direct(search.answer, Lead(url=search.url, source=Source.DIRECT, why="the URL itself"))
        return
    _take_page(search, search.answer.fetch)
    search.ended = is_hopeless(search.answer.outcome)


def _or_its_twin(search: Search, answer: FetchedFeed | None) -> FetchedFeed | None:
    """The response with the other scheme, if the connection failed and the scheme is open (rule C5)."""
    twin = first_twin(search.url, may_be_http=search.may_be_http)
    if answer is None or twin is None or not connection_failed(answer.fetch) or search.refuse(twin):
        return answer
    second = search.ask_page(twin)
    if second is None or second.fetch.status is None:
        return answer
    search.url = twin
    return second


def _looked_up(lookup: Lookup, answer: FetchedFeed | None) -> list[Lead]:
    if answer is None or answer.fetch.outcome is not Outcome.OK:
        return []
    urls = [(proposal, resolve_url(proposal.url)) for proposal in lookup.read(answer.fetch.body)]
    return [
        Lead(
            url=without_fragment(url),
            source=Source.PLATFORM,
            position=position,
            kind=proposal.kind,
            why=f"named by the platform: {proposal.what}",
            page_url=lookup.url,
        )
        for position, (proposal, url) in enumerate(urls)
        if url
    ]


# --- 2: the page ------------------------------------------------------------------------------------


def follow_refresh(search: Search) -> None:
    """Follow an immediate refresh of the page if it names no feeds itself, for one hop."""
    refresh_url = search.page.refresh_url if search.page and not search.page.links else None
    if refresh_url is None or search.refuse(refresh_url) or search.fetches.knows(refresh_url):
        return
    answer = search.ask_page(refresh_url)
    if answer is not None and answer.feed is not None:
        search.take_direct(
            answer, Lead(url=refresh_url, source=Source.DIRECT, why="target of the page's immediate refresh")
        )
    elif answer is not None and answer.fetch.outcome is Outcome.OK:
        search.answer = answer
        _take_page(search, answer.fetch)


def _take_page(search: Search, fetch: FetchResult) -> None:
    """Make `fetch` the page of the search. A document that is not a page may still have Link headers.

    Nothing is searched below a login page that a redirect led to: the URL before it counts.
    """
    search.page = page = read_if_page(fetch)
    is_elsewhere = fetch.outcome is Outcome.CHALLENGE and segments(fetch.url) != segments(search.url)
    search.see_from(search.url if is_elsewhere else fetch.url, language=page.language if page else None)
    links = page.links if page else header_leads(fetch.url, fetch.headers)
    search.links = list(links)
    search.consider([*search.links, *(page.anchors if page else ())])


def read_if_page(fetch: FetchResult) -> Page | None:
    """Return the page of a fetch, or None if its document is not a page."""
    if fetch.outcome is not Outcome.OK or not is_html(fetch.body, fetch.content_type):
        return None
    return read_page(fetch.body, url=fetch.url, headers=fetch.headers)
