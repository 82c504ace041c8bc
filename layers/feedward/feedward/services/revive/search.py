"""The search for a lost feed: discoveries from its site, its old URL and an imported site link, merged (rule H6).

This module decides and stores nothing. The searches share their fetches, so no URL is requested twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from feedward.canonical.result import CanonicalResult
from feedward.deadline import Deadline
from feedward.discovery.candidate import Candidate
from feedward.discovery.merge import merge
from feedward.discovery.requested import Asked
from feedward.discovery.result import Discovery, DiscoveryOutcome
from feedward.discovery.score import rank
from feedward.ports import Fetcher
from feedward.services.canonicalize.canonicalize import canonicalize
from feedward.services.discover.discover import JOB_LIMITS, discover
from feedward.services.discover.register_canonical import OPTIONS
from feedward.services.discover.shared_fetches import SharedFetches
from feedward.services.revive.choice import Judged, Lost, Tie, successors
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

    def is_there(self, url: str) -> bool:
        """Return whether a URL serves a feed now."""
        fetch = self._fetches.fetch(url, within_s=min(JOB_LIMITS.request_s, self._deadline.left_s()))
        return self._fetches.read(fetch).feed is not None

    def look(self, lost: Lost) -> Looked:
        """Search from the sites and the old URL of a lost feed. A successor with the same items ends the search."""
        discoveries: list[Discovery] = []
        judged: list[Judged] = []
        for seed in _each_once((*lost.sites, lost.url)):
            discoveries.append(self._discover(seed, lost))
            judged = successors(_ranked(discoveries, lost), lost)
            if judged and judged[0].tie is Tie.SAME_ITEMS and not judged[0].objection:
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


def _each_once(urls: Iterable[str]) -> list[str]:
    found: dict[str, str] = {}
    for url in urls:
        found.setdefault(key_or_text(url), url)
    return list(found.values())


def _ranked(discoveries: Iterable[Discovery], lost: Lost) -> tuple[Candidate, ...]:
    """All candidates, each feed once, ranked for the site."""
    found = list(discoveries)
    page = found[0].page
    asked = Asked(url=lost.site, page_url=found[0].site_url, intent=lost.kind, language=page.language if page else None)
    return rank(merge([candidate for each in found for candidate in each.candidates]), asked)
