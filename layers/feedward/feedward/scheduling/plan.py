"""When each message of due entries may be read, so that one worker asks a host and no oftener than it can bear. Pure.

A host's messages get growing delays, each as long as the entries before it take, and a plan goes on where the one
before left the host. What would have to wait longer than a message can is not sent: it stays in the due index, due
when its turn comes, so that no plan piles up work that cannot be done in time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic

from feedward.scheduling.grouping import HostGroup, grouped
from feedward.scheduling.lateness import LONGEST_DELAY_S
from feedward.scheduling.messages import Entry, WorkMessage

TICK_S: Final = 60
"""How often there is a sweep."""
TOO_LARGE_S: Final = 24 * 3600
"""What fits in no message is out of the way for so long. No entry that was made here is so large."""
_REMEMBERED_HOSTS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Later(Generic[Entry]):
    """An entry that no message carries now, and when it is to be due (epoch seconds)."""

    entry: Entry
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Generic[Entry]):
    """Each entry is in exactly one message, or in `later`: those are to be given that time in the due index.

    `busy`: until when (epoch seconds) which hosts will be busy with the messages.
    """

    messages: tuple[WorkMessage[Entry], ...]
    busy: Mapping[str, int]
    later: tuple[Later[Entry], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace(Generic[Entry]):
    """How messages are made: of which class, and how many seconds one entry of a host takes."""

    message: type[WorkMessage[Entry]]
    entry_s: float

    def step_s(self, entries: int) -> int:
        """Return the seconds that so many entries of a host take, rounded up."""
        return math.ceil(entries * self.entry_s)


def planned(entries: Sequence[Entry], busy: Mapping[str, int], now: int, pace: Pace[Entry]) -> Plan[Entry]:
    """Plan the messages of the entries, in the order given for each host; `busy` is what the plan before left."""
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
            if at - now > LONGEST_DELAY_S:
                later += [Later(entry=entry, at=at + pace.step_s(place)) for place, entry in enumerate(part)]
            else:
                messages += _messages(part, at, now, pace, is_alone=True)
                after[group.host] = at + pace.step_s(len(part))
    planned_ids = {entry.entry_id for message in messages for entry in message.entries}
    planned_ids |= {each.entry.entry_id for each in later}
    later += [Later(entry=each, at=now + TOO_LARGE_S) for each in entries if each.entry_id not in planned_ids]
    return Plan(messages=tuple(messages), busy=after, later=tuple(later))


def remembered(busy: Mapping[str, int], now: int) -> dict[str, int]:
    """Return which hosts the next sweep has to know of: those that will still be busy then, the busiest of them."""
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
