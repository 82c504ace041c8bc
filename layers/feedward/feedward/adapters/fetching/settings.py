"""Settings of the guarded fetch: limits, redirects, the two User-Agents and the Accept headers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from feedward import __version__
from feedward.errors import InvalidInput
from feedward.model import Wanted
from feedward.urls.redirects import MAX_REDIRECTS
from feedward.urls.safety import DEFAULT_POLICY, UrlPolicy

ACCEPT: Final[Mapping[Wanted, str]] = {
    # text/html is named because some hosts refuse clients that do not name it.
    Wanted.FEED: "application/atom+xml, application/rss+xml, application/rdf+xml, application/feed+json, "
    "application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.5, text/html;q=0.1",
    # A host with a page and data about it sends the page, as to a browser. A host with only a feed sends the feed.
    Wanted.PAGE: "text/html, application/xhtml+xml;q=0.9, application/atom+xml;q=0.8, application/rss+xml;q=0.8, "
    "application/feed+json;q=0.8, application/xml;q=0.7, */*;q=0.5",
    Wanted.RULES: "text/plain, */*;q=0.5, text/html;q=0.1",
}


def user_agent(contact_url: str = "") -> str:
    """Return the User-Agent, with a URL at which publishers can reach us (rule N14)."""
    return f"feedward/{__version__} (+{contact_url})" if contact_url else f"feedward/{__version__}"


def browser_user_agent(contact_url: str = "") -> str:
    """Return the browser-compatible User-Agent (rule D4), for sites that refuse all others."""
    contact = f"; +{contact_url}" if contact_url else ""
    return f"Mozilla/5.0 (compatible; feedward/{__version__}{contact})"


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchSettings:
    """Limits of one fetch with all its hops: seconds, bytes, counts. Raises InvalidInput for an invalid value."""

    total_s: float = 10.0
    connect_s: float = 3.0
    io_s: float = 5.0
    wire_bytes: int = 5 << 20
    decoded_bytes: int = 10 << 20
    header_bytes: int = 64 << 10
    follow_redirects: bool = True
    max_redirects: int = MAX_REDIRECTS
    user_agent: str = field(default_factory=user_agent)
    browser_user_agent: str = field(default_factory=browser_user_agent)
    url_policy: UrlPolicy = DEFAULT_POLICY

    def __post_init__(self) -> None:
        for name in ("total_s", "connect_s", "io_s", "wire_bytes", "decoded_bytes", "header_bytes"):
            if getattr(self, name) <= 0:
                raise InvalidInput(name, f"{name} must be above 0")
        if self.max_redirects < 0:
            raise InvalidInput("max_redirects", "max_redirects must not be negative")
        for name in ("user_agent", "browser_user_agent"):
            if not re.fullmatch(r"[\x20-\x7e]+", getattr(self, name)):
                raise InvalidInput(name, f"{name} must be printable ASCII")

    def headers(self, *, wants: Wanted, as_browser: bool) -> dict[str, str]:
        """Return the User-Agent and Accept headers."""
        agent = self.browser_user_agent if as_browser else self.user_agent
        return {"User-Agent": agent, "Accept": ACCEPT[wants]}
