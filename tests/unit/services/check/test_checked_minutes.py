"""What a process remembers of the slots that it has checked."""

from __future__ import annotations

from feedward.health.due_feed import DueFeed
from feedward.health.place import Place
from feedward.health.record import FeedHealth
from feedward.services.check.checked_minutes import REMEMBERED, CheckedMinutes

MINUTE = 29_800_000


def due(feed_id: str, minute: int | None) -> DueFeed:
    return DueFeed(
        feed_id=feed_id,
        url="https://example.com/feed",
        url_hash="h",
        host="example.com",
        rev=1,
        place=Place(from_s=0),
        health=FeedHealth(feed_id=feed_id),
        minute=minute,
    )


def test_a_minute_and_those_before_it_are_known_and_later_ones_are_not() -> None:
    checked = CheckedMinutes()
    checked.add(due("a", MINUTE))

    assert [checked.has(due("a", MINUTE + late)) for late in (-15, 0, 15)] == [True, True, False]
    assert not checked.has(due("b", MINUTE))


def test_a_feed_by_exception_is_always_checked() -> None:
    checked = CheckedMinutes()
    checked.add(due("a", None))

    assert not checked.has(due("a", None))
    checked.add(due("a", MINUTE))
    assert not checked.has(due("a", None))


def test_the_oldest_are_forgotten_so_that_the_memory_stays_small() -> None:
    checked = CheckedMinutes()
    for number in range(REMEMBERED + 1):
        checked.add(due(str(number), MINUTE))

    assert not checked.has(due("0", MINUTE))
    assert checked.has(due("1", MINUTE))
