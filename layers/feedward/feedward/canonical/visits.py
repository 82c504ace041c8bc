"""What is known about URLs from the fetches of one run: no URL is requested twice (rules C6, C7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from feedward.canonical.result import CandidateState, Reason
from feedward.canonical.sameness import Sameness, Verdict
from feedward.model import FetchResult, Hop, Outcome
from feedward.urls.compare import only_adds_parameters

_TEMPORARY = frozenset({302, 303, 307})


def asked_urls(asked: str, fetch: FetchResult) -> tuple[str, ...]:
    """Every URL that one fetch requested, in order and once: `asked`, the hops, the last one."""
    return tuple(dict.fromkeys((asked, *(hop.url for hop in fetch.hops), fetch.url)))


def landing_url(chain: Sequence[str], tracking: Iterable[str]) -> str:
    """The URL that the chain ended on; but a redirect that only adds listed parameters is no move (rule C7.4)."""
    return next(url for url in chain if url == chain[-1] or only_adds_parameters(chain[-1], url, tracking))


def is_temporary(hops: Sequence[Hop]) -> bool:
    """True if a 302, 303 or 307 lay on the way."""
    return any(hop.status in _TEMPORARY for hop in hops)


def alias_urls(asked: str, fetch: FetchResult, landing: str) -> tuple[str, ...]:
    """What a fetch that ended at the feed proves to be URLs of the feed, in order.

    That is the URL asked, what permanent redirects named, and the landing URL. Where a temporary redirect led is no
    address to remember, unless the fetch ended there.
    """
    aliases = [asked]
    for hop in fetch.hops:
        aliases.append(hop.url)
        if not hop.permanent:
            break
    return tuple(dict.fromkeys((*aliases, landing)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One fetch: what was asked, where it landed (adding listed parameters is no move), and what it proved.

    `verdict` is there if a whole 2xx document came and was compared.
    """

    asked: str
    landing: str
    fetch: FetchResult = field(repr=False)
    verdict: Verdict | None = None

    @property
    def same(self) -> bool:
        """True if the feed was found there."""
        return self.verdict is not None and self.verdict.same

    @property
    def refused(self) -> bool:
        """True if the guard refused the URL before anything was sent: then it was not requested at all."""
        return self.fetch.requests == 0 and self.fetch.outcome in (Outcome.BLOCKED, Outcome.BAD_URL)

    @property
    def temporary(self) -> bool:
        """True if a 302, 303 or 307 lay on the way."""
        return is_temporary(self.fetch.hops)

    def proves(self, url: str) -> bool:
        """True if `url` itself serves the feed, without a redirect."""
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
        """Remember a visit. What an earlier visit said about a URL stays."""
        self._in_order.append(visit)
        for url in asked_urls(visit.asked, visit.fetch):
            self._by_url.setdefault(url, visit)

    def confirm(self, visit: Visit) -> Visit:
        """Make `visit` the one that all others are compared to: it is the feed. Returns it as it is now remembered."""
        confirmed = replace(visit, verdict=Verdict(sameness=Sameness.BYTES))
        self._in_order = [confirmed if each is visit else each for each in self._in_order]
        self._by_url = {url: confirmed if each is visit else each for url, each in self._by_url.items()}
        return confirmed

    def of(self, url: str) -> Visit | None:
        """The visit that requested `url`, itself or on its way."""
        return self._by_url.get(url)

    def requests(self) -> tuple[str, ...]:
        """Every URL fetched, in order."""
        return tuple(visit.asked for visit in self._in_order)

    def aliases(self) -> tuple[str, ...]:
        """All URLs verified to be the feed, in the order of their proof."""
        same = (visit for visit in self._in_order if visit.same)
        return _once(url for visit in same for url in alias_urls(visit.asked, visit.fetch, visit.landing))

    def state(self, url: str) -> CandidateState:
        """What is known about `url`."""
        visit = self.of(url)
        if visit is None:
            return CandidateState.UNTESTED
        if visit.same:
            return CandidateState.VERIFIED if visit.proves(url) else CandidateState.REDIRECTED
        different = visit.verdict is not None and visit.verdict.sameness is Sameness.DIFFERENT
        return CandidateState.DIFFERENT if different else CandidateState.FAILED


def _once(urls: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(urls))
