"""The results of one run's fetches, by URL: no URL is requested twice (rules C6, C7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from feedward.canonical.result import CandidateState, Reason
from feedward.canonical.same_feed import Sameness, Verdict
from feedward.model import FetchResult, Hop, Outcome
from feedward.urls.compare import only_adds_parameters

_TEMPORARY = frozenset({302, 303, 307})


def asked_urls(asked: str, fetch: FetchResult) -> tuple[str, ...]:
    """Return every URL that one fetch requested, in order and without duplicates: `asked`, the hops, the last one."""
    return tuple(dict.fromkeys((asked, *(hop.url for hop in fetch.hops), fetch.url)))


def landing_url(chain: Sequence[str], tracking: Iterable[str]) -> str:
    """Return the last URL of the chain. A redirect that only adds listed parameters does not count (rule C7.4)."""
    return next(url for url in chain if url == chain[-1] or only_adds_parameters(chain[-1], url, tracking))


def is_temporary(hops: Sequence[Hop]) -> bool:
    """Return whether one of the redirects is a 302, 303 or 307."""
    return any(hop.status in _TEMPORARY for hop in hops)


def alias_urls(asked: str, fetch: FetchResult, landing: str) -> tuple[str, ...]:
    """Return the URLs that a fetch of the feed proves to be the feed's, in order.

    These are the requested URL, the targets of permanent redirects, and the landing URL. The target of a temporary
    redirect is proven only if it is the landing URL.
    """
    aliases = [asked]
    for hop in fetch.hops:
        aliases.append(hop.url)
        if not hop.permanent:
            break
    return tuple(dict.fromkeys((*aliases, landing)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One fetch: the requested URL, the landing URL (see `landing_url`), and its result.

    `verdict` is set if a complete 2xx document arrived and was compared.
    """

    asked: str
    landing: str
    fetch: FetchResult = field(repr=False)
    verdict: Verdict | None = None

    @property
    def same(self) -> bool:
        """True if the fetch found the feed."""
        return self.verdict is not None and self.verdict.same

    @property
    def refused(self) -> bool:
        """True if the guard refused the URL and no request was sent."""
        return self.fetch.requests == 0 and self.fetch.outcome in (Outcome.BLOCKED, Outcome.BAD_URL)

    @property
    def temporary(self) -> bool:
        """True if one of the redirects is a 302, 303 or 307."""
        return is_temporary(self.fetch.hops)

    def proves(self, url: str) -> bool:
        """Return whether `url` itself serves the feed, without a redirect."""
        return self.same and url == self.landing

    @property
    def reason(self) -> Reason:
        """How the landing URL was verified (rule C9)."""
        if self.asked != self.landing:
            return Reason.REDIRECT_VERIFIED
        signed = self.verdict is not None and self.verdict.sameness is Sameness.SIGNATURE
        return Reason.SIGNATURE_VERIFIED if signed else Reason.CONTENT_VERIFIED


class Visits:
    """All visits of one run, found by every URL that they requested."""

    def __init__(self) -> None:
        self._by_url: dict[str, Visit] = {}
        self._in_order: list[Visit] = []

    def add(self, visit: Visit) -> None:
        """Store a visit. The results of earlier visits are kept."""
        self._in_order.append(visit)
        for url in asked_urls(visit.asked, visit.fetch):
            self._by_url.setdefault(url, visit)

    def confirm(self, visit: Visit) -> Visit:
        """Store `visit` as the feed that all others are compared with, and return it with its verdict."""
        confirmed = replace(visit, verdict=Verdict(sameness=Sameness.BYTES))
        self._in_order = [confirmed if each is visit else each for each in self._in_order]
        self._by_url = {url: confirmed if each is visit else each for url, each in self._by_url.items()}
        return confirmed

    def of(self, url: str) -> Visit | None:
        """Return the visit that requested `url`, directly or by a redirect, or None."""
        return self._by_url.get(url)

    def requests(self) -> tuple[str, ...]:
        """Return every fetched URL, in order."""
        return tuple(visit.asked for visit in self._in_order)

    def aliases(self) -> tuple[str, ...]:
        """Return all URLs proven to be the feed's, in the order of their proof."""
        same = (visit for visit in self._in_order if visit.same)
        return _once(url for visit in same for url in alias_urls(visit.asked, visit.fetch, visit.landing))

    def landings(self) -> tuple[str, ...]:
        """Return every URL that is proven to serve the feed itself, in order."""
        return _once(visit.landing for visit in self._in_order if visit.same)

    def state(self, url: str) -> CandidateState:
        """Return the state of `url`."""
        visit = self.of(url)
        if visit is None:
            return CandidateState.UNTESTED
        if visit.same:
            return CandidateState.VERIFIED if visit.proves(url) else CandidateState.REDIRECTED
        different = visit.verdict is not None and visit.verdict.sameness is Sameness.DIFFERENT
        return CandidateState.DIFFERENT if different else CandidateState.FAILED


def _once(urls: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(urls))
