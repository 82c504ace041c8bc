"""Log lines and metrics of collecting. A separate module, so that other functions do not load its imports."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from feedward.frontier.row import RowStatus
from feedward.lineage.item import Edge
from feedward.observability.log import count_by, emit, logger, observe
from feedward.services.collect.row_answer import RowAnswer, RowDisposition
from feedward.urls.secrets import redact_url

if TYPE_CHECKING:  # pages do not load these
    from feedward.services.collect.collect_batch import CollectReport
    from feedward.services.collect.run_jobs import JobsReport

CONFLICT_REASON = "content_hash_priority"
"""The logged reason for a page whose two matches differ (rules V4.2, L3)."""


def record_jobs(report: JobsReport) -> None:
    """Log one line for a pass over open jobs. RunsSentAgain: abandoned runs that were enqueued again."""
    logger().info(
        "resumed jobs",
        runs=report.runs,
        imports=report.imports,
        rekey=report.rekey,
        failures=list(report.failures),
    )
    emit({"RunsSentAgain": report.runs})


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
    emit({"PagesFetched": fetched, "RowsDead": dead, "NewPageItems": new_items, "LineageConflicts": conflicts})
    if report.links:
        emit({"RowsOfFeeds": links_new})
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
