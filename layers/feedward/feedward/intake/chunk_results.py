"""Plans the results of a chunk's entries: new subscriptions, existing ones, and errors (rules IM3, IM8). Pure.

Nothing is fetched: a URL becomes a pending subscription, or a ready one if the directory has its feed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from feedward.intake.entry import Entry
from feedward.intake.job import Ended, Import, Result, asked_at
from feedward.subscriptions.folders import tags_of
from feedward.subscriptions.labels import clean_title
from feedward.subscriptions.merge import given_feed
from feedward.subscriptions.subscription import (
    Subscription,
    SubscriptionStatus,
    asked_again,
    labelled,
    new_subscription,
    told,
)
from feedward.ulid import counted_ulid

WRITES_AT_MOST: Final = 96
_WRITES_OF_ONE: Final = 5
REPEATED: Final = "the file has this address already, as entry {}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFeeds:
    """The stored data about the URLs of a chunk.

    - subscriptions: the tenant's, by the hash of the URL; firsts: those that they duplicate, by id
    - feeds: the surviving feed in the directory, by the hash of the URL
    - holders: the tenant's subscriptions that hold these feeds, by feed
    """

    subscriptions: Mapping[str, Subscription] = field(default_factory=dict)
    firsts: Mapping[str, Subscription] = field(default_factory=dict)
    feeds: Mapping[str, str] = field(default_factory=dict)
    holders: Mapping[str, Subscription] = field(default_factory=dict)


@dataclass(slots=True)
class ChunkPlan:
    """The writes of one transaction, and the results of the entries that it completes, in order.

    `new` are written if the URL is free, `changed` if they are unchanged. `claimed` are feeds of new subscriptions.
    `live` are feeds that must not have been merged.
    """

    ended: list[Ended] = field(default_factory=list)
    new: dict[str, Subscription] = field(default_factory=dict)
    changed: dict[str, Subscription] = field(default_factory=dict)
    claimed: dict[str, str] = field(default_factory=dict)
    live: dict[str, None] = field(default_factory=dict)

    @property
    def writes(self) -> int:
        """The number of items in the transaction, without the chunk and its counter."""
        return 2 * len(self.new) + len(self.changed) + len(self.claimed) + len(self.live)


def planned(
    found: Import, entries: Iterable[Entry], known: KnownFeeds, *, shard: int, now: int, at_most: int, per_s: int = 1
) -> ChunkPlan:
    """Return the plan for the first entries: as many as one transaction holds, at most `at_most`.

    `shard` is the counter shard of the chunk's entries, `per_s` the number of searches requested per second.
    """
    planner = _Planner(found, known, shard, now, per_s)
    plan = planner.plan
    for entry in entries:
        if len(plan.ended) == at_most or plan.writes > WRITES_AT_MOST - _WRITES_OF_ONE:
            break
        plan.ended.append(planner.ended(entry))
    return plan


@dataclass(slots=True)
class _Planner:
    """Plans the entries of a chunk in order. A later entry sees the writes planned for the earlier ones."""

    found: Import
    known: KnownFeeds
    shard: int
    now: int
    per_s: int
    plan: ChunkPlan = field(default_factory=ChunkPlan)

    def ended(self, entry: Entry) -> Ended:
        """Plan one entry, and return its result."""
        if entry.problem is not None:
            return Ended(result=Result.INVALID, reason=entry.problem)
        if entry.repeats is not None:
            return Ended(result=Result.JOINED, reason=REPEATED.format(entry.repeats))
        old = self.known.subscriptions.get(entry.url_hash)
        if old is not None:
            return self._of_old(entry, old)
        new = self._new(entry)
        feed_id = self.known.feeds.get(entry.url_hash)
        return self._ready(new, feed_id) if feed_id else self._pending(new)

    def _new(self, entry: Entry) -> Subscription:
        found = self.found
        new = new_subscription(
            counted_ulid(found.created_at, entry.number, "import", found.import_id),
            tenant_id=found.tenant_id,
            url=entry.url.strip(),
            url_hash=entry.url_hash,
            now=self.now,
            title=clean_title(entry.title),
            tags=_tags(entry),
        )
        return self._awaited(replace(new, site_url=entry.site_url), entry)

    def _awaited(self, pending: Subscription, entry: Entry) -> Subscription:
        """The subscription whose result the entry awaits. An unrequested search does not count as an attempt."""
        at = asked_at(entry.number, self.now, per_s=self.per_s)
        link = f"{self.found.import_id}#{self.shard}#{entry.number}"
        return replace(pending, import_entry=link, pending_since=at, tries=int(at <= self.now))

    def _pending(self, new: Subscription) -> Ended:
        self.plan.new[new.subscription_id] = new
        return Ended(result=Result.PENDING, subscription_id=new.subscription_id)

    def _ready(self, new: Subscription, feed_id: str) -> Ended:
        """The subscription with its feed: the first for this feed, or a duplicate of the subscription that has it."""
        plan = self.plan
        settled = given_feed(new, feed_id=feed_id, holder=self._holder(feed_id), now=self.now)
        own = replace(told(settled.own), import_entry=None)
        plan.new[own.subscription_id] = own
        plan.live[feed_id] = None
        if settled.other is None:
            plan.claimed[feed_id] = own.subscription_id
        else:
            self._change(settled.other)
        result = Result.MERGED if settled.other else Result.CREATED
        return Ended(result=result, subscription_id=own.subscription_id, feed_id=feed_id)

    def _holder(self, feed_id: str) -> Subscription | None:
        claimed = self.plan.claimed.get(feed_id)
        if claimed is not None:
            return self.plan.new[claimed]
        holder = self.known.holders.get(feed_id)
        return self.plan.changed.get(holder.subscription_id, holder) if holder else None

    def _change(self, after: Subscription) -> None:
        changes = self.plan.new if after.subscription_id in self.plan.new else self.plan.changed
        changes[after.subscription_id] = after

    def _of_old(self, entry: Entry, old: Subscription) -> Ended:
        """An existing subscription of the tenant gets the folders, and a title if it has none. Its feed is not searched
        again, unless the entry names a site that was not searched.
        """
        first = self.known.firsts.get(old.duplicate_of or "", old)
        first = self.plan.changed.get(first.subscription_id, first)
        named = labelled(first, title=clean_title(entry.title), tags=_tags(entry), now=self.now)
        has_failed = named.status is SubscriptionStatus.FAILED
        if entry.site_url and named.site_url is None and (has_failed or named.is_pending):
            named = replace(named, site_url=entry.site_url, updated_at=self.now)
            if has_failed:
                return self._asked_again(named, entry)
        if named is not first:
            self._change(named)
        if has_failed:
            return Ended(result=Result.FAILED, subscription_id=named.subscription_id, reason=named.reason)
        return Ended(result=Result.JOINED, subscription_id=named.subscription_id, feed_id=named.feed_id)

    def _asked_again(self, named: Subscription, entry: Entry) -> Ended:
        self._change(self._awaited(asked_again(named, url=named.url, now=self.now), entry))
        return Ended(result=Result.PENDING, subscription_id=named.subscription_id)


def _tags(entry: Entry) -> tuple[str, ...]:
    return tags_of((*entry.folders, *([(entry.category,)] if entry.category else [])))


def result_of(settled: Subscription) -> Ended:
    """Return the result of an entry whose pending subscription was settled."""
    if settled.status is SubscriptionStatus.FAILED:
        return Ended(result=Result.FAILED, subscription_id=settled.subscription_id, reason=settled.reason)
    result = Result.MERGED if settled.duplicate_of else Result.CREATED
    return Ended(result=result, subscription_id=settled.subscription_id, feed_id=settled.feed_id)
