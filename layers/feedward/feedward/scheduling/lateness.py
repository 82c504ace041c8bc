"""When a message is too late to be worked on, and how far ahead work may be sent (rule M4). Pure; times are seconds.

Each bound has its one definition here: the queues, the workers, the sweep and the repair pass depend on each other by
them.
"""

from __future__ import annotations

from typing import Final, Protocol

LATE_AFTER_S: Final = 15 * 60
"""A worker drops what was readable for longer, so that a backlog ends; the due index has it still."""
LONGEST_DELAY_S: Final = 840
"""No message is delayed longer: it is read before the repair pass takes its entries for forgotten."""
OVERDUE_S: Final = 20 * 60
"""What is due for longer was forgotten: its message was lost or dropped."""
LEAST_AHEAD_S: Final = 60
"""The due index may lag and clocks may differ: what is sooner than this is a message, not an earlier due time."""


class Sent(Protocol):
    """What a message carried; `sent_at` is the epoch second at which the message could be read first."""

    @property
    def sent_at(self) -> int | None:
        """None: it came by no message."""
        ...


def is_late(entry: Sent, now: int) -> bool:
    """Tell whether the message of an entry is older than 15 minutes."""
    return entry.sent_at is not None and now - entry.sent_at > LATE_AFTER_S
