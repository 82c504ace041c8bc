"""The notify function: events of the bus become deliveries to webhooks, which are sent, retried and swept."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import feedward.cold_start
from feedward import bootstrap
from feedward.messages.notify_event import Task, decode_batch, decode_task
from feedward.messages.partial_batch import Failures, Received, worker_handler
from feedward.observability.webhooks import record_webhooks
from feedward.services.webhooks.work_batch import work_batch


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


make_handler = functools.partial(worker_handler, work=notify, do_task=do_task, decode_task=decode_task)
handler = make_handler(bootstrap.services)
feedward.cold_start.finish()
