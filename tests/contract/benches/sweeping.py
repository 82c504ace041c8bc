"""Parts of the tests of the sweep: a directory with its queue, a clock, and a sweeper with a lifespan."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.feeds.sweep_store import DynamoSweepStore
from feedward.adapters.dynamodb.store.codec import Item, decode
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.sqs import SqsWorkQueue
from feedward.health.due_feed import HealthMessage
from feedward.services.sweep.repair import RepairReport, repair
from feedward.services.sweep.sweep import SweepReport, sweep
from tests.fakes.directory import FakeClock
from tests.fakes.dynamodb_faults import Died
from tests.fakes.feed_store import PATIENT
from tests.fakes.lifespan import Lifespan, Mortal

if TYPE_CHECKING:
    from tests.contract.conftest import Bench


@dataclass
class Sweeping:
    """A directory to sweep: its tables, its queue, a clock, and the lifespan of the sweeper."""

    bench: Bench
    sqs: Any
    queue_url: str
    received: Callable[[], list[HealthMessage]]
    clock: FakeClock
    lifespan: Lifespan

    def sweep(self, *, within_s: float = 50, backoff: Backoff = PATIENT) -> SweepReport:
        store = DynamoSweepStore(
            Tables(
                Mortal(self.bench.faults, self.lifespan),  # type: ignore[arg-type]
                self.bench.contents.names,
                backoff,
            ),
        )
        client: Any = Mortal(self.sqs, self.lifespan)
        queue = SqsWorkQueue(client, self.queue_url, backoff)
        return sweep(store=store, queue=queue, clock=self.clock, within_s=within_s)

    def repair(self) -> RepairReport:
        store = DynamoSweepStore(Tables(self.bench.faults, self.bench.contents.names, PATIENT))  # type: ignore[arg-type]
        return repair(store=store, clock=self.clock)

    def received_feeds(self) -> Counter[str]:
        return Counter(feed.feed_id for message in self.received() for feed in message.entries)

    def rows(self) -> list[Item]:
        client: Any = self.bench.faults
        return [decode(row) for row in client.scan(TableName=self.bench.contents.names.state)["Items"]]


class Recording:
    """A queue that records its messages."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.taken: list[str] = []

    def send_message_batch(self, **request: Any) -> Any:
        answer = self._client.send_message_batch(**request)
        bodies = {entry["Id"]: entry["MessageBody"] for entry in request["Entries"]}
        self.taken += [bodies[sent["Id"]] for sent in answer["Successful"]]
        return answer


class DiesAfterSending:
    """A queue whose sender is killed before it gets the answer."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def send_message_batch(self, **request: Any) -> Any:
        self._client.send_message_batch(**request)
        raise Died


class AnyOrder:
    """An index that returns the feeds of one second in any order, as it may."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def __getattr__(self, operation: str) -> Any:
        return getattr(self._client, operation)

    def query(self, **request: Any) -> Any:
        if request.get("IndexName") != "due":
            return self._client.query(**request)
        start = request.pop("ExclusiveStartKey", None)
        self._client.page_items = 10**6
        found = sorted(self._client.query(**request | {"Limit": 10**6})["Items"], key=self._place)
        left = [item for item in found if start is None or self._place(item) > self._place(start)]
        more = {"LastEvaluatedKey": left[2]} if len(left) > 3 else {}
        return {"Items": left[:3], **more}

    @staticmethod
    def _place(item: Any) -> tuple[int, str]:
        return int(item["next_check_at"]["N"]), hashlib.sha256(item["feed_id"]["S"].encode()).hexdigest()
