"""When a proven hub is in doubt, so that some of its feeds are checked immediately, and how many (rule W22). Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from feedward.push import hub_news
from feedward.push.hub import (
    DOUBT_S,
    HOUR_S,
    LYING_FEEDS,
    MISSED_AT_MOST,
    PROBE_PAUSE_S,
    REMEMBERED,
    SILENCE_PROBES,
    HubStanding,
    counted_for,
    feeds_needed,
    is_silent_since,
    news_a_minute,
)
from feedward.scheduling.backoff import DAY_S

PROBES: Final = 20
"""The number of feeds checked together when a hub is in doubt."""
SILENT_AGAIN_S: Final = HOUR_S
"""A silent hub is probed again after its silence has doubled, and at least this often."""
LATE_S: Final = 15 * 60
DOUBTED_SHARE: Final = 10
FALL_PROBES: Final = 25
"""The number at first when its news falls: most falls are chance."""
FALL_PROBES_AT_MOST: Final = 150
FURTHER_PAUSE_S: Final = 55
"""Further feeds are checked in the next pass. They are other feeds: a check that found news too soon has used it up."""


def is_doubted(standing: HubStanding, now: int) -> bool:
    """Return whether so many recent pushes brought older items that the hub may hold news back.

    The limit is a tenth of its announcements in a quarter of an hour, and three feeds.
    """
    of_late = sum(at > now - LATE_S for at in standing.late.values())
    usual = standing.rate * LATE_S // (DAY_S * 1000)
    return of_late >= min(max(MISSED_AT_MOST, usual // DOUBTED_SHARE), REMEMBERED // 2)


def may_probe(standing: HubStanding, now: int, *, pause_s: int = PROBE_PAUSE_S) -> bool:
    """Return whether feeds of a proven hub may be checked immediately because it is in doubt."""
    return standing.is_watched and not standing.is_suspended(now) and now >= standing.probed_at + pause_s


def with_probe(standing: HubStanding, now: int, feeds: int) -> HubStanding:
    """Record that feeds of a hub in doubt are checked now."""
    if now - standing.doubted_at < DOUBT_S:
        return replace(standing, probed_at=now, checked=standing.checked + feeds)
    return replace(standing, probed_at=now, doubted_at=now, checked=feeds)


def is_silent(standing: HubStanding, now: int) -> bool:
    """Return whether a proven hub has been silent for so long that it may be dead and its feeds must be checked.

    They are checked again after its silence has doubled; but if one of them had unannounced news and the hub is seldom
    late, the others are checked at once.
    """
    if _is_in_doubt(standing, now) and _is_prompt(standing, now):
        is_due = may_probe(standing, now, pause_s=_pause_s(standing))
        return is_due and is_silent_since(standing, standing.told_at, now)
    if not may_probe(standing, now):
        return False
    silence_s = standing.probed_at - standing.told_at
    is_again = now - standing.probed_at > min(max(silence_s, 0), SILENT_AGAIN_S)
    return is_again and is_silent_since(standing, max(standing.told_at, standing.probed_at), now)


def probes(standing: HubStanding) -> int:
    """Return the number of feeds of a silent hub to check: fewer if some were checked since its last announcement."""
    is_again = standing.probed_at > standing.told_at and not _found_since(standing, standing.doubted_at)
    return PROBES if is_again else SILENCE_PROBES


def _is_in_doubt(standing: HubStanding, now: int) -> bool:
    is_new = now - standing.doubted_at < DOUBT_S
    return is_new and _found_since(standing, max(standing.doubted_at, standing.told_at))


def has_fallen(standing: HubStanding, now: int) -> bool:
    """Return whether a watched hub that is seldom late announces so much less than before that it may withhold news.

    Feeds are checked again after the pause; others at once, if one of those just checked had unannounced news.
    """
    if not may_probe(standing, now, pause_s=_pause_s(standing) if _is_confirmed(standing) else PROBE_PAUSE_S):
        return False
    return _is_prompt(standing, now) and hub_news.has_fallen(standing.news, now, each=counted_for(standing))


def fall_probes(standing: HubStanding) -> int:
    """Return how many feeds of it to check: as many as have a piece of news a minute, at least 25 and at most 150.

    Twice as many once one of them had unannounced news.
    """
    feeds = max(int(standing.trusted / max(news_a_minute(standing), 0.01)), FALL_PROBES)
    return min(feeds * 2 if _is_confirmed(standing) else feeds, FALL_PROBES_AT_MOST)


def _pause_s(standing: HubStanding) -> int:
    return FURTHER_PAUSE_S if standing.checked < standing.trusted else PROBE_PAUSE_S


def _is_prompt(standing: HubStanding, now: int) -> bool:
    """Return whether the hub is known to be so seldom late that few feeds convict it."""
    return feeds_needed(standing, SILENCE_PROBES, now) <= LYING_FEEDS


def _is_confirmed(standing: HubStanding) -> bool:
    return _found_since(standing, standing.probed_at)


def _found_since(standing: HubStanding, since: int) -> bool:
    return any(at >= since for at in standing.untold.values())
