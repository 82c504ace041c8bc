"""The rows of the stack's feeds: written as the store writes those of a feed that is found, and read past the store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from feedward.adapters.dynamodb.feeds.new_feed import feed_item, first_items, meta_item, registered_audit_item
from feedward.adapters.dynamodb.store.codec import Item, decode, encode
from feedward.adapters.dynamodb.store.keys import FEED, RECENT, TableNames, feed_key
from feedward.scheduling.shards import pending_shards
from feedward.urls.key import KEY_VERSION, url_hash
from tests.local.faulty_stack.feeds import MadeUpFeed
from tests.store_contents import by_exception

_AT_ONCE: Final = 4
_WRITTEN_TOGETHER: Final = 25
_READ_TOGETHER: Final = 100
Each = TypeVar("Each")


class FeedRows:
    """The feeds' items in FeedsTable and in the registry."""

    def __init__(self, client: Any, names: TableNames) -> None:
        self._client, self._names = client, names

    def register(self, feeds: Sequence[MadeUpFeed]) -> None:
        """Write new feeds, whose discovery event the bus already has."""
        requests = [request for feed in feeds for request in self._rows(feed)]
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(self._write, _chunks(requests, _WRITTEN_TOGETHER)))

    def feeds(self, feeds: Sequence[MadeUpFeed]) -> dict[int, Item]:
        """FEED of each of the feeds, by their numbers."""
        return self._read(feeds, FEED)

    def recent(self, feeds: Sequence[MadeUpFeed]) -> dict[int, list[str]]:
        """The ids of the last items of each of the feeds, newest first, by their numbers."""
        return {number: [item["id"] for item in row["items"]] for number, row in self._read(feeds, RECENT).items()}

    def put_by_exception(self, feeds: Sequence[MadeUpFeed], at: Mapping[int, int], *, others: int) -> None:
        """Make the feeds due by exception: these at their times by number, all others at another time."""
        items = self.feeds(feeds)
        changed = [(self._names.feeds, by_exception(item, at.get(number, others))) for number, item in items.items()]
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(self._write, _chunks(changed, _WRITTEN_TOGETHER)))

    def with_undelivered(self) -> list[str]:
        """The ids of feeds with outbox entries, once for each event."""
        found = []
        for shard in pending_shards("out"):
            pages = self._client.get_paginator("query").paginate(
                TableName=self._names.feeds,
                IndexName="pending",
                KeyConditionExpression="pending_shard = :shard",
                ExpressionAttributeValues=encode({":shard": shard}),
            )
            found += [item["feed_id"]["S"] for page in pages for item in page["Items"]]
        return found

    def _rows(self, feed: MadeUpFeed) -> Iterator[tuple[str, Item]]:
        new = feed.as_found()
        hashed = url_hash(new.url)
        row = {"url_hash": hashed, "feed_id": new.feed_id, "url": new.url, "key_version": KEY_VERSION}
        yield self._names.urls, row
        for item in (feed_item(new, hashed), meta_item(new), first_items(new), registered_audit_item(new)):
            yield self._names.feeds, item

    def _write(self, rows: Sequence[tuple[str, Item]]) -> None:
        requests: dict[str, list[Any]] = {}
        for table, item in rows:
            requests.setdefault(table, []).append({"PutRequest": {"Item": encode(item)}})
        assert not self._client.batch_write_item(RequestItems=requests)["UnprocessedItems"]

    def _read(self, feeds: Sequence[MadeUpFeed], sk: str) -> dict[int, Item]:
        numbers = {feed.feed_id: feed.number for feed in feeds}
        found: dict[int, Item] = {}
        for chunk in _chunks(list(numbers), _READ_TOGETHER):
            keys = [encode(feed_key(feed_id, sk)) for feed_id in chunk]
            wanted = {self._names.feeds: {"Keys": keys, "ConsistentRead": True}}
            answer = self._client.batch_get_item(RequestItems=wanted)
            assert not answer["UnprocessedKeys"]
            rows = map(decode, answer["Responses"][self._names.feeds])
            found |= {numbers[row["feed_id"]]: row for row in rows}
        return found


def _chunks(values: Sequence[Each], size: int) -> Iterator[Sequence[Each]]:
    return (values[start : start + size] for start in range(0, len(values), size))
