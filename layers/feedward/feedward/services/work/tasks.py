"""The tasks of a batch of messages: each entry once, grouped by host (rule M6).

A task records the messages that contain it, so that a message is acknowledged only when all its entries are done or
sent as new messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic

from feedward.scheduling.messages import Entry, WorkMessage


class HostBusy(Exception):
    """Raised by a task whose host has no slot soon: retry in `wait_s` seconds.

    `pause_s` is the host's pause between two requests, or 0 if it is not known. `host` may be a redirect target: then
    the other entries of the entry's own host need not wait.
    """

    def __init__(self, host: str, wait_s: float, pause_s: float = 0.0) -> None:
        super().__init__(f"{host} has no slot for {wait_s:.0f} s")
        self.host, self.wait_s, self.pause_s = host, wait_s, pause_s


@dataclass(slots=True)
class Task(Generic[Entry]):
    """An entry to process, and the positions in the batch of the messages that contain it.

    `is_left`: there was no time or no memory for it. `busy`: its host has no slot soon. `error`: why it failed.
    `is_suspect`: a message that contains it was received before, so it may have killed a worker.
    """

    entry: Entry
    host: str
    messages: list[int] = field(default_factory=list)
    is_alone: bool = False
    is_suspect: bool = False
    is_left: bool = False
    busy: HostBusy | None = None
    error: Exception | None = None


def tasks_of(messages: Mapping[int, WorkMessage[Entry]]) -> list[Task[Entry]]:
    """Return one task for each entry of the messages, which are keyed by their positions in the batch."""
    tasks: dict[str, Task[Entry]] = {}
    for place, message in messages.items():
        for entry in message.entries:
            task = tasks.setdefault(entry.entry_id, Task(entry, entry.host))
            task.entry = newer(task.entry, entry)
            task.is_alone = task.is_alone or message.is_alone
            task.is_suspect = task.is_suspect or message.receives > 1
            if place not in task.messages:
                task.messages.append(place)
    return list(tasks.values())


def newer(one: Entry, other: Entry) -> Entry:
    """Return the later revision of an entry, with the timestamp of the younger message."""
    entry = other if other.rev > one.rev else one
    times = [each.sent_at for each in (one, other) if each.sent_at is not None]
    latest = max(times, default=None)
    return entry if entry.sent_at == latest else replace(entry, sent_at=latest)


def by_host(tasks: Iterable[Task[Entry]]) -> list[list[Task[Entry]]]:
    """Return the tasks of each host; the largest group first, since it takes longest."""
    hosts: dict[str, list[Task[Entry]]] = {}
    for task in tasks:
        hosts.setdefault(task.host, []).append(task)
    return sorted(hosts.values(), key=len, reverse=True)


def total_failure(tasks: Sequence[Task[Entry]]) -> Exception | None:
    """Return the first error if every task of a message failed, so that it is received again; else None."""
    errors = [task.error for task in tasks if task.error is not None]
    return errors[0] if errors and len(errors) == len(tasks) else None
