"""The stored search for a lost feed, and its time (rule H6)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from feedward.adapters.dynamodb.feeds.revivals import DynamoRevivals
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.events.envelope import RevivalRequested
from feedward.health.decision import RevivalReason
from feedward.health.feed_health import FeedHealth
from feedward.model import FeedState, Item
from tests.contract.benches.feeds import NOW, feed_id, new_feed
from tests.contract.benches.moves import moves, write
from tests.contract.conftest import Bench
from tests.fakes.feed_store import PATIENT

URL = "https://example.com/feed"
DAY = 86_400
A = feed_id("a")
ASKED = RevivalRequested(event_id="E1", feed_id=A, reason=RevivalReason.GONE, occurred_at=NOW, outcome="gone")


def revivals(bench: Bench) -> DynamoRevivals:
    return DynamoRevivals(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]


@pytest.fixture
def feed(bench: Bench) -> str:
    items = (Item(id="1", url="https://example.com/1", title="One", published_at=NOW - 60),)
    new = new_feed("a", URL, site_id="S", is_canonical=True, canonical_score=90, items=items)
    return bench.store.register(new).feed_id


def end(bench: Bench, asked: RevivalRequested = ASKED, *, is_told: bool = False) -> None:
    revivals(bench).end(
        asked, now=NOW + 9, outcome="nothing_found", evidence={"requests": 24, "candidates": []}, is_told=is_told
    )


def test_all_that_is_known_of_the_feed(bench: Bench, feed: str) -> None:
    write(bench, feed, state="degraded", consecutive_failures=2, failures={"not_founds": 2, "first_failure_at": NOW})
    [meta] = bench.contents.under(feed, "META")
    bench.contents.put_feed_item(**{**meta, "site_link": "https://example.com/blog"})
    lost = revivals(bench).lost_feed(feed)
    assert lost is not None
    assert (lost.url, lost.rev, lost.owner, lost.title) == (URL, 2, None, "Example")
    assert (lost.site_url, lost.site_id, lost.site_link) == ("https://example.com/", "S", "https://example.com/blog")
    assert isinstance(lost.health, FeedHealth)
    assert (lost.health.state, lost.health.not_founds) == (FeedState.DEGRADED, 2)
    assert [each.item.title for each in lost.recent.items] == ["One"]
    assert lost.merged_into is None


def test_a_tombstone_names_the_surviving_feed_and_an_unknown_id_is_none(bench: Bench, feed: str) -> None:
    write(bench, feed, merged_into="0")
    lost = revivals(bench).lost_feed(feed)
    assert lost is not None
    assert lost.merged_into == "0"
    assert revivals(bench).lost_feed("0NONE") is None


def test_a_request_is_begun_once_it_is_ended(bench: Bench) -> None:
    assert revivals(bench).begin(ASKED)
    assert revivals(bench).begin(ASKED), "the worker that began it may have died"
    end(bench)
    assert not revivals(bench).begin(ASKED)


@pytest.mark.parametrize(
    ("reason", "after", "begins"),
    [
        (RevivalReason.NOT_FOUND, DAY, True),
        (RevivalReason.NOT_FOUND, DAY - 1, False),
        (RevivalReason.NOT_FOUND, -DAY, False),
        (RevivalReason.REQUESTED, 1, True),
    ],
)
def test_another_request_is_begun_a_day_later_or_when_a_person_asks(
    bench: Bench, reason: RevivalReason, after: int, begins: bool
) -> None:
    revivals(bench).begin(ASKED)
    end(bench)
    again = replace(ASKED, event_id="E2", reason=reason, occurred_at=NOW + after)
    assert revivals(bench).begin(again) is begins


def test_the_last_revival_is_kept_in_one_item_and_history_has_only_requested_ones(bench: Bench, feed: str) -> None:
    revivals(bench).begin(ASKED)
    end(bench)
    [last] = bench.contents.under(feed, "REVIVAL")
    assert (last["event_id"], last["outcome"], last["ended_at"], last["evidence"]["requests"]) == (
        "E1",
        "nothing_found",
        NOW + 9,
        24,
    )
    assert [entry.action for entry in moves(bench).entries(feed)] == ["registered"]
    asked = replace(ASKED, event_id="E2", reason=RevivalReason.REQUESTED, requested_by="ada", occurred_at=NOW + 5)
    revivals(bench).begin(asked)
    for _ in range(2):
        end(bench, asked, is_told=True)
    told, _ = moves(bench).entries(feed)
    assert (told.action, told.by, told.details["reason"], told.details["outcome"]) == (
        "revival",
        "ada",
        "requested",
        "nothing_found",
    )
    assert len(bench.contents.under(feed, "REVIVAL")) == 1


def test_of_many_different_requests_at_once_one_is_begun(bench: Bench) -> None:
    requests = [replace(ASKED, event_id=f"E{n}") for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        begun = list(pool.map(revivals(bench).begin, requests))
    assert begun.count(True) == 1
