"""Asks a proven hub that fell silent for a sign of life: renewals of subscriptions, ahead of time (rule W22).

News may be too rare to be missed within minutes. A dead hub verifies nothing either, and that needs no news.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from feedward.push.hub import HubStanding, suspended
from feedward.push.push_record import PushRecord, SubscriptionState
from feedward.push.sign_of_life import (
    is_unresponsive,
    lacks_life,
    may_renew,
    with_life,
    with_new_round,
    with_renewal,
)
from feedward.scheduling.jitter import stable_hash
from feedward.services.push.ports import PushPorts

_LISTED: Final = 200
_READ: Final = 5


def ask_for_life(standing: HubStanding, *, ports: PushPorts) -> HubStanding:
    """Renew a subscription if the hub is silent; suspend the hub if such renewals are in vain.

    Returns its standing after it. If it changes meanwhile, the next pass asks.
    """
    now = ports.clock.now()
    if not lacks_life(standing, now):
        return standing
    current = with_new_round(standing, now)
    asked = _asked(current, ports)
    if any(each.lease_until != current.renewing[each.feed_id] for each in asked):
        return ports.hubs.save(standing, with_life(current, now)) or standing
    if is_unresponsive(current, now, unverified=sum(each.asked_at is not None for each in asked)):
        return ports.hubs.save(standing, suspended(current, now)) or standing
    record = next(_renewable(current, now, ports), None) if may_renew(current, now) else None
    return standing if record is None else _renew(record, standing, current, ports)


def _asked(standing: HubStanding, ports: PushPorts) -> list[PushRecord]:
    records = (ports.store.get(feed_id) for feed_id in standing.renewing)
    return [each for each in records if each is not None and each.hub == standing.hub]


def _renew(record: PushRecord, before: HubStanding, standing: HubStanding, ports: PushPorts) -> HubStanding:
    """Make a renewal due now. The pass sends it within the limits of the hub's host, like any other."""
    now = ports.clock.now()
    after = ports.hubs.save(before, with_renewal(standing, record.feed_id, record.lease_until or 0, now))
    if after is not None:
        ports.store.save(record, replace(record, try_at=now))
    return after or before


def _renewable(standing: HubStanding, now: int, ports: PushPorts) -> Iterator[PushRecord]:
    """Yield verified subscriptions of the hub, different ones each time."""
    listed = [each for each in islice(ports.store.trusting(standing.hub), _LISTED) if each not in standing.renewing]
    for feed_id in sorted(listed, key=lambda each: stable_hash(f"{each}\n{now // 60}"))[:_READ]:
        record = ports.store.get(feed_id)
        if record is not None and record.hub == standing.hub and _is_verified(record, now):
            yield record


def _is_verified(record: PushRecord, now: int) -> bool:
    return record.state is SubscriptionState.VERIFIED and record.asked_at is None and record.is_live(now)
