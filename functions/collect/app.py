"""The collect function: scheduled passes (sweep, repair, open jobs), and messages of FrontierQueue."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import feedward.cold_start
from feedward import bootstrap
from feedward.messages.collect_event import Task, decode_batch, decode_task
from feedward.messages.partial_batch import Failures, Received, worker_handler
from feedward.observability.collect import record_jobs, record_pages
from feedward.services.collect.collect_batch import collect_batch


def do_task(task: Task, ports: bootstrap.Services, within_s: float) -> dict[str, Any]:
    """Run the task of a schedule, and return its report, for manual calls. Imports here are not loaded for pages."""
    collect = ports.collect
    if task is Task.SWEEP:
        from feedward.observability.sweeps import ROWS, record_sweep  # noqa: PLC0415
        from feedward.services.sweep.sweep import sweep_due  # noqa: PLC0415

        swept = sweep_due(
            collect.pace, store=ports.row_sweeps, queue=collect.queue, clock=ports.clock, within_s=within_s
        )
        record_sweep(swept, ROWS, now=ports.clock.now())
        return asdict(swept)
    if task is Task.REPAIR:
        from feedward.observability.sweeps import ROWS, record_repair  # noqa: PLC0415
        from feedward.services.sweep.repair import repair  # noqa: PLC0415

        repaired = repair(store=ports.row_sweeps, clock=ports.clock, within_s=within_s)
        record_repair(repaired, ROWS)
        return asdict(repaired)
    from feedward.services.collect.run_jobs import resume_open_jobs  # noqa: PLC0415

    driven = resume_open_jobs(ports=collect, rekeys=ports.rekeys, imports=ports, within_s=within_s)
    record_jobs(driven)
    return asdict(driven)


def collect_pages(records: Sequence[Received], ports: bootstrap.Services, within_s: float) -> Failures:
    """Process the rows and jobs of a batch. Return the error of each message, or None."""
    messages, collect = decode_batch(records), ports.collect

    def do_job(job: Any, left_s: float) -> None:
        from feedward.services.collect.run_jobs import run_job_step  # noqa: PLC0415

        run_job_step(job, collect, ports.rekeys, imports=ports, exports=lambda: ports.exports, within_s=left_s)

    report = collect_batch(messages.readable, ports=collect, do_job=do_job, within_s=within_s)
    record_pages(report)
    return messages.failures(report.failures)


make_handler = functools.partial(worker_handler, work=collect_pages, do_task=do_task, decode_task=decode_task)
handler = make_handler(bootstrap.services)
feedward.cold_start.finish()
