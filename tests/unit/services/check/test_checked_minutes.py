"""A process remembers the slots that it has checked."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from feedward.health.due_feed import DueFeed
from feedward.health.feed_health import FeedHealth
from feedward.scheduling.slots import Place
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


def test_a_minute_and_those_before_it_are_taken_once_and_later_ones_are_free() -> None:
    checked = CheckedMinutes()

    assert checked.take(due("a", MINUTE))
    assert [checked.take(due("a", MINUTE + late)) for late in (-15, 0, 15)] == [False, False, True]
    assert checked.take(due("b", MINUTE))


def test_an_unchecked_minute_is_free_again_unless_a_later_one_was_taken() -> None:
    checked = CheckedMinutes()
    checked.take(due("a", MINUTE))
    checked.give_back(due("a", MINUTE))

    assert checked.take(due("a", MINUTE))
    checked.take(due("a", MINUTE + 15))
    checked.give_back(due("a", MINUTE))
    assert not checked.take(due("a", MINUTE + 15))


def test_a_feed_by_exception_is_always_checked() -> None:
    checked = CheckedMinutes()

    assert [checked.take(due("a", minute)) for minute in (None, MINUTE, None)] == [True, True, True]
    checked.give_back(due("a", None))
    assert not checked.take(due("a", MINUTE))


def test_of_many_threads_that_have_the_same_message_one_checks_the_feed() -> None:
    checked = CheckedMinutes()
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda _: checked.take(due("a", MINUTE)), range(200)))

    assert sum(taken) == 1


def test_the_oldest_are_forgotten_so_that_the_memory_stays_small() -> None:
    checked = CheckedMinutes()
    for number in range(REMEMBERED + 1):
        checked.take(due(str(number), MINUTE))

    assert not checked.take(due("1", MINUTE))
    assert checked.take(due("0", MINUTE))
