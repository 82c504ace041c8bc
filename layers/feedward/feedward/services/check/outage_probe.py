"""Outage probe: detects an outage of our own network when too few feeds are due in a minute to decide (rule H5).

The rule needs 20 unrelated hosts in a minute, but a directory of a thousand feeds checks four of them. So the probe
enqueues healthy feeds: those that are due next, and if these are too few, any. In an outage they fail in the same
minute; otherwise they were checked a little early. The probe costs one write when feeds start to fail, and nothing
otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final

from feedward.health.due_feed import DueFeed, HealthMessage, Stops
from feedward.health.outage import LEAST_HOSTS, may_all_be_ours, minute_of
from feedward.health.outcomes import OUTCOMES
from feedward.ports import SlotStore
from feedward.scheduling.messages import ENTRIES_AT_MOST
from feedward.scheduling.slots import slots_of
from feedward.services.check.answer import CheckAnswer
from feedward.services.check.ports import CheckBatchPorts
from feedward.urls.hosts import registrable_domain

# The slots of this many minutes are read: in a directory of a thousand feeds they have a hundred.
_AHEAD_MIN: Final = 30


def probe_outage(answers: Sequence[CheckAnswer], *, ports: CheckBatchPorts, stops: Stops, now: int) -> int:
    """Enqueue 20 feeds of unrelated hosts, if feeds failed by the network in a minute with too few checks to decide.

    `answers` are those of one invocation and are in the outage totals already. Returns how many feeds were sent: 0 also
    if the directory has fewer than 20 suitable feeds. Raises Throttled, StoreUnavailable or QueueUnavailable.
    """
    failed = [answer for answer in answers if _failed_as_by_us(answer)]
    if not failed:
        return 0
    minute = max(minute_of(answer.at) for answer in failed)
    if not ports.outages.doubt(minute, now=now):
        return 0
    upcoming = chain(_upcoming(ports.slots, now), ports.check.store.healthy_feeds())
    chosen = list(islice(unrelated(upcoming, {answer.host for answer in answers} | stops.hosts.keys()), LEAST_HOSTS))
    if len(chosen) < LEAST_HOSTS:
        return 0
    starts = range(0, len(chosen), ENTRIES_AT_MOST)
    messages = [HealthMessage(entries=tuple(chosen[start : start + ENTRIES_AT_MOST]), sent_at=now) for start in starts]
    return sum(len(message.entries) for message in ports.queue.send_batch(messages))


def unrelated(feeds: Iterable[DueFeed], asked: Iterable[str]) -> Iterator[DueFeed]:
    """Yield one feed for each domain, except the domains of the hosts in `asked`.

    Feeds with their own failures are skipped: they do not indicate an outage.
    """
    domains = {registrable_domain(host) for host in asked}
    for feed in feeds:
        domain = registrable_domain(feed.host)
        if domain not in domains and may_all_be_ours(feed.health):
            domains.add(domain)
            yield feed


def _failed_as_by_us(answer: CheckAnswer) -> bool:
    """Return whether the check failed by the network, and the feed had not failed before a possible outage."""
    is_network = answer.outcome is not None and OUTCOMES[answer.outcome].network
    return is_network and answer.health is not None and may_all_be_ours(answer.health)


def _upcoming(slots: SlotStore, now: int) -> Iterator[DueFeed]:
    """Yield the feeds that are due next in their slots, if two thirds of their class have passed.

    Those due within a minute are checked soon anyway.
    """
    minute = minute_of(now)
    for ahead in range(2, _AHEAD_MIN):
        for slot in slots_of(minute + ahead):
            if ahead * 60 <= slot.every_s - slot.least_s:
                yield from slots.due(slot, after=None, until=(minute + ahead) * 60).due
