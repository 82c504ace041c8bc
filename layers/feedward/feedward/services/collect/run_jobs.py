"""Jobs of collecting: runs one step for each message, and enqueues abandoned jobs again (rule I7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from feedward.deadline import Deadline
from feedward.errors import FeedwardError, InvalidInput
from feedward.frontier.messages import Job, JobMessage
from feedward.lineage.run import OpenRun
from feedward.ports import RekeyStore
from feedward.ports.work import send_all
from feedward.services.collect.ports import CollectPorts
from feedward.services.collect.rekey_registry import rekey
from feedward.services.collect.reprocess import reprocess
from feedward.services.collect.start_run import hand_on_urls, run_message
from feedward.urls.key import KEY_VERSION

if TYPE_CHECKING:  # few jobs are imports or exports
    from feedward.services.export.ports import ExportPorts
    from feedward.services.intake.ports import ImportPorts

# A worker renews the mark of its run at each step, so a run with an older mark is abandoned.
LEFT_FOR_S: Final = 5 * 60
DEFAULT_S: Final = 50.0
_RESERVE_S: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class JobsReport:
    """The result of a pass over open jobs.

    - runs, imports: those that were enqueued again; rekey: the rekey job was enqueued
    - failures: error codes; the next pass retries the failed work
    """

    runs: int = 0
    rekey: bool = False
    imports: int = 0
    failures: tuple[str, ...] = ()


def run_job_step(
    message: JobMessage,
    ports: CollectPorts,
    rekeys: RekeyStore,
    *,
    within_s: float,
    imports: ImportPorts | None = None,
    exports: Callable[[], ExportPorts] | None = None,
) -> None:
    """Run one step of the message's job within `within_s` seconds, and enqueue the next step if there is one.

    Raises the errors of the stores and the queue: the message must then be received again.
    """
    deadline = Deadline.after(within_s, ports.clock.monotonic)
    if message.job in (Job.IMPORT, Job.EXPORT):
        _step_of_file(message, imports, exports, deadline)
        return
    if _step(message, ports.within(deadline), rekeys, deadline):
        return
    send_all(ports.queue.within(deadline), [replace(message, sent_at=ports.clock.now(), delay_s=0)])


def _step_of_file(
    message: JobMessage, imports: ImportPorts | None, exports: Callable[[], ExportPorts] | None, deadline: Deadline
) -> None:
    """Run a step of an import or of an export. Pages do not load its modules."""
    if message.job is Job.IMPORT and imports is not None:
        from feedward.services.intake.do_step import do_step  # noqa: PLC0415

        do_step(message.job_id, ports=_bounded(imports, deadline), within_s=deadline.left_s())
    elif message.job is Job.EXPORT and exports is not None:
        from feedward.services.export.write_export import do_export_step  # noqa: PLC0415

        do_export_step(message.job_id, ports=_bounded(exports(), deadline), within_s=deadline.left_s())
    else:
        raise InvalidInput("type", f"no {message.job} is done here")


def resume_open_jobs(
    *,
    ports: CollectPorts,
    rekeys: RekeyStore,
    imports: ImportPorts | None = None,
    within_s: float = DEFAULT_S,
) -> JobsReport:
    """Enqueue abandoned jobs. Errors of stores and queues are not raised."""
    deadline = Deadline.after(within_s, ports.clock.monotonic)
    ports, rekeys = replace(ports.within(deadline), queue=ports.queue.within(deadline)), rekeys.within(deadline)
    runs, failures = 0, []
    try:
        for run in ports.lineage.open_runs(before=ports.clock.now() - LEFT_FOR_S):
            if deadline.left_s() <= _RESERVE_S:
                break
            _send_again(run, ports)
            runs += 1
    except FeedwardError as error:
        failures.append(error.code)
    try:
        rekeying = _send_for_rekey(ports, rekeys)
    except FeedwardError as error:
        rekeying = False
        failures.append(error.code)
    try:
        resumed = _resume(_bounded(imports, deadline)) if imports is not None else 0
    except FeedwardError as error:
        resumed = 0
        failures.append(error.code)
    return JobsReport(runs=runs, rekey=rekeying, imports=resumed, failures=tuple(failures))


def _resume(imports: ImportPorts) -> int:
    from feedward.services.intake.do_step import resume_imports  # noqa: PLC0415

    return resume_imports(ports=imports)


def _step(message: JobMessage, ports: CollectPorts, rekeys: RekeyStore, deadline: Deadline) -> bool:
    """Run one step of the job, and return whether it was the last."""
    within_s = deadline.left_s()
    if message.job is Job.RUN:
        return hand_on_urls(message.job_id, ports=ports, within_s=within_s).done
    if message.job is Job.REPROCESS:
        return reprocess(message.job_id, ports=ports, within_s=within_s).done
    return rekey(store=rekeys.within(deadline), clock=ports.clock, within_s=within_s).done


def _send_again(run: OpenRun, ports: CollectPorts) -> None:
    now = ports.clock.now()
    send_all(ports.queue, [run_message(run, now)])
    ports.lineage.run_sent_again(run, now=now)


def _send_for_rekey(ports: CollectPorts, rekeys: RekeyStore) -> bool:
    """Enqueue the rekey job, unless the registry has the current key version or another worker holds the lease."""
    now, found = ports.clock.now(), rekeys.rekeying(KEY_VERSION)
    if found.done or found.lease_until > now:
        return False
    send_all(ports.queue, [JobMessage(sent_at=now, job=Job.REKEY, job_id=KEY_VERSION)])
    return True


Ports = TypeVar("Ports")


def _bounded(ports: Ports, deadline: Deadline) -> Ports:
    """Return a container of ports whose calls keep to the deadline (rule M10)."""
    return cast("Ports", _BoundedPorts(ports, deadline))


class _BoundedPorts:
    """Stands for a container of ports: each port that has `within` is bound when it is used."""

    def __init__(self, ports: Any, deadline: Deadline) -> None:
        self._ports = ports
        self._deadline = deadline

    def __getattr__(self, name: str) -> Any:
        port = getattr(self._ports, name)
        return port.within(self._deadline) if hasattr(port, "within") else port
