"""Log lines and metrics of webhooks. A separate module, so that other functions do not load its imports.

A line shows a receiver as its host and 8 digits of the hash of its URL, which may be a secret (rules K15, X11).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_lambda_powertools.metrics import MetricUnit

from feedward.observability.log import count_by, logger, metrics, observe
from feedward.services.webhooks.deliver import Result, TaskAnswer

if TYPE_CHECKING:  # deliveries do not load these
    from feedward.services.sweep.repair import RepairReport
    from feedward.services.sweep.sweep import SweepReport
    from feedward.services.webhooks.work_batch import WebhookReport


def record_task_sweep(report: SweepReport, *, now: int) -> None:
    """Log one line for a sweep of due tasks, and emit its metrics.

    WebhookTasksDue, WebhookTasksSent: tasks that were due, and those that were sent. OldestWebhookTaskAge: seconds
    since the oldest of them was due. WebhookSweepFailed: failures that were left to the next sweep, in total and by
    error code.
    """
    age = 0 if report.oldest_due_at is None else max(0, now - report.oldest_due_at)
    logger().info(
        "swept webhook tasks",
        due=report.due,
        sent=report.sent,
        postponed=report.postponed,
        oldest_due_age_s=age,
        unreadable=report.unreadable,
        failures=list(report.failures),
        complete=report.complete,
    )
    _tell({"WebhookTasksDue": report.due, "WebhookTasksSent": report.sent, "OldestWebhookTaskAge": age})
    _tell({"WebhookSweepFailed": len(report.failures)})
    count_by("code", "WebhookSweepFailed", report.failures)


def record_task_repair(report: RepairReport) -> None:
    """Log one line for a repair pass. WebhookTasksOverdue: tasks that were due for more than 20 minutes."""
    logger().info(
        "repaired webhook tasks",
        overdue=report.overdue,
        postponed=report.postponed,
        unreadable=report.unreadable,
        failures=list(report.failures),
        complete=report.complete,
    )
    _tell({"WebhookTasksOverdue": report.overdue})


def record_webhooks(report: WebhookReport) -> None:
    """Log one line for a batch and one for each failed attempt, and emit the metrics.

    WebhookAttempts: attempts, by outcome. WebhookTasks: tasks without an attempt, by result. DeliveriesMade: deliveries
    created by events. FirstAttemptAge: seconds from an event's fan-out to the first attempt.
    """
    attempts = [answer.attempt for answer in report.answers if answer.attempt is not None]
    for answer in report.answers:
        if answer.attempt is not None and answer.result is Result.FAILED:
            _log_failure(answer)
    others = [answer.result.value for answer in report.answers if answer.attempt is None]
    made = sum(each.deliveries for each in report.fanned_out)
    logger().info(
        "notified",
        delivered=sum(each.has_arrived for each in attempts),
        failed=sum(not each.has_arrived for each in attempts),
        made=made,
        held=others.count(Result.HELD.value),
        others=len(others),
        left=report.left,
        again=report.again,
        waiting=report.waiting,
    )
    count_by("outcome", "WebhookAttempts", [each.outcome.value for each in attempts])
    count_by("result", "WebhookTasks", others)
    _tell({"DeliveriesMade": made})
    observe("FirstAttemptAge", [answer.waited_s for answer in report.answers if answer.is_first])


def _log_failure(answer: TaskAnswer) -> None:
    attempt = answer.attempt
    if attempt is not None:
        logger().info(
            "delivery failed",
            webhook_id=answer.task.webhook_id,
            delivery_id=attempt.delivery_id,
            attempt=attempt.number,
            outcome=attempt.outcome.value,
            status=attempt.status,
            host=attempt.host,
            url_hash=attempt.url_hash,
            next_at=attempt.next_at,
        )


def _tell(values: dict[str, int]) -> None:
    for name, value in values.items():
        metrics().add_metric(name=name, unit=MetricUnit.Count, value=value)
    if metrics().metric_set:
        metrics().flush_metrics()
