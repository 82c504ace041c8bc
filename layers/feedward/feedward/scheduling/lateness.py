"""When a message is too late to process, and how far ahead work may be sent (rule M4). Pure; times are seconds.

Each limit is defined only here, since the queues, the workers, the sweep and the repair pass share them.
"""

from __future__ import annotations

from typing import Final, Protocol

LATE_AFTER_S: Final = 15 * 60
"""A worker drops a message that was readable for longer, to end a backlog. The due index keeps its entries."""
LONGEST_DELAY_S: Final = 840
"""The longest delay of a message: it is read before the repair pass considers it lost."""
OVERDUE_S: Final = 20 * 60
"""An entry that is overdue for longer has lost its message, or the message was dropped."""
LEAST_AHEAD_S: Final = 60
"""The due index may lag and clocks may differ: work that is due sooner is sent as a message instead."""


class Sent(Protocol):
    """An entry of a message; `sent_at` is the epoch second from which the message could be read."""

    @property
    def sent_at(self) -> int | None:
        """None if the entry came without a message."""
        ...


def is_late(entry: Sent, now: int) -> bool:
    """Return whether the message of an entry is older than 15 minutes."""
    return entry.sent_at is not None and now - entry.sent_at > LATE_AFTER_S
