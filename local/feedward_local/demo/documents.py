"""Writes feed documents for the made-up internet: RSS 2.0, RSS 1.0 (RDF), Atom and JSON Feed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from xml.sax.saxutils import escape, quoteattr

NEWEST = datetime(2026, 2, 27, 8, 30, tzinfo=UTC)
XML = '<?xml version="1.0" encoding="utf-8"?>'
ATOM_NS = "http://www.w3.org/2005/Atom"
RSS1_NS = "http://purl.org/rss/1.0/"
RDF_NS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
DC_NS = "http://purl.org/dc/elements/1.1/"


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedText:
    """The content of a feed; `format` is rss, rdf, atom or json, `items` are titles, newest first."""

    format: str
    title: str
    site: str
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    title: str
    url: str
    at: datetime


def document(feed: FeedText, *, self_url: str | None = None, updated: str | None = None) -> tuple[str, bytes]:
    """Return Content-Type and body. `self_url` is the feed's self link, `updated` its build date."""
    kind, write = {
        "rss": ("application/rss+xml; charset=utf-8", _rss),
        "rdf": ("application/rdf+xml", _rdf),
        "atom": ("application/atom+xml", _atom),
        "json": ("application/feed+json", _json),
    }[feed.format]
    return kind, write(feed, self_url, updated).encode()


def _items(feed: FeedText) -> Iterator[_Item]:
    for number, title in enumerate(feed.items):
        slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
        address = feed.site.partition("?")[0] + slug
        yield _Item(title=title, url=address, at=NEWEST - timedelta(days=7 * number))


def _rss(feed: FeedText, self_url: str | None, updated: str | None) -> str:
    head = [f"<title>{escape(feed.title)}</title>", f"<link>{escape(feed.site)}</link>"]
    head.append(f"<description>{escape(feed.title)}</description>")
    if updated:
        head.append(f"<lastBuildDate>{format_datetime(datetime.fromisoformat(updated))}</lastBuildDate>")
    if self_url is not None:
        head.append(f'<atom:link rel="self" type="application/rss+xml" href={quoteattr(self_url)}/>')
    items = [
        f"<item><title>{escape(one.title)}</title><link>{one.url}</link><guid>{one.url}</guid>"
        f"<pubDate>{format_datetime(one.at)}</pubDate></item>"
        for one in _items(feed)
    ]
    opening = f'<rss version="2.0" xmlns:atom="{ATOM_NS}"><channel>'
    return _lines(XML, opening, *head, *items, "</channel></rss>")


def _rdf(feed: FeedText, self_url: str | None, updated: str | None) -> str:
    items = list(_items(feed))
    spaces = f'xmlns="{RSS1_NS}" xmlns:rdf="{RDF_NS}" xmlns:atom="{ATOM_NS}" xmlns:dc="{DC_NS}"'
    head = [f"<title>{escape(feed.title)}</title>", f"<link>{escape(feed.site)}</link>"]
    head.append(f"<description>{escape(feed.title)}</description>")
    if self_url is not None:
        head.append(f'<atom:link rel="self" href={quoteattr(self_url)}/>')
    if updated:
        head.append(f"<dc:date>{updated}</dc:date>")
    listed = "".join(f'<rdf:li rdf:resource="{one.url}"/>' for one in items)
    entries = [
        f'<item rdf:about="{one.url}"><title>{escape(one.title)}</title><link>{one.url}</link>'
        f"<dc:date>{one.at.isoformat()}</dc:date></item>"
        for one in items
    ]
    channel = [
        f"<channel rdf:about={quoteattr(feed.site)}>",
        *head,
        f"<items><rdf:Seq>{listed}</rdf:Seq></items></channel>",
    ]
    return _lines(XML, f"<rdf:RDF {spaces}>", *channel, *entries, "</rdf:RDF>")


def _atom(feed: FeedText, self_url: str | None, updated: str | None) -> str:
    head = [
        f"<id>{escape(feed.site)}</id>",
        f"<title>{escape(feed.title)}</title>",
        f"<link href={quoteattr(feed.site)}/>",
    ]
    if self_url is not None:
        head.append(f'<link rel="self" href={quoteattr(self_url)}/>')
    head.append(f"<updated>{updated or NEWEST.isoformat()}</updated>")
    entries = [
        f"<entry><id>{one.url}</id><title>{escape(one.title)}</title><link href={quoteattr(one.url)}/>"
        f"<updated>{one.at.isoformat()}</updated></entry>"
        for one in _items(feed)
    ]
    return _lines(XML, f'<feed xmlns="{ATOM_NS}">', *head, *entries, "</feed>")


def _lines(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def _json(feed: FeedText, self_url: str | None, updated: str | None) -> str:
    items = [
        {
            "id": one.url,
            "url": one.url,
            "title": one.title,
            "content_text": one.title,
            "date_published": one.at.isoformat(),
        }
        for one in _items(feed)
    ]
    whole: dict[str, object] = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "home_page_url": feed.site,
    }
    if self_url is not None:
        whole["feed_url"] = self_url
    if updated:
        whole["_built"] = updated
    return json.dumps(whole | {"items": items}, indent=1)
