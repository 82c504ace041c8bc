"""Proven hubs that answer and withhold a part of the news, and honest ones that are late at times (rule W22)."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

import pytest

from feedward.push.hub_doubt import with_probe
from feedward.push.hub_news import HubNews, Told
from feedward.push.push_record import Trust
from feedward.services.push.hub_breaker import _send_audits
from tests.fakes.push import HUB, FakePush
from tests.unit.services.push.test_story import every

QUARTER_S: Final = 15 * 60
HISTORY_S: Final = 2 * 3600
DAY_MS: Final = 86_400_000

Delay = Callable[[Random, int], int | None]


def soon(rng: Random, after_s: int) -> int:
    del after_s
    return rng.randrange(5, 60)


def withholding(share: float, rng: Random, after_s: int) -> int | None:
    return None if after_s > 120 and rng.random() < share else soon(rng, after_s)


def late_at_times(rng: Random, after_s: int) -> int:
    return rng.randrange(240, 900) if rng.random() < 0.04 else soon(rng, after_s)


class HubWorld:
    """A hub of many feeds, with news each `gap_s`, that announced all of it soon in the last two hours.

    `delay` says after how many seconds the hub announces a piece of news, or None if it withholds it.
    """

    def __init__(self, feeds: int, gap_s: int, delay: Delay, *, seed: int, is_regular: bool = True) -> None:
        self.push, self.rng = FakePush(), Random(seed)
        self.hub = self.push.hub()
        self.feeds = [f"{number:03d}FEED" for number in range(feeds)]
        self._begin_to_trust(DAY_MS // gap_s)
        self.requests = {request.place[0]: request for request in self.hub.verified.values()}
        self._remember(feeds / gap_s)
        self.began = self.push.clock.now()
        self.first_withheld = self.probes = 0
        self._due: list[tuple[int, float, Callable[[], object]]] = []
        self.items = {feed: list(self._times(gap_s, is_regular=is_regular)) for feed in self.feeds}
        self.seen = dict.fromkeys(self.feeds, self.began)
        for feed, times in self.items.items():
            for at in times:
                self._announce(feed, at, delay(self.rng, at - self.began))
        self._at(self.began + 1, self._pass)

    def _begin_to_trust(self, news_a_day: int) -> None:
        for feed in self.feeds:
            self.push.names(feed, self.push.feed(feed))
        self.push.pass_time(120)
        for feed in self.feeds:
            for _ in range(2):
                told_at, now = self.push.record(feed).told_at, self.push.clock.now()
                self.push.check(feed, pushed_at=now, new_items=1, last_news_at=told_at, own_every=15,
                                news_a_day=news_a_day)  # fmt: skip

    def _remember(self, a_second: float) -> None:
        """Note two hours of announced news, each five minutes."""
        standing, now = self.push.standing(), self.push.clock.now()
        counted = standing.news.told + int(a_second * HISTORY_S)
        self.push.ports.hubs.note_told(HUB, now=now, told=counted - standing.news.told)
        ages = range(HISTORY_S, -1, -300)
        noted = tuple(Told(now - age_s, counted - int(a_second * age_s), 0) for age_s in ages)
        assert self.push.ports.hubs.save(standing, replace(standing, news=HubNews(noted=noted)))

    def _times(self, gap_s: int, *, is_regular: bool) -> Iterator[int]:
        at = self.began + (self.rng.random() * gap_s if is_regular else self.rng.expovariate(1 / gap_s))
        while at < self.began + 3 * 3600:
            yield int(at)
            at += gap_s if is_regular else self.rng.expovariate(1 / gap_s)

    def _announce(self, feed: str, at: int, delay_s: int | None) -> None:
        if delay_s is None:
            self.first_withheld = min(self.first_withheld or at, at)
        else:
            self._at(at + delay_s, partial(self.hub.send, self.requests[feed]))

    def _at(self, at: int, act: Callable[[], object]) -> None:
        heapq.heappush(self._due, (at, self.rng.random(), act))

    def _pass(self) -> None:
        self.push.drive()
        self._at(self.push.clock.now() + 60, self._pass)

    def _check(self, feed: str, pushed_at: int | None) -> None:
        now, seen = self.push.clock.now(), self.seen[feed]
        new = tuple(at for at in self.items[feed] if seen < at <= now)
        before = max((at for at in self.items[feed] if at <= seen), default=self.began)
        if new or pushed_at is not None:
            self.push.check(feed, pushed_at=pushed_at, new_items=len(new), published=new, last_news_at=before,
                            push_every=1440, own_every=15)  # fmt: skip
        self.seen[feed] = now

    def run(self, seconds: int) -> HubWorld:
        """Let time pass until all feeds are back in their own class, but at most so long."""
        while self._due[0][0] <= self.began + seconds and not self.is_over:
            at, _, act = heapq.heappop(self._due)
            self.push.clock.time = float(max(self.push.clock.now(), at))
            act()
            for feed, delay_s in self.push.sent():
                self.probes += feed.pushed_at is None
                self._at(self.push.clock.now() + delay_s + 2, partial(self._check, feed.feed_id, feed.pushed_at))
        return self

    @property
    def is_over(self) -> bool:
        """Whether the hub was suspended, and its feeds freed."""
        standing = self.push.standing()
        return standing.suspensions > 0 and not standing.frees

    @property
    def lasted_s(self) -> int:
        """The time since the first withheld piece."""
        return self.push.clock.now() - self.first_withheld


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("feeds", "gap_s", "share", "is_regular"),
    [
        (60, 1200, 0.5, True),
        (60, 1200, 0.67, False),
        (50, 600, 0.5, False),
        (60, 3600, 1.0, True),
    ],
    ids=["half of 3 a minute", "two thirds of 3 a minute", "half of 5 a minute", "all of 1 a minute"],
)
def test_a_hub_that_begins_to_withhold_a_part_of_the_news_is_found_out_within_a_quarter_of_an_hour(
    feeds: int, gap_s: int, share: float, seed: int, *, is_regular: bool
) -> None:
    world = HubWorld(feeds, gap_s, partial(withholding, share), seed=seed, is_regular=is_regular).run(3600)

    assert world.is_over
    assert world.lasted_s <= QUARTER_S
    assert {world.push.record(feed).trust for feed in world.feeds} == {Trust.DISTRUSTED}
    assert {every(world.push, feed) for feed in world.feeds} == {None}


@pytest.mark.parametrize("delay", [soon, late_at_times])
def test_an_honest_hub_keeps_its_trust_and_costs_few_polls(delay: Delay) -> None:
    world = HubWorld(50, 1200, delay, seed=2, is_regular=False).run(3600)

    assert world.push.standing().suspensions == 0
    assert {world.push.record(feed).trust for feed in world.feeds} == {Trust.TRUSTED}
    assert world.probes <= 50


def test_a_hub_writes_one_count_a_push_and_reads_nothing_more() -> None:
    world = HubWorld(50, 1200, soon, seed=1)
    calls = world.push.directory.faults.calls
    feed = world.feeds[0]
    world.hub.send(world.requests[feed])
    told, now = world.push.standing().news.told, world.push.clock.now()
    calls.clear()

    world.push.check(feed, pushed_at=now, new_items=1, published=(now - 9,), last_news_at=now - 999, push_every=1440,
                     own_every=15)  # fmt: skip

    assert sorted(calls) == ["get_item", "get_item", "update_item", "update_item"]  # the record and its hub
    assert (world.push.standing().news.told, world.push.standing().news.slow) == (told + 1, 0)
    for _ in range(3):  # a push that is replayed, or brings nothing
        world.push.check(feed, pushed_at=now, last_news_at=now, push_every=1440, own_every=15)
    assert world.push.standing().news.told == told + 1


def test_of_two_passes_at_once_one_checks_the_feeds_of_a_hub_whose_news_fell() -> None:
    world = HubWorld(50, 1200, soon, seed=1)
    standing = world.push.standing()
    world.push.sent()

    sent = [_send_audits(standing, world.push.ports, "", 25) for _ in range(2)]

    assert sent == [25, 0]
    assert len(world.push.sent()) == 25
    assert world.push.standing() == replace(with_probe(standing, world.push.clock.now(), 25), rev=standing.rev + 1)


def test_a_pass_whose_answer_was_lost_checks_the_feeds_all_the_same() -> None:
    world = HubWorld(50, 1200, soon, seed=1)
    standing = world.push.standing()
    world.push.directory.faults.lost_answers = 1

    assert _send_audits(standing, world.push.ports, "", 25) == 25
