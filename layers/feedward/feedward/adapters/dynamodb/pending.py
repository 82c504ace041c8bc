"""What is marked as owed in FeedsTable and SitesTable: ports.Pending over their `pending` indexes (I7).

The indexes hold keys only. What they show may be paid already, which who pays again finds out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from feedward.adapters.dynamodb.backoff import Backoff
from feedward.adapters.dynamodb.codec import Item
from feedward.adapters.dynamodb.keys import TableNames, job_key, site_key
from feedward.adapters.dynamodb.tables import Tables
from feedward.adapters.dynamodb.transaction import equals
from feedward.discovery.site import LeftJob
from feedward.health.schedule import pending_shards

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoPending:
    """ports.Pending. One object serves all threads."""

    def __init__(
        self,
        client: DynamoDBClient,
        names: TableNames,
        backoff: Backoff | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tables = Tables(client, names, backoff, monotonic)

    def owing_feeds(self, *, before: int, within_s: float | None = None) -> Iterator[str]:
        """Yield the ids of feeds that owe something since before then, each once, page by page."""
        tables = self._tables.within(within_s)
        seen: set[str] = set()
        for entry in _marked(tables, tables.names.feeds, "out", before):
            if entry["feed_id"] not in seen:
                seen.add(entry["feed_id"])
                yield entry["feed_id"]

    def left_jobs(self, *, before: int, within_s: float | None = None) -> Iterator[LeftJob]:
        """Yield the open jobs whose mark is from before then, page by page."""
        tables = self._tables.within(within_s)
        for entry in _marked(tables, tables.names.sites, "job", before):
            job = tables.get(tables.names.sites, site_key(entry["site_hash"], entry["sk"]))
            if job is not None and job.get("pending_since", before) < before:
                yield LeftJob(
                    job_id=job["job_id"],
                    pending_since=job["pending_since"],
                    sent_again=job.get("sent_again", 0),
                )

    def job_sent_again(self, job: LeftJob, *, now: int, within_s: float | None = None) -> None:
        """Count a message that was sent for the job and set its mark to now, if nobody took it up meanwhile."""
        tables = self._tables.within(within_s)
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
