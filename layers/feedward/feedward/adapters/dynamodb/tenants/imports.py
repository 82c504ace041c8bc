"""Imports of tenants: ports.ImportStore over TenantsTable, UrlsTable and FeedsTable (rule R18)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import (
    IMPORT_PREFIX,
    feed_key,
    import_sk,
    tenant_key,
)
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import Transaction, absent, both, equals, present
from feedward.adapters.dynamodb.tenants import subscribed_feeds
from feedward.adapters.dynamodb.tenants.import_items import (
    SHARDS,
    chunk_item,
    chunk_key,
    counter_key,
    counter_keys,
    end_key,
    import_item,
    import_owner,
    part_of,
    read_chunk,
    read_ended,
    read_import,
    results_of,
)
from feedward.adapters.dynamodb.tenants.known_feeds import known_feeds, read_all
from feedward.adapters.dynamodb.tenants.subscription_items import (
    claim_item,
    feed_claim_key,
    subscription_item,
    url_claim_key,
)
from feedward.errors import Conflict
from feedward.health.seeded_feed import SeededFeed
from feedward.intake.chunk_results import ChunkPlan, KnownFeeds
from feedward.intake.job import Chunk, Ended, Import
from feedward.subscriptions.subscription import Subscription


class DynamoImports(TableStore):
    """ports.ImportStore. Thread-safe."""

    # --- imports ----------------------------------------------------------------------------------

    def create(self, new: Import) -> None:
        """Write a new import."""
        transaction = Transaction()
        transaction.put(self._tables.names.tenants, import_item(replace(new, rev=1)), absent("sk"))
        if self._tables.transact(transaction):
            raise Conflict("there is an import with this id")

    def get(self, tenant_id: str | None, import_id: str) -> Import | None:
        """Return the tenant's import with its counts, or None: one batch read."""
        own = tenant_key(tenant_id, import_sk(import_id))
        found = self._tables.batch_get(self._tables.names.tenants, [own, *counter_keys(tenant_id, [import_id])])
        items = [item for item in found if item["sk"] == own["sk"]]
        return read_import(items[0], [item for item in found if item is not items[0]]) if items else None

    def page(self, tenant_id: str | None, *, before: str | None, limit: int) -> Sequence[Import]:
        """Return up to `limit` imports of the tenant, newest first, older than this id."""
        tenants = self._tables.names.tenants
        rows = self._tables.query(
            tenants,
            ("tenant_id", tenant_key(tenant_id, "")["tenant_id"]),
            prefix=("sk", IMPORT_PREFIX),
            after=tenant_key(tenant_id, import_sk(before)) if before else None,
            page_items=limit,
            newest_first=True,
        )
        found = list(islice(rows, limit))
        keys = counter_keys(tenant_id, [import_owner(row)[1] for row in found])
        counters: dict[str, list[Item]] = {}
        for counter in self._tables.batch_get(tenants, keys):
            counters.setdefault(counter["tenant_id"], []).append(counter)
        return [read_import(row, counters.get(part_of(row), ())) for row in found]

    def save(self, after: Import) -> bool:
        """Write the import. Returns False if it has changed."""
        transaction = Transaction()
        self._put_over(transaction, after)
        return not self._tables.transact(transaction)

    def add_chunks(self, after: Import, chunks: Sequence[Chunk]) -> bool:
        """Write chunks with their counts, and the import. Returns False if the import has changed."""
        transaction, tenants = Transaction(), self._tables.names.tenants
        self._put_over(transaction, after)
        counts: dict[int, int] = {}
        for chunk in chunks:
            transaction.put(tenants, chunk_item(after, chunk), absent("sk"))
            counts[chunk.shard] = counts.get(chunk.shard, 0) + len(chunk.entries)
        for shard, number in counts.items():
            key = counter_key(after.tenant_id, after.import_id, shard)
            transaction.update(tenants, key, None, add={"entries": number})
        return not self._tables.transact(transaction)

    def pending(self, *, before: int, limit: int) -> Sequence[tuple[str | None, str]]:
        """Return (tenant_id, import_id) of up to `limit` with a pending mark from `before` or earlier."""
        return list(islice(self._pending(before, limit), limit))

    def _pending(self, before: int, limit: int) -> Iterator[tuple[str | None, str]]:
        tenants = self._tables.names.tenants
        for shard in SHARDS:
            of_shard = ("pending_shard", shard)
            rows = self._tables.query(
                tenants, of_shard, index="pending", up_to=("pending_since", before), page_items=limit
            )
            yield from map(import_owner, rows)

    def _put_over(self, transaction: Transaction, after: Import) -> None:
        written = replace(after, rev=after.rev + 1)
        transaction.put(self._tables.names.tenants, import_item(written), equals("rev", after.rev))

    # --- entries ----------------------------------------------------------------------------------

    def chunk(self, tenant_id: str | None, import_id: str, number: int) -> Chunk | None:
        """Return a chunk, or None."""
        item = self._tables.get(self._tables.names.tenants, chunk_key(tenant_id, import_id, number))
        return read_chunk(item) if item else None

    def chunks(self, tenant_id: str | None, import_id: str, numbers: Iterable[int]) -> Sequence[Chunk]:
        """Return these chunks in order, without those that are not written yet."""
        keys = [chunk_key(tenant_id, import_id, number) for number in numbers]
        items = self._tables.batch_get(self._tables.names.tenants, keys)
        return sorted(map(read_chunk, items), key=lambda chunk: chunk.number)

    def ends(self, tenant_id: str | None, import_id: str, *, first: int, last: int) -> Mapping[int, Ended]:
        """Return the results of pending entries that were settled later, by number, from `first` to `last`."""
        keys = [end_key(tenant_id, import_id, number) for number in (first, last)]
        rows = self._tables.query(
            self._tables.names.tenants,
            ("tenant_id", keys[0]["tenant_id"]),
            between=("sk", keys[0]["sk"], keys[1]["sk"]),
        )
        return {int(row["sk"].rpartition("#")[2]): read_ended(row) for row in rows}

    def known(self, tenant_id: str | None, hashes: Mapping[str, str]) -> KnownFeeds:
        """Return the subscriptions and feeds of URLs."""
        return known_feeds(self._tables, tenant_id, hashes)

    def subscriptions(self, tenant_id: str | None, ids: Iterable[str]) -> Sequence[Subscription]:
        """Return the tenant's subscriptions with these ids."""
        return list(read_all(self._tables, tenant_id, ids).values())

    def end_subscriptions(self, found: Import, chunk: Chunk, plan: ChunkPlan, *, is_told: bool) -> bool:
        """Write a plan with the results and their counts in one transaction. Returns False if anything has changed."""
        transaction, tenants = (
            _end_of(self._tables, found, chunk, plan.ended, is_told=is_told),
            self._tables.names.tenants,
        )
        for new in plan.new.values():
            # The claim guards the subscription, whose id is this entry's own.
            transaction.put(tenants, claim_item(url_claim_key(new), new), absent("sk"))
            transaction.put(tenants, subscription_item(replace(new, rev=1)))
        for feed_id, holder in plan.claimed.items():
            own = plan.new[holder]
            transaction.put(tenants, claim_item(feed_claim_key(replace(own, feed_id=feed_id)), own), absent("sk"))
        for changed in plan.changed.values():
            subscribed_feeds.put_over(transaction, tenants, changed)
        for feed_id in plan.live:
            live = both(present("sk"), absent("merged_into"))
            transaction.check(self._tables.names.feeds, feed_key(feed_id), live)
        return not self._tables.transact(transaction)

    def end_seeds(
        self, found: Import, chunk: Chunk, ended: Sequence[Ended], feeds: Sequence[SeededFeed], *, is_told: bool
    ) -> bool:
        """Do the same with new feeds of the shared directory."""
        from feedward.adapters.dynamodb.feeds.seeded_feeds import put_seeded  # noqa: PLC0415 - most imports have none

        transaction = _end_of(self._tables, found, chunk, ended, is_told=is_told)
        for feed in feeds:
            put_seeded(transaction, self._tables, feed)
        return not self._tables.transact(transaction)

    def told(self, found: Import, chunk: Chunk) -> None:
        """Store that the events of the chunk were sent, once."""
        transaction, tenants = Transaction(), self._tables.names.tenants
        key = chunk_key(found.tenant_id, found.import_id, chunk.number)
        transaction.update(tenants, key, absent("told"), assign={"told": True})
        counter = counter_key(found.tenant_id, found.import_id, chunk.shard)
        transaction.update(tenants, counter, None, add={"told": 1})
        self._tables.transact(transaction)


def _end_of(tables: Tables, found: Import, chunk: Chunk, ended: Sequence[Ended], *, is_told: bool) -> Transaction:
    """Return the transaction that ends the next entries of a chunk, if no other worker has."""
    transaction, tenants = Transaction(), tables.names.tenants
    key = chunk_key(found.tenant_id, found.import_id, chunk.number)
    results = results_of([*chunk.results, *ended]) | ({"told": True} if is_told else {})
    transaction.update(tenants, key, equals("done", len(chunk.results)), assign=results)
    counts: dict[str, int] = {"told": 1} if is_told else {}
    for each in ended:
        counts[each.result.value] = counts.get(each.result.value, 0) + 1
    transaction.update(tenants, counter_key(found.tenant_id, found.import_id, chunk.shard), None, add=counts)
    return transaction
