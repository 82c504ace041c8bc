"""The result of one discovery (rules D1, D4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from feedward.discovery.candidate import Candidate, Kind, Source
from feedward.model import REFUSING_STATUSES, FetchResult, Outcome


class DiscoveryOutcome(StrEnum):
    """The outcome of a discovery. `no_feed` requires that the site was readable (rule D4)."""

    FOUND = "found"
    NO_FEED = "no_feed"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    BLOCKED = "blocked"
    BAD_URL = "bad_url"


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePage:
    """The requested page's data about its site. `url` is its URL after all redirects."""

    url: str
    title: str | None = None
    favicon: str | None = None
    language: str | None = None
    generator: str | None = None
    hub_urls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """The result for one URL. `candidates` are at most 500 candidates: the valid ones first, best first.

    `input_url` is the input, `url` the fetchable URL made of it (empty if there is none). `page` is None if no page was
    read; `page_outcome` is the outcome of its fetch. `complete` is False if time ended the search: a later one may
    find more. `requests` counts the requests sent, redirects included, `rounds` the waves.
    `candidates_left_out` counts the candidates beyond the limit, those with the lowest scores. `retry_after_s` is the
    Retry-After of a site that refuses.
    """

    input_url: str
    url: str
    outcome: DiscoveryOutcome
    complete: bool = True
    intent: Kind = Kind.MAIN
    page: SitePage | None = None
    page_outcome: Outcome | None = None
    http_status: int | None = None
    retry_after_s: int | None = None
    detail: str = ""
    candidates: tuple[Candidate, ...] = ()
    requests: int = 0
    rounds: int = 0
    candidates_left_out: int = 0

    @property
    def canonical(self) -> Candidate | None:
        """The candidate that was chosen for the site, or None."""
        return next((candidate for candidate in self.candidates if candidate.is_canonical), None)

    @property
    def is_of_page(self) -> bool:
        """False if the input is a feed itself: then no page of the site was read."""
        return self.canonical is None or self.canonical.source is not Source.DIRECT

    @property
    def own_feed(self) -> Candidate | None:
        """The chosen feed if it is the site's own: the main feed of a page was requested and found (rule D5)."""
        chosen = self.canonical
        is_own = self.is_of_page and self.intent is Kind.MAIN and chosen is not None and chosen.kind in OWN_KINDS
        return chosen if is_own else None

    @property
    def site_url(self) -> str:
        """The page's URL after redirects, or the requested URL if no page was read."""
        return self.page.url if self.page else self.url


OWN_KINDS = frozenset({Kind.MAIN, Kind.PODCAST})
"""The kinds that a site's own feed may have (rule D5)."""

_REFUSALS = frozenset({Outcome.FORBIDDEN, Outcome.RATE_LIMITED, Outcome.CHALLENGE})
_CLOSED = _REFUSALS | {Outcome.UNAUTHORIZED, Outcome.LEGAL}
_NO_HOST = frozenset({Outcome.DNS_ERROR, Outcome.CONNECT_ERROR, Outcome.TLS_ERROR})
# The server answered, even if with "not found": the site was readable.
_LOOKED_AT = frozenset(
    {
        *(Outcome.OK, Outcome.NOT_FEED, Outcome.EMPTY_BODY, Outcome.NOT_FOUND, Outcome.GONE),
        *(Outcome.TOO_LARGE, Outcome.UNEXPECTED_STATUS, Outcome.UNEXPECTED_304, Outcome.NOT_MODIFIED),
        *(Outcome.BAD_ENCODING, Outcome.GENERATOR_ERROR),
    }
)


def is_refusal(fetch: FetchResult) -> bool:
    """Return whether the server refuses the client, so that another User-Agent may succeed (rule D4)."""
    return fetch.outcome in _REFUSALS or fetch.status in REFUSING_STATUSES or fetch.status == 503


def is_closed(fetch: FetchResult) -> bool:
    """Return whether the content exists but is not available to us: refused, behind a login, withheld."""
    return fetch.outcome in _CLOSED or is_refusal(fetch)


def is_hopeless(outcome: Outcome) -> bool:
    """Return whether further requests to the host are useless: it does not exist, or may not be contacted."""
    return outcome in _NO_HOST or outcome in (Outcome.BLOCKED, Outcome.BAD_URL)


def without_a_feed(fetch: FetchResult) -> DiscoveryOutcome:
    """Return the outcome of a discovery without a feed, from the fetch of its page."""
    if fetch.outcome is Outcome.BLOCKED:
        return DiscoveryOutcome.BLOCKED
    if fetch.outcome is Outcome.BAD_URL:
        return DiscoveryOutcome.BAD_URL
    if is_closed(fetch) or fetch.outcome is Outcome.CLIENT_ERROR:  # such as 400: the site was not read
        return DiscoveryOutcome.REFUSED
    return DiscoveryOutcome.NO_FEED if fetch.outcome in _LOOKED_AT else DiscoveryOutcome.UNREACHABLE
