"""Processes a batch of messages of due entries: hosts in parallel, one task at a time for each host (rule M6).

Entries that ran out of time, wait for their host, or failed among successful ones are sent as new messages before the
old ones are acknowledged. An entry in two messages is processed once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Generic, Protocol, TypeVar

from feedward.deadline import Deadline
from feedward.errors import FeedwardError, MemoryBusy
from feedward.ports import Clock, HostLimiter, WorkQueue
from feedward.scheduling.messages import Entry, WorkMessage
from feedward.services.work.host_queue import HostQueue, Requeue
from feedward.services.work.resend import Resender
from feedward.services.work.tasks import HostBusy, Task, by_host, tasks_of, total_failure
from feedward.services.work.tenant_shares import TenantShares
from feedward.ulid import new_ulid

# The part of a batch's time that is reserved for sending new messages.
RESEND_S: Final = 3.0

Answer = TypeVar("Answer")
Answer_co = TypeVar("Answer_co", covariant=True)
Due_contra = TypeVar("Due_contra", contravariant=True)


class Work(Protocol[Due_contra, Answer_co]):
    """The work on one entry, implemented by each kind of work. One object serves all threads."""

    def run(self, entry: Due_contra, *, is_suspect: bool) -> Answer_co:
        """Do the work, with ports that keep to the batch's deadline. `is_suspect`: the entry may have killed a worker.

        Raises HostBusy or MemoryBusy if the work was not done, and the errors of the stores.
        """
        ...

    def pause_s(self, host: str) -> float:
        """Return the seconds to wait before the host's next task."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkSettings:
    """Settings of a kind of work.

    - name: prefix of its threads' names; hosts_at_once: hosts processed in parallel
    - task_s: time limit of a task; reserve_s: time reserved for its writes and for the new messages
    - again_after_s: delay of a failed entry, the same as that of a failed message in the queue
    """

    name: str
    hosts_at_once: int
    task_s: float
    reserve_s: float
    again_after_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkPorts(Generic[Entry]):
    """Ports of the engine, for any kind of work. `requeue` reschedules entries in the due index."""

    queue: WorkQueue
    limiter: HostLimiter
    requeue: Requeue[Entry]
    clock: Clock
    sleep: Callable[[float], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkReport(Generic[Answer]):
    """The result for the entries of a batch.

    - failures: by the message's position, the error for which it is received again, or None if it is done
    - answers: of the completed tasks
    - left, again, waiting: entries sent as new messages: out of time, failed, or host busy
    """

    failures: Mapping[int, Exception | None]
    answers: tuple[Answer, ...] = ()
    left: int = 0
    again: int = 0
    waiting: int = 0


@dataclass(slots=True)
class Engine(Generic[Entry, Answer]):
    """One batch. `messages` are keyed by their positions in the batch; threads share the engine."""

    messages: Mapping[int, WorkMessage[Entry]]
    kind: Work[Entry, Answer]
    settings: WorkSettings
    ports: WorkPorts[Entry]
    deadline: Deadline
    _tasks: list[Task[Entry]] = field(init=False)
    _answers: list[Answer] = field(default_factory=list)
    _holder: str = field(init=False)

    def __post_init__(self) -> None:
        self._tasks = tasks_of(self.messages)
        self._holder = new_ulid(self.ports.clock.now())

    @property
    def hosts(self) -> frozenset[str]:
        """The hosts of the batch."""
        return frozenset(task.host for task in self._tasks)

    def work(self, beside: Sequence[Callable[[], None]] = ()) -> None:
        """Run all tasks, hosts in parallel. `beside` are calls without a host that run with them.

        A tenant's own hosts use at most a quarter of the threads while others wait (rule QT7).
        """
        suspects = [[task] for task in self._tasks if task.is_suspect]
        groups = by_host(task for task in self._tasks if not task.is_suspect)
        by_owner = [(_owner(tasks), partial(self._work_host, tasks)) for tasks in groups]
        shares = TenantShares([*((None, call) for call in beside), *by_owner], places=self.settings.hosts_at_once)
        shares.run(f"feedward-{self.settings.name}")
        # One after the other: if the worker dies again, the counts show which task killed it.
        for tasks in suspects:
            self._work_host(tasks)

    def settle(self) -> WorkReport[Answer]:
        """Send unfinished entries as new messages, and report which messages must be received again."""
        resender = Resender(self.settings.again_after_s, self.ports.queue, self.ports.clock, self._host_queue())
        failures = {place: self._settle(place, resender) for place in self.messages}
        return WorkReport(
            failures=failures,
            answers=tuple(self._answers),
            left=resender.left,
            again=resender.again,
            waiting=resender.waiting,
        )

    # --- work ------------------------------------------------------------------------------------

    def _work_host(self, tasks: Sequence[Task[Entry]]) -> None:
        if not self._hold(tasks):
            return
        try:
            self._work_in_turn(tasks)
        finally:
            self._release(tasks)

    def _work_in_turn(self, tasks: Sequence[Task[Entry]]) -> None:
        """Run the tasks one after the other. If the host is busy, all following tasks wait too."""
        for index, task in enumerate(tasks):
            pause_s = self.kind.pause_s(task.host)
            if self.deadline.left_s() - pause_s < self.settings.task_s + self.settings.reserve_s:
                task.is_left = True
                continue
            if pause_s:
                self.ports.sleep(pause_s)
            busy = self._work_on(task)
            if busy is not None and busy.host == task.host:
                for waiting in tasks[index + 1 :]:
                    waiting.busy = busy
                return

    def _work_on(self, task: Task[Entry]) -> HostBusy | None:
        """Run one task, and record its failure."""
        try:
            self._answers.append(self.kind.run(task.entry, is_suspect=task.is_suspect))
        except HostBusy as busy:
            task.busy = busy
        except MemoryBusy:
            task.is_left = True
        except Exception as error:  # noqa: BLE001 - a failed entry does not stop the others; settle reports it
            task.error = error
        return task.busy

    # --- the host's lease ------------------------------------------------------------------------

    def _is_shared(self, tasks: Sequence[Task[Entry]]) -> bool:
        return len(tasks) > 1 or any(task.is_alone for task in tasks)

    def _hold(self, tasks: Sequence[Task[Entry]]) -> bool:
        """Take the host's lease if another worker may have a message of it. False: all tasks wait, or have failed."""
        if not self._is_shared(tasks):
            return True
        host, now, left_s = tasks[0].host, self.ports.clock.now(), self.deadline.left_s()
        try:
            until = self.ports.limiter.within(self.deadline).hold(
                host, holder=self._holder, until=now + int(left_s) + 1, now=now
            )
        except FeedwardError as error:
            for task in tasks:
                task.error = error
            return False
        for task in tasks if until else ():
            task.busy = HostBusy(host, float(until - now))
        return not until

    def _release(self, tasks: Sequence[Task[Entry]]) -> None:
        if self._is_shared(tasks):
            try:
                self.ports.limiter.within(self.deadline).release(tasks[0].host, holder=self._holder)
            except FeedwardError:
                return  # the lease expires

    # --- messages --------------------------------------------------------------------------------

    def _settle(self, place: int, resender: Resender[Entry]) -> Exception | None:
        """Settle one message. An entry in several messages is settled with the first of them."""
        tasks = [task for task in self._tasks if place in task.messages]
        failure = total_failure(tasks)
        if failure is not None:
            return failure
        own = [task for task in tasks if task.messages[0] == place]
        return resender.send_on(self.messages[place], own, self.deadline)

    def _host_queue(self) -> HostQueue[Entry]:
        ports = self.ports
        return HostQueue(limiter=ports.limiter.within(self.deadline), requeue=ports.requeue, clock=ports.clock)


def _owner(tasks: Sequence[Task[Any]]) -> str | None:
    """Return the tenant that owns all tasks of a host; None if there is none, or this kind of work has no owners."""
    owners = {getattr(task.entry, "owner", None) for task in tasks}
    return owners.pop() if len(owners) == 1 else None
