"""META as far as a feed's document says what it holds; which site chose the feed stands beside it (choices.py)."""

from __future__ import annotations

from typing import Final

from feedward.adapters.dynamodb.codec import Item
from feedward.health.texts import FeedTexts
from feedward.model import FeedFormat

TEXT_ATTRIBUTES: Final = ("title", "description", "site_url", "language", "hub_urls", "format")


def text_attributes(texts: FeedTexts) -> Item:
    """Return the attributes of META that the texts are; None for what the document does not say."""
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
