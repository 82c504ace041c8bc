"""What one discovery answers (spec discovery-directory.md section 1, D1, D4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from feedward.discovery.candidate import Candidate, Kind
from feedward.model import Outcome


class DiscoveryOutcome(StrEnum):
    """How a discovery ended. `no_feed` is said only where the site let itself be looked at (D4)."""

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
