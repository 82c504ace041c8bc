"""A directory in memory whose feeds are checked as in the health check, starting from the text of its messages.

The adapters, the guarded fetch and its sockets are the real ones. Only DynamoDB is in memory, names lead to loopback,
and the bus and the queue accept everything and keep nothing, so that any growth is ours.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Self, cast

from bench.checks_server import START
from feedward.adapters.dynamodb.feeds.checks import DynamoCheckStore
from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves
from feedward.adapters.dynamodb.feeds.outbox import DynamoOutbox
from feedward.adapters.dynamodb.feeds.sweep_store import DynamoSlotStore, DynamoSweepStore
from feedward.adapters.dynamodb.state.begun_tasks import DynamoBegunTasks
from feedward.adapters.dynamodb.state.check_counts import DynamoCheckCounts
from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter
from feedward.adapters.dynamodb.state.move_observations import DynamoMoveObservations
from feedward.adapters.dynamodb.state.outages import DynamoOutages
from feedward.adapters.dynamodb.store.codec import encode
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.tenants.subscriptions import DynamoSubscriptions
from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.adapters.fetching.resolver import Endpoint
from feedward.deadline import Deadline
from feedward.health.due_feed import DueFeed, HealthMessage
from feedward.messages.health_event import decode_batch
from feedward.messages.partial_batch import Received
from feedward.model import OutboxEntry
from feedward.ports.keys import NO_TENANTS
from feedward.ports.work import Message
from feedward.scheduling.messages import ENTRIES_AT_MOST
from feedward.scheduling.slots import Slot
from feedward.services.check.check_batch import BatchReport, check_batch
from feedward.services.check.ports import CheckBatchPorts, CheckPorts
from feedward.ulid import derived_ulid
from feedward.urls.key import url_hash
from tests.fakes.dynamodb import InMemoryDynamoDB
from tests.template_tables import create_tables

MESSAGES_A_BATCH = 5  # as the event source of the template gives them
FEEDS_A_BATCH = MESSAGES_A_BATCH * ENTRIES_AT_MOST
WITHIN_S = 58.0
HOUR = 3600


class ForgetfulDynamoDB(InMemoryDynamoDB):
    """Expires data as a table does: rows after their time to live, and the tokens of transactions."""

    def forget(self, table: str, now: int) -> None:
        """Delete the data that DynamoDB would have expired by now. Not while other threads read."""
        self._done.clear()
        for item in self.scan(TableName=table)["Items"]:
            if int(item.get("expires_at", {}).get("N", now)) < now:
                self.delete_item(TableName=table, Key={name: item[name] for name in self._tables[table].keys})


class BenchClock:
    """ports.Clock: the machine's time, plus the skipped hours."""

    def __init__(self) -> None:
        self._began, self.skipped = time.monotonic(), 0

    def now(self) -> int:
        """See Clock."""
        return self.now_ms() // 1000

    def now_ms(self) -> int:
        """See Clock."""
        return int((START + 10 * HOUR + self.skipped + time.monotonic() - self._began) * 1000)

    def monotonic(self) -> float:
        """See Clock."""
        return time.monotonic()


class AllOnLoopback:
    """A Resolver that sends every host to one port of loopback."""

    def __init__(self, port: int) -> None:
        self._port = port

    def resolve(self, host: str, port: int, *, within_s: float) -> Sequence[Endpoint]:  # noqa: ARG002
        """See Resolver."""
        return [Endpoint("127.0.0.1", self._port)]


class TakesAll:
    """ports.EventBus and ports.WorkQueue: accepts all, and counts it."""

    def __init__(self) -> None:
        self.events = self.messages = 0

    def within(self, _: Deadline) -> Self:
        """See Bounded: it takes no time."""
        return self

    def publish(self, events: Sequence[OutboxEntry]) -> Sequence[OutboxEntry]:
        """See EventBus."""
        self.events += len(events)
        return events

    def send_batch(self, messages: Sequence[Message]) -> Sequence[Message]:
        """See WorkQueue."""
        self.messages += len(messages)
        return messages


class ChecksDirectory:
    """Feeds, each of its own host, by behaviour (see checks_server)."""

    def __init__(self, port: int, behaviours: Sequence[str]) -> None:
        self._client = ForgetfulDynamoDB()
        self._names = create_tables(self._client)
        self._checks = DynamoCheckStore(Tables(cast("Any", self._client), self._names))
        self.clock, self.told = BenchClock(), TakesAll()
        self.ports = self._make_parts(port)
        self.feed_ids = [self._put_feed(number, behaviour) for number, behaviour in enumerate(behaviours)]

    def batches(self) -> list[list[str]]:
        """Advance the clock by an hour, and return messages with all feeds in their current state, by batch."""
        self.clock.skipped += HOUR
        self._client.forget(self._names.state, self.clock.now())
        due = [self.due(feed_id) for feed_id in self.feed_ids]
        sent_at = self.clock.now()
        texts = [
            HealthMessage(entries=tuple(due[start : start + ENTRIES_AT_MOST]), sent_at=sent_at).to_text()
            for start in range(0, len(due), ENTRIES_AT_MOST)
        ]
        return [texts[start : start + MESSAGES_A_BATCH] for start in range(0, len(texts), MESSAGES_A_BATCH)]

    def due(self, feed_id: str) -> DueFeed:
        """The feed in its current state."""
        found = self._checks.due_feed(feed_id)
        assert found is not None
        return found

    def check(self, texts: Sequence[str]) -> BatchReport:
        """Check a batch as the health check does."""
        return check_batch(
            decode_batch([Received(body=text) for text in texts]).readable, ports=self.ports, within_s=WITHIN_S
        )

    def _make_parts(self, port: int) -> CheckBatchPorts:
        client: Any = self._client
        names = self._names
        fetcher = GuardedFetcher(resolver=AllOnLoopback(port), address_policy=lambda address: address == "127.0.0.1")
        check = CheckPorts(
            fetcher=fetcher,
            store=self._checks,
            observations=DynamoMoveObservations(Tables(client, names)),
            moves=DynamoFeedMoves(Tables(client, names)),
            outbox=DynamoOutbox(Tables(client, names)),
            bus=self.told,
            subscriptions=DynamoSubscriptions(Tables(client, names)),
            clock=self.clock,
        )
        return CheckBatchPorts(
            check=check,
            sweeps=DynamoSweepStore(Tables(client, names)),
            slots=DynamoSlotStore(Tables(client, names)),
            outages=DynamoOutages(Tables(client, names)),
            limiter=DynamoHostLimiter(Tables(client, names)),
            begun=DynamoBegunTasks(Tables(client, names)),
            counts=DynamoCheckCounts(Tables(client, names)),
            tenants=NO_TENANTS,
            queue=self.told,
        )

    def _put_feed(self, number: int, behaviour: str) -> str:
        host = f"site{number}.example"
        url = f"http://{host}/{behaviour}/site{number}.xml"
        feed_id = derived_ulid(START, url)
        item = {
            "feed_id": feed_id,
            "sk": "FEED",
            "url": url,
            "url_hash": url_hash(url),
            "host": host,
            "rev": 1,
            "state": "healthy",
            "consecutive_failures": 0,
            "slot": Slot(every=60, phase=number % 60).key,
            "slot_from": START,
        }
        self._client.put_item(TableName=self._names.feeds, Item=encode(item))
        return feed_id
