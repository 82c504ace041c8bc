"""What one discovery answers (rules D1, D4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from feedward.discovery.candidate import Candidate, Kind
from feedward.model import FetchResult, Outcome


class DiscoveryOutcome(StrEnum):
    """How a discovery ended. `no_feed` is said only where the site let itself be looked at (rule D4)."""

    FOUND = "found"
    NO_FEED = "no_feed"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    BLOCKED = "blocked"
    BAD_URL = "bad_url"


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePage:
    """What the page that was asked for says about its site. `url` is where it was found, after all redirects."""

    url: str
    title: str | None = None
    favicon: str | None = None
    language: str | None = None
    generator: str | None = None
    hub_urls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """The answer to one URL. `candidates` are all that came into question: the valid ones first, best first.

    `input_url` is what was given, `url` the fetchable URL made of it (empty where there is none). `page` is None where
    no page was read; `page_outcome` says how its fetch ended. `complete` is False where time ended the search, so that
    a later one may know more. `requests` counts what was sent, redirects included; `rounds` the waits for a wave of
    them. `retry_after_s` is what a site that refuses asks for.
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

    @property
    def canonical(self) -> Candidate | None:
        """The site's own choice, or None."""
        return next((candidate for candidate in self.candidates if candidate.is_canonical), None)

    @property
    def site_url(self) -> str:
        """The page's URL after redirects, or what was asked where no page was read."""
        return self.page.url if self.page else self.url


_REFUSALS = frozenset({Outcome.FORBIDDEN, Outcome.RATE_LIMITED, Outcome.CHALLENGE})
_CLOSED = _REFUSALS | {Outcome.UNAUTHORIZED, Outcome.LEGAL}
_NO_HOST = frozenset({Outcome.DNS_ERROR, Outcome.CONNECT_ERROR, Outcome.TLS_ERROR})
# The server answered, if only that nothing is there: the site let itself be looked at.
_LOOKED_AT = frozenset(
    {
        *(Outcome.OK, Outcome.NOT_FEED, Outcome.EMPTY_BODY, Outcome.NOT_FOUND, Outcome.GONE, Outcome.CLIENT_ERROR),
        *(Outcome.TOO_LARGE, Outcome.UNEXPECTED_STATUS, Outcome.UNEXPECTED_304, Outcome.NOT_MODIFIED),
        *(Outcome.BAD_ENCODING, Outcome.GENERATOR_ERROR),
    }
)


def is_refusal(fetch: FetchResult) -> bool:
    """Tell whether the server refuses who asks, so that another User-Agent may be welcome (rule D4)."""
    return fetch.outcome in _REFUSALS or fetch.status == 503


def is_closed(fetch: FetchResult) -> bool:
    """Tell whether something may be there that is not for us: refused, behind a login, withheld."""
    return fetch.outcome in _CLOSED or is_refusal(fetch)


def is_hopeless(outcome: Outcome) -> bool:
    """Tell whether nothing else of the same host needs to be asked: it is not there, or it may not be dialled."""
    return outcome in _NO_HOST or outcome in (Outcome.BLOCKED, Outcome.BAD_URL)


def without_a_feed(fetch: FetchResult) -> DiscoveryOutcome:
    """How a discovery ends that found no feed, by what became of its page."""
    if fetch.outcome is Outcome.BLOCKED:
        return DiscoveryOutcome.BLOCKED
    if fetch.outcome is Outcome.BAD_URL:
        return DiscoveryOutcome.BAD_URL
    if is_closed(fetch):
        return DiscoveryOutcome.REFUSED
    return DiscoveryOutcome.NO_FEED if fetch.outcome in _LOOKED_AT else DiscoveryOutcome.UNREACHABLE
