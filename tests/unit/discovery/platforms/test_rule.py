"""Rules that are tables: the first row decides, a feed leads nowhere, and proposals stay on the platform's hosts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.discovery.page import Page
from feedward.discovery.platforms import art, audio, fediverse, launches, social, video
from feedward.discovery.platforms.rule import Platform, Proposal, at, by_path
from feedward.discovery.url_patterns import host_of, names
from feedward.urls.hosts import registrable_domain
from feedward.urls.parse import Url, parse_http_url
from tests.unit.urls.messy import any_of, plain_urls

RULES = [
    *(rule for family in (video, audio, social, fediverse, art, launches) for rule in family.RULES),
]
# Feeds that live on another domain of the same platform.
ELSEWHERE = {"youtube": {"youtube.com"}, "pinterest": {"pinterest.com"}, "steam": {"steampowered.com"}}

feeds = by_path(
    at("/tag/{tag}/*", Proposal(url="/tag/{tag}.rss", what="tag")),
    at("/about/*"),
    at("/{user}", Proposal(url="https://feeds.example/{user}?all=1"), Proposal(url="/{user}/b.rss")),
    reserved=names("login"),
)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/tag/x/y", ["https://a.example:8443/tag/x.rss"]),
        ("/about", []),
        ("/login", []),
        ("/me/", ["https://feeds.example/me?all=1", "https://a.example:8443/me/b.rss"]),
        ("/me/x", []),
        ("/me.rss", []),
        ("/tag/x.ATOM", []),
    ],
)
def test_the_first_row_that_is_met_decides(path: str, expected: list[str]) -> None:
    url = parse_http_url(f"https://u:p@a.example:8443{path}")
    assert url
    assert [feed.url for feed in feeds(url)] == expected


def _proposals(rule: Platform, url: Url, page: Page) -> list[Proposal]:
    by_url = rule.feeds(url) if rule.feeds else ()
    by_page = rule.page_feeds(url, page) if rule.page_feeds else ()
    return [*by_url, *by_page]


def _at_host(rule: Platform, url: str, number: int) -> str | None:
    hosts = [host.removeprefix(".") for host in rule.hosts] or ["unknown.example"]
    host = hosts[number % len(hosts)]
    below = "someone." if f".{host}" in rule.hosts else ""
    parsed = parse_http_url(url)
    if parsed is None:
        return None
    parsed.host = below + host
    return parsed.href


PATHS = st.one_of(
    plain_urls(),
    st.lists(
        any_of("channel user c @me users tags photos a-b 123 UC0123456789abcdefghijkl caf%C3%A9 100%25 playlist"),
        max_size=4,
    ).map(lambda parts: "https://a.example/" + "/".join(parts)),
)


@given(st.sampled_from(RULES), PATHS, st.integers(0, 99), st.text(max_size=30))
def test_rules_bear_any_url_and_stay_on_their_platform(rule: Platform, text: str, number: int, html: str) -> None:
    url_text = _at_host(rule, text, number)
    url = parse_http_url(url_text) if url_text else None
    if url is None:
        return
    page = Page(url=url.href, base_url=url.href, html=html)
    proposals = _proposals(rule, url, page)

    assert proposals == _proposals(rule, url, page)
    for proposal in proposals:
        feed = parse_http_url(proposal.url)
        assert feed
        assert "{" not in proposal.url
        assert proposal.url.count("%25") <= url.href.count("%25")
        if rule.name != "mastodon" and rule.hosts:
            domains = {registrable_domain(host.removeprefix(".")) for host in rule.hosts}
            domains |= ELSEWHERE.get(rule.name, set())
            assert registrable_domain(host_of(feed)) in domains | {registrable_domain(host_of(url))}


@given(plain_urls())
def test_lookups_bear_any_url(text: str) -> None:
    for rule in RULES:
        url_text = _at_host(rule, text, 0)
        url = parse_http_url(url_text) if url_text else None
        if url is not None and rule.lookup:
            lookup = rule.lookup(url)
            assert lookup is None or lookup.url.startswith("https://itunes.apple.com/lookup?id=")
