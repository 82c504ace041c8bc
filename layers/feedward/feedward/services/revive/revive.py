"""Revives a lost feed: searches for it and relocates it to its new URL (rule H6).

A check asks for revival at most once a day, a person at any time. The handler is idempotent: the same request may
arrive twice, late, or at the same time as another one. The feed is relocated with optimistic locking (rule I6).
"""

from __future__ import annotations

from feedward.deadline import Deadline
from feedward.events.envelope import RevivalRequested
from feedward.health.revival import Revival, RevivalOutcome
from feedward.services.revive.eligibility import no_need
from feedward.services.revive.revival_run import RevivalDirectory, RevivalRun

__all__ = ["RevivalDirectory", "revive"]


def revive(asked: RevivalRequested, *, directory: RevivalDirectory, deadline: Deadline | None = None) -> Revival:
    """Search for the feed if it still needs revival, and relocate it to the best successor.

    Ends by the `deadline`. Returns the outcome with its evidence; the audit log has it too if the feed was relocated or
    a person asked. Raises the errors of the stores; the request can then be retried.
    """
    deadline = deadline or Deadline(monotonic=directory.clock.monotonic)
    revivals = directory.revivals.within(deadline)
    feed = revivals.lost_feed(asked.feed_id)
    refusal = no_need(feed, asked, directory.clock.now())
    if feed is None or refusal is not None:
        outcome = refusal or RevivalOutcome.UNKNOWN
        return Revival(outcome=outcome, feed_id=asked.feed_id, url=feed.url if feed else "")
    if not revivals.begin(asked):
        return Revival(outcome=RevivalOutcome.ASKED_BEFORE, feed_id=feed.feed_id, url=feed.url)
    return RevivalRun(asked, feed, directory, deadline).revive()
