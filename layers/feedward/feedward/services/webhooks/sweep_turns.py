"""The sweep and repair of due turns, on the engine of the feeds' sweep (rules M1, K3).

New deliveries have messages. The sweep sends retries after more than 15 minutes, and what lost its message.
"""

from __future__ import annotations

from feedward.ports import Clock, DueStore, WorkQueue
from feedward.services.sweep.repair import RepairReport, repair_due
from feedward.services.sweep.sweep import DEFAULT_S, SweepReport, sweep_due
from feedward.webhooks.delivery import PACE, Turn


def sweep_turns(*, store: DueStore[Turn], queue: WorkQueue, clock: Clock, within_s: float = DEFAULT_S) -> SweepReport:
    """Send every turn that is due now and was not sent yet; see `sweep`."""
    return sweep_due(PACE, store=store, queue=queue, clock=clock, within_s=within_s)


def repair_turns(*, store: DueStore[Turn], clock: Clock, within_s: float = DEFAULT_S) -> RepairReport:
    """Reschedule each turn that is 20 minutes overdue to a minute from now; see `repair`."""
    return repair_due(store=store, clock=clock, within_s=within_s)
