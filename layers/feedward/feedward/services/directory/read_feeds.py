"""Reads the directory: one feed, a list, its last items, its audit log (rule G1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from feedward.access.caller import Caller, Scope
from feedward.access.ownership import shown_name
from feedward.deadline import Deadline
from feedward.errors import NotFound
from feedward.health.directory_feed import DirectoryFeed, FeedQuery, ListPlace
from feedward.health.recent_items import RecentItem
from feedward.health.relocation import AuditEntry
from feedward.page_cursor import (
    decode_cursor,
    encode_cursor,
    is_count,
    is_entry_id,
    is_ulid,
    own_list,
    require_limit,
)
from feedward.ports import Audit, Clock, FeedReader

PAGE: Final = 50
PAGE_AT_MOST: Final = 100
ANSWER_S: Final = 10.0
# At most this many feeds are read for one page; the next page continues.
_LISTED_AT_MOST: Final = 1000


class ReadingPorts(Protocol):
    """Ports of the reads. bootstrap.Services implements them; tests bring their own."""

    @property
    def feed_reader(self) -> FeedReader: ...
    @property
    def audit(self) -> Audit: ...
    @property
    def clock(self) -> Clock: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedPage:
    """A page of feeds, perhaps empty. `cursor` is that of the next page, None on the last one."""

    feeds: tuple[DirectoryFeed, ...]
    cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedItems:
    """A feed's last items, newest first. `feed_id` is the feed that the requested id resolves to."""

    feed_id: str
    items: tuple[RecentItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """A page of a feed's audit log, newest first; `feed_id` as in FeedItems, `cursor` as in FeedPage."""

    feed_id: str
    entries: tuple[AuditEntry, ...]
    cursor: str | None


def find_feed(caller: Caller, feed_id: str, *, ports: ReadingPorts) -> DirectoryFeed:
    """Return the feed that an id resolves to, through all merges (GET /v1/feeds/{id}).

    Raises NotFound, also for another tenant's private feed (rule I8), and the errors of the store.
    """
    found = ports.feed_reader.within(Deadline.after(ANSWER_S)).feed(feed_id, tenant_id=caller.tenant_id)
    if found is None:
        raise NotFound("there is no feed with this id")
    return found


def changeable_feed(caller: Caller, feed_id: str, *, ports: ReadingPorts) -> DirectoryFeed:
    """Return the same feed to a caller that may change it: the tenant's own, or a shared one with an operator's key.

    Raises ScopeMissing too (rule T3).
    """
    feed = find_feed(caller, feed_id, ports=ports)
    if feed.is_shared:
        caller.require(Scope.OPERATOR)
    return feed


def list_feeds(
    caller: Caller, query: FeedQuery, *, ports: ReadingPorts, cursor: str | None = None, limit: int = PAGE
) -> FeedPage:
    """Return a page of the feeds that match the query (GET /v1/feeds). A page reads at most 1,000 feeds.

    Raises InvalidInput (`cursor`, `limit`), and the errors of the store.
    """
    require_limit(limit, PAGE_AT_MOST)
    name = own_list(_name(query), caller.tenant_id)
    place = _place(name, cursor)
    found: list[DirectoryFeed] = []
    listed = ports.feed_reader.within(Deadline.after(ANSWER_S)).listed(query, tenant_id=caller.tenant_id, after=place)
    for number, each in enumerate(listed, start=1):
        if each.feed is not None and query.wants(each.feed, ports.clock.now()):
            found.append(each.feed)
        # A cursor names a feed, so it must be one that the caller may see (rule I8).
        if each.feed is not None and (len(found) == limit or number >= _LISTED_AT_MOST):
            return _page(found, name, None if each.is_last else each.place)
    return _page(found, name, None)


def feed_items(caller: Caller, feed_id: str, *, ports: ReadingPorts) -> FeedItems:
    """Return the last items of a feed (GET /v1/feeds/{id}/items). Raises as `find_feed` does."""
    feed = find_feed(caller, feed_id, ports=ports)
    items = ports.feed_reader.within(Deadline.after(ANSWER_S)).items(feed.feed_id)
    return FeedItems(feed_id=feed.feed_id, items=tuple(items))


def feed_audit(
    caller: Caller, feed_id: str, *, ports: ReadingPorts, cursor: str | None = None, limit: int = PAGE
) -> AuditPage:
    """Return a page of a feed's audit log (GET /v1/feeds/{id}/audit). Raises as `list_feeds` and `find_feed` do."""
    require_limit(limit, PAGE_AT_MOST)
    feed = find_feed(caller, feed_id, ports=ports)
    name = f"audit {feed.feed_id}"
    before = _entry_before(name, cursor)
    rows = ports.audit.within(Deadline.after(ANSWER_S)).entries(feed.feed_id, limit=limit + 1, before=before)
    entries = tuple(replace(row, by=shown_name(caller.tenant_id, row.by)) for row in rows[:limit])
    more = encode_cursor(name, entries[-1].entry_id) if len(rows) > limit else None
    return AuditPage(feed_id=feed.feed_id, entries=entries, cursor=more)


def _name(query: FeedQuery) -> str:
    """Return the list that a cursor belongs to: another query lists other feeds, in other shards."""
    further = {"topic": query.topic, "never_fetched": query.never_fetched}
    named = "".join(f" {name}={value}" for name, value in further.items() if value is not None)
    return f"feeds state={query.state} domain={query.domain} stale={query.stale}{named}"


def _page(found: Sequence[DirectoryFeed], name: str, place: ListPlace | None) -> FeedPage:
    cursor = encode_cursor(name, place.shard, place.feed_id) if place else None
    return FeedPage(feeds=tuple(found), cursor=cursor)


def _place(name: str, cursor: str | None) -> ListPlace | None:
    if cursor is None:
        return None
    shard, feed_id = decode_cursor(name, cursor, parts=(is_count, is_ulid))
    return ListPlace(shard=shard, feed_id=feed_id)


def _entry_before(name: str, cursor: str | None) -> str | None:
    return str(*decode_cursor(name, cursor, parts=(is_entry_id,))) if cursor is not None else None
