"""The winner of a merge, and the state that it keeps (rule I3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.health.merge import MergingFeed, may_take_over, merged_by_move, merged_by_registration, winner_first
from feedward.model import FeedState
from feedward.scheduling.slots import Place

NOW = 1_790_000_000
LATER = Place(from_s=NOW + 9999)
A = MergingFeed(feed_id="A", url="https://a.example/", url_hash="a", state=FeedState.HEALTHY, place=LATER)
B = MergingFeed(feed_id="B", url="https://b.example/", url_hash="b", state=FeedState.HEALTHY, place=LATER)
SICK, PAUSED = FeedState.UNHEALTHY, FeedState.PAUSED
NEW = "https://b.example/new"


def test_the_smaller_id_survives_in_either_order() -> None:
    for merger in (merged_by_move(A, B, NEW), merged_by_move(B, A, NEW)):
        assert (merger.winner.feed_id, merger.loser.feed_id) == ("A", "B")
    for merger in (merged_by_registration(one, other, chosen=None, now=NOW) for one, other in ((A, B), (B, A))):
        assert (merger.winner.feed_id, merger.loser.feed_id) == ("A", "B")
    assert winner_first(["B", "A", "B"]) == ["A", "B"]


@pytest.mark.parametrize(
    ("moving", "owner", "url", "moves"),
    [
        (A, B, B.url, True),
        (A, replace(B, state=SICK), NEW, True),
        (A, replace(B, state=PAUSED), NEW, True),
        (B, A, A.url, False),
        (B, replace(A, state=SICK), NEW, True),
        (B, replace(A, state=PAUSED), A.url, False),
    ],
)
def test_a_move_ends_at_the_owner_s_url_if_that_is_well_and_leaves_a_paused_owner_alone(
    moving: MergingFeed, owner: MergingFeed, url: str, moves: bool
) -> None:
    merger = merged_by_move(moving, owner, NEW)
    assert (merger.url, merger.moves, merger.due_at) == (url, moves, None)


@pytest.mark.parametrize(
    ("winner", "chosen_hash", "taken"),
    [
        (A, "b", True),
        (A, "a", False),
        (A, "c", False),
        (replace(A, state=SICK), "b", True),
        (replace(A, state=PAUSED), "b", False),
    ],
)
def test_the_winner_moves_to_the_losers_chosen_url_unless_it_is_paused(
    winner: MergingFeed, chosen_hash: str, taken: bool
) -> None:
    assert may_take_over(winner, B, chosen_hash) is taken
    assert may_take_over(B, winner, chosen_hash) is taken


def test_a_survivor_that_takes_the_chosen_url_moves_there_and_is_due_soon() -> None:
    merger = merged_by_registration(A, B, chosen=B.url, now=NOW)
    assert (merger.url, merger.moves) == (B.url, True)
    assert merger.due_at
    assert NOW + 120 <= merger.due_at <= NOW + 132


@pytest.mark.parametrize(("place", "is_sooner"), [(LATER, True), (Place(from_s=NOW + 5), False), (None, False)])
def test_a_survivor_at_its_url_is_due_soon_unless_it_is_sooner_or_paused(place: Place | None, is_sooner: bool) -> None:
    merger = merged_by_registration(replace(A, place=place), B, chosen=None, now=NOW)
    assert (merger.url, merger.moves) == (A.url, False)
    assert (merger.due_at is not None) is is_sooner


@pytest.mark.parametrize(
    ("of_winner", "of_loser", "given"),
    [(False, True, True), (True, True, False), (True, False, False), (False, False, False)],
)
def test_a_setting_that_a_person_switched_on_outlives_its_feed(of_winner: bool, of_loser: bool, given: bool) -> None:
    winner, loser = replace(A, collect_items=of_winner), replace(B, collect_items=of_loser)
    assert merged_by_move(winner, loser, NEW).collect_items is given
