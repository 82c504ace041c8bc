"""When each message of rows may be read, so that a host is asked no oftener than it can bear (design section 3). Pure.

A host's messages get growing delays, each as long as the rows before it take at the host's pause, and a plan goes on
where the one before left the host. What would have to wait longer than a message can is not sent at all: it is left to
the due index, due when its turn comes, so that no plan ever piles up work that nobody can do in time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from feedward.frontier.messages import CollectMessage, fitting
from feedward.frontier.row import FrontierRow
from feedward.frontier.settings import FrontierSettings
from feedward.scheduling.grouping import HostGroup, grouped

# A message that waits longest is read before a repair pass would take its rows for forgotten (20 min).
LONGEST_DELAY_S: Final = 840
# What is written is due so long after its message can be read; whatever is to be fetched sooner is a message.
AHEAD_S: Final = 60
# What fits in no message is out of the way for so long. No row that was made here is so large.
TOO_LARGE_S: Final = 24 * 3600
# A worker leaves rows of an older message to the due index, so that a backlog cannot multiply itself.
LATE_AFTER_S: Final = 15 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Later:
    """A row that no message carries now, and when it is to be due (epoch seconds)."""

    row: FrontierRow
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Each row is in exactly one message, or in `later`: those are to be given that time in the due index.

    `busy`: until when (epoch seconds) which hosts will be busy with the messages.
    """

    messages: tuple[CollectMessage, ...]
    busy: Mapping[str, int]
    later: tuple[Later, ...] = ()


def planned(rows: Sequence[FrontierRow], busy: Mapping[str, int], now: int, settings: FrontierSettings) -> Plan:
    """Plan the rows' messages, in the order given for each host; `busy` is what the plan before left."""
    still_busy = {host: until for host, until in busy.items() if until > now}
    grouping = grouped(rows, still_busy)
    messages = [message for each in grouping.shared for message in _messages(each, now, now)]
    after = dict(still_busy)
    for shared in grouping.shared:
        for row in shared:
            after[row.host] = after.get(row.host, now) + step_s(1, settings)
    later: list[Later] = []
    for group in grouping.alone:
        for part, at in _slots(group, still_busy.get(group.host, now), settings):
            if at - now > LONGEST_DELAY_S:
                later += [Later(row=row, at=at + step_s(place, settings)) for place, row in enumerate(part)]
            else:
                messages += _messages(part, at, now)
                after[group.host] = at + step_s(len(part), settings)
    planned_ids = {row.row_id for message in messages for row in message.rows} | {each.row.row_id for each in later}
    later += [Later(row=row, at=now + TOO_LARGE_S) for row in rows if row.row_id not in planned_ids]
    return Plan(messages=tuple(messages), busy=after, later=tuple(later))


def step_s(rows: int, settings: FrontierSettings) -> int:
    """Return the seconds that so many rows of a host take at its pause, rounded up."""
    return math.ceil(rows * settings.host_pause_s)


def is_late(row: FrontierRow, now: int) -> bool:
    """Tell whether a row's message is older than 15 minutes: then the due index sees to it anew."""
    return row.sent_at is not None and now - row.sent_at > LATE_AFTER_S


def _messages(rows: Sequence[FrontierRow], at: int, now: int) -> Iterator[CollectMessage]:
    return (CollectMessage(rows=part, sent_at=at, delay_s=at - now) for part in fitting(rows))


def _slots(
    group: HostGroup[FrontierRow], free_at: int, settings: FrontierSettings
) -> Iterator[tuple[tuple[FrontierRow, ...], int]]:
    at = free_at
    for part in group.parts:
        yield part, at
        at += step_s(len(part), settings)
