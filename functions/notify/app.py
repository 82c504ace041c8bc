"""The notify function: events of the bus become deliveries to webhooks, which are sent, retried and swept."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import feedward.cold_start
from feedward import bootstrap
from feedward.messages.notify_event import Task, decode_batch, decode_task
from feedward.messages.partial_batch import Received, answer_together, is_batch
from feedward.observability.log import logged
from feedward.observability.webhooks import record_webhooks
from feedward.services.webhooks.work_batch import work_batch

RESERVE_S = 2.0  # of the function's time, reserved to emit metrics and return
Failures = Sequence[Exception | None]
Handler = Callable[[Mapping[str, Any], Any], dict[str, Any]]


def do_task(task: Task, ports: bootstrap.Services, within_s: float) -> dict[str, Any]:
    """Run the task of a schedule, and return its report, for manual calls. Messages do not load this."""
    from feedward.observability.sweeps import WEBHOOK_TASKS, record_repair, record_sweep  # noqa: PLC0415
    from feedward.services.sweep.repair import repair  # noqa: PLC0415
    from feedward.services.webhooks.sweep_tasks import sweep_tasks  # noqa: PLC0415

    if task is Task.SWEEP:
        swept = sweep_tasks(store=ports.task_sweeps, ports=ports.webhook_ports, within_s=within_s)
        record_sweep(swept, WEBHOOK_TASKS, now=ports.clock.now())
        return asdict(swept)
    repaired = repair(store=ports.task_sweeps, clock=ports.clock, within_s=within_s)
    record_repair(repaired, WEBHOOK_TASKS)
    return asdict(repaired)


def notify(records: Sequence[Received], ports: bootstrap.Services, within_s: float) -> Failures:
    """Process the events and tasks of a batch. Return the error of each message, or None."""
    messages = decode_batch(records)
    report = work_batch(messages.readable, ports=ports.webhook_ports, within_s=within_s)
    record_webhooks(report)
    return messages.failures(report.failures)


def make_handler(build_services: Callable[[], bootstrap.Services]) -> Handler:
    """Return a Lambda handler. `build_services` is called once, when the services are first needed."""
    services = functools.cache(build_services)

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        within_s = context.get_remaining_time_in_millis() / 1000 - RESERVE_S
        if is_batch(event):
            return answer_together(event, lambda records: notify(records, services(), within_s))
        return do_task(decode_task(event), services(), within_s)

    return logged(handle)


handler = make_handler(bootstrap.services)
feedward.cold_start.finish()
