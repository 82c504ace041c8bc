"""When each message of a sweep may be read, so that one host is asked by one worker at a time (design section 3). Pure.

A host's messages get growing delays, and a sweep goes on where the one before left the host. Where a host has more
feeds due than it can be asked for in time, its messages are spread evenly instead of all coming at the longest delay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from feedward.health.due_feed import DueFeed
from feedward.health.messages import HealthMessage
from feedward.scheduling.grouping import HostGroup, grouped

# What a worker needs for 10 feeds of a host that answers, with a pause.
STEP_S: Final = 30
# A message that waits longest is read before the repair pass would take its feeds for forgotten (20 min).
LONGEST_DELAY_S: Final = 840
# How often there is a sweep: where all time until the longest delay is taken, each sweep has the last of it.
TICK_S: Final = 60
_REMEMBERED_HOSTS: Final = 100
# What a host rests between two requests of a batch.
HOST_REST_S: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The messages to send now, and until when (epoch seconds) which hosts will be busy with them."""

    messages: tuple[HealthMessage, ...]
    busy: Mapping[str, int]


def planned(feeds: Sequence[DueFeed], busy: Mapping[str, int], now: int) -> Plan:
    """Return messages that hold each of the feeds exactly once; `busy` is what the plan before left."""
    still_busy = {host: until for host, until in busy.items() if until > now}
    grouping = grouped(feeds, still_busy)
    messages = [HealthMessage(feeds=each, sent_at=now) for each in grouping.shared]
    after = {**still_busy, **{feed.host: now + STEP_S for each in grouping.shared for feed in each}}
    for group in grouping.alone:
        delays = list(_delays(len(group.parts), still_busy.get(group.host, now) - now))
        messages += _delayed(group, delays, now)
        after[group.host] = now + min(delays[-1] + STEP_S, LONGEST_DELAY_S)
    return Plan(messages=tuple(messages), busy=after)


def remembered(busy: Mapping[str, int], now: int) -> dict[str, int]:
    """Return which hosts the next sweep has to know of: those that will still be busy then, the busiest of them."""
    later = sorted((-until, host) for host, until in busy.items() if until > now + TICK_S)
    return {host: -until for until, host in later[:_REMEMBERED_HOSTS]}


def _delays(parts: int, wait_s: int) -> Iterator[int]:
    first = min(wait_s, LONGEST_DELAY_S - TICK_S)
    step = min(STEP_S, (LONGEST_DELAY_S - first) / max(parts - 1, 1))
    return (int(first + part * step) for part in range(parts))


def _delayed(group: HostGroup[DueFeed], delays: Sequence[int], now: int) -> Iterator[HealthMessage]:
    for part, delay in zip(group.parts, delays, strict=True):
        yield HealthMessage(feeds=part, sent_at=now + delay, delay_s=delay)
