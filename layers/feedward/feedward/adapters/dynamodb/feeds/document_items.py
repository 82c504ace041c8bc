"""Items META and RECENT: the texts of a feed's document, its topics, and its recent items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from feedward.adapters.dynamodb.store.codec import Item, text
from feedward.adapters.dynamodb.store.keys import RECENT, feed_key
from feedward.health.feed_texts import FeedTexts
from feedward.health.recent_items import HASH_CHARS, Recent, RecentItem
from feedward.model import FeedFormat
from feedward.model import Item as FeedItem

if TYPE_CHECKING:
    from feedward.topics.feed_topics import FeedTopics

TEXT_ATTRIBUTES: Final = ("title", "description", "site_url", "language", "hub_urls", "format")


def text_attributes(texts: FeedTexts) -> Item:
    """Return the texts as attributes of META; None for texts that the document lacks."""
    return {
        "title": texts.title,
        "description": texts.description,
        "site_url": texts.site_url,
        "language": texts.language,
        "hub_urls": list(texts.hub_urls),
        "format": texts.format.value if texts.format else None,
    }


def read_texts(item: Item) -> FeedTexts:
    """Return the texts of a META item."""
    form = item.get("format")
    return FeedTexts(
        title=item.get("title"),
        description=item.get("description"),
        site_url=item.get("site_url"),
        language=item.get("language"),
        hub_urls=tuple(item.get("hub_urls") or ()),
        format=FeedFormat(form) if form else None,
    )


TOPIC_ATTRIBUTES: Final = ("topics", "suggested_topics")


def topics_of(meta: Item) -> FeedTopics:
    """Return the topics of a META item. An item without topics loads no module."""
    if not any(name in meta for name in TOPIC_ATTRIBUTES):
        return ()
    from feedward.adapters.dynamodb.feeds.topic_items import read_topics  # noqa: PLC0415

    return read_topics(meta)


RECENT_ATTRIBUTES: Final = ("items", "older", "signature")
_NAMES: Final = tuple(field.name for field in fields(FeedItem))
_TITLE_CHARS: Final = 1000


def recent_item(feed_id: str, recent: Recent) -> Item:
    """Return RECENT. The hashes of older items are one text, because a list takes 3 more bytes per hash."""
    return {
        **feed_key(feed_id, RECENT),
        "items": [_item(each) for each in recent.items],
        "older": "".join(recent.older) or None,
        "signature": recent.signature,
    }


def read_recent(item: Item) -> Recent:
    """Return the recent items of a RECENT item."""
    older = item.get("older") or ""
    return Recent(
        items=tuple(map(_read, item["items"])),
        older=tuple(older[start : start + HASH_CHARS] for start in range(0, len(older), HASH_CHARS)),
        signature=item.get("signature"),
    )


def _item(recent: RecentItem) -> dict[str, Any]:
    said = {name: getattr(recent.item, name) for name in _NAMES} | {"title": text(recent.item.title, _TITLE_CHARS)}
    return {name: value for name, value in said.items() if value is not None} | {"first_seen_at": recent.first_seen_at}


def _read(entry: Mapping[str, Any]) -> RecentItem:
    said = {name: entry[name] for name in _NAMES if name in entry}
    return RecentItem(item=FeedItem(**said), first_seen_at=entry["first_seen_at"])
