"""A bot wall with status 200 is a challenge wherever it is met, and nothing is kept of it (rules H1, D4)."""

from __future__ import annotations

import pytest

from feedward.discovery.result import DiscoveryOutcome
from feedward.frontier.row import RowStatus
from feedward.health.moves import MoveReason
from feedward.model import Outcome
from feedward.services.canonicalize.canonicalize import canonicalize
from feedward.services.collect.fetch_row import fetch_row
from feedward.services.discover.discover import discover
from tests.fakes.collecting import FakeCollecting
from tests.fakes.fetcher import FakeFetcher
from tests.unit.pages.bot_walls import WALLS
from tests.unit.services.check.checked import URL, Checked, moved, page, rss

KINDS = pytest.mark.parametrize("html", WALLS.values(), ids=WALLS)
A, B = "https://a.example/", "https://b.example/x"


@KINDS
def test_a_check_that_meets_one_fails_and_asks_for_no_revival(html: str) -> None:
    checked = Checked({URL: page(rss("a"), etag='"1"')})
    before = checked.feed
    checked.serve(page(html, headers={"ETag": '"2"', "Content-Type": "text/html"}))
    for _ in range(9):
        answer = checked.check_when_due()
        assert (answer.outcome, answer.revival, answer.move) == (Outcome.CHALLENGE, None, None)
    assert (checked.feed["url"], checked.feed["etag"]) == (URL, before["etag"])
    assert list(checked.requests)[:2] == [URL, URL], "a browser is let in more often"


def test_a_feed_that_moves_to_one_stays_where_it_is() -> None:
    checked = Checked({URL: page(rss("a"))})
    checked.serve(moved(301, B))
    checked.serve(page(WALLS["Anubis"]), B)
    assert checked.check_when_due().outcome is Outcome.CHALLENGE
    assert checked.feed["url"] == URL
    assert MoveReason.PERMANENT_REDIRECT not in [told["reason"] for told in checked.told("FeedMoved")]


@KINDS
def test_canonicalization_says_challenge(html: str) -> None:
    result = canonicalize(URL, fetcher=FakeFetcher({URL: page(html)}))
    assert (result.url, result.outcome, result.status) == (None, Outcome.CHALLENGE, 200)


@KINDS
def test_a_site_behind_one_is_refused_and_has_no_page(html: str) -> None:
    site = page(html, headers={"Content-Type": "text/html"})
    found = discover(A, fetcher=FakeFetcher({A: site, "https://a.example*": site}))
    assert (found.outcome, found.page_outcome, found.page) == (DiscoveryOutcome.REFUSED, Outcome.CHALLENGE, None)


def test_a_feed_that_a_page_names_behind_one_is_refused() -> None:
    home = page('<link rel="alternate" type="application/rss+xml" href="/feed">', headers={"Content-Type": "text/html"})
    found = discover(A, fetcher=FakeFetcher({A: home, f"{A}feed": page(WALLS["SiteGround"])}))
    assert found.outcome is DiscoveryOutcome.REFUSED


@KINDS
def test_collecting_one_is_a_failure_that_keeps_nothing(html: str) -> None:
    site = page(html, headers={"Content-Type": "text/html"})
    world = FakeCollecting({A: moved(301, B), B: site})
    row = world.add(A)
    answer = fetch_row(row, ports=world.ports)
    kept = world.row(row.row_id)
    assert (kept.url, kept.status, kept.last_error) == (A, RowStatus.FAILED, "challenge")
    assert (answer.item_id, answer.http_status, world.lineage.contents.items()) == (None, 200, {})
