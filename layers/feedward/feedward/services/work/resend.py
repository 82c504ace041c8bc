"""Sends the unfinished entries of a message as new messages, before the old one is acknowledged (rule M6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.ports import Clock, WorkQueue
from feedward.ports.work import send_all
from feedward.scheduling.messages import Entry, WorkMessage
from feedward.services.work.host_queue import HostQueue
from feedward.services.work.tasks import Task


@dataclass(slots=True)
class Resender(Generic[Entry]):
    """Sends the unfinished tasks of a batch's messages, and counts them by reason."""

    again_after_s: int
    queue: WorkQueue
    clock: Clock
    host_queue: HostQueue[Entry]
    left: int = 0
    again: int = 0
    waiting: int = 0

    def send_on(
        self, message: WorkMessage[Entry], tasks: Sequence[Task[Entry]], deadline: Deadline
    ) -> Exception | None:
        """Send the unfinished entries of a message. Return the error for which it must be received again, or None.

        Entries that ran out of time keep the timestamp of their message, so that a backlog ends when it is late.
        """
        left = tuple(task.entry for task in tasks if task.is_left)
        again = tuple(task.entry for task in tasks if task.error is not None)
        waiting = [task for task in tasks if task.busy is not None]
        try:
            messages = [*self._messages(message, left, again), *self.host_queue.messages(waiting, type(message))]
            self._send(messages, deadline)
        except FeedwardError as error:
            return error
        self.left += len(left)
        self.again += len(again)
        self.waiting += len(waiting)
        return None

    def _messages(
        self, message: WorkMessage[Entry], left: tuple[Entry, ...], again: tuple[Entry, ...]
    ) -> list[WorkMessage[Entry]]:
        kind, is_alone = type(message), message.is_alone
        at = self.clock.now() + self.again_after_s
        messages = [
            kind(entries=left, sent_at=message.sent_at, is_alone=is_alone),
            kind(entries=again, sent_at=at, delay_s=self.again_after_s, is_alone=is_alone),
        ]
        return [each for each in messages if each.entries]

    def _send(self, messages: Sequence[WorkMessage[Entry]], deadline: Deadline) -> None:
        send_all(self.queue.within(deadline), messages)
