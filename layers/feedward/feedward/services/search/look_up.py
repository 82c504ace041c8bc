"""Looks up a pasted address in the registry, whose data is seconds old and comes first (rule Q3)."""

from __future__ import annotations

from typing import Final, Protocol

from feedward.discovery.candidate import Kind
from feedward.discovery.kinds import kind_of
from feedward.health.directory_feed import DirectoryFeed, FeedQuery
from feedward.model import FeedState
from feedward.ports import FeedReader, FeedStore
from feedward.search.fields import language_token, language_tokens, topic_token
from feedward.search.pasted_address import PastedAddress, pasted_address
from feedward.search.results import SearchFilters
from feedward.urls.secrets import has_token

FOUND_AT_MOST: Final = 10
_LISTED_AT_MOST: Final = 100


class LookUpPorts(Protocol):
    """Ports of the look-up."""

    @property
    def store(self) -> FeedStore: ...
    @property
    def feed_reader(self) -> FeedReader: ...


def feeds_at(tenant_id: str | None, text: str, *, ports: LookUpPorts, now: int) -> list[DirectoryFeed]:
    """Return the feeds of a pasted address: the feed at it, else those of its host, the best ones first.

    They are shared, or private to the tenant.
    """
    address = pasted_address(text)
    if address is None:
        return []
    owned = dict(ports.store.owners(address.spellings))
    if tenant_id is not None and any(map(has_token, address.spellings)):
        owned |= ports.store.owners(address.spellings, scope=tenant_id)
    exact = list(dict.fromkeys(owned[url] for url in address.spellings if url in owned))
    feeds = ports.feed_reader.feeds(exact, tenant_id=tenant_id)
    found = [feeds[feed_id] for feed_id in exact if feed_id in feeds]
    known = {feed.feed_id for feed in found}
    found += [feed for feed in _of_host(tenant_id, address, ports, now) if feed.feed_id not in known]
    return found[:FOUND_AT_MOST]


def has_facets(feed: DirectoryFeed, filters: SearchFilters) -> bool:
    """Return whether a feed of the registry passes the filters, as a document of the index would."""
    topics = (topic.name for topic in feed.topics if topic.state == "approved")
    return (
        filters.state in (None, feed.health.state)
        and (filters.language is None or language_token(filters.language) in language_tokens(feed.texts.language or ""))
        and (filters.topic is None or topic_token(filters.topic) in map(topic_token, topics))
    )


def _of_host(tenant_id: str | None, address: PastedAddress, ports: LookUpPorts, now: int) -> list[DirectoryFeed]:
    if address.host is None:
        return []
    found = []
    query = FeedQuery(domain=address.host)
    for number, each in enumerate(ports.feed_reader.listed(query, tenant_id=tenant_id), start=1):
        if each.feed is not None and query.wants(each.feed, now):
            found.append(each.feed)
        if number == _LISTED_AT_MOST:
            break
    return sorted(found, key=lambda feed: _place(feed, address.host or "", now))


def _place(feed: DirectoryFeed, host: str, now: int) -> tuple[object, ...]:
    """The order of a host's feeds: its own before those of subdomains, then by rank (rule Q4)."""
    return (
        feed.host not in (host, f"www.{host}"),
        not feed.is_canonical,
        kind_of(feed.url, feed.texts.title) is not Kind.MAIN,
        list(FeedState).index(feed.health.state),
        feed.is_stale(now),
        feed.feed_id,
    )
