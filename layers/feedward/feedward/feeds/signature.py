"""Decides whether two documents are the same feed (rule C8): equal bytes, or an equal signature.

The signature covers format, title and the set of items. It ignores self link, build dates, generator, the order of
items, and the spelling of the feed's own URLs (scheme, www, last slash), since a server with two names has two
spellings of its links.
"""

from __future__ import annotations

import codecs
import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from feedward.model import Feed
from feedward.urls.parse import parse_url

SameBy = Literal["bytes", "signature"]
_BYTE_ORDER_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, kw_only=True)
class Document:
    """A fetched feed: its bytes, the parsed feed, and the URL that answered."""

    body: bytes
    feed: Feed
    url: str

    @cached_property
    def signature(self) -> str:
        """The signature of this document, computed at its first use."""
        return signature(self.feed, self.url)


def same_feed(one: Document, other: Document, *, use_signature: bool = True) -> SameBy | None:
    """Return the proof that two documents are the same feed: "bytes", "signature", or None.

    Feeds with neither title nor items are never the same by signature.
    """
    if without_byte_order_mark(one.body) == without_byte_order_mark(other.body):
        return "bytes"
    if not use_signature or one.feed.format is not other.feed.format:
        return None
    says_something = one.feed.title or one.feed.items
    return "signature" if says_something and one.signature == other.signature else None


def without_byte_order_mark(body: bytes) -> bytes:
    """Return a document without its byte order mark, which is not content: some servers of a site add it."""
    mark = next((mark for mark in _BYTE_ORDER_MARKS if body.startswith(mark)), b"")
    return body.removeprefix(mark)


def signature(feed: Feed, url: str) -> str:
    """Return the hex SHA-256 of format, title and the set of (id, link, title) of the items; `url` is the feed's."""
    hosts = _own_hosts(feed, url)
    items = {(_neutral(item.id, hosts), _neutral(item.url, hosts), _neutral(item.title, hosts)) for item in feed.items}
    content = [feed.format.value, _neutral(feed.title, hosts), sorted(items, key=repr)]
    return hashlib.sha256(json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode()).hexdigest()


def _own_hosts(feed: Feed, url: str) -> frozenset[str]:
    """Return the feed's own hosts: those of its URL, its self link and its site link."""
    known = (parse_url(text) for text in (url, feed.self_url, feed.site_url) if text)
    return frozenset(parsed.host.removeprefix("www.") for parsed in known if parsed and parsed.host)


def _neutral(text: str | None, hosts: frozenset[str]) -> str | None:
    """Return a URL on one of `hosts` without scheme, www and last slash; any other text unchanged."""
    if text is None or not text[:8].lower().startswith(("http://", "https://")):
        return text
    parsed = parse_url(text)
    host = parsed.host.removeprefix("www.") if parsed else ""
    if parsed is None or host not in hosts:
        return text
    return f"//{host}{parsed.pathname.rstrip('/')}{parsed.search}{parsed.hash}"
