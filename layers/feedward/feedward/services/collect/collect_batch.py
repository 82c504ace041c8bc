"""Work on a batch of messages of FrontierQueue: rows, one request at a time for each host and hosts side by side, jobs
that go a step further, and links of feeds' new items that become rows (design section 3).

What the time does not suffice for, what has to wait for its host, and what failed beside others that did not, goes on
as a new message before the old one is acknowledged. A row that two of the messages hold is fetched once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from typing import Final

from feedward.deadline import Deadline
from feedward.errors import FeedwardError, QueueUnavailable
from feedward.frontier.item_links import ItemLinks
from feedward.frontier.messages import CollectMessage, Job
from feedward.frontier.row import FrontierRow
from feedward.services.by_host import Task, by_host, tasks_of, total_failure
from feedward.services.collect.collect_page import collect_page
from feedward.services.collect.fetch_row import Collect, fetch_row
from feedward.services.collect.line_up import line_up
from feedward.services.collect.ports import CollectParts
from feedward.services.collect.row_answer import Fate, RowAnswer
from feedward.services.collect.submit import LinksSubmitted, submit_links
from feedward.services.collect.visit import Visitor

# Hosts that are asked at the same moment.
IN_FLIGHT: Final = 25
# What one row may take, with its robots.txt and its turns: none is cut short, for the server would be blamed for it.
ROW_S: Final = 30.0
# What a row that was fetched, or a step of a job, needs beside: its item, its write, and the messages after all.
RESERVE_S: Final = 15.0
# A job that has less than this is sent on.
JOB_S: Final = 20.0
# When a row that failed is tried again: as the queue does it with a message.
AGAIN_AFTER_S: Final = 540


DoJob = Callable[[CollectMessage, float], object]
"""Take a message's job a step further, in so many seconds, and send for the step after it (drive_job)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectReport:
    """What came of a batch.

    - failures: for each message in order, why it has to come again, or None: then it is done with
    - answers: of the rows; jobs: how many were taken further
    - left, again, given_back: rows that were sent on: those that there was no time for, those that failed, and those
      whose host was busy (sent on, or due later)
    - links: what became of the links of feeds' new items, event by event
    - unreadable: entries of messages that nobody can read
    """

    failures: tuple[Exception | None, ...]
    answers: tuple[RowAnswer, ...] = ()
    jobs: int = 0
    left: int = 0
    again: int = 0
    given_back: int = 0
    links: tuple[LinksSubmitted, ...] = ()
    unreadable: int = 0


def collect_batch(
    messages: Sequence[CollectMessage | ItemLinks],
    *,
    parts: CollectParts,
    do_job: DoJob,
    within_s: float,
    collect: Collect = collect_page,
) -> CollectReport:
    """Work on what the messages hold, within `within_s` seconds, and say what became of each of them.

    Raises nothing that a store or a queue does.
    """
    return _Batch(messages, parts, do_job, within_s, collect).run()


@dataclass(slots=True)
class _JobTask:
    """A job, and the messages that ask for it, by their place in the batch."""

    message: CollectMessage
    messages: list[int] = field(default_factory=list)
    is_done: bool = False
    error: Exception | None = None


class _Batch:
    """One batch, and what came of it. Threads share it: each host's rows are one thread's, and so is each job."""

    def __init__(
        self,
        messages: Sequence[CollectMessage | ItemLinks],
        parts: CollectParts,
        do_job: DoJob,
        within_s: float,
        collect: Collect,
    ) -> None:
        self._parts, self._do, self._collect = parts, do_job, collect
        self._places = range(len(messages))
        self._messages = {place: each for place, each in enumerate(messages) if isinstance(each, CollectMessage)}
        self._events = {place: each for place, each in enumerate(messages) if isinstance(each, ItemLinks)}
        self._ends_at = parts.clock.monotonic() + within_s
        self._visitor = Visitor(parts)
        self._tasks = tasks_of(
            ((place, row) for place, message in self._messages.items() for row in message.rows),
            key=lambda row: row.row_id,
            host=lambda row: row.host,
            newer=_newer,
        )
        self._job_tasks = _job_tasks(self._messages)
        self._lock = Lock()
        self._answers: list[RowAnswer] = []
        self._links: list[LinksSubmitted] = []
        self._link_errors: dict[int, Exception] = {}
        self._left = self._again = self._given_back = 0

    def run(self) -> CollectReport:
        work: list[Callable[[], None]] = [self._submit_links] if self._events else []
        work += [partial(self._do_job, each) for each in self._job_tasks]
        work += [partial(self._fetch_all, rows) for rows in by_host(self._tasks)]
        if work:
            with ThreadPoolExecutor(min(IN_FLIGHT, len(work)), thread_name_prefix="feedward-collect") as pool:
                list(pool.map(_call, work))
        failures = tuple(self._settle(place) for place in self._places)
        return CollectReport(
            failures=failures,
            answers=tuple(self._answers),
            jobs=sum(each.is_done for each in self._job_tasks),
            left=self._left,
            again=self._again,
            given_back=self._given_back,
            links=tuple(self._links),
            unreadable=sum(message.unreadable for message in self._messages.values()),
        )

    # --- work ------------------------------------------------------------------------------------

    def _fetch_all(self, tasks: Sequence[Task[FrontierRow]]) -> None:
        """Fetch a host's rows, one after the other. Where the host is busy, all that are left wait for their turns."""
        for index, task in enumerate(tasks):
            if self._left_s() < ROW_S + RESERVE_S:
                task.is_left = True
                continue
            try:
                answer = self._fetch(task.entry)
            except Exception as error:  # noqa: BLE001 - a row that fails fails alone; its message says so
                task.error = error
                continue
            if answer.fate is Fate.BUSY:
                for waiting in [task] if answer.elsewhere else tasks[index:]:
                    waiting.wait_s, waiting.pause_s = answer.wait_s, answer.pause_s
                if not answer.elsewhere:
                    return

    def _fetch(self, row: FrontierRow) -> RowAnswer:
        answer = fetch_row(
            row,
            parts=self._parts,
            visitor=self._visitor,
            collect=self._collect,
            within_s=min(ROW_S, self._left_s()),
        )
        with self._lock:
            self._answers.append(answer)
        return answer

    def _do_job(self, task: _JobTask) -> None:
        within_s = self._left_s() - RESERVE_S
        if within_s < JOB_S:
            return
        try:
            self._do(task.message, within_s)
            task.is_done = True
        except Exception as error:  # noqa: BLE001 - a job that fails comes again with its message, alone
            task.error = error

    def _submit_links(self) -> None:
        """One event after the other, so that each host's pages are planned once."""
        busy: dict[str, int] = {}
        for place, event in self._events.items():
            try:
                found = submit_links(event, parts=self._parts, busy=busy, within_s=self._left_s() - RESERVE_S)
                self._links.append(found)
            except Exception as error:  # noqa: BLE001 - an event that fails comes again, alone
                self._link_errors[place] = error

    # --- messages --------------------------------------------------------------------------------

    def _settle(self, place: int) -> Exception | None:
        """Send on what is left of a message, and return why it has to come again as it is, if it has to."""
        if place in self._events:
            return self._link_errors.get(place)
        job = next((each for each in self._job_tasks if place in each.messages), None)
        if job is not None:
            return self._settle_job(job, place)
        tasks = [task for task in self._tasks if place in task.messages]
        failure = total_failure(tasks)
        if failure is not None:
            return failure
        # Another message that holds the same row is seen to first: it has sent it on.
        own = [task for task in tasks if task.messages[0] == place]
        left = [task.entry for task in own if task.is_left]
        again = [task.entry for task in own if task.error is not None]
        waiting = [task for task in own if task.wait_s is not None]
        try:
            lined_up = tuple(line_up(waiting, parts=self._parts))
        except FeedwardError as busy:
            return busy
        error = self._send([*self._sent_on(self._messages[place], left, again), *lined_up])
        if error is None:
            self._left += len(left)
            self._again += len(again)
            self._given_back += len(waiting)
        return error

    def _sent_on(
        self,
        message: CollectMessage,
        left: Sequence[FrontierRow],
        again: Sequence[FrontierRow],
    ) -> Iterable[CollectMessage]:
        """What was not asked stays as old as it is: a backlog ends when it is late, and the due index goes on."""
        now = self._parts.clock.now()
        yield CollectMessage(rows=tuple(left), sent_at=message.sent_at)
        yield CollectMessage(rows=tuple(again), sent_at=now + AGAIN_AFTER_S, delay_s=AGAIN_AFTER_S)

    def _settle_job(self, task: _JobTask, place: int) -> Exception | None:
        if task.error is not None:
            return task.error
        if task.is_done or task.messages[0] != place:
            return None
        now = self._parts.clock.now()
        return self._send([replace(self._messages[place], sent_at=now, delay_s=0)])

    def _send(self, messages: Iterable[CollectMessage]) -> Exception | None:
        wanted = [message for message in messages if message.rows or message.job is not None]
        if not wanted:
            return None
        try:
            taken = self._parts.queue.within(Deadline.after(self._left_s())).send_batch(wanted)
        except FeedwardError as error:
            return error
        return None if len(taken) == len(wanted) else QueueUnavailable("the queue did not take what is left")

    def _left_s(self) -> float:
        return self._ends_at - self._parts.clock.monotonic()


def _newer(one: FrontierRow, other: FrontierRow) -> FrontierRow:
    """The later writing of a row, and as long in time as its youngest message."""
    row = other if other.rev > one.rev else one
    times = [each.sent_at for each in (one, other) if each.sent_at is not None]
    return replace(row, sent_at=max(times, default=None))


def _job_tasks(messages: Mapping[int, CollectMessage]) -> list[_JobTask]:
    tasks: dict[tuple[Job, str], _JobTask] = {}
    for place, message in messages.items():
        if message.job is not None:
            task = tasks.setdefault((message.job, message.job_id), _JobTask(message))
            task.messages.append(place)
    return list(tasks.values())


def _call(work: Callable[[], None]) -> None:
    work()
