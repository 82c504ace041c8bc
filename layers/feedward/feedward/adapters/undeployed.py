"""Stub for the queues of functions that are not deployed (Refresh=false)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from feedward.deadline import Deadline
from feedward.errors import NotDeployed
from feedward.ports.work import Message


class UndeployedQueue:
    """ports.WorkQueue that accepts no message."""

    def within(self, _deadline: Deadline) -> Self:
        """Return itself: it waits for nothing."""
        return self

    def send_batch(self, _messages: Sequence[Message]) -> Sequence[Message]:
        """Raise NotDeployed: the function that would read the messages is not deployed."""
        raise NotDeployed("it was deployed with Refresh=false: no function would read the message")
