"""The sweep of the frontier: the same engine as the feeds', over the rows that are due (rule M1).

New rows and those that a run asks for come by messages of their own; the sweep sees to retries and to what was lost.
"""

from __future__ import annotations

from feedward.frontier.settings import FrontierSettings
from feedward.ports import Clock, RowSweepStore, WorkQueue
from feedward.services.sweep.paces import row_pace
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

    Rows of a host that has more of them than messages can wait for are given the times at which it gets to them.
    """
    return sweep_due(row_pace(settings), store=store, queue=queue, clock=clock, within_s=within_s)


def repair_rows(*, store: RowSweepStore, clock: Clock, within_s: float = DEFAULT_S) -> RepairReport:
    """Set each row that is overdue by more than 20 minutes 60 s ahead, if it still is; see `repair`."""
    return repair_due(store=store, clock=clock, within_s=within_s)
