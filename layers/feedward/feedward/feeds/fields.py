"""Converts the text or the attributes of an element into the value of a field, for every XML format."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping

from feedward.feeds.dates import DateReadings, read_date
from feedward.feeds.draft import Base, Values
from feedward.feeds.language import language_tag
from feedward.feeds.limits import MAX_CATEGORIES, MAX_DESCRIPTION, MAX_HUBS, MAX_ID, MAX_TITLE, MAX_WORD
from feedward.feeds.links import clean_url, is_web
from feedward.feeds.text import plain, plain_from_html

Attributes = Mapping[str, str]
_DATE_IN_MARKUP = re.compile(r"""<(?:time|span)\s[^<>]{0,200}?\b(?:datetime|content)\s?=\s?["']([^"'<>]{4,60})""")
_RELATIONS = "http://www.iana.org/assignments/relation/"


def html_title(text: str, _attributes: Attributes, _base: Base) -> str | None:
    """Return a title of RSS, RDF or JSON."""
    return plain_from_html(text, MAX_TITLE)


def html_description(text: str, _attributes: Attributes, _base: Base) -> str | None:
    """Return a description of RSS, RDF or JSON."""
    return plain_from_html(text, MAX_DESCRIPTION)


def atom_title(text: str, attributes: Attributes, _base: Base) -> str | None:
    """Return a text construct of Atom, cut as a title."""
    return _atom_text(text, attributes, MAX_TITLE)


def atom_description(text: str, attributes: Attributes, _base: Base) -> str | None:
    """Return a text construct of Atom, cut as a description."""
    return _atom_text(text, attributes, MAX_DESCRIPTION)


def _atom_text(text: str, attributes: Attributes, limit: int) -> str | None:
    """Return the text. Only type html (Atom 0.3: escaped, or without a type) is decoded; xhtml gives its text."""
    kind, mode = attributes.get("type", "").strip().lower(), attributes.get("mode", "").strip().lower()
    if mode == "base64":
        text = _from_base64(text)
    is_html = kind in ("html", "text/html") or (mode == "escaped" and (not kind or "html" in kind))
    return plain_from_html(text, limit) if is_html else plain(text, limit)


def _from_base64(text: str) -> str:
    try:
        return base64.b64decode(text).decode("utf-8", "replace")
    except ValueError:
        return text


def word(text: str, _attributes: Attributes, _base: Base) -> str | None:
    """Return a short value that is not prose, as text (ttl, sy:)."""
    return plain(text, MAX_WORD)


def language(text: str, _attributes: Attributes, _base: Base) -> str | None:
    """Return a language tag; None for other text, so that a second value may count."""
    return language_tag(plain(text, MAX_WORD))


def date(text: str, _attributes: Attributes, _base: Base) -> int | DateReadings | None:
    """Return a time in epoch seconds, or its readings; None for other text, so that a second value may count."""
    if "<" not in text:
        return read_date(text)
    stated = _DATE_IN_MARKUP.search(text)  # of Drupal: `<time datetime="2024-01-15T10:00:00Z">15 January</time>`
    return (read_date(stated[1]) if stated else None) or read_date(plain_from_html(text, MAX_WORD) or "")


def link_text(text: str, attributes: Attributes, base: Base) -> str | None:
    """Return the URL in the text of a link that should have it as an attribute; None for words (`Read more`)."""
    is_words = len(text.split()) > 1 and not text.lstrip()[:8].lower().startswith(("http://", "https://"))
    return None if is_words else url(text, attributes, base)


def url(text: str, _attributes: Attributes, base: Base) -> str | None:
    """Return the URL in the text of an element."""
    return clean_url(text, base)


def identifier(text: str, _attributes: Attributes, _base: Base) -> str | None:
    """Return an id as written; an id that is too long to store is replaced by its hash."""
    bare = text.strip()
    if not bare.isprintable():
        bare = "".join(filter(str.isprintable, bare)).strip()
    if len(bare) > MAX_ID:
        return "sha256:" + hashlib.sha256(bare.encode()).hexdigest()
    return bare or None


def store_link(values: Values, attributes: Attributes, base: Base) -> None:
    """Store an Atom link: the first alternate on the web, the first self, all hubs. No rel means alternate."""
    target = clean_url(attributes["href"], base) if "href" in attributes else None
    if target is None:
        return
    for rel in (attributes.get("rel") or "alternate")[:MAX_ID].lower().split():
        relation = rel.removeprefix(_RELATIONS)
        if relation == "alternate":
            if is_web(target):
                values.setdefault("alternate" if _is_page(attributes.get("type", "")) else "alternate_format", target)
        elif relation == "self":
            values.setdefault("self", target)
        elif relation == "hub":
            store_hub(values, target)


def store_source(values: Values, attributes: Attributes, base: Base) -> None:
    """Store the URL of external content (`src`)."""
    target = clean_url(attributes["src"], base) if "src" in attributes else None
    if target and is_web(target):
        values.setdefault("source", target)


def store_hub(values: Values, target: str) -> None:
    """Add a hub once, up to the limit."""
    hubs = values.setdefault("hubs", [])
    if target not in hubs and len(hubs) < MAX_HUBS:
        hubs.append(target)


def store_category(values: Values, attributes: Attributes, _base: Base) -> None:
    """Store the category of an attribute: in Atom `label`, else `term`; in podcasts `text`."""
    said = attributes.get("label") or attributes.get("term") or attributes.get("text")
    name = plain(said, MAX_WORD) if said else None
    if name:
        add_category(values, name)


def add_category(values: Values, name: str) -> None:
    """Add a category, up to the limit."""
    categories = values.setdefault("categories", [])
    if len(categories) < MAX_CATEGORIES:
        categories.append(name)


def store_language(values: Values, attributes: Attributes, _base: Base) -> None:
    """Store the xml:lang of an element."""
    tag = language(attributes["xml:lang"], attributes, None) if "xml:lang" in attributes else None
    if tag:
        values.setdefault("xml_lang", tag)


def _is_page(media_type: str) -> bool:
    """Return whether an alternate is a page, with an HTML type or none: other formats of a feed are alternates too."""
    return not media_type or "html" in media_type.lower()
