"""The search for a lost feed: its own URLs, then discoveries from its site, old URL and imported site link (rule H6).

This module decides and stores nothing. The searches share their fetches, so no URL is requested twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from feedward.canonical.result import CanonicalResult
from feedward.deadline import Deadline
from feedward.discovery.candidate import Candidate, Lead, Source
from feedward.discovery.merge_candidates import merge
from feedward.discovery.requested_part import Asked
from feedward.discovery.result import Discovery, DiscoveryOutcome
from feedward.discovery.score import rank
from feedward.feeds.read_feed import FetchedFeed
from feedward.health.other_urls import earlier_urls, may_be_elsewhere, spellings
from feedward.ports import Fetcher
from feedward.services.canonicalize.canonicalize import canonicalize
from feedward.services.discover.build_candidate import tried, untested
from feedward.services.discover.discover import JOB_LIMITS, discover
from feedward.services.discover.register_canonical import OPTIONS
from feedward.services.discover.shared_fetches import SharedFetches
from feedward.services.revive.successor import Judged, Lost, Tie, successors
from feedward.urls.key import key_or_text

# Additional requests to canonicalize the URL of a candidate, beyond those of the search.
CANONICAL_REQUESTS = 8
_NOT_LOOKED_AT = frozenset({DiscoveryOutcome.UNREACHABLE, DiscoveryOutcome.BLOCKED, DiscoveryOutcome.BAD_URL})


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """The results of the searches: each discovery, and all candidates with their verdicts, successors first."""

    discoveries: tuple[Discovery, ...]
    judged: tuple[Judged, ...]

    @property
    def found(self) -> list[Judged]:
        """The candidates that may replace the lost feed, best first."""
        return [each for each in self.judged if not each.objection]

    @property
    def is_blind(self) -> bool:
        """True if no search reached its page."""
        return all(each.outcome in _NOT_LOOKED_AT for each in self.discoveries)


class RevivalSearch:
    """One search. It ends by the `deadline`."""

    def __init__(
        self, fetcher: Fetcher, deadline: Deadline, *, rsshub_base: str | None, now: Callable[[], float]
    ) -> None:
        self._deadline = deadline.at_most(JOB_LIMITS.answer_s)
        self._now = now
        self._rsshub_base = rsshub_base
        self._fetches = SharedFetches(
            fetcher, JOB_LIMITS.requests, per_host=JOB_LIMITS.per_host, in_flight=JOB_LIMITS.in_flight
        )

    @property
    def requests(self) -> int:
        """The number of requests sent."""
        return self._fetches.spent

    def ask(self, url: str) -> FetchedFeed:
        """Fetch and parse a URL, once."""
        fetch = self._fetches.fetch(url, within_s=min(JOB_LIMITS.request_s, self._deadline.left_s()))
        return self._fetches.read(fetch)

    def look(self, lost: Lost) -> Looked:
        """Search for a lost feed: at its other spellings and earlier URLs, then from its sites and the old URL.

        Another spelling or a successor with the same items ends the search.
        """
        judged = self._at_its_own_urls(lost)
        if _is_sure(judged):
            return Looked(discoveries=(), judged=tuple(judged))
        discoveries: list[Discovery] = []
        for seed in _each_once((*lost.sites, lost.url)):
            discoveries.append(self._discover(seed, lost))
            judged = successors(_ranked(discoveries, lost), lost)
            if _is_sure(judged):
                break
        return Looked(discoveries=tuple(discoveries), judged=tuple(judged))

    def canonical(self, candidate: Candidate) -> CanonicalResult:
        """Find the canonical URL of a candidate and its proven aliases."""
        self._fetches.budget = self._fetches.spent + CANONICAL_REQUESTS
        return canonicalize(
            candidate.final_url or candidate.url,
            fetcher=self._fetches,
            read=self._fetches.read,
            options=OPTIONS,
            deadline=self._deadline,
        )

    def _at_its_own_urls(self, lost: Lost) -> list[Judged]:
        """Fetch the other spellings and the earlier URLs of a lost feed that is not at its URL (rule H6)."""
        failed = self.ask(lost.url).fetch
        if lost.is_there or not may_be_elsewhere(failed):
            return []
        found = []
        for url in dict.fromkeys((*spellings(lost.url, failed), *earlier_urls(lost.url, lost.owned_urls))):
            lead = Lead(url=url, source=Source.DIRECT, why="another URL of the feed")
            found.append(tried(untested(lead), self.ask(url), int(self._now())))
        asked = Asked(url=lost.site, page_url=lost.site, intent=lost.kind)
        return successors(rank(found, asked), lost)

    def _discover(self, seed: str, lost: Lost) -> Discovery:
        self._fetches.budget = self._fetches.spent + JOB_LIMITS.requests
        return discover(
            seed,
            fetcher=self._fetches,
            limits=JOB_LIMITS,
            intent=lost.kind,
            rsshub_base=self._rsshub_base,
            deadline=self._deadline,
            now=self._now,
        )


def _is_sure(judged: Sequence[Judged]) -> bool:
    return bool(judged) and judged[0].tie in (Tie.SPELLING, Tie.SAME_ITEMS) and not judged[0].objection


def _each_once(urls: Iterable[str]) -> list[str]:
    found: dict[str, str] = {}
    for url in urls:
        found.setdefault(key_or_text(url), url)
    return list(found.values())


def _ranked(discoveries: Iterable[Discovery], lost: Lost) -> tuple[Candidate, ...]:
    """Return all candidates, each feed once, ranked for the site."""
    found = list(discoveries)
    page = found[0].page
    asked = Asked(url=lost.site, page_url=found[0].site_url, intent=lost.kind, language=page.language if page else None)
    return rank(merge([candidate for each in found for candidate in each.candidates]), asked)
