"""The links of a feed's new items become rows (event ItemsPublished of a feed that collects).

No run asks for them: what they come to goes into the standing run of the day. An event that comes twice, late or after
its successor changes nothing: a URL that is there has its row.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass

from feedward.errors import InvalidInput
from feedward.frontier.item_links import ItemLinks
from feedward.services.collect.parts import CollectParts
from feedward.services.collect.submit import submit


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksSubmitted:
    """What became of an event's links: `new` made a row, `known` had one, `unusable` cannot be fetched."""

    feed_id: str
    new: int
    known: int
    unusable: int


def submit_links(
    event: ItemLinks, *, parts: CollectParts, busy: MutableMapping[str, int] | None = None, within_s: float
) -> LinksSubmitted:
    """Submit the links, for the feed's owner, within so many seconds; `busy` as `submit` has it.

    Raises what the store raises, once all other links are submitted: then the event has to come again.
    """
    entries = submit(event.links, tenant_id=event.tenant_id, parts=parts, busy=busy, within_s=within_s)
    rows = [entry for entry in entries if not isinstance(entry, InvalidInput)]
    new = sum(entry.created for entry in rows)
    unusable = event.unusable + len(entries) - len(rows)
    return LinksSubmitted(feed_id=event.feed_id, new=new, known=len(rows) - new, unusable=unusable)
