"""Builds the result of a search: candidates merged and ranked, the outcome, and whether time cut it short."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from feedward.discovery.candidate import Candidate, Kind, Source, ValidationStatus
from feedward.discovery.kinds import kind_of
from feedward.discovery.merge_candidates import merge
from feedward.discovery.requested_part import Asked
from feedward.discovery.result import Discovery, DiscoveryOutcome, SitePage, is_closed, without_a_feed
from feedward.discovery.score import rank
from feedward.discovery.weights import SOURCE
from feedward.health.outcomes import OUTCOMES
from feedward.model import FetchResult, Outcome
from feedward.services.discover.search_state import ADVERTISED, GUESSES, Search


def answer(search: Search, *, finished: bool) -> Discovery:
    """Return the result of a search. `finished` is true if no stage was skipped for lack of time."""
    known = merge(_told_of(search))
    candidates = rank(_best(known, search.limits.candidates), search.asked)
    fetch = search.answer.fetch if search.answer else None
    return Discovery(
        input_url=search.written,
        url=search.url,
        outcome=_outcome(search, candidates),
        complete=finished and not _time_mattered(search),
        intent=search.asked.intent,
        page=_site_page(search),
        page_outcome=_page_outcome(search),
        http_status=fetch.status if fetch else None,
        retry_after_s=_retry_after_s(search),
        detail=_detail(search),
        candidates=candidates,
        requests=search.requests,
        rounds=search.rounds,
        candidates_left_out=len(known) - len(candidates),
    )


def _told_of(search: Search) -> list[Candidate]:
    """Return all candidates, the tried ones first; the others with the reason why they were not tested."""
    candidates = list(search.candidates.values())
    waiting = [each for each in candidates if each.status is ValidationStatus.UNTESTED]
    tried = [each for each in candidates if each.status is not ValidationStatus.UNTESTED]
    why = _why_untested(search)
    return [*tried, *(replace(each, detail=why) for each in waiting)]


def _best(candidates: Sequence[Candidate], most: int) -> list[Candidate]:
    """The valid candidates, and the others with the best sources, since only the source counts in their score."""
    by_score = sorted(candidates, key=lambda each: (each.status is not ValidationStatus.VALID, -SOURCE[each.source]))
    return by_score[:most]


def _why_untested(search: Search) -> str:
    if search.is_settled:
        return "not needed"
    if search.time_left() <= 0:
        return "there was no time left"
    return "not among the best, for which the request budget was spent"


# --- the outcome ------------------------------------------------------------------------------------


def _outcome(search: Search, candidates: Iterable[Candidate]) -> DiscoveryOutcome:
    if any(candidate.is_canonical for candidate in candidates):
        return DiscoveryOutcome.FOUND
    if search.refusal is not None:
        return DiscoveryOutcome.BLOCKED if search.refusal.outcome is Outcome.BLOCKED else DiscoveryOutcome.BAD_URL
    if search.answer is None:
        return DiscoveryOutcome.UNREACHABLE
    if _named_feed_is_closed(search):
        return DiscoveryOutcome.REFUSED
    return without_a_feed(search.answer.fetch)


def _named_feed_is_closed(search: Search) -> bool:
    """Return whether the site names a feed but refuses to serve it: that is not "no feed" (rule D4)."""
    named = (candidate for candidate in search.candidates.values() if candidate.source not in GUESSES)
    return any(candidate.fetch is not None and is_closed(candidate.fetch) for candidate in named)


def _retry_after_s(search: Search) -> int | None:
    """The longest Retry-After of the page and of the feeds that the site names."""
    fetches = [search.answer.fetch] if search.answer else []
    fetches += [each.fetch for each in search.candidates.values() if each.fetch and each.source not in GUESSES]
    return max((fetch.retry_after_s for fetch in fetches if fetch.retry_after_s is not None), default=None)


def _page_outcome(search: Search) -> Outcome | None:
    if search.answer is None:
        return search.refusal.outcome if search.refusal else None
    answer = search.answer
    return answer.outcome if answer.outcome is Outcome.GENERATOR_ERROR else answer.fetch.outcome


def _detail(search: Search) -> str:
    if search.refusal is not None:
        return search.refusal.detail
    if search.answer is None:
        return "there was no time left"
    fetch = search.answer.fetch
    return fetch.detail or ("" if fetch.outcome is Outcome.OK else OUTCOMES[fetch.outcome].says)


def _site_page(search: Search) -> SitePage | None:
    page = search.page
    if page is None:
        return None
    return SitePage(
        url=page.url,
        title=page.title,
        favicon=page.favicon,
        language=page.language,
        generator=page.generator,
        hub_urls=page.hub_urls,
    )


# --- whether a job may find more ------------------------------------------------------------------


def _time_mattered(search: Search) -> bool:
    """Return whether lack of time skipped something that could change the result.

    A request that exceeds a job's limit is not retried. If a feed settles the search, only a feed that the site names
    and that may be its main feed matters.
    """
    if search.refusal is not None:
        return False
    late = [candidate for candidate in search.candidates.values() if _is_late(search, candidate)]
    if search.is_settled:
        return any(_may_be_better(candidate, search.asked) for candidate in late)
    is_page_late = search.answer is None or _timed_out(search, search.answer.fetch)
    return bool(late) or is_page_late or bool(search.cut_by_time)


def _is_late(search: Search, candidate: Candidate) -> bool:
    if candidate.url in search.cut_by_time:
        return candidate.status is ValidationStatus.UNTESTED
    return candidate.fetch is not None and _timed_out(search, candidate.fetch)


def _timed_out(search: Search, fetch: FetchResult) -> bool:
    return search.limits.are_short and fetch.outcome is Outcome.TIMEOUT


def _may_be_better(candidate: Candidate, asked: Asked) -> bool:
    lead = candidate.leads[0]
    kind = lead.kind or kind_of(candidate.url, lead.title, page_url=asked.page_url)
    return candidate.source in ADVERTISED | {Source.PLATFORM} and kind in (asked.intent, Kind.MAIN)
