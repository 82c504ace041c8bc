"""The contents of the tables, in plain words, for tests: whole scans, past the store's own reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from feedward.adapters.dynamodb.store.codec import Item, decode, encode
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.health.due_feed import read_place
from feedward.scheduling.shards import due_shard

_WRITTEN_AT_ONCE = 25


def table_names(names: TableNames) -> list[str]:
    """The names of the tables."""
    return [each for field in fields(names) if isinstance(each := getattr(names, field.name), str)]


def due_at(item: Item, now: int) -> int:
    """The next due time of a FEED, in its slot or by exception."""
    place = read_place(item)
    assert place is not None, f"{item} is never due"
    return place.next_at(now + 1)


def by_exception(item: Item, at: int) -> Item:
    """The FEED as a writer leaves it that makes it due by exception."""
    kept = {name: value for name, value in item.items() if name not in ("slot", "slot_from")}
    return {**kept, "next_check_at": at, "due_shard": due_shard(item["host"]), "rev": item["rev"] + 1}


class StoreContents:
    """A view of the tables behind a feed store."""

    def __init__(self, client: Any, names: TableNames) -> None:
        self._client = client
        self.names = names

    def urls(self) -> dict[str, Item]:
        """All rows of the registry, by hash."""
        return {row["url_hash"]: row for row in self._scan(self.names.urls)}

    def feeds(self) -> dict[str, Item]:
        """All FEED items by feed_id, tombstones too."""
        return {item["feed_id"]: item for item in self._scan(self.names.feeds) if item["sk"] == "FEED"}

    def live(self) -> dict[str, Item]:
        """The FEED items that are not tombstones."""
        return {feed_id: item for feed_id, item in self.feeds().items() if "merged_into" not in item}

    def under(self, feed_id: str, prefix: str) -> list[Item]:
        """The items of a feed with this prefix of the sort key."""
        items = [i for i in self._scan(self.names.feeds) if i["feed_id"] == feed_id and i["sk"].startswith(prefix)]
        return sorted(items, key=lambda item: str(item["sk"]))

    def pending(self, kind: str) -> list[Item]:
        """All unfinished work of one kind: `event` (undelivered events) or `repoint` (merges)."""
        return [i for i in self._scan(self.names.feeds) if i.get("kind") == kind and "pending_shard" in i]

    def sites(self) -> dict[str, Item]:
        """All SITE items, by site_id."""
        return {item["site_hash"]: item for item in self._scan(self.names.sites) if item["sk"] == "SITE"}

    def candidates(self, site_id: str) -> dict[str, Item]:
        """The CANDIDATE items of a site, by the candidate's URL."""
        items = self._scan(self.names.sites)
        found = [item for item in items if item["site_hash"] == site_id and item["sk"].startswith("CANDIDATE#")]
        return {item["candidate_url"]: item for item in found}

    def jobs(self) -> dict[str, Item]:
        """All JOB items, by the job's id."""
        return {item["job_id"]: item for item in self._scan(self.names.sites) if item["sk"].startswith("JOB#")}

    def subscriptions(self) -> list[Item]:
        """All SUB items of all tenants."""
        return [item for item in self._scan(self.names.tenants) if item["sk"].startswith("SUB#")]

    def everything(self) -> list[Item]:
        """All items of all tables, to prove that a text is in none of them."""
        tables = [name for name in table_names(self.names) if name]
        return [item for table in tables for item in self._scan(table)]

    def lineage(self) -> list[Item]:
        """All of LineageTable."""
        return self._scan(self.names.lineage)

    def frontier(self, *, index: str | None = None) -> list[Item]:
        """All rows of the frontier, or what one of its indexes has of them."""
        return self._scan(self.names.frontier, **({"IndexName": index} if index else {}))

    def state(self) -> list[Item]:
        """All rows of StateTable."""
        return self._scan(self.names.state)

    def claims(self, prefix: str) -> dict[tuple[str, str], str]:
        """The claims: SUBURL# or SUBFEED# by (tenant_id, the rest of the key) -> subscription_id."""
        found = [item for item in self._scan(self.names.tenants) if item["sk"].startswith(prefix)]
        return {(item["tenant_id"], item["sk"].removeprefix(prefix)): item["subscription_id"] for item in found}

    def indexed(self, index: str, attribute: str, value: str | int, *, table: str | None = None) -> list[Item]:
        """The items of an index of FeedsTable, or of another table, for one value of its partition attribute."""
        page = self._client.query(
            TableName=table or self.names.feeds,
            IndexName=index,
            KeyConditionExpression="#a = :v",
            ExpressionAttributeNames={"#a": attribute},
            ExpressionAttributeValues=encode({":v": value}),
        )
        return list(map(decode, page["Items"]))

    def put_url(self, **row: Any) -> None:
        """Write a row of the registry, past the store."""
        self._client.put_item(TableName=self.names.urls, Item=encode(row))

    def put_item(self, table: str, item: Item) -> None:
        """Write an item of a table (`sites`, `state`), past the stores."""
        self._client.put_item(TableName=getattr(self.names, table), Item=encode(item))

    def put_feed_item(self, **item: Any) -> None:
        """Write an item of FeedsTable, past the store."""
        self._client.put_item(TableName=self.names.feeds, Item=encode(item))

    def put_items(self, table: str, items: Sequence[Item]) -> None:
        """Write many items of a table (`feeds`, `frontier`), past the stores."""
        for start in range(0, len(items), _WRITTEN_AT_ONCE):
            puts = [{"PutRequest": {"Item": encode(item)}} for item in items[start : start + _WRITTEN_AT_ONCE]]
            self._client.batch_write_item(RequestItems={getattr(self.names, table): puts})

    def put_row(self, **row: Any) -> None:
        """Write a row of the frontier, past the store; its runs as a list."""
        self._client.put_item(TableName=self.names.frontier, Item=encode(row))

    def forget(self, feed_id: str) -> None:
        """Delete FEED, past the store."""
        self._client.delete_item(TableName=self.names.feeds, Key=encode({"feed_id": feed_id, "sk": "FEED"}))

    def faults_of_form(self) -> list[str]:
        """Violations of rule I3: aliases to nowhere, tombstones that do not point to a smaller id, or that are still
        due.
        """
        feeds = self.feeds()
        faults = [f"alias to nowhere: {row}" for row in self.urls().values() if row.get("feed_id", "") not in feeds]
        for feed_id, feed in feeds.items():
            into = feed.get("merged_into")
            if into is None:
                continue
            if not (into in feeds and into < feed_id):
                faults.append(f"tombstone {feed_id} points to {into}")
            if {"due_shard", "next_check_at", "slot", "slot_from", "state_shard", "domain_shard"} & feed.keys():
                faults.append(f"tombstone {feed_id} is on a list")
        return faults

    def faults_of_subscriptions(self) -> list[str]:
        """Violations of uniqueness: claims and subscriptions that do not represent each other, two to one feed."""
        subs = {(item["tenant_id"], item["sk"].removeprefix("SUB#")): item for item in self.subscriptions()}
        holders = {
            (tenant, item["feed_id"]): subscription_id
            for (tenant, subscription_id), item in subs.items()
            if item["status"] == "ready" and "duplicate_of" not in item
        }
        faults = [] if self.claims("SUBFEED#") == holders else [f"{self.claims('SUBFEED#')} is not {holders}"]
        urls = {(tenant, item["url_hash"]): subscription_id for (tenant, subscription_id), item in subs.items()}
        faults += [] if self.claims("SUBURL#") == urls else [f"{self.claims('SUBURL#')} is not {urls}"]
        singles = [item for item in subs.values() if item["status"] == "ready" and "duplicate_of" not in item]
        faults += [] if len(singles) == len(holders) else ["two subscriptions of one tenant to one feed"]
        for (tenant, subscription_id), item in subs.items():
            if "duplicate_of" in item and subs.get((tenant, item["duplicate_of"]), {}).get("status") != "ready":
                faults.append(f"{subscription_id} duplicates nothing")
            if (item["status"] == "pending") != ("settled_at" not in item):
                faults.append(f"{subscription_id} is {item['status']}")
        return faults

    def _scan(self, table: str, **index: str) -> list[Item]:
        items: list[Item] = []
        request: dict[str, Any] = {"TableName": table, **index}
        while True:
            page = self._client.scan(**request)
            items += map(decode, page["Items"])
            if not page.get("LastEvaluatedKey"):
                return items
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
