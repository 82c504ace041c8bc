"""Which of two subscriptions of one tenant stays, when both have one feed, and what each of them becomes. Pure.

Both are kept: one stands for both, and the other is its duplicate. So the tenant loses no subscription, and a reader
of its subscriptions to a feed finds one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from feedward.subscriptions.subscription import Subscription, labelled, ready


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A subscription as it is to be written, and the tenant's other one to the same feed, if there is one.

    One of them stands for both and has the feed; the other names it in `duplicate_of`. `other` is the very object that
    was read where nothing of it changes.
    """

    own: Subscription
    other: Subscription | None = None

    @property
    def is_taken_over(self) -> bool:
        """True if `own` takes the feed from `other`, which becomes its duplicate."""
        return self.other is not None and self.other.duplicate_of == self.own.subscription_id


def given_feed(before: Subscription, *, feed_id: str, holder: Subscription | None, now: int) -> Settled:
    """Return what a pending subscription becomes that found its feed.

    The subscription that has the feed already (`holder`) stays, and gets the title and the tags of the new one.
    """
    own = ready(before, feed_id=feed_id, now=now, duplicate_of=holder.subscription_id if holder else None)
    return Settled(own=own, other=_named_like_both(holder, own, now))


def moved_to(before: Subscription, *, feed_id: str, holder: Subscription | None, now: int) -> Settled | None:
    """Return what a subscription becomes whose feed was merged into `feed_id`, which `holder` may have.

    Of two that both stood for themselves, the earlier one stays. None: a duplicate has to wait until the one that it
    follows has moved.
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
