"""Processes a batch of FrontierQueue messages: rows to fetch, steps of jobs, and links of new feed items.

Rows run on the engine of services/work; jobs and links run in parallel with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from feedward.deadline import Deadline
from feedward.errors import FeedwardError, NotFound
from feedward.frontier.changes import postponed
from feedward.frontier.item_links import ItemLinks
from feedward.frontier.messages import CollectMessage, Job, JobMessage
from feedward.frontier.row import FrontierRow
from feedward.ports.work import send_all
from feedward.scheduling.lateness import LEAST_AHEAD_S
from feedward.services.collect.collect_page import collect_page
from feedward.services.collect.fetch_page import Visitor
from feedward.services.collect.fetch_row import Collect, fetch_row
from feedward.services.collect.ports import CollectPorts
from feedward.services.collect.row_answer import RowAnswer
from feedward.services.collect.submit import LinksSubmitted, submit_links
from feedward.services.work.engine import RESEND_S, Engine, WorkPorts, WorkReport, WorkSettings
from feedward.services.work.poison_tasks import begun_task

# The time limit of one row, with its robots.txt and its slots. A row starts only if all of it is left, so that our own
# deadline is not recorded as the server's failure.
ROW_S: Final = 30.0
SETTINGS: Final = WorkSettings(name="collect", hosts_at_once=25, task_s=ROW_S, reserve_s=15.0, again_after_s=540)
# A job with less time left is sent as a new message.
JOB_S: Final = 20.0
# A row that is due at most this much before its new time is not rescheduled.
_MARGIN_S: Final = LEAST_AHEAD_S // 2

Message = CollectMessage | JobMessage | ItemLinks

DoJob = Callable[[JobMessage, float], object]
"""Runs one step of a message's job within a time limit in seconds, and enqueues the next step (run_job_step)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectReport:
    """The result of a batch.

    - failures: for each message in order, the error for which it is received again, or None if it is done
    - answers: of the rows; jobs: the number of job steps done
    - left, again, waiting: rows sent as new messages or rescheduled: out of time, failed, or host busy
    - links: the result for the links of new feed items, one for each event
    - unreadable: entries that could not be decoded
    """

    failures: tuple[Exception | None, ...]
    answers: tuple[RowAnswer, ...] = ()
    jobs: int = 0
    left: int = 0
    again: int = 0
    waiting: int = 0
    links: tuple[LinksSubmitted, ...] = ()
    unreadable: int = 0


def collect_batch(
    messages: Sequence[Message],
    *,
    ports: CollectPorts,
    do_job: DoJob,
    within_s: float,
    collect: Collect = collect_page,
) -> CollectReport:
    """Process the messages within `within_s` seconds, and return a report on each message.

    Errors of stores and queues are reported, not raised.
    """
    deadline = Deadline.after(within_s, ports.clock.monotonic)
    ports = ports.within(deadline.before(RESEND_S))
    rows = {place: each for place, each in enumerate(messages) if isinstance(each, CollectMessage)}
    engine: Engine[FrontierRow, RowAnswer] = Engine(
        messages=rows,
        kind=_Pages(ports, Visitor(ports), collect),
        settings=SETTINGS,
        ports=WorkPorts(
            queue=ports.queue,
            limiter=ports.limiter,
            requeue=_DueRows(ports),
            clock=ports.clock,
            sleep=ports.sleep,
        ),
        deadline=deadline,
    )
    jobs = _Jobs(ports, do_job, deadline, _job_tasks(messages))
    links = _Links(ports, deadline, {at: each for at, each in enumerate(messages) if isinstance(each, ItemLinks)})
    engine.work(beside=[*links.calls(), *jobs.calls()])
    return _report(messages, engine.settle(), jobs, links)


def _report(messages: Sequence[Message], rows: WorkReport[RowAnswer], jobs: _Jobs, links: _Links) -> CollectReport:
    failures = {**rows.failures, **links.failures(), **jobs.settle()}
    return CollectReport(
        failures=tuple(failures[place] for place in range(len(messages))),
        answers=rows.answers,
        jobs=sum(each.is_done for each in jobs.tasks),
        left=rows.left,
        again=rows.again,
        waiting=rows.waiting,
        links=tuple(links.submitted),
        unreadable=sum(each.unreadable for each in messages if isinstance(each, CollectMessage)),
    )


# --- rows ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Pages:
    """Implements Work: the rows of a batch. The rate limiter spaces their requests."""

    ports: CollectPorts
    visitor: Visitor
    collect: Collect

    def run(self, entry: FrontierRow, *, is_suspect: bool) -> RowAnswer:
        """Fetch a row. It fails unfetched if a worker died during its fetch."""
        if not is_suspect:
            return self._fetch(entry)
        now = self.ports.clock.now()
        with begun_task(entry.row_id, begun=self.ports.begun, now=now, at_most=1) as has_killed:
            return self._fetch(entry, has_killed=has_killed)

    def _fetch(self, row: FrontierRow, *, has_killed: bool = False) -> RowAnswer:
        return fetch_row(
            row,
            ports=self.ports,
            visitor=self.visitor,
            collect=self.collect,
            within_s=ROW_S,
            has_killed=has_killed,
        )

    def pause_s(self, host: str) -> float:  # noqa: ARG002 - the signature of Work
        """Return 0: taking a slot waits instead."""
        return 0.0


@dataclass(slots=True)
class _DueRows:
    """Implements Requeue. A row is due after its message, so the message gets a new timestamp."""

    ports: CollectPorts

    def due_at(self, entry: FrontierRow, at: int, *, is_sent: bool) -> FrontierRow | None:  # noqa: ARG002
        if entry.next_fetch_at is not None and entry.next_fetch_at >= at - _MARGIN_S:
            return entry
        try:
            is_written = self.ports.frontier.postpone(entry, at) is None
        except NotFound:
            return None
        return postponed(entry, at) if is_written else None

    def sent_at(self, entry: FrontierRow, at: int) -> int:  # noqa: ARG002
        return at


# --- jobs and links --------------------------------------------------------------------------------


@dataclass(slots=True)
class _JobTask:
    """A job, and the positions in the batch of its messages."""

    message: JobMessage
    messages: list[int] = field(default_factory=list)
    is_done: bool = False
    error: Exception | None = None


@dataclass(slots=True)
class _Jobs:
    """The jobs of a batch, which each run one step."""

    ports: CollectPorts
    do_job: DoJob
    deadline: Deadline
    tasks: list[_JobTask]

    def calls(self) -> list[Callable[[], None]]:
        return [partial(self._do, task) for task in self.tasks]

    def settle(self) -> dict[int, Exception | None]:
        """Send jobs that ran out of time as new messages, and return the error of each message, or None."""
        return {place: self._settle(task, place) for task in self.tasks for place in task.messages}

    def _do(self, task: _JobTask) -> None:
        within_s = self.deadline.left_s() - SETTINGS.reserve_s
        if within_s < JOB_S:
            return
        try:
            self.do_job(task.message, within_s)
            task.is_done = True
        except Exception as error:  # noqa: BLE001 - a failed job fails only its own message
            task.error = error

    def _settle(self, task: _JobTask, place: int) -> Exception | None:
        if task.error is not None:
            return task.error
        if task.is_done or task.messages[0] != place:
            return None
        again = replace(task.message, sent_at=self.ports.clock.now(), delay_s=0)
        try:
            send_all(self.ports.queue.within(self.deadline), [again])
        except FeedwardError as error:
            return error
        return None


@dataclass(slots=True)
class _Links:
    """The links of new feed items, one event after the other, so that each host's pages are planned once."""

    ports: CollectPorts
    deadline: Deadline
    events: Mapping[int, ItemLinks]
    submitted: list[LinksSubmitted] = field(default_factory=list)
    _errors: dict[int, Exception] = field(default_factory=dict)

    def calls(self) -> list[Callable[[], None]]:
        return [self._submit] if self.events else []

    def failures(self) -> dict[int, Exception | None]:
        return {place: self._errors.get(place) for place in self.events}

    def _submit(self) -> None:
        busy: dict[str, int] = {}
        for place, event in self.events.items():
            deadline = self.deadline.before(SETTINGS.reserve_s)
            try:
                self.submitted.append(submit_links(event, ports=self.ports, busy=busy, deadline=deadline))
            except Exception as error:  # noqa: BLE001 - a failed event fails only its own message
                self._errors[place] = error


def _job_tasks(messages: Sequence[Message]) -> list[_JobTask]:
    tasks: dict[tuple[Job, str], _JobTask] = {}
    for place, message in enumerate(messages):
        if isinstance(message, JobMessage):
            tasks.setdefault((message.job, message.job_id), _JobTask(message)).messages.append(place)
    return list(tasks.values())
