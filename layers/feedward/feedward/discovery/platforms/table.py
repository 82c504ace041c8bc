"""All platform rules, found by host: the feeds of a URL's platform, by the URL alone and by the page (rule D1).

A rule is pure and only proposes. The rules of the most specific host decide: those of open.substack.com, not those of
all subdomains of substack.com. Software that runs anywhere is recognized by its pages, on hosts that have no rule.
Rules are loaded by families, when the index first names them.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from feedward.discovery.candidate import Lead, Source
from feedward.discovery.page import Page
from feedward.discovery.platforms.index import SOFTWARE, families_of
from feedward.discovery.platforms.rule import Lookup, Platform, Proposal
from feedward.discovery.url_parts import host_of, read_url
from feedward.urls.parse import Url, parse_http_url

_Found = tuple[Platform, Sequence[Proposal]]


def has_rules(url: str) -> bool:
    """Tell whether the URL is on a platform's host, which has feeds of many people."""
    parsed = read_url(url)
    return parsed is not None and bool(_of_host(parsed))


def platform_leads(url: str) -> list[Lead]:
    """Return the feeds that the platform of this URL has, best first, by the URL alone.

    The first lead belongs to the URL itself: a tag page's first lead is the tag's feed. Empty if no rule matches.
    """
    parsed = read_url(url)
    if parsed is None:
        return []
    return _leads((rule, rule.feeds(parsed)) for rule in _of_host(parsed) if rule.feeds)


def page_platform_leads(url: str, page: Page) -> list[Lead]:
    """Return the feeds that the platform of this page has, best first, by the page.

    `url` is the requested URL. If the page was found at another URL, the leads of that URL alone are included.
    """
    parsed = read_url(page.url)
    if parsed is None:
        return []
    moved: list[Lead] = platform_leads(page.url) if page.url != url else []
    rules = _of_host(parsed) or _of_page(page)
    told = _leads(((rule, rule.page_feeds(parsed, page)) for rule in rules if rule.page_feeds), page_url=page.url)
    return _once([*moved, *told])


def platform_lookup(url: str) -> Lookup | None:
    """Return the platform's own API document that names this URL's feeds, if a rule has one."""
    parsed = read_url(url)
    if parsed is None:
        return None
    lookups = (rule.lookup(parsed) for rule in _of_host(parsed) if rule.lookup)
    return next((lookup for lookup in lookups if lookup), None)


@functools.cache
def rules_of(family: str) -> tuple[Platform, ...]:
    """Return the rules of a family of the index, from its file."""
    rules: tuple[Platform, ...] = importlib.import_module(f"{__package__}.{family}").RULES
    return rules


@functools.cache
def _by_host(families: tuple[str, ...]) -> Mapping[str, tuple[Platform, ...]]:
    index: dict[str, tuple[Platform, ...]] = {}
    for platform in (rule for family in families for rule in rules_of(family)):
        for host in platform.hosts:
            index[host] = (*index.get(host, ()), platform)
    return index


def _of_host(url: Url) -> tuple[Platform, ...]:
    """Return the rules of the host, else those of the closest domain that stands for all its subdomains."""
    host = host_of(url)
    hosts = _by_host(families_of(host))
    if host in hosts:
        return hosts[host]
    _, dot, above = host.partition(".")
    while dot:
        if f".{above}" in hosts:
            return hosts[f".{above}"]
        _, dot, above = above.partition(".")
    return ()


def _of_page(page: Page) -> tuple[Platform, ...]:
    return tuple(rule for family in SOFTWARE for rule in rules_of(family) if _is_from(rule, page))


def _is_from(platform: Platform, page: Page) -> bool:
    generator = (page.generator or "").strip().lower()
    if generator and platform.generators and generator.startswith(platform.generators):
        return True
    return platform.recognizes is not None and platform.recognizes(page)


def _leads(found: Iterable[_Found], *, page_url: str | None = None) -> list[Lead]:
    named = [(platform, proposal) for platform, proposals in found for proposal in proposals]
    return _once(
        [
            Lead(
                url=url,
                source=Source.PLATFORM,
                kind=proposal.kind,
                why=f"{platform.name}: {proposal.what}" if proposal.what else platform.name,
                page_url=page_url,
            )
            for platform, proposal in named
            if (url := _fetchable(proposal.url))
        ]
    )


def _once(leads: Iterable[Lead]) -> list[Lead]:
    """Keep the first lead to each URL and renumber the positions."""
    first: dict[str, Lead] = {}
    for lead in leads:
        first.setdefault(lead.url, lead)
    return [_at(position, lead) for position, lead in enumerate(first.values())]


def _at(position: int, lead: Lead) -> Lead:
    return lead if lead.position == position else replace(lead, position=position)


def _fetchable(text: str) -> str:
    url = parse_http_url(text)
    if url is None:
        return ""
    url.hash = ""
    return url.href
