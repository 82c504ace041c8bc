"""What a check says about the hub of its feed: news that was announced, late, or not at all (rules W21, W22)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from feedward.push.push_record import PushRecord, SubscriptionState, Trust
from feedward.push.trust import Found, learn

NOW = 1_790_000_000
ANSWERED = PushRecord(
    feed_id="01FEED", hub="https://hub.example/", topic="https://a.example/feed", token_hash="h", sealed="s",
    state=SubscriptionState.VERIFIED, state_since=NOW - 10**6, trust=Trust.TRUSTED,
    push_check_at=NOW - 600, pushed_at=NOW - 600, looked_at=NOW - 598,
)  # fmt: skip


def found(**members: Any) -> Found:
    return Found(**{"at": NOW, "new_items": 1, "last_news_at": NOW - 598, **members})


@pytest.mark.parametrize(
    ("record", "published", "is_told", "is_untold"),
    [
        (ANSWERED, (NOW - 240,), False, True),
        (ANSWERED, (NOW - 60,), True, False),  # its push may be on its way
        (ANSWERED, (NOW - 620,), True, False),  # the push was about it
        (ANSWERED, (), True, False),
        (replace(ANSWERED, looked_at=NOW - 700), (NOW - 240,), True, False),  # the check of the push is under way
        (replace(ANSWERED, look_at=NOW + 60), (NOW - 240,), True, False),  # the push had met an old copy
    ],
)
def test_news_that_a_poll_finds_after_a_push_was_answered_is_no_announced_news(
    record: PushRecord, published: tuple[int, ...], *, is_told: bool, is_untold: bool
) -> None:
    lesson = learn(record, found(published=published))

    assert (lesson.is_told, lesson.is_untold) == (is_told, is_untold)
    assert lesson.after.told == 1  # for the feed, rule W21 holds


@pytest.mark.parametrize(
    ("members", "is_slow"),
    [
        ({"pushed_at": NOW - 2, "published": (NOW - 181,)}, False),
        ({"pushed_at": NOW - 2, "published": (NOW - 182,)}, True),
        ({"pushed_at": NOW - 2, "published": (NOW - 20, NOW - 900)}, True),  # it brought an older item
        ({"pushed_at": NOW - 2, "published": ()}, False),
        ({"pushed_at": NOW - 2, "published": (NOW + 3600,)}, False),
        ({"pushed_at": NOW - 200, "published": (NOW - 210,)}, False),  # found by a later look
        ({"pushed_at": NOW, "new_items": 0, "last_news_at": NOW - 170}, False),  # a poll had found it
        ({"pushed_at": NOW, "new_items": 0, "last_news_at": NOW - 190}, True),
    ],
)
def test_a_push_is_slow_if_its_news_was_three_minutes_old(members: dict[str, Any], *, is_slow: bool) -> None:
    lesson = learn(ANSWERED, found(**members))

    assert lesson.is_told
    assert lesson.is_slow is is_slow
