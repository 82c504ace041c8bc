"""The points of a feed, and that each number is larger than all below it together (rule Q4)."""

from __future__ import annotations

from itertools import pairwise, product

from feedward.model import FeedState
from feedward.search import ranking
from feedward.search.query import read_query
from feedward.search.query_plan import tiers_of
from feedward.search.ranking import Quality, packed, points_of, unpacked


def all_qualities() -> list[Quality]:
    flags = product((True, False), repeat=3)
    return [
        Quality(is_canonical=canonical, is_main=main, is_stale=stale, state=state, words_more=more)
        for canonical, main, stale in flags
        for state in FeedState
        for more in range(ranking.MOST_WORDS + 1)
    ]


def test_a_quality_is_one_number_and_back() -> None:
    for quality in all_qualities():
        assert unpacked(packed(quality)) == quality
        assert points_of(packed(quality)) == sum(quality.parts.values())


def test_the_parts_are_ordered_by_their_names() -> None:
    def order(quality: Quality) -> tuple[int, ...]:
        return tuple(quality.parts[name] for name in ("main", "canonical", "state", "fresh", "brevity"))

    by_points = sorted(all_qualities(), key=lambda quality: quality.points)
    assert sorted(by_points, key=order) == by_points


def test_two_ways_to_match_are_further_apart_than_main_feeds() -> None:
    points = [quality.points for quality in all_qualities() if quality.is_main]

    assert max(points) == ranking.CANONICAL
    assert max(points) - min(points) < 100


def test_no_score_of_a_tier_reaches_the_next_one() -> None:
    points = [quality.points for quality in all_qualities()]
    tiers = list(tiers_of(read_query("quiet kit")))
    bounds = [
        (
            tier.base + min(stage.points for stage in tier.stages) + min(points),
            tier.base + max(stage.points for stage in tier.stages) + max(points),
        )
        for tier in tiers
    ]

    assert len(tiers) == 5
    assert all(lower > upper for (lower, _), (_, upper) in pairwise(bounds))
