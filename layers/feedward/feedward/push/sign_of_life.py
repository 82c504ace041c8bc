"""Whether a silent hub is dead or only quiet: renewals ahead of time ask it for a sign of life (rule W22). Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from feedward.push.hub import FAILURES_IN_ROW, HubStanding

SIGN_OF_LIFE_S: Final = 6 * 60
"""A proven hub without any sign of life for this long is asked for one: subscriptions are renewed ahead of time."""
RENEWALS: Final = 3
RENEWAL_PAUSE_S: Final = 45
UNVERIFIED_S: Final = 3 * 60
"""The hub has this long to verify one of these renewals."""


def lacks_life(standing: HubStanding, now: int) -> bool:
    """Return whether a watched hub has neither announced news nor verified a renewal for 6 minutes."""
    is_judged = standing.is_watched and standing.told_at > 0 and not standing.is_suspended(now)
    return is_judged and now - max(standing.told_at, standing.alive_at) >= SIGN_OF_LIFE_S


def with_renewal(standing: HubStanding, feed_id: str, lease_until: int, now: int) -> HubStanding:
    """Note the feed whose renewal asks a hub for a sign of life. `lease_until` is the end of its lease until then."""
    return replace(standing, renewing={**standing.renewing, feed_id: lease_until}, renewed_at=now)


def with_life(standing: HubStanding, now: int) -> HubStanding:
    """Record that a hub answered a renewal of the question: it is only quiet."""
    return replace(standing, renewing={}, alive_at=now)


def may_renew(standing: HubStanding, now: int) -> bool:
    """Return whether the next of three renewals may ask it for a sign of life: one in each minute."""
    return len(standing.renewing) < RENEWALS and now - standing.renewed_at >= RENEWAL_PAUSE_S


def with_new_round(standing: HubStanding, now: int) -> HubStanding:
    """Forget renewals from before the last sign of life, and those that were not sent, since the hub was on hold."""
    of_now = standing.renewed_at > max(standing.told_at, standing.alive_at, now - SIGN_OF_LIFE_S)
    return standing if of_now or not standing.renewing else replace(standing, renewing={})


def is_unresponsive(standing: HubStanding, now: int, *, unverified: int) -> bool:
    """Return whether a hub without a sign of life is dead. `unverified` of its last renewals were sent in vain.

    It failed three requests in a row, or verified none of three renewals, or wants none of them after a failure.
    Failures from before its last sign of life do not count.
    """
    is_failing = standing.failures > 0 and standing.failed_at > max(standing.told_at, standing.alive_at)
    if is_failing and standing.failures >= FAILURES_IN_ROW:
        return True
    is_over = len(standing.renewing) >= RENEWALS and now - standing.renewed_at >= UNVERIFIED_S
    return is_over and (unverified >= RENEWALS or (is_failing and standing.is_held(now)))
