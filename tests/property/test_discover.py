"""For any pages of a site, a discovery keeps its budget, requests no URL twice, and is repeatable."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from feedward.discovery.candidate import ValidationStatus
from feedward.discovery.result import Discovery, DiscoveryOutcome
from feedward.services.discover.discover import ANSWER_LIMITS
from tests.fakes.fetcher import FakeFetcher
from tests.unit.services.discover.discovered import find, html, link, moved, rss, walled

HOSTS = ("http://a.example", "https://www.a.example", "http://b.example", "http://10.0.0.9", "http://lan.example")
PATHS = ("/", "/blog/", "/blog/post", "/feed", "/rss", "/feed/", "/blog/feed", "/comments/feed", "/feeds/", "/x.opml")
URLS = [host + path for host in HOSTS for path in PATHS]
url = st.sampled_from(URLS)
some_urls = st.lists(url, max_size=8)


def page_of(kind: str, urls: list[str], target: str) -> dict[str, Any]:
    head = "".join(map(link, urls))
    match kind:
        case "links":
            return html(head)
        case "anchors":
            return html("", "".join(f'<a href="{each}">RSS feed</a>' for each in urls))
        case "refresh":
            return html(f'<meta http-equiv="refresh" content="0;url={target}"><link rel="canonical" href="{target}">')
        case "feed":
            return rss(target, items=len(urls))
        case "moved":
            return moved(target)
        case "walled":
            return walled(html(head))
        case "error":
            return {"error": "timeout"}
        case _:
            return {"status": int(kind), "body": "x", "headers": {"Retry-After": "5"}}


KINDS = ("links", "anchors", "refresh", "feed", "feed", "moved", "moved", "walled", "error", "404", "403", "429", "500")
page = st.builds(page_of, st.sampled_from(KINDS), some_urls, url)
network = st.dictionaries(url, page, max_size=14)
budget = st.integers(0, 24)


def look(start: str, pages: dict[str, Any], requests: int) -> tuple[Discovery, FakeFetcher]:
    limits = replace(ANSWER_LIMITS, requests=requests, answer_s=600.0)  # a busy machine changes nothing
    return find(start, pages, limits=limits, dns={"lan.example": ["192.168.7.7"]}, rsshub_base="http://hub.example")


@given(start=url, pages=network, requests=budget)
@settings(max_examples=80)
def test_budget_holds_and_nothing_is_asked_twice_of_one_agent(start: str, pages: dict[str, Any], requests: int) -> None:
    found, internet = look(start, pages, requests)
    assert len(internet.requests) == found.requests <= requests
    assert not [each for each in internet.requests if "10.0.0.9" in each or "lan." in each]
    twice = [each for each, times in Counter(internet.requests).items() if times > 2]
    assert twice == []


@given(start=url, pages=network, requests=budget)
@settings(max_examples=80)
def test_same_pages_give_the_same_answer(start: str, pages: dict[str, Any], requests: int) -> None:
    assert look(start, pages, requests)[0] == look(start, pages, requests)[0]


@given(start=url, pages=network)
@settings(max_examples=80)
def test_outcome_and_candidates_agree(start: str, pages: dict[str, Any]) -> None:
    found, _ = look(start, pages, 24)
    statuses = [each.status for each in found.candidates]
    assert (found.outcome is DiscoveryOutcome.FOUND) == (found.canonical is not None)
    assert statuses == sorted(statuses, key=lambda status: status is not ValidationStatus.VALID)
    assert all(each.score == sum(each.parts.values()) for each in found.candidates)
    assert all((each.feed is not None) == (each.status is ValidationStatus.VALID) for each in found.candidates)
    assert all(each.detail for each in found.candidates if each.status is not ValidationStatus.VALID)
    landings = [each.final_url for each in found.candidates if each.status is ValidationStatus.VALID]
    assert len(set(landings)) == len(landings), "feeds that land at one URL are one candidate"
    if found.http_status in (403, 429):
        assert found.outcome in (DiscoveryOutcome.FOUND, DiscoveryOutcome.REFUSED)
