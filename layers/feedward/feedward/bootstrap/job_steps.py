"""Steps of jobs: those of collecting, and imports and exports, which need more. Nothing here is loaded for pages."""

from __future__ import annotations

from feedward.bootstrap.wiring import Services
from feedward.frontier.messages import JobMessage
from feedward.services.collect.run_jobs import JobsReport, resume_open_jobs, run_job_step


def run_step(message: JobMessage, ports: Services, within_s: float) -> None:
    """Run a step of the message's job. Raises what the stores and the queue raise."""
    run_job_step(
        message,
        ports=ports.collect,
        rekeys=ports.rekeys,
        within_s=within_s,
        do_import=lambda job_id, left_s: _import(job_id, ports, left_s),
        do_export=lambda job_id, left_s: _export(job_id, ports, left_s),
    )


def resume_jobs(ports: Services, within_s: float) -> JobsReport:
    """Send abandoned jobs again."""
    return resume_open_jobs(
        ports=ports.collect, rekeys=ports.rekeys, resume_imports=lambda: _resume_imports(ports), within_s=within_s
    )


def _import(job_id: str, ports: Services, within_s: float) -> None:
    from feedward.services.intake.do_step import do_step  # noqa: PLC0415

    do_step(job_id, ports=ports, within_s=within_s)


def _export(job_id: str, ports: Services, within_s: float) -> None:
    from feedward.services.export.write_export import do_export_step  # noqa: PLC0415

    do_export_step(job_id, ports=ports.exports, within_s=within_s)


def _resume_imports(ports: Services) -> int:
    from feedward.services.intake.resume_imports import resume_imports  # noqa: PLC0415

    return resume_imports(ports=ports)
