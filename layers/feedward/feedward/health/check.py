"""What a check saw: all that a decision about the feed's health is made from, beside what is stored. Pure data."""

from __future__ import annotations

from dataclasses import dataclass

from feedward.model import Outcome, RejectionReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a whole document that was read says of the feed's rhythm; it replaces what was known (spec H3, H4).

    `median_gap_s` is the median gap of its last 20 items and None where it shows none, `hint_s` the interval it asks
    for. `latest_item_published_at` is never later than the item was first seen; None for a document without items,
    which says nothing about the items that came before.
    """

    median_gap_s: int | None = None
    hint_s: int | None = None
    latest_item_published_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check of a feed.

    - reason: why a document was rejected, for `not_feed`
    - retry_after_s: what the server asks for; it counts on 429 and 503 only
    - new_items: how many items came that were not known
    - reading: what the document says; None if none was read (304, the same bytes again, failure)
    - sent_elsewhere: the answer came from another host, by a temporary redirect (consent pages do that)
    - as_browser_at: see FeedHealth: what stands there after this check
    - outage_minutes: the epoch minutes of the last day that are marked as our own outage, the present one too (H5)
    - host_fails: every other feed of the host fails too (H6). It matters only where a decision asks for revival, so
      it may be looked up then, and the decision made again
    """

    outcome: Outcome
    status: int | None = None
    reason: RejectionReason | None = None
    retry_after_s: int | None = None
    new_items: int = 0
    reading: Reading | None = None
    sent_elsewhere: bool = False
    as_browser_at: int | None = None
    outage_minutes: frozenset[int] = frozenset()
    host_fails: bool = False
