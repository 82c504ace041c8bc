"""A feed that was lost is looked for again, and moved to where it is now (rule H6).

Asked for by the machine at most once a day, by a person at any time. The same request may come again, late, or beside
another one: the feed is read again before it moves, and moves only as it was read (rule I6).
"""

from __future__ import annotations

from feedward.deadline import Deadline
from feedward.events.envelope import RevivalRequested
from feedward.health.revival import Revival, RevivalOutcome
from feedward.services.revive.eligibility import no_need
from feedward.services.revive.revival_run import RevivalDirectory, RevivalRun

__all__ = ["RevivalDirectory", "revive"]


def revive(asked: RevivalRequested, *, directory: RevivalDirectory, deadline: Deadline | None = None) -> Revival:
    """Look for the feed again if it still needs that, and let what was found take its place.

    Ends by the `deadline`. What it did and why is in the answer; the feed's history has it if the feed moved or
    a person asked. Raises what the stores raise: the request may then be made again.
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
