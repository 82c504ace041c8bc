"""Merges two subscriptions of one tenant to the same feed: decides which one stays primary. Pure.

Both are kept: one holds the feed, and the other becomes its duplicate. The tenant loses no subscription, and a lookup
by feed finds one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from feedward.subscriptions.subscription import Subscription, labelled, ready


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A subscription to write, and the tenant's other subscription to the same feed, or None.

    One of them holds the feed; the other names it in `duplicate_of`. `other` is the same object that was read if it
    does not change.
    """

    own: Subscription
    other: Subscription | None = None

    @property
    def is_taken_over(self) -> bool:
        """True if `own` takes the feed from `other`, which becomes its duplicate."""
        return self.other is not None and self.other.duplicate_of == self.own.subscription_id


def given_feed(before: Subscription, *, feed_id: str, holder: Subscription | None, now: int) -> Settled:
    """Return the writes for a pending subscription whose feed was found.

    A subscription that holds the feed already (`holder`) keeps it and takes over the title and tags of the new one.
    """
    own = ready(before, feed_id=feed_id, now=now, duplicate_of=holder.subscription_id if holder else None)
    return Settled(own=own, other=_named_like_both(holder, own, now))


def moved_to(before: Subscription, *, feed_id: str, holder: Subscription | None, now: int) -> Settled | None:
    """Return the writes for a subscription whose feed was merged into `feed_id`, which `holder` may hold.

    If neither is a duplicate, the earlier one keeps the feed. Returns None for a duplicate whose primary subscription
    has not moved yet; it must wait.
    """
    if holder is None:
        return Settled(own=_repointed(before, feed_id, None, now)) if before.duplicate_of is None else None
    if before.duplicate_of is None and _is_earlier(before, holder):
        named = labelled(before, title=holder.title, tags=holder.tags, now=now)
        return Settled(
            own=_repointed(named, feed_id, None, now), other=_repointed(holder, feed_id, before.subscription_id, now)
        )
    own = _repointed(before, feed_id, holder.subscription_id, now)
    return Settled(own=own, other=_named_like_both(holder, own, now))


def _is_earlier(one: Subscription, other: Subscription) -> bool:
    return (one.created_at, one.subscription_id) < (other.created_at, other.subscription_id)


def _named_like_both(holder: Subscription | None, own: Subscription, now: int) -> Subscription | None:
    return labelled(holder, title=own.title, tags=own.tags, now=now) if holder else None


def _repointed(before: Subscription, feed_id: str, duplicate_of: str | None, now: int) -> Subscription:
    return replace(before, feed_id=feed_id, duplicate_of=duplicate_of, updated_at=now)
