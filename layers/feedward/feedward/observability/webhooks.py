"""Log lines and metrics of webhooks. A separate module, so that other functions do not load its imports.

A line shows a receiver as its host and 8 digits of the hash of its URL, which may be a secret (rules K15, X11).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedward.observability.log import count_by, emit, logger, observe
from feedward.services.webhooks.deliver import Result, TaskAnswer

if TYPE_CHECKING:  # deliveries do not load these
    from feedward.services.webhooks.work_batch import WebhookReport


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
    emit({"DeliveriesMade": made})
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
