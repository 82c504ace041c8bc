"""Sends the changed documents of feeds to the search index (rule Q15).

The stream names the changed feeds, not the changes: the feeds are read, and a document is sent only if it differs from
the last one. So a repeated, reordered or late stream results in the same index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from feedward.deadline import NO_DEADLINE, Deadline
from feedward.errors import FeedwardError
from feedward.ports import Clock
from feedward.ports.search import IndexedFeeds, SearchFeed

FEEDS_AT_ONCE = 1000


class IndexPorts(Protocol):
    """Ports of indexing. bootstrap.Services implements them; tests bring their own."""

    @property
    def indexed_feeds(self) -> IndexedFeeds: ...
    @property
    def search_feed(self) -> SearchFeed: ...
    @property
    def clock(self) -> Clock: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """The result for some changed feeds: the sent ones, those without changes, and unreadable ones.

    `done` is the number of feeds completed, in the given order, before `error` stopped the work.
    """

    sent: int = 0
    gone: int = 0
    unchanged: int = 0
    unreadable: int = 0
    done: int = 0
    error: FeedwardError | None = None


def index_feeds(feed_ids: Sequence[str], *, ports: IndexPorts, deadline: Deadline = NO_DEADLINE) -> Indexed:
    """Send the changes of these feeds, in parts, until the deadline. An error stops the work and is returned."""
    total = Indexed()
    for start in range(0, len(feed_ids), FEEDS_AT_ONCE):
        some = feed_ids[start : start + FEEDS_AT_ONCE]
        try:
            total = _added(total, _index(some, ports, deadline), done=start + len(some))
        except FeedwardError as error:
            return _added(total, Indexed(error=error), done=start)
    return total


def _index(feed_ids: Sequence[str], ports: IndexPorts, deadline: Deadline) -> Indexed:
    """Send the changes first and note them afterwards: if a worker dies in between, they are sent again."""
    now, feeds = ports.clock.now(), ports.indexed_feeds.within(deadline)
    read = feeds.read(feed_ids)
    known = [each for each in read if not each.is_unreadable]
    news, notes = [], {}
    for each in known:
        change, noted = each.change(now)
        if each.is_news(noted):
            news.append(change)
            notes[each.feed_id] = noted
    if news:
        ports.search_feed.within(deadline).send(news, now=now)
        feeds.note(notes)
    gone = sum(change.document is None for change in news)
    return Indexed(sent=len(news), gone=gone, unchanged=len(known) - len(news), unreadable=len(read) - len(known))


def _added(total: Indexed, part: Indexed, *, done: int) -> Indexed:
    return Indexed(
        sent=total.sent + part.sent,
        gone=total.gone + part.gone,
        unchanged=total.unchanged + part.unchanged,
        unreadable=total.unreadable + part.unreadable,
        done=done,
        error=part.error,
    )
