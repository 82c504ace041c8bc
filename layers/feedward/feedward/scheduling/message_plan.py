"""Plans when each message of due entries becomes readable, so that each host has one worker at a polite pace. Pure.

The messages of a host get increasing delays, each as long as the entries before it take. A plan continues where the
previous one left the host. An entry whose wait exceeds the longest message delay is not sent: it is rescheduled in the
due index to when its host is free, so that no backlog builds up in the queue.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic

from feedward.scheduling.grouping import HostGroup, grouped
from feedward.scheduling.lateness import LONGEST_DELAY_S
from feedward.scheduling.messages import Entry, WorkMessage

TICK_S: Final = 60
"""The interval of the sweep."""
TOO_LARGE_S: Final = 24 * 3600
"""An entry that exceeds the largest message is rescheduled by this much. Entries of this code are never so large."""
_REMEMBERED_HOSTS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Later(Generic[Entry]):
    """An entry that is not sent now, and its new due time (epoch seconds)."""

    entry: Entry
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Generic[Entry]):
    """Each entry is in exactly one message, or in `later` with its new time in the due index.

    `busy` maps hosts to the epoch second until which the messages occupy them.
    """

    messages: tuple[WorkMessage[Entry], ...]
    busy: Mapping[str, int]
    later: tuple[Later[Entry], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace(Generic[Entry]):
    """The class of the messages, and the seconds that one entry of a host takes.

    `longest_delay_s` returns how long an entry may wait in the queue for the others of its host.
    """

    message: type[WorkMessage[Entry]]
    entry_s: float
    longest_delay_s: Callable[[Entry], int] = lambda _: LONGEST_DELAY_S

    def step_s(self, entries: int) -> int:
        """Return the seconds that this many entries of a host take, rounded up."""
        return math.ceil(entries * self.entry_s)


def planned(entries: Sequence[Entry], busy: Mapping[str, int], now: int, pace: Pace[Entry]) -> Plan[Entry]:
    """Plan the messages of the entries, in the given order for each host; `busy` is from the previous plan."""
    still_busy = {host: until for host, until in busy.items() if until > now}
    grouping = grouped(entries, still_busy)
    messages = [message for each in grouping.shared for message in _messages(each, now, now, pace)]
    after = dict(still_busy)
    for shared in grouping.shared:
        for entry in shared:
            after[entry.host] = after.get(entry.host, now) + pace.step_s(1)
    later: list[Later[Entry]] = []
    for group in grouping.alone:
        for part, at in _slots(group, still_busy.get(group.host, now), pace):
            if at - now > min(map(pace.longest_delay_s, part)):
                later += [Later(entry=entry, at=at + pace.step_s(place)) for place, entry in enumerate(part)]
            else:
                messages += _messages(part, at, now, pace, is_alone=True)
                after[group.host] = at + pace.step_s(len(part))
    planned_ids = {entry.entry_id for message in messages for entry in message.entries}
    planned_ids |= {each.entry.entry_id for each in later}
    later += [Later(entry=each, at=now + TOO_LARGE_S) for each in entries if each.entry_id not in planned_ids]
    return Plan(messages=tuple(messages), busy=after, later=tuple(later))


def remembered(busy: Mapping[str, int], now: int) -> dict[str, int]:
    """Return the busy hosts that the next sweep needs: those that are still busy then, at most the 100 busiest."""
    later = sorted((-until, host) for host, until in busy.items() if until > now + TICK_S)
    return {host: -until for until, host in later[:_REMEMBERED_HOSTS]}


def _messages(
    entries: Sequence[Entry], at: int, now: int, pace: Pace[Entry], *, is_alone: bool = False
) -> Iterator[WorkMessage[Entry]]:
    for part in pace.message.fitting(entries):
        yield pace.message(entries=part, sent_at=at, delay_s=at - now, is_alone=is_alone)


def _slots(group: HostGroup[Entry], free_at: int, pace: Pace[Entry]) -> Iterator[tuple[tuple[Entry, ...], int]]:
    at = free_at
    for part in group.parts:
        yield part, at
        at += pace.step_s(len(part))
