"""When the news of a hub has fallen, and how many feeds with unannounced news convict it (rule W22)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest

from feedward.push.hub import HubStanding, counted_pieces, suspended, with_untold
from feedward.push.hub_doubt import fall_probes, has_fallen, with_probe
from feedward.push.hub_news import HubNews, Told, shown_by_chance, with_note

NOW = 1_790_000_000
MINUTE_S, DAY_MIN = 60, 1440
HOURS_MIN = 120


def of_rate(a_minute: float, feeds: int = 60) -> HubStanding:
    return HubStanding(hub="https://hub.example/", trusted=feeds, rate=int(a_minute * DAY_MIN * 1000), told_at=NOW)


def steady(a_minute: float, *, slow: float = 0, feeds: int = 60, until: int = NOW) -> HubStanding:
    """A hub with two hours of steady news, which was noted each five minutes."""
    notes = tuple(
        Told(until - (HOURS_MIN - at) * MINUTE_S, int(a_minute * at), int(a_minute * at * slow))
        for at in range(0, HOURS_MIN + 1, 5)
    )
    news = HubNews(told=notes[-1].told, slow=notes[-1].slow, noted=notes)
    return replace(of_rate(a_minute, feeds), news=news)


def later(standing: HubStanding, minutes: int, told: int, *, since: int = NOW) -> tuple[HubStanding, int]:
    """The hub and the time, after minutes with more news."""
    for minute in range(1, minutes + 1):
        more = told * minute // minutes - told * (minute - 1) // minutes
        news = replace(standing.news, told=standing.news.told + more)
        standing = replace(standing, news=with_note(news, since + minute * MINUTE_S))
    now = since + minutes * MINUTE_S
    return replace(standing, told_at=now), now


@pytest.mark.parametrize(
    ("a_minute", "minutes", "told", "is_fall"),
    [
        (3, 10, 17, True),  # of 30 pieces
        (3, 10, 18, False),
        (3, 10, 0, True),
        (3, 2, 0, False),  # too short
        (1.5, 10, 6, True),
        (1.5, 10, 7, False),
        (1, 10, 0, False),  # too little news
        (20, 10, 150, True),
        (20, 10, 170, False),  # significant, but no fifth
        (100, 10, 740, True),
        (100, 10, 810, False),
    ],
)
def test_news_has_fallen_if_it_is_significantly_less_than_before(
    a_minute: float, minutes: int, told: int, is_fall: bool
) -> None:
    standing, now = later(steady(a_minute), minutes, told)

    assert has_fallen(standing, now) is is_fall


def test_a_hub_whose_usual_news_is_not_known_or_often_late_is_not_judged_by_a_fall() -> None:
    known, now = later(steady(3), 10, 5)
    young = replace(known, news=replace(known.news, noted=known.news.noted[-10:]))

    assert has_fallen(known, now)
    assert not has_fallen(young, now)
    assert not has_fallen(later(steady(3, slow=0.1), 10, 5)[0], now)
    assert has_fallen(later(steady(3, slow=0.02), 10, 5)[0], now)
    assert not has_fallen(replace(known, trusted=20), now)
    assert not has_fallen(suspended(known, now), now)
    assert suspended(known, now).news.noted == ()


def test_a_hub_that_becomes_slow_is_not_one_that_withholds_news() -> None:
    fallen, now = later(steady(3), 10, 15)

    assert has_fallen(replace(fallen, news=replace(fallen.news, slow=fallen.news.slow + 2)), now)
    assert not has_fallen(replace(fallen, news=replace(fallen.news, slow=fallen.news.slow + 3)), now)


def test_a_clock_that_jumps_by_90_seconds_or_a_pass_that_is_away_is_no_fall() -> None:
    for jump_s in (90, -90):
        for minutes in range(8, 15):
            standing, now = later(steady(20), minutes, 20 * minutes)
            assert not has_fallen(standing, now + jump_s)
    for silent in (0, 3):
        known, back_at = steady(3), NOW + 90 * MINUTE_S
        away = replace(known, news=with_note(replace(known.news, told=known.news.told + silent * 90), back_at))
        for minutes in range(1, 30):
            assert not has_fallen(*later(away, minutes, 3 * minutes, since=back_at))


def test_the_notes_of_a_hub_are_bounded_and_those_of_the_future_are_dropped() -> None:
    news = HubNews()
    for minute in range(DAY_MIN):
        news = with_note(replace(news, told=minute), NOW + minute * MINUTE_S)

    assert len(news.noted) == HOURS_MIN // 5 + 1
    assert with_note(news, NOW + (DAY_MIN - 1) * MINUTE_S) == news
    back = with_note(news, NOW + (DAY_MIN - 60) * MINUTE_S)
    assert max(note.at for note in back.noted) <= NOW + (DAY_MIN - 60) * MINUTE_S


@pytest.mark.parametrize(
    ("pieces", "slow", "checked", "shown"),
    [(180, 0, 25, 2), (180, 0, 50, 4), (180, 3, 50, 7), (720, 0, 50, 2), (720, 36, 50, 9), (60, 0, 50, 7)],
)
def test_an_honest_hub_shows_late_news_by_its_usual_share(pieces: int, slow: int, checked: int, shown: int) -> None:
    news = HubNews(told=pieces, slow=slow, noted=(Told(NOW - 7200, 0, 0), Told(NOW - 900, pieces, slow)))

    assert shown_by_chance(news, NOW, checked=checked, each=1) == shown
    assert shown_by_chance(HubNews(), NOW, checked=checked, each=1) is None


def convicting(standing: HubStanding, now: int, probes: Sequence[int]) -> int:
    """The number of feeds with unannounced news that suspend a hub whose feeds were checked so often."""
    for feeds in probes:
        standing = with_probe(standing, now, feeds)
    for number in range(100):
        standing = with_untold(standing, f"f{number}", now + 5)
        if standing.suspended_until:
            return number + 1
    raise AssertionError


def test_a_hub_that_is_seldom_late_is_convicted_by_few_feeds_and_any_other_by_ten() -> None:
    prompt, now = later(steady(3), 10, 15)

    assert convicting(prompt, now, [25]) == 3
    assert convicting(prompt, now, [25, 50, 50]) == 5
    assert convicting(prompt, now, [25, *[50] * 20]) == 5  # no feed shows more because it is checked again
    assert convicting(later(steady(3, slow=0.02), 10, 15)[0], now, [50]) == 7
    assert convicting(later(steady(3, slow=0.2), 10, 15)[0], now, [50]) == 10
    assert convicting(replace(of_rate(3), told_at=now), now, [50]) == 10


def test_few_feeds_are_checked_at_first_and_more_at_once_if_one_has_unannounced_news() -> None:
    standing, now = later(steady(3), 10, 15)
    assert fall_probes(standing) == 25
    probed = with_probe(standing, now, 25)
    assert not has_fallen(probed, now + 60)
    assert has_fallen(*later(probed, 5, 7, since=now))

    confirmed = with_untold(probed, "f", now + 20)

    assert has_fallen(confirmed, now + 60)
    assert not has_fallen(replace(confirmed, checked=60), now + 60)  # all feeds were checked
    assert fall_probes(confirmed) == 50
    assert fall_probes(replace(confirmed, trusted=200)) == 132
    assert fall_probes(replace(confirmed, trusted=20_000)) == 150


def test_a_busy_hub_is_counted_by_a_sample_and_one_that_is_not_watched_not_at_all() -> None:
    busy = of_rate(100)
    pieces = [counted_pieces(busy, f"f{number}", NOW + number) for number in range(6000)]

    assert set(pieces) == {0, 10}
    assert sum(pieces) == pytest.approx(6000, rel=0.1)
    assert counted_pieces(of_rate(19), "f", NOW) == 1
    assert counted_pieces(of_rate(3, feeds=24), "f", NOW) == 0


# --- days of news ----------------------------------------------------------------------------------


def doubts_of_a_day(news: Callable[[int], float]) -> int:
    """The doubts about an honest hub that announces about `news(minute)` pieces in a minute, by chance."""
    rng, found, standing = Random(1), 0, of_rate(3)
    for minute in range(DAY_MIN):
        told, more = 0, math.exp(-news(minute))
        while (more := more / max(rng.random(), 1e-9)) < 1:
            told += 1
        now = NOW + minute * MINUTE_S
        counted = replace(standing.news, told=standing.news.told + told)
        standing = replace(standing, news=with_note(counted, now))
        if has_fallen(standing, now):
            found += now - standing.doubted_at >= 900
            standing = with_probe(standing, now, fall_probes(standing))
    return found


def regular(_minute: int) -> float:
    return 3


def by_day(minute: int) -> float:
    return 3 + 2.4 * math.sin(2 * math.pi * minute / DAY_MIN)


def on_the_hour(minute: int) -> float:
    return 30 if minute % 60 < 6 else 0


def half_on_the_hour(minute: int) -> float:
    return 1.5 + (15 if minute % 60 < 6 else 0)


def silent_at_night(minute: int) -> float:
    return 4 if minute % DAY_MIN < 960 else 0.1


def flooded(minute: int) -> float:
    return 3 + (40 if 600 <= minute % DAY_MIN < 630 else 0)


def joined_by_many(minute: int) -> float:
    return min(3, 0.5 + minute / 24)


@pytest.mark.parametrize(
    "news", [regular, by_day, on_the_hour, half_on_the_hour, silent_at_night, flooded, joined_by_many]
)
def test_an_honest_hub_is_doubted_a_few_times_a_day_whatever_the_pattern_of_its_news(
    news: Callable[[int], float],
) -> None:
    assert doubts_of_a_day(news) <= 8


def test_a_hub_that_loses_half_of_its_feeds_is_doubted_for_a_while_only() -> None:
    standing, now = steady(20), NOW
    times = []
    for minute in range(1, 300):
        standing, now = later(standing, 1, 10, since=now)
        if has_fallen(standing, now):
            times.append(minute)
            standing = with_probe(standing, now, fall_probes(standing))

    assert times[0] <= 10
    assert times[-1] <= 25
    assert len(times) <= 4
