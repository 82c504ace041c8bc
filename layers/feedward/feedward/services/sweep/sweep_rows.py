"""The sweep and repair of frontier rows, on the engine of the feeds' sweep (rule M1).

New rows, and rows that a run asks for, have their own messages. The sweep sends retries and rows whose message was
lost.
"""

from __future__ import annotations

from feedward.frontier.messages import row_pace
from feedward.frontier.settings import FrontierSettings
from feedward.ports import Clock, RowSweepStore, WorkQueue
from feedward.services.sweep.repair import RepairReport, repair_due
from feedward.services.sweep.sweep import DEFAULT_S, SweepReport, sweep_due


def sweep_rows(
    *,
    store: RowSweepStore,
    queue: WorkQueue,
    clock: Clock,
    settings: FrontierSettings,
    within_s: float = DEFAULT_S,
) -> SweepReport:
    """Send every row that is due now and was not sent yet; see `sweep`.

    If a host has more rows than messages can be delayed for, the others are rescheduled to the host's next free times.
    """
    return sweep_due(row_pace(settings), store=store, queue=queue, clock=clock, within_s=within_s)


def repair_rows(*, store: RowSweepStore, clock: Clock, within_s: float = DEFAULT_S) -> RepairReport:
    """Reschedule each row that is 20 minutes overdue to a minute from now; see `repair`."""
    return repair_due(store=store, clock=clock, within_s=within_s)
