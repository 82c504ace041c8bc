"""The feeds of an export, read a few at a time (rules EX1, EX4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from feedward.deadline import NO_DEADLINE, Deadline
from feedward.exports.export_entry import ExportEntry
from feedward.exports.job import ExportQuery
from feedward.health.directory_feed import DirectoryFeed, FeedQuery
from feedward.health.feed_texts import FeedTexts
from feedward.ports import Subscriptions
from feedward.ports.exports import ExportedFeeds
from feedward.search.results import SearchFilters
from feedward.services.export.ports import ExportPorts
from feedward.subscriptions.folders import path_of
from feedward.subscriptions.subscription import Subscription
from feedward.topics.closed_list import label_of
from feedward.topics.feed_topics import approved
from feedward.urls.secrets import has_token

_SUBSCRIPTIONS_AT_ONCE: Final = 200
_HITS_AT_ONCE: Final = 100
FOUND_AT_MOST: Final = 20_000
# The length that an import keeps of a text: a feed is exported with the same text again (rule EX6).
TITLE_CHARS: Final = 500
DESCRIPTION_CHARS: Final = 1000
_LANGUAGE_CHARS: Final = 35


def entries_of(
    tenant_id: str | None,
    query: ExportQuery,
    ports: ExportPorts,
    *,
    after: str = "",
    deadline: Deadline = NO_DEADLINE,
) -> Iterator[ExportEntry]:
    """Yield the feeds of an export. Shared ones come in the order of their ids, after the place `after`.

    Raises SearchUnavailable, and the errors of the stores: StoreUnavailable for a read after the deadline.
    """
    if query.is_own:
        yield from _subscribed(tenant_id, query, ports, deadline)
        return
    wanted = FeedQuery(state=query.state, topic=query.topic)
    now = ports.clock.now()
    reader = ports.exported_feeds.within(deadline)
    if query.q is None:
        feeds = reader.in_order(wanted, after=after)
    else:
        found = sorted(each for each in _found(query, ports) if each > after)
        feeds = reader.of_ids(found, tenant_id=None)
    yield from (_shared(feed) for feed in feeds if _is_shared(feed) and wanted.wants(feed, now))


def _is_shared(feed: DirectoryFeed) -> bool:
    """Return whether the feed may be in an export of the shared directory."""
    return feed.is_shared


def _found(query: ExportQuery, ports: ExportPorts) -> set[str]:
    """Return the ids of the feeds that the search finds."""
    filters = SearchFilters(state=query.state, topic=label_of(query.topic) if query.topic else None)
    ids: set[str] = set()
    place = None
    while len(ids) < FOUND_AT_MOST:
        page = ports.search_index.search(query.q or "", filters, limit=_HITS_AT_ONCE, after=place)
        ids |= {hit.feed_id for hit in page.hits}
        if not (page.has_more and page.hits):
            break
        place = page.hits[-1].place
    return ids


def _shared(feed: DirectoryFeed) -> ExportEntry:
    topics = approved(feed.topics)
    return ExportEntry(
        place=feed.feed_id,
        url=feed.url,
        title=_cut(feed.texts.title, TITLE_CHARS),
        site_url=feed.texts.site_url,
        category=topics[0].name if topics else None,
        language=_cut(feed.texts.language, _LANGUAGE_CHARS),
        description=_cut(feed.texts.description, DESCRIPTION_CHARS),
    )


def _subscribed(
    tenant_id: str | None, query: ExportQuery, ports: ExportPorts, deadline: Deadline
) -> Iterator[ExportEntry]:
    """Yield the tenant's subscriptions, in any state: one without a feed has the address as it was typed."""
    subscriptions, reader = ports.subscriptions.within(deadline), ports.exported_feeds.within(deadline)
    after: str | None = None
    while page := subscriptions.page(tenant_id, after=after, limit=_SUBSCRIPTIONS_AT_ONCE):
        after = page[-1].subscription_id
        wanted = [each for each in page if query.takes(each.tags)]
        feeds = _feeds(tenant_id, wanted, subscriptions, reader)
        yield from (_own(each, feeds.get(each.feed_id or "")) for each in wanted)


def _feeds(
    tenant_id: str | None, of: list[Subscription], subscriptions: Subscriptions, reader: ExportedFeeds
) -> dict[str, DirectoryFeed]:
    live = subscriptions.live_feeds([each.feed_id for each in of if each.feed_id])
    feeds = reader.of_ids(sorted(set(live.values())), tenant_id=tenant_id)
    found = {feed.feed_id: feed for feed in feeds}
    return {feed_id: found[survivor] for feed_id, survivor in live.items() if survivor in found}


def _own(subscription: Subscription, feed: DirectoryFeed | None) -> ExportEntry:
    texts = feed.texts if feed else FeedTexts()
    url = feed.url if feed else subscription.url
    return ExportEntry(
        url=url,
        title=_cut(subscription.title or texts.title, TITLE_CHARS),
        site_url=texts.site_url or subscription.site_url,
        language=_cut(texts.language, _LANGUAGE_CHARS),
        description=_cut(texts.description, DESCRIPTION_CHARS),
        folders=tuple(sorted(map(path_of, subscription.tags))),
        is_private=has_token(url),
    )


def _cut(text: str | None, limit: int) -> str | None:
    return " ".join(text.split())[:limit].rstrip() or None if text else None
