"""Log lines and metrics of collecting. A separate module, so that other functions do not load its imports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from aws_lambda_powertools.metrics import MetricUnit

from feedward.frontier.row import RowStatus
from feedward.lineage.item import Edge
from feedward.observability.log import count_by, logger, metrics, observe
from feedward.services.collect.row_answer import RowAnswer, RowDisposition
from feedward.urls.secrets import redact_url

if TYPE_CHECKING:  # pages do not load these
    from feedward.services.collect.collect_batch import CollectReport
    from feedward.services.collect.run_jobs import JobsReport
    from feedward.services.sweep.repair import RepairReport
    from feedward.services.sweep.sweep import SweepReport

CONFLICT_REASON = "content_hash_priority"
"""The logged reason for a page whose two matches differ (rules V4.2, L3)."""


def record_row_sweep(report: SweepReport, *, now: int) -> None:
    """Log one line for a sweep of the frontier, and emit its metrics.

    RowsDue, RowsSent: rows that were due, and rows that were sent. OldestRowAge: seconds since the oldest of them was
    due. RowSweepFailed: failures that were left to the next sweep, in total and by error code.
    """
    age = 0 if report.oldest_due_at is None else max(0, now - report.oldest_due_at)
    logger().info(
        "swept rows",
        due=report.due,
        sent=report.sent,
        postponed=report.postponed,
        oldest_due_age_s=age,
        unreadable=report.unreadable,
        failures=list(report.failures),
        complete=report.complete,
    )
    counted = {"RowsDue": report.due, "RowsSent": report.sent, "RowsUnreadable": report.unreadable}
    _tell({**counted, "OldestRowAge": age, "RowSweepFailed": len(report.failures)})
    count_by("code", "RowSweepFailed", report.failures)


def record_row_repair(report: RepairReport) -> None:
    """Log one line for a repair pass over rows. RowsOverdue: rows that were due for more than 20 minutes."""
    logger().info(
        "repaired rows",
        overdue=report.overdue,
        postponed=report.postponed,
        unreadable=report.unreadable,
        failures=list(report.failures),
        complete=report.complete,
    )
    _tell({"RowsOverdue": report.overdue})


def record_jobs(report: JobsReport) -> None:
    """Log one line for a pass over open jobs. RunsSentAgain: abandoned runs that were enqueued again."""
    logger().info(
        "resumed jobs",
        runs=report.runs,
        imports=report.imports,
        rekey=report.rekey,
        failures=list(report.failures),
    )
    _tell({"RunsSentAgain": report.runs})


def record_pages(report: CollectReport) -> None:
    """Log one line for a batch, one for each failed row and each conflict of two matches, and emit the metrics.

    PagesFetched: rows that were fetched; PagesFailed: rows that failed, by reason; RowsDead: rows that were given up;
    RowsNotFetched: the others, by disposition. NewPageItems, LineageConflicts: items and conflicts of the pages.
    RowsOfFeeds: links of new feed items that became rows.
    """
    for answer in report.answers:
        if answer.reason is not None:
            _log_failure(answer)
        for edge in answer.conflicts:
            _log_conflict(answer, edge)
    applied = [answer for answer in report.answers if answer.disposition is RowDisposition.APPLIED]
    fetched = sum(answer.status is RowStatus.FETCHED for answer in applied)
    others = Counter(
        answer.disposition.value for answer in report.answers if answer.disposition is not RowDisposition.APPLIED
    )
    others += Counter(left=report.left, again=report.again, waiting=report.waiting)
    links_new = sum(each.new for each in report.links)
    new_items = sum(answer.new_items for answer in applied)
    logger().info(
        "collected",
        fetched=fetched,
        failed=len(applied) - fetched,
        new_items=new_items,
        jobs=report.jobs,
        links_new=links_new,
        links_unusable=sum(each.unusable for each in report.links),
        unreadable=report.unreadable,
        others=dict(others),
    )
    count_by("reason", "PagesFailed", [answer.reason for answer in applied if answer.reason is not None])
    count_by("disposition", "RowsNotFetched", others.elements())
    conflicts = sum(len(answer.conflicts) for answer in applied)
    dead = sum(answer.status is RowStatus.DEAD for answer in applied)
    _tell({"PagesFetched": fetched, "RowsDead": dead, "NewPageItems": new_items, "LineageConflicts": conflicts})
    if report.links:
        _tell({"RowsOfFeeds": links_new})
    observe("RequestsPerPage", [answer.requests for answer in applied])


def _log_failure(answer: RowAnswer) -> None:
    """Log a failed row. `reason` is its `last_error`, such as `too_many_redirects` (rule F3)."""
    logger().info(
        "fetch failed",
        reason=answer.reason,
        url=redact_url(answer.url),
        row_id=answer.row_id,
        http_status=answer.http_status,
        row_status=answer.status.value if answer.status else None,
        detail=answer.detail,
    )


def _log_conflict(answer: RowAnswer, edge: Edge) -> None:
    logger().info(
        "lineage conflict",
        reason=CONFLICT_REASON,
        row_id=answer.row_id,
        item_id=edge.newer,
        supersedes=edge.older,
        canonical_uri_match=edge.metadata.canonical_uri_match,
        content_sha256_match=edge.metadata.content_sha256_match,
    )


def _tell(values: Mapping[str, int]) -> None:
    """Emit metrics that belong together, in one line."""
    for name, value in values.items():
        metrics().add_metric(name=name, unit=MetricUnit.Count, value=value)
    metrics().flush_metrics()
