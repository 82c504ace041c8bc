"""Milliseconds to parse a typical RSS feed of 10 KB, 100 KB and 1 MB, compared with feedparser and fastfeedparser."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import fastfeedparser
import feedparser

from bench.rounds import paired_seconds
from bench.table import print_table
from feedward.feeds.parse import parse_feed
from feedward.model import Feed

SIZES = {"10 KB": 5, "100 KB": 50, "1 MB": 500}
PARAGRAPH = "<p>A paragraph with <a href='https://blog.example.org/?a=1&amp;b=2'>a link</a>, <em>some</em> words.</p>\n"


def item(number: int) -> str:
    return (
        f"<item><title>Post {number} &amp; more</title><link>https://blog.example.org/posts/{number}</link>"
        f"<guid isPermaLink='false'>tag:blog.example.org,2026:{number}</guid><dc:creator>Someone</dc:creator>"
        f"<pubDate>Tue, {number % 28 + 1:02d} Sep 2026 08:{number % 60:02d}:00 +0200</pubDate>"
        f"<content:encoded><![CDATA[{PARAGRAPH * 18}]]></content:encoded></item>\n"
    )


def document(items: int) -> bytes:
    """A made-up RSS feed with `items` items of about 2 KB."""
    head = (
        '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" '
        'xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>'
        "<title>A blog</title><link>https://blog.example.org/</link><description>Words</description><language>en-us</language>"
        '<atom:link rel="self" href="https://blog.example.org/feed.xml" type="application/rss+xml"/><ttl>60</ttl>\n'
    )
    return (head + "".join(map(item, range(items))) + "</channel></rss>").encode()


def check_same(body: bytes) -> None:
    """Check that all three have read the same items; otherwise the times are meaningless."""
    feed = parse_feed(body)
    assert isinstance(feed, Feed)
    peers = len(feedparser.parse(body).entries), len(fastfeedparser.parse(body).entries)
    assert (len(feed.items), len(feed.items)) == peers


def measure(size: str) -> tuple[str, ...]:
    body = document(SIZES[size])
    check_same(body)
    contenders: dict[str, Callable[[], object]] = {
        "feedward": partial(parse_feed, body),
        "feedparser": partial(feedparser.parse, body),
        "fastfeedparser": partial(fastfeedparser.parse, body),
    }
    seconds = paired_seconds(contenders, rounds=3 if size == "1 MB" else 7)
    own = seconds["feedward"]
    cells = [f"{taken * 1e3:.2f} ms ({taken / own:.1f}x)" for taken in seconds.values()]
    return f"{size} ({len(body) // 1000} KB)", *cells


def main() -> None:
    """Print the table of parsers. The peers read more of a document (content, enclosures) than feedward needs."""
    rows = [measure(size) for size in SIZES]
    print_table("Parsing: RSS with HTML in CDATA", ("", "feedward", "feedparser", "fastfeedparser"), rows)
