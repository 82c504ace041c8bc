"""The links of a feed's new items, as the event ItemsPublished has them: what is to be submitted to the frontier. Pure.

Only a feed that is set to collect says so in its events. A link is what its feed's document has, so that each is judged
alone: one that cannot be used costs the others nothing.
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
    """Submit these links for the feed's owner, `tenant_id`; None is the deployment's own user.

    `links` are absolute, each once, in the order of the items. `unusable` counts those that are none. An item without a
    link has nothing to be collected.
    """

    feed_id: str
    tenant_id: str | None
    links: tuple[str, ...]
    unusable: int = 0


def read_item_links(detail: Mapping[str, Any]) -> ItemLinks:
    """Read the detail of an ItemsPublished; members that are not known are let be, for who sends may be newer.

    Raises InvalidInput, which names the member, for one that is missing or of a wrong kind, for another version, and
    for the event of a feed that does not collect.
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
    """The link of each item that has one, resolved as the feed's are (feeds/links.py); None for what is none."""
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
