"""What is known of a hub over all its feeds: whether it is proven, held, or suspended (rules W12, W22, W23). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from feedward.scheduling.backoff import DAY_S

PROVEN_FEEDS: Final = 50
"""A hub is proven while so many feeds trust it: only then may they be polled once a day."""
MISSED_AT_MOST: Final = 3
HOUR_S: Final = 3600
AUDITS_AT_LEAST: Final = 30
SHARE: Final = 10
"""A hub is suspended if one in so many audits of a day finds news that it did not tell."""
SUSPENDED_S: Final = DAY_S
SUSPENSION_DOUBLINGS: Final = 3
REMEMBERED: Final = 200
FAILURES_IN_ROW: Final = 3
HELD_S: Final = 15 * 60
HELD_DOUBLINGS: Final = 5
SILENT_GAPS: Final = 8
SILENT_S: Final = 4 * 60
SILENT_AGAIN_S: Final = HOUR_S
"""A hub that stays silent is doubted again after as long as it was silent, and at least this often."""
PROBES: Final = 20
"""So many feeds of a hub in doubt are checked at once."""
SILENCE_PROBES: Final = 50
"""So many are when a hub falls silent: three of them must have news for a verdict."""
PROBE_PAUSE_S: Final = 5 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class HubStanding:
    """A hub, over all its feeds. Times are epoch seconds.

    - trusted: how many feeds trust it; rate: pieces of news a day, times 1000, that it is trusted to tell
    - missed: the feeds whose news it did not tell in the last day, with the times
    - untold: the feeds that polls found news of while it was silent, with the times
    - suspended_until: no feed trusts it before this time; suspensions: how many there were in a row
    - frees: feeds that trusted it are being given their own class back
    - failures: requests to it in a row that failed; held_until: it is asked nothing before this time
    - told_at: when it last told news; probed_at: when its feeds were last checked because it was in doubt
    """

    hub: str
    rev: int = 0
    trusted: int = 0
    rate: int = 0
    missed: Mapping[str, int] = field(default_factory=dict)
    untold: Mapping[str, int] = field(default_factory=dict)
    suspended_until: int = 0
    suspensions: int = 0
    frees: bool = False
    failures: int = 0
    held_until: int = 0
    told_at: int = 0
    probed_at: int = 0

    @property
    def is_proven(self) -> bool:
        """Tell whether so many feeds trust it that its feeds may be polled once a day."""
        return self.trusted >= PROVEN_FEEDS

    @property
    def is_watched(self) -> bool:
        """Tell whether feeds may be polled once a day because it is proven, or was until a short time ago."""
        return self.trusted >= PROVEN_FEEDS // 2

    def is_suspended(self, now: int) -> bool:
        """Tell whether no feed may trust it now."""
        return now < self.suspended_until

    def is_held(self, now: int) -> bool:
        """Tell whether it is asked nothing now."""
        return now < self.held_until


def with_missed(standing: HubStanding, feed_id: str, now: int) -> HubStanding:
    """Count news of a feed that the hub did not tell. Suspends it if there is too much of that."""
    recent = {**{each: at for each, at in standing.missed.items() if at > now - DAY_S}, feed_id: now}
    kept = dict(sorted(recent.items(), key=lambda each: each[1])[-REMEMBERED:])
    after = replace(standing, missed=kept)
    return _suspended(after, now) if _is_too_much(after, now) else after


def with_untold(standing: HubStanding, feed_id: str, now: int) -> HubStanding:
    """Count news of a feed that a poll found while the hub is silent. Three such feeds suspend it: it is dead."""
    if not _is_silent_since(standing, standing.told_at, now) or standing.is_suspended(now):
        return standing
    kept = {each: at for each, at in standing.untold.items() if at > max(standing.told_at, now - HOUR_S)}
    after = replace(standing, untold={**kept, feed_id: now})
    return _suspended(after, now) if len(after.untold) >= MISSED_AT_MOST else after


def _is_too_much(standing: HubStanding, now: int) -> bool:
    """Three feeds in an hour, or a tenth of its audits: its feeds are audited once a day each."""
    in_hour = sum(at > now - HOUR_S for at in standing.missed.values())
    audits_an_hour = standing.trusted // 24
    in_day = len(standing.missed)
    audits_a_day = max(standing.trusted, AUDITS_AT_LEAST)
    return in_hour >= max(MISSED_AT_MOST, -(-audits_an_hour // SHARE)) or in_day * SHARE >= audits_a_day


def _suspended(standing: HubStanding, now: int) -> HubStanding:
    again = now < standing.suspended_until + 7 * DAY_S and standing.suspensions > 0
    times = min(standing.suspensions, SUSPENSION_DOUBLINGS) if again else 0
    until = now + min(SUSPENDED_S << times, 7 * DAY_S)
    return replace(standing, suspended_until=until, suspensions=times + 1, frees=True, missed={}, untold={})


def answered(standing: HubStanding) -> HubStanding:
    """Take note that the hub answered a request, whatever it said."""
    return replace(standing, failures=0, held_until=0) if standing.failures or standing.held_until else standing


def failed(standing: HubStanding, now: int, *, retry_after_s: int | None = None) -> HubStanding:
    """Take note that a request to the hub failed. From the third in a row on it is asked nothing for a while."""
    failures = standing.failures + 1
    if failures < FAILURES_IN_ROW:
        return replace(standing, failures=failures, held_until=now + (retry_after_s or 0))
    held_s = HELD_S << min(failures - FAILURES_IN_ROW, HELD_DOUBLINGS)
    return replace(standing, failures=failures, held_until=now + max(held_s, min(retry_after_s or 0, 7 * DAY_S)))


def may_probe(standing: HubStanding, now: int) -> bool:
    """Tell whether feeds of a proven hub may be checked at once, since it is in doubt."""
    return standing.is_watched and not standing.is_suspended(now) and now >= standing.probed_at + PROBE_PAUSE_S


def is_silent(standing: HubStanding, now: int) -> bool:
    """Tell whether a proven hub has told nothing for so long that it may be dead, and its feeds are to be checked."""
    if not may_probe(standing, now):
        return False
    silence_s = standing.probed_at - standing.told_at
    is_again = now - standing.probed_at > min(max(silence_s, 0), SILENT_AGAIN_S)
    return is_again and _is_silent_since(standing, max(standing.told_at, standing.probed_at), now)


def probes(standing: HubStanding) -> int:
    """Return how many feeds of a hub that is silent are checked: fewer if that was done since it told something."""
    return PROBES if standing.probed_at > standing.told_at else SILENCE_PROBES


def _is_silent_since(standing: HubStanding, since: int, now: int) -> bool:
    """Tell whether a hub that is watched told nothing for 8 times its usual gap, and at least 4 minutes."""
    if not (standing.is_watched and standing.rate and standing.told_at):
        return False
    return now - since > max(SILENT_S, SILENT_GAPS * DAY_S * 1000 // standing.rate)
