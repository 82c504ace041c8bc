"""Rows whose host is busy stand in its line, and come again when their turn is (design section 3).

Whoever gives rows back takes as much time at the end of the line as they need at the host's own pause: so no two come
for one turn, in however many messages a host's rows are. A row is due after its message, as any other; where the line
is longer than a message can wait, it stands in a second one behind it, is due when it gets there, and is in no message.
To the turns, each line is a host.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from feedward.errors import NotFound
from feedward.frontier.changes import postponed
from feedward.frontier.messages import CollectMessage
from feedward.frontier.pacing import AHEAD_S, LONGEST_DELAY_S
from feedward.frontier.row import FrontierRow
from feedward.services.by_host import Task
from feedward.services.collect.ports import CollectParts
from feedward.services.collect.visit import WAIT_S

# A row that is due this much later than its message is not sent twice by that.
_MARGIN_S: Final = AHEAD_S // 2
# Who would have to wait longer than a day stands in no line: it is looked at again then.
FARTHEST_S: Final = 24 * 3600


def line_up(waiting: Sequence[Task[FrontierRow]], *, parts: CollectParts) -> Iterator[CollectMessage]:
    """Yield the messages that the rows come back with; see Task for what is known of their hosts.

    Raises what the stores raise: then the same may be done again.
    """
    for host, tasks in groupby(sorted(waiting, key=lambda task: task.host), key=lambda task: task.host):
        yield from _of_host(host, list(tasks), parts)


def _of_host(host: str, tasks: Sequence[Task[FrontierRow]], parts: CollectParts) -> Iterator[CollectMessage]:
    now, pause_s = parts.clock.now(), max(task.pause_s for task in tasks)
    wait_s, needed_s = min(task.wait_s or 0.0 for task in tasks), pause_s * len(tasks)
    first_s = _place_in_line(f"line {host}", wait_s, needed_s, LONGEST_DELAY_S, parts)
    if first_s > LONGEST_DELAY_S:
        first_s = _place_in_line(f"far line {host}", first_s, needed_s, FARTHEST_S, parts)
    sent: list[tuple[FrontierRow, int]] = []
    for place, task in enumerate(tasks):
        delay_s = math.ceil(first_s + place * pause_s)
        is_sent = delay_s <= LONGEST_DELAY_S
        row = _due_at(task.entry, now + delay_s + (AHEAD_S if is_sent else 0), parts)
        if row is not None and is_sent:
            sent.append((row, delay_s))
    # A worker waits for the turns of a host that is quick; at one that is slow, each row comes by itself.
    together = [sent] if pause_s <= WAIT_S else [[each] for each in sent]
    for rows in filter(None, together):
        delay_s = rows[0][1]
        yield CollectMessage(rows=tuple(row for row, _ in rows), sent_at=now + delay_s, delay_s=delay_s)


def _place_in_line(line: str, wait_s: float, needed_s: float, farthest_s: float, parts: CollectParts) -> float:
    """Take so many seconds at the end of the line, no sooner than in `wait_s`, and return in how many it gets there.

    Nothing is taken where that is farther away than `farthest_s`.
    """
    room_s = farthest_s - wait_s
    if room_s < 0:
        return wait_s
    ahead_ms = parts.turns.take(
        line,
        now_ms=parts.now_ms() + math.ceil(wait_s * 1000),
        pause_ms=math.ceil(needed_s * 1000),
        wait_ms=math.floor(room_s * 1000),
    )
    return wait_s + ahead_ms / 1000


def _due_at(row: FrontierRow, at: int, parts: CollectParts) -> FrontierRow | None:
    """Let the row be due then, if it would be sooner; None if it is another by now, and somebody else's."""
    if row.next_fetch_at is not None and row.next_fetch_at >= at - _MARGIN_S:
        return row
    try:
        is_written = parts.frontier.postpone(row, at) is None
    except NotFound:
        return None
    return postponed(row, at) if is_written else None
