"""Enqueues an immediate check: as a message, never by an earlier time in the due index (rule M7)."""

from __future__ import annotations

from dataclasses import replace

from feedward.errors import FeedwardError, QueueUnavailable
from feedward.health.due_feed import HealthMessage
from feedward.ports import CheckStore, WorkQueue


def enqueue_check(
    feed_id: str,
    *,
    checks: CheckStore,
    queue: WorkQueue,
    now: int,
    asked: bool = True,
    delay_s: int = 0,
    pushed_at: int | None = None,
) -> str | None:
    """Send the stored feed to be checked. A paused, merged or unknown feed is skipped.

    `asked`: a person waits for it. `pushed_at` is when a push requested the check: it then changes no slot (rule W20).

    Return None if it was sent or skipped, else the error code: the feed is then checked at its due time. Errors of the
    store and the queue are not raised.
    """
    try:
        feed = checks.due_feed(feed_id)
        if feed is None:
            return None
        sent = replace(feed, asked=asked, pushed_at=pushed_at)
        taken = queue.send_batch([HealthMessage(entries=(sent,), sent_at=now + delay_s, delay_s=delay_s)])
    except FeedwardError as error:
        return error.code
    return None if taken else QueueUnavailable.code
