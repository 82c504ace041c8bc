"""Real documents, compared with two other parsers: where both agree, so do we. Skipped without the documents."""

from __future__ import annotations

import time
import warnings
from html import unescape
from pathlib import Path
from typing import Any

import fastfeedparser
import feedparser
import pytest

from feedward.feeds.parse import parse_feed
from feedward.model import Feed, FeedFormat

FOLDER = Path(__file__).parents[4] / "shared" / "corpora" / "real_feeds"
DOCUMENTS = sorted(FOLDER.iterdir()) if FOLDER.is_dir() else []
needs_documents = pytest.mark.skipif(
    not DOCUMENTS, reason="the feeds of others are not here (../shared/corpora/real_feeds)"
)


def bare(text: Any) -> str:
    """Letters and digits only: the others leave tags and references where they stand."""
    return "".join(letter for letter in unescape(str(text or "")) if letter.isalnum())


@needs_documents
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_a_real_feed_gives_the_values_that_two_other_parsers_agree_on(path: Path) -> None:
    body = path.read_bytes()
    found = parse_feed(body)
    assert isinstance(found, Feed), found
    if found.format is FeedFormat.JSON_FEED:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one = feedparser.parse(body, sanitize_html=False, resolve_relative_uris=False)
        try:
            other = fastfeedparser.parse(body)
        except ValueError:
            return
    if bare(one.feed.get("title")) == bare(other.feed.get("title")):
        assert bare(found.title) == bare(one.feed.get("title"))
    if len(one.entries) == len(other.entries) and not found.truncated:
        assert len(found.items) == len(one.entries)
        ours = [item.url for item in found.items]
        links = [entry.get("link") for entry in one.entries]
        if links == [entry.get("link") for entry in other.entries]:
            assert ours == links


@needs_documents
def test_real_feeds_with_mutations_never_raise() -> None:
    for path in DOCUMENTS[::5]:
        body = path.read_bytes()[:3_000]  # the first items, each of which a mutation may spoil
        for at in range(0, len(body), max(1, len(body) // 7)):
            for crumb in (b"", b"<", b"&x", b"\xff\0", b"]]>", b"</item>"):
                parse_feed(body[:at] + crumb + body[at + 3 :])


def test_a_feed_of_100_kb_is_parsed_at_least_20_times_faster_than_by_feedparser() -> None:
    content = '<p>Some words and <a href="https://example.com/?a=1&amp;b=2">a link</a> in a paragraph.</p>\n' * 22
    facts = "<title>T</title><link>https://example.com/%d</link><guid>https://example.com/%d</guid>"
    date = "<pubDate>Mon, 01 Jan 2024 10:00:00 +0000</pubDate>"
    item = f"<item>{facts}{date}<description><![CDATA[{content}]]></description></item>"
    items = "".join(item.replace("%d", str(number)) for number in range(50))
    body = f'<?xml version="1.0"?><rss version="2.0"><channel><title>T</title>{items}</channel></rss>'.encode()
    assert 90_000 < len(body) < 130_000

    def best(parse: Any) -> float:
        times = []
        for _ in range(3):
            start = time.thread_time()
            parse(body)
            times.append(time.thread_time() - start)
        return min(times)

    assert best(parse_feed) * 20 < best(feedparser.parse)
