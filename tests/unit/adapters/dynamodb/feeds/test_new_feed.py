"""A feed's items keep to their sizes (rules R10, N16)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.adapters.dynamodb.feeds.health_items import FEED_BYTES, size_bytes
from feedward.adapters.dynamodb.feeds.new_feed import feed_item, meta_item
from feedward.adapters.dynamodb.store.codec import encode
from feedward.model import Validators
from feedward.registration import NewFeed
from feedward.ulid import derived_ulid

NOW = 1_790_000_000
HASH = "ab" * 32


URL = "https://example.com/feed"


def new_feed(url: str = URL, etag: str | None = None, last_modified: str | None = None) -> NewFeed:
    return NewFeed(
        feed_id=derived_ulid(NOW, "a"),
        url=url,
        aliases=(),
        now=NOW,
        http_status=200,
        content_hash=HASH,
        latest_item_published_at=NOW,
        median_gap_s=86_400,
        scope="01JTENANT0000000000000000",
        validators=Validators(etag=etag, last_modified=last_modified),
    )


def stored_bytes(item: dict[str, object]) -> int:
    """DynamoDB's size, from the encoded form: names, texts, and numbers at a byte for two digits, one more."""
    total = 0
    for name, value in encode(item).items():
        [(kind, content)] = value.items()
        total += len(name.encode()) + (len(content.encode()) if kind == "S" else (len(content) + 1) // 2 + 1)
    return total


def test_a_private_feed_has_an_owner_and_a_shared_one_has_none() -> None:
    private = new_feed()
    assert encode(feed_item(private, HASH))["owner"] == {"S": private.scope}
    assert "owner" not in encode(feed_item(replace(private, scope=""), HASH))


@pytest.mark.parametrize("url_length", [30, 100, 200, 300])
def test_feed_is_within_one_write_unit(url_length: int) -> None:
    url = "https://example.com/".ljust(url_length, "a")
    item = feed_item(new_feed(url, 'W/"5f3c-61b2a4"', "Thu, 01 Oct 2026 10:00:00 GMT"), HASH)
    assert item["etag"]
    assert item["last_modified"]
    assert stored_bytes(item) <= FEED_BYTES
    assert stored_bytes(item) <= size_bytes(item)


def test_a_validator_that_would_cost_a_second_unit_is_left_out_whole() -> None:
    item = feed_item(new_feed(etag='"' + "e" * 900 + '"', last_modified="Thu, 01 Oct 2026 10:00:00 GMT"), HASH)
    assert "etag" not in item
    assert item["last_modified"] == "Thu, 01 Oct 2026 10:00:00 GMT"
    assert stored_bytes(item) <= FEED_BYTES


def test_a_short_validator_is_kept_even_beside_a_long_url() -> None:
    item = feed_item(new_feed("https://example.com/".ljust(2048, "a"), etag='"short"'), HASH)
    assert item["etag"] == '"short"'


@pytest.mark.parametrize("etag", ["", '"a\nb"', '"\u00e9"', '"' + "e" * 1100 + '"', '"a\x7f"'])
def test_a_validator_that_cannot_be_sent_back_is_not_kept(etag: str) -> None:
    assert "etag" not in feed_item(new_feed(etag=etag), HASH)


def test_a_url_of_the_document_is_kept_whole_or_not_at_all() -> None:
    long = "https://example.com/".ljust(2049, "a")
    new = NewFeed(
        feed_id="01A", url="https://example.com/", aliases=(), now=NOW, site_url=long, hub_urls=(long, "https://hub/")
    )
    meta = meta_item(new)
    assert meta["site_url"] is None
    assert meta["hub_urls"] == ["https://hub/"]


@pytest.mark.parametrize("written", ["javascript:alert(1)", "data:text/html,x", "/relative", "", "http://"])
def test_a_url_outside_the_web_is_not_stored(written: str) -> None:
    feed = NewFeed(
        feed_id="01A", url="https://example.com/", aliases=(), now=NOW, site_url=written, hub_urls=(written,)
    )
    meta = meta_item(feed)
    assert meta["site_url"] is None
    assert meta["hub_urls"] == []
