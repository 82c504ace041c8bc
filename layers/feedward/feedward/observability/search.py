"""Log lines and metrics of the search index. A separate module, so that other functions do not load its imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedward.observability.log import emit, logger

if TYPE_CHECKING:
    from feedward.services.search.index_feeds import Indexed
    from feedward.services.search.maintain_index import Maintained


def record_indexed(indexed: Indexed, *, oldest_at: int | None, now: int) -> None:
    """Log one line for a batch of records, and emit its metrics.

    DocumentsSent: changed documents. DocumentsGone: documents of feeds that are no longer searchable. FeedsUnreadable:
    invalid rows. IndexDelay: seconds from the oldest record of the batch to its end.
    """
    delay = 0 if oldest_at is None else max(0, now - oldest_at)
    logger().info(
        "indexed",
        sent=indexed.sent,
        gone=indexed.gone,
        unchanged=indexed.unchanged,
        unreadable=indexed.unreadable,
        delay_s=delay,
        code=indexed.error.code if indexed.error else None,
    )
    counted = {"DocumentsSent": indexed.sent, "DocumentsGone": indexed.gone, "FeedsUnreadable": indexed.unreadable}
    emit({**counted, "IndexDelay": delay})


def record_maintained(done: Maintained) -> None:
    """Log one line for a pass over the index. IndexDocuments: its documents after a rebuild or a compaction."""
    logger().info("maintained the index", did=done.did.value, documents=done.documents)
    if done.did.value != "nothing":
        emit({"IndexDocuments": done.documents})
