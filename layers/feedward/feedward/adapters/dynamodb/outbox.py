"""What feeds owe to the bus: ports.Outbox over the OUT items of FeedsTable (design section 3, I7)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from feedward.adapters.dynamodb.backoff import Backoff
from feedward.adapters.dynamodb.codec import Item
from feedward.adapters.dynamodb.keys import OUT_PREFIX, TableNames, feed_key, out_sk
from feedward.adapters.dynamodb.tables import Tables
from feedward.adapters.dynamodb.transaction import equals
from feedward.model import OwedEvent

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

EVENT: Final = "event"


class DynamoOutbox:
    """ports.Outbox. One object serves all threads."""

    def __init__(
        self,
        client: DynamoDBClient,
        names: TableNames,
        backoff: Backoff | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tables = Tables(client, names, backoff, monotonic)

    def owed_events(self, feed_id: str, *, within_s: float | None = None) -> Sequence[OwedEvent]:
        """Return the feed's unsent events, oldest first: their ids sort by time."""
        tables = self._tables.within(within_s)
        entries = tables.query(tables.names.feeds, ("feed_id", feed_id), prefix=("sk", OUT_PREFIX))
        return [_owed(entry) for entry in entries if entry["kind"] == EVENT]

    def events_sent(self, events: Sequence[OwedEvent], *, within_s: float | None = None) -> None:
        """Cross these events out, with their pending marks."""
        tables = self._tables.within(within_s)
        for event in events:
            key = feed_key(event.feed_id, out_sk(event.entry_id))
            tables.delete(tables.names.feeds, key, equals("kind", EVENT))


def _owed(entry: Item) -> OwedEvent:
    return OwedEvent(
        feed_id=entry["feed_id"],
        entry_id=entry["sk"].removeprefix(OUT_PREFIX),
        detail_type=entry["detail_type"],
        detail=entry["detail"],
    )
