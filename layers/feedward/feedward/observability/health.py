"""Log lines and metrics of the health check. A separate module, so that other functions do not load its imports."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from feedward.observability.log import count_by, emit, logger, observe
from feedward.services.check.answer import CheckAnswer, CheckDisposition
from feedward.urls.secrets import redact_url

if TYPE_CHECKING:  # checks do not load these
    from feedward.services.check.check_batch import BatchReport
    from feedward.services.sweep.reconcile import ReconcileReport


def record_reconciliation(report: ReconcileReport) -> None:
    """Log one line for a reconcile pass. OutboxBacklog: feeds with undelivered events or unfinished merges."""
    logger().info(
        "reconciled",
        feeds_relayed=report.feeds_relayed,
        outbox_backlog=report.outbox_backlog,
        jobs_sent=report.jobs_sent,
        jobs_failed=report.jobs_failed,
        further=dict(report.further),
        failures=list(report.failures),
        complete=report.complete,
    )
    emit({"OutboxBacklog": report.outbox_backlog})


def record_checks(report: BatchReport) -> None:
    """Log one line for a batch of checks, one for each feed whose state or URL changed, and emit the metrics.

    FeedsChecked: checks that were written, by outcome. FeedsNotChecked: the others, by disposition. NewItems: new items
    of all checks. RequestsPerCheck: requests of each check that fetched. OutageMinutes: minutes of the checks that are
    marked as an outage of our own network, so that failures in them do not count.
    """
    for answer in report.answers:
        if answer.state_change is not None or answer.move is not None:
            _log_change(answer)
    for code in [*report.undelivered, *(answer.undelivered for answer in report.answers if answer.undelivered)]:
        logger().warning("left undelivered", code=code)
    dispositions = Counter(answer.disposition.value for answer in report.answers)
    applied = dispositions.pop(CheckDisposition.APPLIED.value, 0)
    others = dispositions + Counter(
        postponed=report.postponed, left=report.left, again=report.again, waiting=report.waiting
    )
    new_items = sum(answer.new_items for answer in report.answers)
    logger().info("checked", applied=applied, new_items=new_items, unreadable=report.unreadable, others=dict(others))
    outcomes = [
        each.outcome.value for each in report.answers if each.disposition is CheckDisposition.APPLIED and each.outcome
    ]
    count_by("outcome", "FeedsChecked", outcomes)
    count_by("disposition", "FeedsNotChecked", others.elements())
    outage_minutes = len(report.outage_minutes)
    if outage_minutes:
        logger().warning("our own network was down", minutes=sorted(report.outage_minutes))
    emit({"NewItems": new_items, "FeedsUnreadable": report.unreadable, "OutageMinutes": outage_minutes})
    notes = [answer.push for answer in report.answers if answer.push is not None]
    if notes:
        from feedward.observability.push import record_notes  # noqa: PLC0415 - few checks concern pushes

        record_notes(notes)
    observe("RequestsPerCheck", [answer.requests for answer in report.answers if answer.outcome is not None])


def _log_change(answer: CheckAnswer) -> None:
    change, move = answer.state_change, answer.move
    logger().info(
        "feed changed",
        feed_id=answer.feed_id,
        host=answer.host,
        outcome=answer.outcome.value if answer.outcome else None,
        status=answer.status,
        state=change.after.value if change else None,
        reason=change.reason if change else None,
        move=move.outcome.value if move else None,
        url=redact_url(move.url) if move else None,
    )
