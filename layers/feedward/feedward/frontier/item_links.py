"""The links of a feed's new items, from the event ItemsPublished, to be submitted to the frontier. Pure.

Only events of feeds with `collect_items` are accepted. Links come from the feed's document, so each is checked on its
own: an unusable link does not affect the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from feedward.errors import InvalidInput
from feedward.feeds.links import clean_url

VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemLinks:
    """The links to submit for the feed's owner, `tenant_id`; None is the deployment's own user.

    `links` are absolute and distinct, in the order of the items. `unusable` counts invalid links. Items without a link
    are skipped.
    """

    feed_id: str
    tenant_id: str | None
    links: tuple[str, ...]
    unusable: int = 0


def read_item_links(detail: Mapping[str, Any]) -> ItemLinks:
    """Read the detail of an ItemsPublished event. Unknown members are ignored, since the sender may be newer.

    Raises InvalidInput, which names the member, for a missing member, a wrong type, another version, or a feed without
    `collect_items`.
    """
    if detail.get("version") != VERSION:
        raise InvalidInput("version", f"expected {VERSION}")
    if detail.get("collect_items") is not True:
        raise InvalidInput("collect_items", "expected true: the feed does not collect")
    items = detail.get("items")
    if not isinstance(items, list):
        raise InvalidInput("items", "expected a list")
    feed_id, feed_url, tenant_id = _text(detail, "feed_id"), _text(detail, "url"), detail.get("tenant_id")
    found = list(_links(items, feed_url))
    return ItemLinks(
        feed_id=feed_id,
        tenant_id=None if tenant_id is None else _text(detail, "tenant_id"),
        links=tuple(dict.fromkeys(link for link in found if link is not None)),
        unusable=found.count(None),
    )


def _links(items: list[object], feed_url: str) -> Iterator[str | None]:
    """Yield the absolute link of each item that has one (see feeds/links.py); None for an invalid link."""
    for item in items:
        link = item.get("url") if isinstance(item, Mapping) else item
        if isinstance(item, Mapping) and link is None:
            continue
        yield clean_url(link, feed_url) if isinstance(item, Mapping) and isinstance(link, str) else None


def _text(detail: Mapping[str, Any], member: str) -> str:
    value = detail.get(member)
    if not (isinstance(value, str) and value):
        raise InvalidInput(member, "expected a text")
    return value
