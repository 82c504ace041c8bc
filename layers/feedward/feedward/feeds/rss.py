"""RSS 0.9x and 2.0, and RSS 0.90 and 1.0 as RDF: the elements are the same, only the wrapping differs.

Substitutes from other vocabularies have their own slots; build_feed.py takes the first that is set.
"""

from __future__ import annotations

from feedward.feeds import fields
from feedward.feeds.draft import Base, Descend, Entry, FormatRules, Marked, Text, Values
from feedward.feeds.namespaces import RSS


def _store_about(values: Values, attributes: fields.Attributes, base: Base) -> None:
    """Store the id of an RSS 1.0 item: its rdf:about, with any prefix."""
    about = next((value for name, value in attributes.items() if name.rpartition(":")[2] == "about"), "")
    known = fields.identifier(about, attributes, base) if about else None
    if known:
        values["about"] = known


def _store_permalink(values: Values, attributes: fields.Attributes, _base: Base) -> None:
    """Store a guid as a link, unless its isPermaLink is false."""
    if "id" not in values:
        name = next(filter(_is_permalink, attributes), "")
        values["is_permalink"] = attributes.get(name, "true").strip().lower() != "false"


def _is_permalink(name: str) -> bool:
    return name.lower() == "ispermalink"


_LINK = Marked(fields.store_link, Text("link", fields.url))
_CATEGORY = Text("categories", fields.word, several=True)
_ATOM_LINK = Marked(fields.store_link, Text("link_text", fields.url), unless="href")

RSS_RULES = FormatRules(
    vocabulary=RSS,
    root=fields.store_language,
    feed={
        "channel": Descend(fields.store_language),
        "items": Descend(),  # RSS 1.1; in RSS 1.0 nothing in it has a rule
        "item": Entry(_store_about),
        "title": Text("title", fields.html_title),
        "dc:title": Text("dc_title", fields.html_title),
        "itunes:title": Text("itunes_title", fields.html_title),
        "link": _LINK,
        "atom:link": _ATOM_LINK,
        "description": Text("description", fields.html_description),
        "tagline": Text("description", fields.html_description),
        "atom:subtitle": Text("atom_subtitle", fields.html_description),
        "dc:description": Text("dc_description", fields.html_description),
        "itunes:summary": Text("itunes_summary", fields.html_description),
        "itunes:subtitle": Text("itunes_subtitle", fields.html_description),
        "category": _CATEGORY,
        "itunes:category": Descend(fields.store_category),
        "language": Text("language", fields.language),
        "dc:language": Text("dc_language", fields.language),
        "ttl": Text("ttl", fields.word),
        "sy:updateperiod": Text("update_period", fields.word),
        "sy:updatefrequency": Text("update_frequency", fields.word),
        "sy:updatebase": Text("update_base", fields.word),
        "itunes:new-feed-url": Text("new_feed_url", fields.url),
    },
    item={
        "title": Text("title", fields.html_title),
        "dc:title": Text("dc_title", fields.html_title),
        "itunes:title": Text("itunes_title", fields.html_title),
        "link": _LINK,
        "atom:link": _ATOM_LINK,
        "guid": Marked(_store_permalink, Text("id", fields.identifier)),
        "atom:id": Text("atom_id", fields.identifier),
        "id": Text("atom_id", fields.identifier),
        "dc:identifier": Text("dc_identifier", fields.identifier),
        "category": _CATEGORY,
        "dc:subject": _CATEGORY,
        "pubdate": Text("published", fields.date),
        "dc:date": Text("dc_date", fields.date),
        "dcterms:issued": Text("issued", fields.date),
        "dcterms:created": Text("created", fields.date),
        "atom:published": Text("atom_published", fields.date),
        "published": Text("atom_published", fields.date),
        "issued": Text("issued", fields.date),
        "created": Text("created", fields.date),
        "date": Text("date", fields.date),
        "prism:publicationdate": Text("prism_date", fields.date),
        "atom:updated": Text("updated", fields.date),
        "updated": Text("updated", fields.date),
        "dcterms:modified": Text("modified", fields.date),
        "modified": Text("modified", fields.date),
    },
)
