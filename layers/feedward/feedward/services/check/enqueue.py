"""A check at once is a message, never an earlier time in the due index (rule M7)."""

from __future__ import annotations

from feedward.errors import FeedwardError, QueueUnavailable
from feedward.health.due_feed import HealthMessage
from feedward.ports import CheckStore, WorkQueue


def enqueue_check(feed_id: str, *, checks: CheckStore, queue: WorkQueue, now: int) -> str | None:
    """Send the feed, as it is now, to be checked. A paused feed, a merged one and none are let be.

    Returns None where it was sent or nothing is to be sent, else the code of the error: the feed is checked when it is
    due, then. Raises nothing that a store or a queue does.
    """
    try:
        feed = checks.due_feed(feed_id)
        if feed is None:
            return None
        taken = queue.send_batch([HealthMessage(entries=(feed,), sent_at=now)])
    except FeedwardError as error:
        return error.code
    return None if taken else QueueUnavailable.code
