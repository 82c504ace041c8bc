"""The outbox of feeds, and the `pending` indexes of undelivered entries: ports.Outbox and ports.Pending."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import OUT_PREFIX, feed_key, job_key, out_sk, site_key
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import equals
from feedward.discovery.site import LeftJob
from feedward.model import OutboxEntry
from feedward.scheduling.shards import pending_shards

EVENT: Final = "event"


class DynamoOutbox(TableStore):
    """ports.Outbox. Thread-safe."""

    def outbox_entries(self, feed_id: str) -> Sequence[OutboxEntry]:
        """Return the feed's undelivered events, oldest first: their ids sort by time."""
        tables = self._tables
        entries = tables.query(tables.names.feeds, ("feed_id", feed_id), prefix=("sk", OUT_PREFIX))
        return [_outbox_entry(entry) for entry in entries if entry["kind"] == EVENT]

    def events_sent(self, events: Sequence[OutboxEntry]) -> None:
        """Delete these entries with their pending marks."""
        tables = self._tables
        for event in events:
            key = feed_key(event.feed_id, out_sk(event.entry_id))
            tables.delete(tables.names.feeds, key, equals("kind", EVENT))


def _outbox_entry(entry: Item) -> OutboxEntry:
    return OutboxEntry(
        feed_id=entry["feed_id"],
        entry_id=entry["sk"].removeprefix(OUT_PREFIX),
        detail_type=entry["detail_type"],
        detail=entry["detail"],
    )


class DynamoPending(TableStore):
    """ports.Pending. Thread-safe."""

    def feeds_with_outbox(self, *, before: int) -> Iterator[str]:
        """Yield the ids of feeds with outbox entries older than `before`, each once, page by page."""
        tables = self._tables
        seen: set[str] = set()
        for entry in _marked(tables, tables.names.feeds, "out", before):
            if entry["feed_id"] not in seen:
                seen.add(entry["feed_id"])
                yield entry["feed_id"]

    def left_jobs(self, *, before: int) -> Iterator[LeftJob]:
        """Yield the open jobs whose pending mark is older than `before`, page by page."""
        tables = self._tables
        for entry in _marked(tables, tables.names.sites, "job", before):
            job = tables.get(tables.names.sites, site_key(entry["site_hash"], entry["sk"]))
            if job is not None and job.get("pending_since", before) < before:
                yield LeftJob(
                    job_id=job["job_id"],
                    pending_since=job["pending_since"],
                    sent_again=job.get("sent_again", 0),
                )

    def job_sent_again(self, job: LeftJob, *, now: int) -> None:
        """Count a repeated message of the job and set its pending mark to `now`, if the mark is unchanged."""
        tables = self._tables
        tables.update(
            tables.names.sites,
            job_key(job.job_id),
            equals("pending_since", job.pending_since),
            assign={"pending_since": now, "sent_again": job.sent_again + 1},
        )


def _marked(tables: Tables, table: str, kind: str, before: int) -> Iterator[Item]:
    for shard in pending_shards(kind):
        up_to = ("pending_since", before - 1)
        yield from tables.query(table, ("pending_shard", shard), index="pending", up_to=up_to)
