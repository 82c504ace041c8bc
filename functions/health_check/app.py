"""The health check function: scheduled passes (sweep, repair, reconcile), and messages of HealthQueue."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import feedward.cold_start
from feedward import bootstrap
from feedward.messages.health_event import Task, decode_batch, decode_task
from feedward.messages.partial_batch import Failures, Received, worker_handler
from feedward.observability.health import record_checks, record_reconciliation
from feedward.services.check.check_batch import check_batch


def do_task(task: Task, ports: bootstrap.Services, within_s: float) -> dict[str, Any]:
    """Run the task of a schedule, and return its report, for manual calls. Imports here are not loaded for checks."""
    if task is Task.SWEEP:
        from feedward.observability.sweeps import FEEDS, record_sweep  # noqa: PLC0415
        from feedward.services.sweep.sweep_slots import sweep_feeds  # noqa: PLC0415

        swept = sweep_feeds(
            slots=ports.slots,
            store=ports.sweeps,
            loads=ports.slot_loads,
            queue=ports.health_queue,
            clock=ports.clock,
            within_s=within_s,
        )
        record_sweep(swept, FEEDS, now=ports.clock.now())
        return asdict(swept)
    if task is Task.REPAIR:
        from feedward.observability.sweeps import FEEDS, record_repair  # noqa: PLC0415
        from feedward.services.sweep.repair import repair  # noqa: PLC0415

        repaired = repair(store=ports.sweeps, clock=ports.clock, within_s=within_s)
        record_repair(repaired, FEEDS)
        return asdict(repaired)
    if task is Task.PUSH:
        return drive_push(ports, within_s)
    from feedward.services.sweep.reconcile import reconcile_directory  # noqa: PLC0415

    reconciled = reconcile_directory(ports=ports, within_s=within_s)
    record_reconciliation(reconciled)
    return asdict(reconciled)


def drive_push(ports: bootstrap.Services, within_s: float) -> dict[str, Any]:
    """Run the pass of subscriptions to hubs, if this deployment has push."""
    if not ports.pushes.is_on:
        return {}
    from feedward.observability.push import record_push_pass  # noqa: PLC0415
    from feedward.services.push.drive_push import drive_push as drive  # noqa: PLC0415

    report = drive(ports=ports.push_ports, within_s=within_s)
    record_push_pass(report)
    return dict(report.as_document())


def check(records: Sequence[Received], ports: bootstrap.Services, within_s: float) -> Failures:
    """Process the checks of a batch. Return the error of each message, or None."""
    messages = decode_batch(records)
    report = check_batch(messages.readable, ports=ports.check_batch_ports, within_s=within_s)
    record_checks(report)
    return messages.failures(report.failures)


make_handler = functools.partial(worker_handler, work=check, do_task=do_task, decode_task=decode_task)
handler = make_handler(bootstrap.services)
feedward.cold_start.finish()
