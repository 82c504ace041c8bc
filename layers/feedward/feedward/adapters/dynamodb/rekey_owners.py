"""Whom an outdated row of the registry finds, and how an owner is given its new hash, under its revision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from feedward.adapters.dynamodb.codec import Item
from feedward.adapters.dynamodb.errors import Refusal
from feedward.adapters.dynamodb.keys import feed_key, row_key
from feedward.adapters.dynamodb.lookup import live_feed
from feedward.adapters.dynamodb.tables import Tables
from feedward.adapters.dynamodb.transaction import both, equals
from feedward.errors import Conflict
from feedward.urls.rekey import OutdatedUrl, Owner

_ATTRIBUTES: Final = ("url", "url_hash", "owner", "rev")
_ROUNDS: Final = 8


def with_owners(tables: Tables, rows: Sequence[Item]) -> list[OutdatedUrl]:
    """Return rows of the registry with whom they find, read in batches; merged feeds are those that they went into."""
    feeds = _feeds(tables, {row["feed_id"] for row in rows if "feed_id" in row})
    found = _frontier_rows(tables, {row["row_id"] for row in rows if "row_id" in row})
    return [
        OutdatedUrl(
            url_hash=row["url_hash"],
            url=row["url"],
            key_version=row["key_version"],
            feed=feeds.get(row.get("feed_id", "")),
            row=found.get(row.get("row_id", "")),
        )
        for row in rows
    ]


def give_hash(tables: Tables, kind: str, owner: Owner, url_hash: str) -> None:
    """Set an owner's own hash, if it is still the one that was seen; who has another by now keeps that.

    Raises Conflict where the owner's URL is another one under the old hash, or where its revision kept moving.
    """
    table, key = _place(tables, kind, owner)
    seen = owner
    for _ in range(_ROUNDS):
        answer = tables.update(
            table,
            key,
            both(equals("rev", seen.rev), equals("url_hash", seen.url_hash)),
            assign={"url_hash": url_hash},
            increment=("rev",),
        )
        if not isinstance(answer, Refusal) or answer.item is None or answer.item["url_hash"] != owner.url_hash:
            return
        seen = replace(seen, rev=answer.item["rev"], url=answer.item["url"])
        if seen.url != owner.url:
            break
    raise Conflict(f"the URL of {kind} {owner.owner_id} kept changing")


def _place(tables: Tables, kind: str, owner: Owner) -> tuple[str, dict[str, str]]:
    if kind == "feed":
        return tables.names.feeds, feed_key(owner.owner_id)
    return tables.names.frontier, row_key(owner.owner_id)


def _feeds(tables: Tables, feed_ids: Iterable[str]) -> Mapping[str, Owner]:
    items = _batch(tables, tables.names.feeds, "feed_id", feed_ids, feed_key, "merged_into")
    live = {feed_id: live_feed(tables, feed_id) if "merged_into" in item else item for feed_id, item in items.items()}
    return {feed_id: _owner(item, "feed_id") for feed_id, item in live.items() if item}


def _frontier_rows(tables: Tables, row_ids: Iterable[str]) -> Mapping[str, Owner]:
    items = _batch(tables, tables.names.frontier, "row_id", row_ids, row_key)
    return {row_id: _owner(item, "row_id") for row_id, item in items.items()}


def _batch(
    tables: Tables, table: str, name: str, ids: Iterable[str], key: Callable[[str], dict[str, str]], *more: str
) -> dict[str, Item]:
    items = tables.batch_get(table, [key(each) for each in sorted(ids)], (name, *_ATTRIBUTES, *more))
    return {item[name]: item for item in items}


def _owner(item: Item, name: str) -> Owner:
    return Owner(
        owner_id=item[name],
        url=item["url"],
        url_hash=item["url_hash"],
        rev=item["rev"],
        scope=item.get("owner") or "",
    )
