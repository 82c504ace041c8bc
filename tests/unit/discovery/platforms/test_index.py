"""The index leads to each family of rules that knows a host, and names nothing that none of its rules has."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedward.discovery import platforms
from feedward.discovery.candidate import Kind, Source
from feedward.discovery.page import Page
from feedward.discovery.platforms.index import (
    FAMILIES,
    SOFTWARE,
    families_of,
    page_platform_leads,
    platform_leads,
    platform_lookup,
    rules_of,
)
from feedward.discovery.platforms.rule import Platform
from feedward.discovery.url_patterns import names
from feedward.urls.hosts import registrable_domain
from feedward.urls.parse import parse_http_url


def files_with_rules() -> set[str]:
    names = {module.name for module in pkgutil.iter_modules(platforms.__path__)}
    return {name for name in names if hasattr(importlib.import_module(f"{platforms.__name__}.{name}"), "RULES")}


def hosts_of(family: str) -> set[str]:
    """The hosts of a family's rules; for a rule for all hosts below a domain, one of them."""
    return {f"name{host}" if host.startswith(".") else host for rule in rules_of(family) for host in rule.hosts}


def leads_to(domain: str, host: str) -> bool:
    return f".{domain}" in f".{host}" if domain.endswith(".") else f".{host}".endswith(f".{domain}")


def test_every_file_of_rules_is_in_the_index() -> None:
    assert set(FAMILIES) == files_with_rules()


@pytest.mark.parametrize("family", FAMILIES)
def test_every_host_of_a_family_leads_to_it(family: str) -> None:
    assert [host for host in hosts_of(family) if family not in families_of(host)] == []


@pytest.mark.parametrize("family", FAMILIES)
def test_every_domain_of_the_index_is_there_for_a_rule(family: str) -> None:
    hosts = hosts_of(family)
    assert [each for each in FAMILIES[family].split() if not any(leads_to(each, host) for host in hosts)] == []


def test_no_domain_is_in_the_index_twice() -> None:
    domains = [domain for each in FAMILIES.values() for domain in each.split()]
    assert len(domains) == len(set(domains))


def test_the_families_with_software_for_any_host_are_those_that_recognize_a_page_in_the_same_order() -> None:
    recognizing = [each for each in FAMILIES if any(rule.generators or rule.recognizes for rule in rules_of(each))]
    assert list(SOFTWARE) == recognizing


@pytest.mark.parametrize(
    ("host", "families"),
    [
        ("github.com", ("github",)),
        ("gist.github.com", ("github",)),
        ("notgithub.com", ()),
        ("github.com.example", ()),
        ("someone.blogspot.co.uk", ("blogs",)),
        ("blogspot.example", ("blogs",)),
        ("myblogspot.com", ()),
        ("gitlab.wordpress.com", ("code", "blogs")),
        ("example.org", ()),
        ("com", ()),
        ("", ()),
    ],
)
def test_a_host_leads_to_the_families_of_its_names(host: str, families: tuple[str, ...]) -> None:
    assert families_of(host) == families


PLATFORMS = [rule for family in FAMILIES for rule in rules_of(family)]
# Platforms with two names: that of a page, that of its feed.
ELSEWHERE = {("redd", "reddit"), ("python", "pypi"), ("youtu", "youtube"), ("youtube-nocookie", "youtube")}


def example_host(host: str) -> str:
    return f"name{host}" if host.startswith(".") else host


HOSTS = sorted({example_host(host) for platform in PLATFORMS for host in platform.hosts})
WORDS = sorted(
    names(
        "a about author blog blogs branch c category channel collections comments commits feed feeds index.php issues "
        "items label list m new newest o p page posts project projects pub questions r releases rss s search t tag "
        "tagged tags top topics tree u user users v watch wiki x .rss x.atom feed.xml @name ~name %20 %zz a%2fb a+b 123"
    )
)
QUERIES = ["", "?", "?q=a%20b", "?id=1&u=2", "?title=X&feed=atom", "?list=PL1", "?v=x&list=", "?format=rss", "?=&&;"]

some_url = st.builds(
    lambda scheme, host, path, slash, query: f"{scheme}://{host}/{'/'.join(path)}{slash}{query}#f",
    st.sampled_from(["https", "http"]),
    st.sampled_from(HOSTS)
    | st.sampled_from(HOSTS).map(lambda host: f"www.{host}")
    | st.sampled_from(HOSTS).map(str.upper),
    st.lists(st.sampled_from(WORDS) | st.text(max_size=12), max_size=6),
    st.sampled_from(["", "/", "//"]),
    st.sampled_from(QUERIES) | st.text(max_size=12).map(lambda text: f"?{text}"),
)


def name_of(url: str) -> str:
    """The name before the public suffix: `pinterest` of pinterest.co.uk."""
    parsed = parse_http_url(url)
    assert parsed is not None
    return registrable_domain(parsed.hostname).partition(".")[0]


@settings(max_examples=200)
@given(some_url)
def test_any_url_of_any_platform_has_distinct_fetchable_leads_in_order(url: str) -> None:
    leads = platform_leads(url)
    assert leads == platform_leads(url)
    assert [lead.position for lead in leads] == list(range(len(leads)))
    assert len({lead.url for lead in leads}) == len(leads)
    for lead in leads:
        parsed = parse_http_url(lead.url)
        assert parsed is not None
        assert parsed.href == lead.url
        assert "#" not in lead.url
        assert not parsed.username
        assert lead.source is Source.PLATFORM
        assert lead.kind is not None
        assert lead.why
    platform_lookup(url)


@settings(max_examples=200)
@given(some_url)
def test_a_platforms_feed_is_on_a_domain_of_the_platform(url: str) -> None:
    for lead in platform_leads(url):
        assert name_of(lead.url) == name_of(url) or (name_of(url), name_of(lead.url)) in ELSEWHERE


@settings(max_examples=150)
@given(some_url, st.text(max_size=60), st.sampled_from([None, "Ghost 5", "MediaWiki 1", "Discourse 3", "blogger"]))
def test_any_page_can_be_asked(url: str, html: str, generator: str | None) -> None:
    parsed = parse_http_url(url)
    if parsed is not None:
        page_platform_leads(url, Page(url=parsed.href, base_url=parsed.href, html=html, generator=generator))


@settings(max_examples=150)
@given(some_url)
def test_a_feed_has_no_other_feed(url: str) -> None:
    """The URLs that a rule proposes are feeds; to the feed's own URL it proposes at most that."""
    for lead in platform_leads(url):
        assert {again.url for again in platform_leads(lead.url)} <= {lead.url}


@pytest.mark.parametrize(
    "text", ["", "x", "mailto:a@github.com", "https://", "https://github.com.example/o/r", "\ud800"]
)
def test_a_url_that_no_rule_knows_has_no_leads(text: str) -> None:
    assert platform_leads(text) == []
    assert platform_lookup(text) is None


@pytest.mark.parametrize(
    ("url", "known"),
    [
        ("https://notgithub.com/o/r", False),
        ("https://api.github.com/repos/o/r", False),
        ("https://letters.substack.com.example/", False),
        ("https://open.substack.com/archive", False),
        ("https://letters.substack.com/archive", True),
    ],
)
def test_the_most_specific_host_decides_and_no_other_host_is_meant(url: str, known: bool) -> None:
    assert bool(platform_leads(url)) is known


def test_a_lead_names_its_platform_and_its_kind() -> None:
    lead = platform_leads("https://github.com/o/r")[0]
    assert (lead.why, lead.kind, lead.page_url) == ("github: releases", Kind.MAIN, None)


def test_a_pages_lead_says_where_it_was_found() -> None:
    page = Page(url="http://x.example/tag/a/", base_url="http://x.example/", generator="Ghost 5.8")
    leads = page_platform_leads(page.url, page)
    assert [(lead.why, lead.position, lead.page_url) for lead in leads] == [
        ("ghost: tag", 0, page.url),
        ("ghost: posts", 1, page.url),
    ]


def test_where_the_page_was_found_elsewhere_its_url_is_looked_at_too() -> None:
    page = Page(url="https://github.com/o/r", base_url="https://github.com/o/r")
    assert page_platform_leads("https://short.example/x", page) == platform_leads("https://github.com/o/r")
    assert page_platform_leads("https://github.com/o/r", page) == []


def test_a_page_on_a_platforms_own_host_is_not_taken_for_another_software() -> None:
    url = "https://github.com/about"
    page = Page(url=url, base_url=url, generator="Ghost 5.8", html="substackcdn.com Shopify.theme")
    assert page_platform_leads(url, page) == []


def hosts_named_twice(platforms: Sequence[Platform]) -> list[str]:
    named = [host for platform in platforms for host in platform.hosts]
    return sorted({host for host in named if named.count(host) > 1})


def test_no_host_belongs_to_two_rules() -> None:
    assert hosts_named_twice(PLATFORMS) == []


def test_every_rule_can_be_reached_and_does_something() -> None:
    for platform in PLATFORMS:
        assert platform.hosts or platform.generators or platform.recognizes, platform.name
        assert platform.feeds or platform.page_feeds or platform.lookup, platform.name
        assert platform.hosts or platform.page_feeds, platform.name
        for host in platform.hosts:
            assert host == host.lower()
            assert not host.startswith("www.")
