"""Rebuilds and compacts the search index (rules Q17, Q18, Q20)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from feedward.deadline import NO_DEADLINE, Deadline
from feedward.ports.search import IndexedFeeds
from feedward.search.document import FeedDocument
from feedward.search.index_status import Maintenance
from feedward.services.search.index_feeds import IndexPorts


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintained:
    """The completed work, and the number of documents of the index afterwards (0 if nothing was done)."""

    did: Maintenance
    documents: int = 0


def maintain_index(*, ports: IndexPorts, deadline: Deadline = NO_DEADLINE) -> Maintained:
    """Do the due maintenance of the index, until the deadline.

    Raises Throttled, StoreUnavailable or Conflict: the next pass retries it.
    """
    now, target = ports.clock.now(), ports.search_feed.within(deadline)
    needed = target.maintenance(now=now)
    if needed is Maintenance.REBUILD:
        return rebuild_index(ports=ports, deadline=deadline)
    if needed is Maintenance.COMPACT:
        return Maintained(did=needed, documents=target.compact(now=now))
    return Maintained(did=needed)


def rebuild_index(*, ports: IndexPorts, deadline: Deadline = NO_DEADLINE) -> Maintained:
    """Replace the index with the current content of the tables. Changes that are sent meanwhile stay.

    Raises as `maintain_index` does: an index that is not complete at the deadline replaces nothing.
    """
    now = ports.clock.now()
    feeds, target = ports.indexed_feeds.within(deadline), ports.search_feed.within(deadline)
    documents = target.rebuild(_documents(feeds, now), now=now)
    return Maintained(did=Maintenance.REBUILD, documents=documents)


def _documents(feeds: IndexedFeeds, now: int) -> Iterator[FeedDocument]:
    """Yield the documents of all shared feeds.

    A document that differs from the noted one is noted: otherwise a feed that changes back before its next record would
    keep the document that the rebuild has read.
    """
    for each in feeds.shared():
        change, noted = each.change(now)
        if change.document is not None:
            if each.noted is not None and each.is_news(noted):
                feeds.note({each.feed_id: noted})
            yield change.document
