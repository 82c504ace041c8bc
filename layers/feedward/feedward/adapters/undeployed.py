"""Stands for the queues of the functions that a deployment does not have (Refresh=false)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from feedward.deadline import Deadline
from feedward.errors import NotDeployed
from feedward.ports.work import Message


class UndeployedQueue:
    """ports.WorkQueue that takes no message."""

    def within(self, _deadline: Deadline) -> Self:
        """Return itself: it waits for nothing."""
        return self

    def send_batch(self, _messages: Sequence[Message]) -> Sequence[Message]:
        """Raise NotDeployed: what would read the messages is not there."""
        raise NotDeployed("it was deployed with Refresh=false: what would read the message is not there")
