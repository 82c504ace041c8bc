"""The search document of a feed (rule Q15), a change to it, and both as JSON lines: the format of an index's documents
and of change files. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from feedward.discovery.candidate import Kind
from feedward.discovery.kinds import kind_of
from feedward.health.directory_feed import DirectoryFeed
from feedward.health.recent_items import RecentItem
from feedward.model import FeedState

ITEM_TITLES: Final = 10
DESCRIPTION_CHARS: Final = 1000
ITEM_TITLE_CHARS: Final = 200
APPROVED: Final = "approved"
# A search for a podcast's name is a search for the podcast.
_MAIN: Final = frozenset({Kind.MAIN, Kind.PODCAST})
_TEXTS = ("title", "site_title", "site_url", "description", "language")
_FILLED = (*_TEXTS, "topics", "item_titles")
_FLAGS = ("is_canonical", "is_main", "is_stale")
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedDocument:
    """A shared feed as indexed.

    `version` is the `rev` of the feed that the document was made from; the higher version of two documents counts.
    `domain` is the host of the site, else of the URL. `language` is the feed's, else the site's. `topics` are approved.
    `item_titles` are the last ones, newest first, at most 10. `is_never_fetched`: it has the texts of its seed only.
    """

    feed_id: str
    version: int
    url: str
    domain: str
    title: str = ""
    site_title: str = ""
    site_url: str = ""
    description: str = ""
    language: str = ""
    topics: tuple[str, ...] = ()
    item_titles: tuple[str, ...] = ()
    state: FeedState = FeedState.HEALTHY
    is_canonical: bool = False
    is_main: bool = True
    is_stale: bool = False
    is_never_fetched: bool = False


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A new document of a feed, or None if the feed is no longer searchable: merged, private or deleted."""

    feed_id: str
    version: int
    document: FeedDocument | None


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


def encoded_document(document: FeedDocument) -> str:
    """Return a document as one line of JSON without line break; empty fields are left out."""
    fields: dict[str, Any] = {
        "feed_id": document.feed_id,
        "version": document.version,
        "url": document.url,
        "domain": document.domain,
    }
    for name in _FILLED:
        if value := getattr(document, name):
            fields[name] = value
    fields["state"] = document.state.value
    fields |= {name: getattr(document, name) for name in _FLAGS}
    if document.is_never_fetched:
        fields["is_never_fetched"] = True
    line = _ENCODER.encode(fields)
    return line if line.isascii() else line.encode("utf-8", "replace").decode()


def decoded_document(line: str | bytes) -> FeedDocument:
    """Return the document of a line. Raises ValueError for any other text."""
    return _document(_object(line))


def encoded_change(change: DocumentChange) -> str:
    """Return a change as one line of JSON without line break: a document, or the id and version of a removed one."""
    if change.document is not None:
        return encoded_document(change.document)
    return _ENCODER.encode({"feed_id": change.feed_id, "version": change.version, "gone": True})


def decoded_change(line: str | bytes) -> DocumentChange:
    """Return the change of a line. Raises ValueError for any other text."""
    fields = _object(line)
    document = None if fields.get("gone") is True else _document(fields)
    try:
        return DocumentChange(str(fields["feed_id"]), int(fields["version"]), document)
    except (KeyError, TypeError) as error:
        raise ValueError(f"no change of a document: {str(line[:80])!r}") from error


def _object(line: str | bytes) -> Mapping[str, Any]:
    fields = json.loads(line)
    if not isinstance(fields, dict):
        raise ValueError(f"no object: {str(line[:80])!r}")  # noqa: TRY004 - a text of the wrong form, not a type
    return fields


def _document(fields: Mapping[str, Any]) -> FeedDocument:
    try:
        return FeedDocument(
            feed_id=str(fields["feed_id"]),
            version=int(fields["version"]),
            url=str(fields["url"]),
            domain=str(fields["domain"]),
            **{name: str(fields.get(name, "")) for name in _TEXTS},
            topics=tuple(map(str, fields.get("topics", ()))),
            item_titles=tuple(map(str, fields.get("item_titles", ()))),
            state=FeedState(fields["state"]),
            is_canonical=bool(fields.get("is_canonical", False)),
            is_main=bool(fields.get("is_main", True)),
            is_stale=bool(fields.get("is_stale", False)),
            is_never_fetched=bool(fields.get("is_never_fetched", False)),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"no document: {error}") from error
