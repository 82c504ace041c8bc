"""A batch of messages as tasks: each thing to do once, one after the other at a host, hosts side by side (design 3).

Which messages hold a task is kept with it, so that a message is acknowledged only when all of it is done or sent on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Entry = TypeVar("Entry")


@dataclass(slots=True)
class Task(Generic[Entry]):
    """Something to do, and the messages that hold it, by their place in the batch.

    `is_left`: there was no time for it. `wait_s`: its host was busy; ask again after so long, with `pause_s` between
    two requests. `error`: why it failed.
    """

    entry: Entry
    host: str
    messages: list[int] = field(default_factory=list)
    is_left: bool = False
    wait_s: float | None = None
    pause_s: float = 0.0
    error: Exception | None = None


def tasks_of(
    held: Iterable[tuple[int, Entry]],
    *,
    key: Callable[[Entry], str],
    host: Callable[[Entry], str],
    newer: Callable[[Entry, Entry], Entry],
) -> list[Task[Entry]]:
    """Return each thing's task once. `held`: places of messages with what they hold; `newer` chooses between two."""
    tasks: dict[str, Task[Entry]] = {}
    for place, entry in held:
        task = tasks.setdefault(key(entry), Task(entry, host(entry)))
        task.entry = newer(task.entry, entry)
        if place not in task.messages:
            task.messages.append(place)
    return list(tasks.values())


def by_host(tasks: Iterable[Task[Entry]]) -> list[list[Task[Entry]]]:
    """Return each host's tasks; those with the most first, for they take longest."""
    hosts: dict[str, list[Task[Entry]]] = {}
    for task in tasks:
        hosts.setdefault(task.host, []).append(task)
    return sorted(hosts.values(), key=len, reverse=True)


def total_failure(tasks: Sequence[Task[Entry]]) -> Exception | None:
    """Why a message has to come again as it is: all that it holds failed."""
    errors = [task.error for task in tasks if task.error is not None]
    return errors[0] if errors and len(errors) == len(tasks) else None
