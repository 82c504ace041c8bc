"""The state of a hub over all its feeds: whether it is proven, on hold, or suspended (rules W12, W22, W23). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from feedward.push import hub_news
from feedward.push.hub_news import COUNTED_A_MINUTE, HubNews
from feedward.scheduling.backoff import DAY_S

PROVEN_FEEDS: Final = 50
"""A hub is proven while at least this many feeds trust it. Only then may they be polled once a day."""
MISSED_AT_MOST: Final = 3
HOUR_S: Final = 3600
AUDITS_AT_LEAST: Final = 30
SHARE: Final = 10
"""A hub is suspended if one in this many audits of a day finds news that it did not announce."""
SUSPENDED_S: Final = DAY_S
SUSPENSION_DOUBLINGS: Final = 3
REMEMBERED: Final = 200
FAILURES_IN_ROW: Final = 3
HELD_S: Final = 15 * 60
HELD_DOUBLINGS: Final = 5
TOLD_EVERY_S: Final = 60
"""The time of the last announcement is written at least this often."""
SILENT_GAPS: Final = 8
SILENT_S: Final = 4 * 60
LYING_FEEDS: Final = 10
LYING_SHARE: Final = 5
SILENCE_PROBES: Final = 50
"""The number when a hub falls silent: three of them must have news for a verdict."""
PROBE_PAUSE_S: Final = 5 * 60
DOUBT_S: Final = 15 * 60
"""Checks of a hub in doubt belong together if the first was at most this long ago."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HubStanding:
    """A hub, over all its feeds. Times are epoch seconds.

    - trusted: the number of feeds that trust it; rate: news a day, times 1000, that it is trusted to announce
    - missed: the feeds whose news it did not announce in the last day, with the times
    - untold: the feeds with news that polls found before its announcement, with the times
    - late: the feeds whose pushes brought older items as well, with the times
    - suspended_until: no feed trusts it before this time; suspensions: their number in a row
    - frees: feeds that trusted it are being returned to their own class
    - failures: failed requests in a row; failed_at: the last one; held_until: it gets no request before this time
    - told_at: when it last announced news; probed_at: when its feeds were last checked because it was in doubt
    - doubted_at: when the first of these checks was sent; checked: the number of them since then
    - renewing: the feeds whose renewal was brought forward as a question, with the ends of their leases before it
    - renewed_at: when the last of them was; alive_at: when such a question was last answered
    - news: the news that it announced while it was watched
    """

    hub: str
    rev: int = 0
    trusted: int = 0
    rate: int = 0
    missed: Mapping[str, int] = field(default_factory=dict)
    untold: Mapping[str, int] = field(default_factory=dict)
    late: Mapping[str, int] = field(default_factory=dict)
    suspended_until: int = 0
    suspensions: int = 0
    frees: bool = False
    failures: int = 0
    failed_at: int = 0
    held_until: int = 0
    told_at: int = 0
    probed_at: int = 0
    doubted_at: int = 0
    checked: int = 0
    renewing: Mapping[str, int] = field(default_factory=dict)
    renewed_at: int = 0
    alive_at: int = 0
    news: HubNews = field(default_factory=HubNews)

    @property
    def is_proven(self) -> bool:
        """Return whether enough feeds trust it for its feeds to be polled once a day."""
        return self.trusted >= PROVEN_FEEDS

    @property
    def is_watched(self) -> bool:
        """Return whether feeds may be polled once a day because it is proven, or was until a short time ago."""
        return self.trusted >= PROVEN_FEEDS // 2

    def is_suspended(self, now: int) -> bool:
        """Return whether no feed may trust it now."""
        return now < self.suspended_until

    def is_held(self, now: int) -> bool:
        """Return whether it gets no requests now."""
        return now < self.held_until


def with_missed(standing: HubStanding, feed_id: str, now: int) -> HubStanding:
    """Count news of a feed that the hub did not announce. Suspends the hub if there is too much of it."""
    recent = {**{each: at for each, at in standing.missed.items() if at > now - DAY_S}, feed_id: now}
    kept = dict(sorted(recent.items(), key=lambda each: each[1])[-REMEMBERED:])
    after = replace(standing, missed=kept)
    return suspended(after, now) if _is_too_much(after, now) else after


def with_untold(standing: HubStanding, feed_id: str, now: int) -> HubStanding:
    """Count news of a feed that a poll found before the hub announced it, although the hub had the time.

    Three such feeds suspend a silent hub: it is dead. Ten, or a fifth of the polled ones, suspend a hub whose feeds
    were just checked because it was in doubt.
    """
    if not standing.is_watched or standing.is_suspended(now):
        return standing
    after = replace(standing, untold=_noted(standing.untold, feed_id, now))
    since_told = sum(at > standing.told_at for at in after.untold.values())
    is_dead = is_silent_since(standing, standing.told_at, now) and since_told >= MISSED_AT_MOST
    return suspended(after, now) if is_dead or _is_caught(after, now) else after


def _is_caught(standing: HubStanding, now: int) -> bool:
    """Return whether a fifth of the polls since the last probe, including audits, found unannounced news.

    Of a hub that is seldom late, fewer are enough, over all checks of the doubt. However often it is checked, a feed
    shows late news for its last item and for those that come in this time.
    """
    if standing.probed_at <= now - PROBE_PAUSE_S:
        return False
    audits = standing.trusted * PROBE_PAUSE_S // DAY_S
    found = sum(at >= standing.probed_at for at in standing.untold.values())
    if found >= max(LYING_FEEDS, (audits + SILENCE_PROBES) // LYING_SHARE):
        return True
    audits = standing.trusted * (now - standing.doubted_at) // DAY_S
    found = sum(at >= standing.doubted_at for at in standing.untold.values())
    at_most = standing.trusted + int(news_a_minute(standing) * DOUBT_S) // 60
    return found >= feeds_needed(standing, min(audits + standing.checked, at_most), now)


def feeds_needed(standing: HubStanding, checked: int, now: int) -> int:
    """Return how many of the checked feeds must have unannounced news to show that the hub withholds news."""
    by_chance = hub_news.shown_by_chance(standing.news, now, checked=checked, each=counted_for(standing))
    return checked + 1 if by_chance is None else max(by_chance + 1, MISSED_AT_MOST)


def with_late(standing: HubStanding, feed_id: str, now: int) -> HubStanding:
    """Count a push that brought an older item as well, which the hub should have announced before."""
    if not standing.is_watched or standing.is_suspended(now):
        return standing
    return replace(standing, late=_noted(standing.late, feed_id, now))


def _noted(times: Mapping[str, int], feed_id: str, now: int) -> dict[str, int]:
    recent = {**{each: at for each, at in times.items() if at > now - HOUR_S}, feed_id: now}
    return dict(sorted(recent.items(), key=lambda each: each[1])[-REMEMBERED:])


def _is_too_much(standing: HubStanding, now: int) -> bool:
    """Return whether three feeds in an hour, or a tenth of a day's audits (one per feed), were missed."""
    in_hour = sum(at > now - HOUR_S for at in standing.missed.values())
    audits_an_hour = standing.trusted // 24
    in_day = len(standing.missed)
    audits_a_day = max(standing.trusted, AUDITS_AT_LEAST)
    return in_hour >= max(MISSED_AT_MOST, -(-audits_an_hour // SHARE)) or in_day * SHARE >= audits_a_day


def suspended(standing: HubStanding, now: int) -> HubStanding:
    """Withdraw the trust of all feeds for a day, longer if this is repeated."""
    again = now < standing.suspended_until + 7 * DAY_S and standing.suspensions > 0
    times = min(standing.suspensions, SUSPENSION_DOUBLINGS) if again else 0
    until = now + min(SUSPENDED_S << times, 7 * DAY_S)
    forgotten = replace(standing.news, noted=())
    cleared = replace(standing, missed={}, untold={}, late={}, renewing={}, news=forgotten)
    return replace(cleared, suspended_until=until, suspensions=times + 1, frees=True)


def answered(standing: HubStanding) -> HubStanding:
    """Record that the hub answered a request, whatever the answer."""
    if not (standing.failures or standing.held_until):
        return standing
    return replace(standing, failures=0, failed_at=0, held_until=0)


def failed(standing: HubStanding, now: int, *, retry_after_s: int | None = None) -> HubStanding:
    """Record a failed request. From the third in a row on, the hub gets no request for a while."""
    failures = standing.failures + 1
    if failures < FAILURES_IN_ROW:
        return replace(standing, failures=failures, failed_at=now, held_until=now + (retry_after_s or 0))
    held_s = max(HELD_S << min(failures - FAILURES_IN_ROW, HELD_DOUBLINGS), min(retry_after_s or 0, 7 * DAY_S))
    return replace(standing, failures=failures, failed_at=now, held_until=now + held_s)


def limited(standing: HubStanding, now: int, *, retry_after_s: int | None = None) -> HubStanding:
    """Record a 429: the hub is alive, and gets no request before the time that it names."""
    held_until = now + min(retry_after_s or 0, 7 * DAY_S)
    return replace(standing, failures=0, failed_at=0, held_until=held_until, renewing={}, alive_at=now)


def is_silent_since(standing: HubStanding, since: int, now: int) -> bool:
    """Return whether a watched hub has been silent for 8 times its usual gap, and at least 4 minutes."""
    if not (standing.is_watched and standing.rate and standing.told_at):
        return False
    return now - since > max(SILENT_S, SILENT_GAPS * DAY_S * 1000 // standing.rate)


def counted_pieces(standing: HubStanding, feed_id: str, now: int) -> int:
    """Return for how many pieces the announcement of a feed's news counts: none while the hub is not watched."""
    return hub_news.counted(feed_id, now, counted_for(standing)) if standing.is_watched else 0


def counted_for(standing: HubStanding) -> int:
    """Return for how many pieces of news one is counted: the item of a busy hub gets about ten writes a minute."""
    return max(int(news_a_minute(standing)) // COUNTED_A_MINUTE, 1)


def news_a_minute(standing: HubStanding) -> float:
    """Return the pieces of news a minute that the hub is trusted to announce."""
    return standing.rate / (DAY_S // 60 * 1000)
