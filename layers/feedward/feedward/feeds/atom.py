"""Atom 1.0 and 0.3: the elements of a feed and of an entry."""

from __future__ import annotations

from feedward.feeds import fields
from feedward.feeds.draft import Descend, Entry, FormatRules, Marked, Text
from feedward.feeds.namespaces import ATOM

_LINK = Marked(fields.store_link, Text("link_text", fields.link_text), unless="href")

ATOM_RULES = FormatRules(
    vocabulary=ATOM,
    root=fields.store_language,
    feed={
        "entry": Entry(),
        "title": Text("title", fields.atom_title),
        "dc:title": Text("dc_title", fields.atom_title),
        "id": Text("id", fields.identifier),
        "updated": Text("updated", fields.date),
        "link": _LINK,
        "subtitle": Text("description", fields.atom_description),
        "tagline": Text("description", fields.atom_description),
        "itunes:summary": Text("itunes_summary", fields.html_description),
        "itunes:subtitle": Text("itunes_subtitle", fields.html_description),
        "category": Marked(fields.store_category),
        "itunes:category": Descend(fields.store_category),
        "language": Text("language", fields.language),
        "dc:language": Text("dc_language", fields.language),
        "sy:updateperiod": Text("update_period", fields.word),
        "sy:updatefrequency": Text("update_frequency", fields.word),
        "sy:updatebase": Text("update_base", fields.word),
        "itunes:new-feed-url": Text("new_feed_url", fields.url),
    },
    item={
        "title": Text("title", fields.atom_title),
        "dc:title": Text("dc_title", fields.atom_title),
        "id": Text("id", fields.identifier),
        "guid": Text("guid", fields.identifier),
        "link": _LINK,
        "content": Marked(fields.store_source),
        "category": Marked(fields.store_category),
        "published": Text("published", fields.date),
        "issued": Text("issued", fields.date),
        "created": Text("created", fields.date),
        "dc:date": Text("dc_date", fields.date),
        "dcterms:issued": Text("issued", fields.date),
        "dcterms:created": Text("created", fields.date),
        "dcterms:modified": Text("modified", fields.date),
        "pubdate": Text("rss_published", fields.date),
        "date": Text("date", fields.date),
        "updated": Text("updated", fields.date),
        "modified": Text("modified", fields.date),
    },
)
