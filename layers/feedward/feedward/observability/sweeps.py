"""Log lines and metrics of sweeps and repair passes, the same for feeds, rows and webhook tasks (rules M1, X11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from feedward.observability.log import count_by, emit, logger

if TYPE_CHECKING:  # only passes of a schedule load these
    from feedward.services.sweep.repair import RepairReport
    from feedward.services.sweep.sweep import SweepReport


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepNames:
    """The entries of a sweep, as log lines call them, and the names of its metrics.

    - due, sent, unreadable: entries that were due, that the queue accepted, and that cannot be read
    - oldest_age: seconds since the oldest of them was due
    - failed: failures that were left to the next sweep, in total and by error code
    - overdue: entries that the repair pass found more than 20 minutes overdue
    """

    entries: str
    due: str
    sent: str
    unreadable: str
    oldest_age: str
    failed: str
    overdue: str


FEEDS: Final = SweepNames(
    entries="feeds",
    due="FeedsDue",
    sent="FeedsSent",
    unreadable="FeedsUnreadable",
    oldest_age="OldestFeedAge",
    failed="FeedSweepFailed",
    overdue="FeedsOverdue",
)
ROWS: Final = SweepNames(
    entries="rows",
    due="RowsDue",
    sent="RowsSent",
    unreadable="RowsUnreadable",
    oldest_age="OldestRowAge",
    failed="RowSweepFailed",
    overdue="RowsOverdue",
)
WEBHOOK_TASKS: Final = SweepNames(
    entries="webhook tasks",
    due="WebhookTasksDue",
    sent="WebhookTasksSent",
    unreadable="WebhookTasksUnreadable",
    oldest_age="OldestWebhookTaskAge",
    failed="WebhookSweepFailed",
    overdue="WebhookTasksOverdue",
)


def record_sweep(report: SweepReport, names: SweepNames, *, now: int) -> None:
    """Log one line for a sweep, and emit its metrics."""
    age = 0 if report.oldest_due_at is None else max(0, now - report.oldest_due_at)
    logger().info(
        f"swept {names.entries}",
        due=report.due,
        sent=report.sent,
        postponed=report.postponed,
        oldest_due_age_s=age,
        unreadable=report.unreadable,
        failures=list(report.failures),
        complete=report.complete,
    )
    emit({names.due: report.due, names.sent: report.sent, names.unreadable: report.unreadable, names.oldest_age: age})
    emit({names.failed: len(report.failures)})
    count_by("code", names.failed, report.failures)


def record_repair(report: RepairReport, names: SweepNames) -> None:
    """Log one line for a repair pass, and emit its metric."""
    logger().info(
        f"repaired {names.entries}",
        overdue=report.overdue,
        postponed=report.postponed,
        unreadable=report.unreadable,
        failures=list(report.failures),
        complete=report.complete,
    )
    emit({names.overdue: report.overdue})
