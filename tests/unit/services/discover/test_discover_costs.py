"""The cost of a discovery over all made-up sites of the cases: counted, not estimated."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean, median
from typing import Any

import pytest

from feedward.discovery.candidate import Kind
from feedward.discovery.result import Discovery
from feedward.services.discover.discover import discover
from tests.fakes.fetcher import FakeFetcher
from tests.unit.services.discover.discovered import find, html, link, paths, rss

CASES = json.loads((Path(__file__).parents[3] / "cases" / "discovery.json").read_text())
SITES: list[dict[str, Any]] = [case["args"][0] for case in CASES if case["op"] == "discover"]


def found_at(site: dict[str, Any]) -> tuple[Discovery, FakeFetcher]:
    internet = FakeFetcher(site["pages"], answers_404=True)
    return discover(site["input_url"], fetcher=internet), internet


@pytest.fixture(scope="module")
def all_found() -> list[tuple[Discovery, FakeFetcher]]:
    return [found_at(site) for site in SITES]


def test_counted_requests_are_those_that_were_sent(all_found: list[tuple[Discovery, FakeFetcher]]) -> None:
    assert all(found.requests == len(internet.requests) for found, internet in all_found)


def test_site_needs_three_and_a_half_requests_in_the_mean(all_found: list[tuple[Discovery, FakeFetcher]]) -> None:
    assert len(all_found) == 50
    assert mean(found.requests for found, _ in all_found) <= 3.5
    assert max(found.requests for found, _ in all_found) <= 13


def test_site_needs_two_rounds_mostly_and_five_at_most(all_found: list[tuple[Discovery, FakeFetcher]]) -> None:
    rounds = [found.rounds for found, _ in all_found]
    assert (median(rounds) <= 2, max(rounds) <= 5) == (True, True)


JSON = '<link rel="alternate" type="application/json" href="/page.json">'


@pytest.mark.parametrize(
    ("head", "asked"),
    [
        (f"{link('/f')}{JSON}", ["/", "/f"]),
        (JSON, ["/", "/page.json"]),
        (f"{link('/gone')}{JSON}", ["/", "/gone", "/page.json"]),
        (f"{link('/f')}{JSON.replace('page', 'feed')}", ["/", "/f", "/feed.json"]),
    ],
    ids=["beside a feed", "alone", "beside a dead feed", "named feed"],
)
def test_link_that_only_says_json_is_asked_where_no_feed_is_promised(head: str, asked: list[str]) -> None:
    feed = {path: rss("http://oak.example/") for path in ("http://oak.example/f", "http://oak.example/page.json")}
    _, internet = find("http://oak.example/", {"http://oak.example/": html(head), **feed})
    assert paths(internet) == asked


def test_no_site_is_left_open(all_found: list[tuple[Discovery, FakeFetcher]]) -> None:
    assert all(found.complete for found, _ in all_found)


@pytest.mark.parametrize("site", [site for site in SITES if site["intent"]], ids=lambda site: site["id"])
def test_the_intent_is_read_from_the_typed_url(site: dict[str, Any]) -> None:
    assert found_at(site)[0].intent is Kind(site["intent"])
