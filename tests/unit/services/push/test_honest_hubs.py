"""Proven hubs that are slow or quiet, but announce all news: they keep the trust of all their feeds (rule W22)."""

from __future__ import annotations

from collections import deque

import pytest

from feedward.push.hub import PROVEN_FEEDS
from feedward.push.push_record import Trust
from feedward.scheduling.jitter import stable_hash
from tests.fakes.push import FakePush
from tests.unit.services.push.test_story import trusted

GAP_S = 20 * 60
STEP_S, AUDIT_S = 30, 15 * 60


class SlowHub:
    """A hub of 50 feeds with news each 20 minutes, which it announces minutes later. Feeds are quiet for a while."""

    def __init__(self, delays_s: tuple[int, int], quiet_s: range) -> None:
        self.push = FakePush()
        self._hub = self.push.hub()
        self.feeds = [trusted(self.push, number, self._hub) for number in range(PROVEN_FEEDS)]
        self._requests = {request.place[0]: request for request in self._hub.verified.values()}
        self._began = self.push.clock.now()
        self._seen = dict.fromkeys(self.feeds, self._began)
        self._due: list[tuple[int, str, int | None]] = []
        self.probes = 0
        least_s, most_s = delays_s
        self._news = {
            feed: [self._began + at for at in range(stable_hash(feed) % GAP_S, 3 * 3600, GAP_S) if at not in quiet_s]
            for feed in self.feeds
        }
        told = [
            (at + least_s + stable_hash(f"{feed} {at}") % (most_s - least_s + 1), feed)
            for feed, times in self._news.items()
            for at in times
        ]
        self._told = deque(sorted(told))

    def pass_time(self, seconds: int) -> SlowHub:
        """Let the hub push, the pass of each minute run, checks report, and an audit come each quarter of an hour."""
        for second in range(0, seconds, STEP_S):
            self.push.clock.advance(STEP_S)
            now = self.push.clock.now()
            while self._told and self._told[0][0] <= now:
                self._hub.send(self._requests[self._told.popleft()[1]])
            if second % 60 == 0:
                self.push.drive()
            if second % AUDIT_S == 0:
                self._due.append((now, self.feeds[second // AUDIT_S * 7 % PROVEN_FEEDS], None))
            self._check(now)
        return self

    def _check(self, now: int) -> None:
        sent = self.push.sent()
        self.probes += sum(feed.pushed_at is None for feed, _ in sent)
        self._due += [(now + delay_s, feed.feed_id, feed.pushed_at) for feed, delay_s in sent]
        due = [each for each in self._due if each[0] <= now]
        self._due = [each for each in self._due if each[0] > now]
        for _, feed, pushed_at in due:
            new = tuple(at for at in self._news[feed] if self._seen[feed] < at <= now)
            before = max((at for at in self._news[feed] if at <= self._seen[feed]), default=self._began)
            self.push.check(
                feed, pushed_at=pushed_at, new_items=len(new), published=new, last_news_at=before, push_every=1440,
                own_every=15,
            )  # fmt: skip
            self._seen[feed] = now


@pytest.mark.parametrize("delays_s", [(120, 300), (300, 300)], ids=["2 to 5 minutes late", "always 5 minutes late"])
def test_a_hub_that_tells_everything_minutes_late_keeps_its_trust_after_a_quiet_hour(delays_s: tuple[int, int]) -> None:
    hub = SlowHub(delays_s, quiet_s=range(1200, 4800)).pass_time(95 * 60)

    assert hub.push.standing().suspensions == 0
    assert {hub.push.record(feed).trust for feed in hub.feeds} == {Trust.TRUSTED}
    assert hub.probes > 0  # the silence was a doubt, and no proof
