"""Why a feed does not move."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.health.moves import MoveReason
from feedward.health.relocation import FeedMove, MoveOutcome, is_taken_back, refusal_of
from feedward.model import FeedState

OLD, NEW = "https://a.example/old", "https://a.example/new"
ASKED = FeedMove(
    feed_id="A", url=OLD, to=NEW, seen_rev=3, reason=MoveReason.PERMANENT_REDIRECT, by="check", now=1_790_000_000
)
BY_A_PERSON = replace(ASKED, overrules=True)
HEALTHY, PAUSED = FeedState.HEALTHY, FeedState.PAUSED


@pytest.mark.parametrize(
    ("asked", "url", "rev", "state", "expected"),
    [
        (ASKED, OLD, 3, HEALTHY, None),
        (ASKED, OLD, 3, FeedState.UNHEALTHY, None),
        (ASKED, NEW, 9, HEALTHY, MoveOutcome.UNCHANGED),
        (ASKED, OLD, 4, HEALTHY, MoveOutcome.CHANGED),
        (ASKED, "https://a.example/other", 3, HEALTHY, MoveOutcome.CHANGED),
        (ASKED, OLD, 3, PAUSED, MoveOutcome.PAUSED),
        (BY_A_PERSON, OLD, 3, PAUSED, None),
    ],
)
def test_a_feed_moves_if_it_is_as_it_was_seen(
    asked: FeedMove, url: str, rev: int, state: FeedState, expected: MoveOutcome | None
) -> None:
    assert refusal_of(asked, url=url, rev=rev, state=state) is expected


@pytest.mark.parametrize(
    ("asked", "undone_url", "is_other_key", "expected"),
    [
        (ASKED, None, True, False),
        (ASKED, NEW, True, True),
        (ASKED, "http://a.example/new", True, True),
        (ASKED, NEW, False, True),
        (ASKED, "http://a.example/new", False, False),
        (BY_A_PERSON, NEW, True, False),
    ],
)
def test_only_a_person_repeats_an_undone_move(
    asked: FeedMove, undone_url: str | None, is_other_key: bool, expected: bool
) -> None:
    assert is_taken_back(asked, undone_url, is_other_key=is_other_key) is expected
