"""The events of moves and of revival, as they are sent and read (rules B1, B2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from feedward.errors import InvalidInput
from feedward.events.envelope import RevivalRequested, feed_moved, read_revival_requested, revival_requested
from feedward.health.decision import RevivalReason
from feedward.health.moves import MoveReason
from tests.unit.events.test_envelope import validator

ID = "01M3250V00GSDB1MRQYDMPBS1X"
ASKED = RevivalRequested(event_id=ID, feed_id=ID, reason=RevivalReason.GONE, occurred_at=1_790_000_000, outcome="gone")


@pytest.mark.parametrize("reason", list(RevivalReason))
@pytest.mark.parametrize("members", [{}, {"requested_by": "ada", "outcome": None, "tenant_id": "tenant"}])
def test_a_request_for_revival_is_read_as_it_was_sent(reason: RevivalReason, members: dict[str, Any]) -> None:
    asked = replace(ASKED, reason=reason, **members)
    detail = revival_requested(asked)
    validator("RevivalRequested").validate(detail)
    assert read_revival_requested(detail) == asked
    assert read_revival_requested({**detail, "something": "new"}) == asked


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("version", 2),
        ("id", None),
        ("id", ""),
        ("feed_id", 7),
        ("reason", "boredom"),
        ("reason", None),
        ("occurred_at", "now"),
        ("occurred_at", True),
        ("occurred_at", -1),
        ("requested_by", 1),
        ("tenant_id", []),
    ],
)
def test_a_fault_of_a_request_is_named(member: str, value: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_revival_requested({**revival_requested(ASKED), member: value})
    assert refused.value.field == member


@pytest.mark.parametrize("reason", list(MoveReason))
@pytest.mark.parametrize("merged_into", [None, ID])
def test_every_move_satisfies_the_schema(reason: MoveReason, merged_into: str | None) -> None:
    detail = feed_moved(
        event_id=ID,
        occurred_at=1,
        tenant_id=None,
        feed_id=ID,
        before="http://a.example/feed",
        after="https://a.example/feed",
        reason=reason.value,
        merged_into=merged_into,
    )
    validator("FeedMoved").validate(detail)
    for member in detail:
        assert not validator("FeedMoved").is_valid({each: value for each, value in detail.items() if each != member})
