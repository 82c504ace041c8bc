"""Outage probe: detects an outage of our own network when too few feeds are due in a minute to decide (rule H5).

The rule needs 20 unrelated hosts in a minute, and a directory of a thousand feeds checks four of them. So the probe
enqueues healthy feeds that are due next. In an outage they fail in the same minute; otherwise they were checked a
little early. The probe costs one write when feeds begin to fail, and nothing otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from feedward.health.due_feed import DueFeed, HealthMessage
from feedward.health.host_events import Stops
from feedward.health.interval import LONGEST_INTERVAL_S
from feedward.health.outage import LEAST_HOSTS, may_all_be_ours, minute_of
from feedward.health.outcomes import OUTCOMES
from feedward.scheduling.cursors import Cursor
from feedward.scheduling.lateness import LEAST_AHEAD_S
from feedward.scheduling.messages import ENTRIES_AT_MOST
from feedward.scheduling.shards import DUE_SHARDS, due_shard
from feedward.services.check.answer import CheckAnswer
from feedward.services.check.ports import CheckBatchPorts
from feedward.urls.hosts import registrable_domain

# Every healthy feed is due within this time.
_AHEAD_S: Final = LONGEST_INTERVAL_S + LONGEST_INTERVAL_S // 10


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
    upcoming = _upcoming(ports, due_shard(failed[0].host), now)
    chosen = list(islice(unrelated(upcoming, {answer.host for answer in answers} | stops.hosts.keys()), LEAST_HOSTS))
    if len(chosen) < LEAST_HOSTS:
        return 0
    starts = range(0, len(chosen), ENTRIES_AT_MOST)
    messages = [HealthMessage(entries=tuple(chosen[start : start + ENTRIES_AT_MOST]), sent_at=now) for start in starts]
    return sum(len(message.entries) for message in ports.queue.send_batch(messages))


def unrelated(feeds: Iterable[DueFeed], asked: Iterable[str]) -> Iterator[DueFeed]:
    """Yield one feed for each domain, except the domains of the hosts in `asked`.

    Feeds that fail for reasons of their own are skipped: they say nothing about our network.
    """
    domains = {registrable_domain(host) for host in asked}
    for feed in feeds:
        domain = registrable_domain(feed.host)
        if domain not in domains and may_all_be_ours(feed.health):
            domains.add(domain)
            yield feed


def _failed_as_by_us(answer: CheckAnswer) -> bool:
    """Tell whether the check failed by the network, and the feed had not failed before our outage can have begun."""
    is_network = answer.outcome is not None and OUTCOMES[answer.outcome].network
    return is_network and answer.health is not None and may_all_be_ours(answer.health)


def _upcoming(ports: CheckBatchPorts, first: int, now: int) -> Iterator[DueFeed]:
    """Yield the feeds that are due next, shard by shard. Those due within a minute are checked soon anyway."""
    after = Cursor(due_at=now + LEAST_AHEAD_S, due_id="")
    for turn in range(DUE_SHARDS):
        shard = (first + turn) % DUE_SHARDS
        yield from ports.sweeps.due(shard, after=after, until=now + _AHEAD_S).due
