"""Builds the search document of a feed (rule Q15). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from feedward.discovery.candidate import Kind
from feedward.discovery.kinds import kind_of
from feedward.health.directory_feed import DirectoryFeed
from feedward.health.recent import RecentItem
from feedward.search.document import FeedDocument

ITEM_TITLES: Final = 10
DESCRIPTION_CHARS: Final = 1000
ITEM_TITLE_CHARS: Final = 200
APPROVED: Final = "approved"
# A search for a podcast's name is a search for the podcast.
_MAIN: Final = frozenset({Kind.MAIN, Kind.PODCAST})


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteTexts:
    """The texts of a feed's site that are indexed."""

    title: str = ""
    url: str = ""
    language: str = ""


NO_SITE: Final = SiteTexts()


def is_found_by_search(feed: DirectoryFeed) -> bool:
    """Return whether searches may find the feed: only shared ones (rules Q12 and I8)."""
    return feed.is_shared


def document_of(
    feed: DirectoryFeed, items: Sequence[RecentItem], *, site: SiteTexts = NO_SITE, version: int, now: int
) -> FeedDocument:
    """Return the document of a shared feed. The site's title and language are the fallback for the feed's."""
    texts = feed.texts
    site_url = texts.site_url or site.url
    return FeedDocument(
        feed_id=feed.feed_id,
        version=version,
        url=feed.url,
        domain=_host(site_url) or feed.host,
        title=texts.title or "",
        site_title=site.title,
        site_url=site_url,
        description=(texts.description or "")[:DESCRIPTION_CHARS],
        language=texts.language or site.language,
        topics=_approved(feed),
        item_titles=_titles(items),
        state=feed.health.state,
        is_canonical=feed.is_canonical,
        is_main=kind_of(feed.url, texts.title) in _MAIN,
        is_stale=feed.is_stale(now),
        is_never_fetched=feed.health.never_fetched,
    )


def _approved(feed: DirectoryFeed) -> tuple[str, ...]:
    """The names of the approved topics of a feed, in order (rule T2)."""
    topics: Iterable[object] = getattr(feed, "topics", ())
    return tuple(sorted(str(getattr(topic, "name", "")) for topic in topics if _is_approved(topic)))


def _is_approved(topic: object) -> bool:
    state = getattr(topic, "state", "")
    return str(getattr(state, "value", state)) == APPROVED


def _titles(items: Sequence[RecentItem]) -> tuple[str, ...]:
    titles = (each.item.title for each in items)
    return tuple(title[:ITEM_TITLE_CHARS] for title in titles if title)[:ITEM_TITLES]


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
