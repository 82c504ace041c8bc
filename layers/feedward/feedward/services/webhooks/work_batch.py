"""Processes a batch of WebhookQueue: events to fan out, and tasks of deliveries and jobs on the work engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from feedward.deadline import Deadline
from feedward.ports.work import send_all
from feedward.services.webhooks.deliver import ATTEMPT_S, Deliverer, TaskAnswer
from feedward.services.webhooks.fan_out import FannedOut, fan_out
from feedward.services.webhooks.jobs import Jobs
from feedward.services.webhooks.ports import WebhookPorts
from feedward.services.work.engine import RESEND_S, Engine, WorkPorts, WorkReport, WorkSettings
from feedward.webhooks.delivery import Job, TaskMessage, WebhookTask
from feedward.webhooks.events import BusEvent

# An attempt, the wait for its slots, and its writes.
TASK_S: Final = ATTEMPT_S + 5.0
SETTINGS: Final = WorkSettings(name="notify", hosts_at_once=20, task_s=TASK_S, reserve_s=8.0, again_after_s=360)

Message = TaskMessage | BusEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookReport:
    """The result of a batch.

    - failures: for each message in order, the error for which it is received again, or None if it is done
    - answers: of the tasks; fanned_out: of the events
    - left, again, waiting: tasks sent as new messages: out of time, failed, or no slot for the receiver
    """

    failures: tuple[Exception | None, ...]
    answers: tuple[TaskAnswer, ...] = ()
    fanned_out: tuple[FannedOut, ...] = ()
    left: int = 0
    again: int = 0
    waiting: int = 0


def work_batch(messages: Sequence[Message], *, ports: WebhookPorts, within_s: float) -> WebhookReport:
    """Process the messages within `within_s` seconds, and return a report on each.

    Errors of stores and queues are reported, not raised.
    """
    deadline = Deadline.after(within_s, ports.clock.monotonic)
    bound = ports.within(deadline.before(RESEND_S))
    deliverer = Deliverer.over(bound)
    tasks = {place: each for place, each in enumerate(messages) if isinstance(each, TaskMessage)}
    engine: Engine[WebhookTask, TaskAnswer] = Engine(
        messages=tasks,
        kind=_Tasks(deliverer, Jobs(bound, deliverer, deadline.before(RESEND_S))),
        settings=SETTINGS,
        ports=WorkPorts(
            queue=ports.queue,
            limiter=bound.limiter,
            requeue=_DueTasks(bound),
            clock=ports.clock,
            sleep=ports.sleep,
        ),
        deadline=deadline,
    )
    events = _Events(bound, deadline, {at: each for at, each in enumerate(messages) if isinstance(each, BusEvent)})
    engine.work(beside=events.calls())
    return _report(messages, engine.settle(), events)


def _report(messages: Sequence[Message], tasks: WorkReport[TaskAnswer], events: _Events) -> WebhookReport:
    failures = {**tasks.failures, **events.failures()}
    return WebhookReport(
        failures=tuple(failures[place] for place in range(len(messages))),
        answers=tasks.answers,
        fanned_out=tuple(events.done),
        left=tasks.left,
        again=tasks.again,
        waiting=tasks.waiting,
    )


@dataclass(slots=True)
class _Tasks:
    """Implements Work: a task is of a delivery or of a job."""

    deliverer: Deliverer
    jobs: Jobs

    def run(self, entry: WebhookTask, *, is_suspect: bool) -> TaskAnswer:  # noqa: ARG002 - a row's claims count its attempts
        """Process the task."""
        if entry.what in tuple(Job):
            return TaskAnswer(task=entry, result=self.jobs.run(entry))
        return self.deliverer.take(entry)

    def pause_s(self, host: str) -> float:  # noqa: ARG002 - the signature of Work
        """Return 0: slots limit a receiver's concurrency."""
        return 0.0


@dataclass(slots=True)
class _DueTasks:
    """Implements Requeue: the row of a task that waits for a slot is due in case its message is lost."""

    ports: WebhookPorts

    def due_at(self, entry: WebhookTask, at: int, *, is_sent: bool) -> WebhookTask | None:  # noqa: ARG002
        _, delivery = self.ports.deliveries.task(entry)
        if delivery is None or delivery.rev != entry.rev or delivery.due_at is None:
            return None
        saved = self.ports.deliveries.save(replace(delivery, due_at=at))
        return saved.task if saved is not None else None

    def sent_at(self, entry: WebhookTask, at: int) -> int:  # noqa: ARG002
        return at


@dataclass(slots=True)
class _Events:
    """The events of a batch, in parallel."""

    ports: WebhookPorts
    deadline: Deadline
    events: Mapping[int, BusEvent]
    done: list[FannedOut] = field(default_factory=list)
    _errors: dict[int, Exception] = field(default_factory=dict)

    def calls(self) -> list[Callable[[], None]]:
        return [partial(self._fan_out, place, event) for place, event in self.events.items()]

    def failures(self) -> dict[int, Exception | None]:
        return {place: self._errors.get(place) for place in self.events}

    def _fan_out(self, place: int, event: BusEvent) -> None:
        try:
            fanned = fan_out(event, ports=self.ports, deadline=self.deadline)
            self._go_on(fanned.left)
            self.done.append(fanned)
        except Exception as error:  # noqa: BLE001 - a failed event fails only its own message
            self._errors[place] = error

    def _go_on(self, left: BusEvent | None) -> None:
        """Send the rest of a fan-out as a new message."""
        if left is not None:
            send_all(self.ports.queue, [left])
