"""The collect function over a frontier in memory: woken by its schedules, and by its queue."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from feedward import bootstrap
from feedward.adapters.dynamodb.frontier.frontier_store import DynamoFrontierStore
from feedward.adapters.dynamodb.frontier.sweep_store import DynamoRowSweepStore
from feedward.adapters.dynamodb.lineage.lineage_store import DynamoLineageStore
from feedward.adapters.dynamodb.registry.rekey import DynamoRekeyStore
from feedward.adapters.dynamodb.state.begun_tasks import DynamoBegunTasks
from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter
from feedward.adapters.dynamodb.state.robots import DynamoRobotsStore
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.tenants.imports import DynamoImports
from feedward.frontier.messages import CollectMessage
from tests.fakes.directory import SETTINGS
from tests.fakes.event_bus import FakeEventBus
from tests.fakes.feed_store import PATIENT
from tests.fakes.import_files import FakeImportFiles
from tests.fakes.uncharged import Uncharged
from tests.functions.conftest import LambdaContext, load_function, read_event
from tests.unit.services.collect.collecting import Collecting


class CollectFunction(Collecting):
    """The function, and its frontier. `wrap` returns the client to use in place of the tables' client."""

    def __init__(
        self,
        network: Mapping[str, Mapping[str, Any]],
        *,
        log: io.StringIO | None = None,
        wrap: Callable[[Any], Any] = lambda client: client,
        **members: Any,
    ) -> None:
        super().__init__(network, **members)
        self.log = log or io.StringIO()
        self.context = LambdaContext(remaining_ms=90_000, function_name="collect")
        self.client = wrap(self.feeds.faults)
        tables = Tables(self.client, self.names, PATIENT)
        self.ports = replace(
            self.ports,
            frontier=DynamoFrontierStore(tables, url_policy=self.ports.url_policy),
            lineage=DynamoLineageStore(tables),
            robots=DynamoRobotsStore(tables),
            limiter=DynamoHostLimiter(tables),
            begun=DynamoBegunTasks(tables),
        )
        self.sweeps = DynamoRowSweepStore(tables)
        self.rekeys = DynamoRekeyStore(tables)
        self.imports = DynamoImports(tables)
        self.import_files, self.bus = FakeImportFiles(), FakeEventBus()
        self.handler = load_function("collect").make_handler(self.services)

    @property
    def names(self) -> Any:
        """The names of the tables."""
        return self.feeds.contents.names

    def services(self) -> bootstrap.Services:
        """The same in the form of the function."""
        return bootstrap.Services(
            SETTINGS,
            charges=Uncharged(),
            fetcher=self.ports.fetcher,
            store=self.feeds,
            clock=self.clock,
            sleep=self.clock.advance,
            collect=self.ports,
            row_sweeps=self.sweeps,
            rekeys=self.rekeys,
            imports=self.imports,
            import_files=self.import_files,
            frontier_queue=self.queue,
            bus=self.bus,
        )

    @property
    def log_lines(self) -> list[dict[str, Any]]:
        """The log lines."""
        return [json.loads(line) for line in self.log.getvalue().splitlines()]

    def logged(self, message: str) -> list[dict[str, Any]]:
        """The log lines with this message."""
        return [line for line in self.log_lines if line.get("message") == message]

    def do(self, task: str) -> dict[str, Any]:
        """Wake it as its schedule does; the task's report."""
        return dict(self.handler(read_event(f"schedule_frontier_{task}"), self.context))

    def taken(self) -> list[str]:
        """Take the sent messages from the queue, as texts."""
        return [message.to_text() for message in self.queue.take()]

    def deliver(self, *texts: str) -> list[str]:
        """Deliver messages in one batch, and return the ids (`0`, `1` ...) of those to deliver again."""
        (sample,) = read_event("sqs_frontier_rows")["Records"]
        records = [sample | {"messageId": str(number), "body": text} for number, text in enumerate(texts)]
        answer = self.handler({"Records": records}, self.context)
        return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]

    def deliver_all(self) -> None:
        """Deliver the messages of the queue, and those that they send, until none is left; no message may fail."""
        while texts := self.taken():
            for start in range(0, len(texts), 10):
                assert self.deliver(*texts[start : start + 10]) == []

    def message(self, *rows: Any, **members: Any) -> str:
        """A message with these rows in their current state."""
        stored = tuple(self.row(each if isinstance(each, str) else each.row_id) for each in rows)
        return CollectMessage(entries=stored, sent_at=self.clock.now(), **members).to_text()
