"""Builds the Feed from a draft: each field takes the format's own value, else its substitutes."""

from __future__ import annotations

import re
from typing import Any

from feedward.feeds.dates import DateReadings
from feedward.feeds.draft import STAND_IN, Draft, Values
from feedward.feeds.limits import MAX_URL
from feedward.feeds.links import WEB, clean_url, is_web
from feedward.model import Feed, FeedFormat, Item

_PUBLISHED = ("published", "dc_date", "issued", "created", "atom_published", "rss_published", "date", "prism_date")
_LAST_ITEMS = 20
_WITHOUT_SCHEME = re.compile(r"www\.[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}(?=[/?#]|\Z)", re.IGNORECASE)
_WITH_ADDRESSES_AS_IDS = (FeedFormat.ATOM, FeedFormat.JSON_FEED)


def build_feed(draft: Draft, form: FeedFormat, *, url: str | None, repairs: tuple[str, ...], truncated: bool) -> Feed:
    """Build the Feed. `url` is the document's own: links for people are resolved against it."""
    values, items = draft.feed, draft.items
    if draft.redeclared:
        values, items = _stood_in(values), list(map(_stood_in, items))
    site_url = _located(_address(values), url)
    if _has_readings([values, *items]):
        from feedward.feeds.settled_dates import settle_dates  # noqa: PLC0415 - most feeds have plain dates

        settle_dates(values, items, (url, site_url))
    built = tuple([_build_item(item, url, form) for item in items])
    return Feed(
        format=form,
        title=_first(values, "title", "dc_title", "itunes_title"),
        description=_first(
            values, "description", "atom_subtitle", "dc_description", "itunes_summary", "itunes_subtitle"
        ),
        site_url=site_url,
        self_url=values.get("self"),
        hub_urls=tuple(values.get("hubs", ())),
        language=_first(values, "language", "dc_language", "xml_lang"),
        ttl=values.get("ttl"),
        update_period=values.get("update_period"),
        update_frequency=values.get("update_frequency"),
        update_base=values.get("update_base"),
        new_feed_url=values.get("new_feed_url"),
        categories=tuple(values.get("categories", ())),
        item_categories=_item_categories(items, built),
        items=built,
        repairs=repairs,
        truncated=truncated,
    )


def _has_readings(drafts: list[Values]) -> bool:
    return DateReadings in {type(value) for values in drafts for value in values.values()}


def _stood_in(values: Values) -> Values:
    """Return the values, with substitutes in empty slots."""
    stand_ins = {slot.removesuffix(STAND_IN): value for slot, value in values.items() if slot.endswith(STAND_IN)}
    return stand_ins | values


def _build_item(values: Values, url: str | None, form: FeedFormat) -> Item:
    link = _located(_address(values, form), url)
    own_id = _first(values, "id", "about", "atom_id", "guid", "dc_identifier")
    return Item(
        id=own_id or link,
        id_is_link=not own_id and link is not None,
        url=link,
        title=_first(values, "title", "dc_title", "itunes_title"),
        published_at=_first(values, *_PUBLISHED),
        updated_at=_first(values, "updated", "modified"),
    )


def _item_categories(items: list[Values], built: tuple[Item, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the categories of each of the last items; nothing if no item has any."""
    if not any("categories" in item for item in items):
        return ()
    newest = sorted(range(len(items)), key=lambda at: -(built[at].published_at or 0))[:_LAST_ITEMS]
    return tuple(tuple(items[at].get("categories", ())) for at in newest)


def _address(values: Values, form: FeedFormat | None = None) -> str | None:
    """Return the web link of the feed or the item, else the link as it is.

    For an item (`form` is its feed's) without a link, return the URL in its id, or that of its content.
    """
    own: str | None = values.get("link")
    if own is not None and is_web(own):
        return own
    found = _first(values, "alternate", "alternate_format") or _web(values.get("link_text"))
    if found is None and form:
        found = _permalink(values, form) or values.get("source")
    return found or own


def _web(link: str | None) -> str | None:
    return link if link and is_web(link) else None


def _permalink(values: Values, form: FeedFormat) -> str | None:
    """Return the id, the guid or the rdf:about of an item, if it is a web URL."""
    is_id = values.get("is_permalink") or form in _WITH_ADDRESSES_AS_IDS
    known = _first(values, "id", "guid") if is_id else values.get("about")
    is_address = known and len(known) <= MAX_URL and known[:8].lower().startswith(WEB)
    return clean_url(known) if known and is_address else None


def _located(link: str | None, url: str | None) -> str | None:
    """Return a link resolved against the document's URL; `www.a.example/b` is a URL that lost its scheme."""
    if not link or not url or link.startswith(WEB):
        return link
    return f"https://{link}" if _WITHOUT_SCHEME.match(link) else clean_url(link, url)


def _first(values: Values, *slots: str) -> Any:
    for slot in slots:
        value = values.get(slot)
        if value is not None:
            return value
    return None
