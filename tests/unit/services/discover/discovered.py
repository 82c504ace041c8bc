"""Small made-up sites for tests of the discovery."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from time import monotonic
from typing import Any

from feedward.deadline import Deadline
from feedward.discovery.candidate import Candidate, ValidationStatus
from feedward.discovery.result import Discovery
from feedward.services.discover.discover import discover
from tests.fakes.fetcher import FakeFetcher

Pages = Mapping[str, Any]
RSS_TYPE = "application/rss+xml"


class HandClock:
    """Seconds that pass only when a fetch takes them."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def advance(self, seconds: float) -> None:
        self.seconds += seconds

    def __call__(self) -> float:
        return self.seconds


def rss(site: str, *, title: str = "Site", items: int = 3, self_url: str | None = None) -> dict[str, Any]:
    """A page that is a feed of `site`, whose items are named after the feed."""
    own = f'<atom:link rel="self" href="{self_url}"/>' if self_url else ""
    entries = "".join(
        f"<item><title>{title} {n}</title><link>{site}{title.replace(' ', '-')}-{n}</link>"
        f"<pubDate>Mon, {10 - n:02} Aug 2026 10:00:00 GMT</pubDate></item>"
        for n in range(items)
    )
    body = (
        '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">'
        f"<channel><title>{title}</title><link>{site}</link>{own}{entries}</channel></rss>"
    )
    return {"headers": {"Content-Type": RSS_TYPE}, "body": body}


def html(head: str = "", body: str = "", **more: Any) -> dict[str, Any]:
    """A page in HTML."""
    text = f"<!doctype html><html><head><title>Home</title>{head}</head><body>{body}</body></html>"
    return {"headers": {"Content-Type": "text/html; charset=utf-8"}, "body": text, **more}


def link(href: str, title: str = "", *, more: str = "") -> str:
    """The feeds that a page advertises."""
    return f'<link rel="alternate" type="{RSS_TYPE}" title="{title}" href="{href}" {more}>'


def moved(location: str, status: int = 301) -> dict[str, Any]:
    """A page that redirects."""
    return {"status": status, "headers": {"Location": location}}


def walled(page: Mapping[str, Any], status: int = 403) -> dict[str, Any]:
    """A page that only a browser gets."""
    return {**page, "ua_require": "Mozilla", "ua_else": {"status": status, "body": "no"}}


def find(url: str, pages: Pages, **options: Any) -> tuple[Discovery, FakeFetcher]:
    """Discover `url` on an internet of `pages`, whose hosts answer 404 otherwise. Returns it with its requests."""
    dns, clock = options.pop("dns", None), options.pop("clock", None)
    internet = FakeFetcher(pages, dns=dns, clock=clock, answers_404=True)
    options["deadline"] = Deadline.after(options.pop("within_s", inf), clock or monotonic)
    return discover(url, fetcher=internet, **{"rsshub_base": None, **options}), internet


def chosen(found: Discovery) -> str | None:
    """The URL of the canonical feed."""
    return (found.canonical.final_url or found.canonical.url) if found.canonical else None


def valid(found: Discovery) -> list[str]:
    """The URLs of the valid candidates, best first."""
    return [each.final_url or each.url for each in found.candidates if each.status is ValidationStatus.VALID]


def candidate(found: Discovery, url: str) -> Candidate:
    """The candidate of this URL."""
    return next(each for each in found.candidates if url in (each.url, each.final_url, *each.aliases))


def paths(internet: FakeFetcher) -> Sequence[str]:
    """The requests, without scheme and host, in no order."""
    return sorted("/" + url.split("/", 3)[3] for url in internet.requests)
