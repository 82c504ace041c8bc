"""A frontier in memory whose runs are processed as in the collect function, starting from the text of its messages.

The adapters, the guarded fetch and its sockets are the real ones; only DynamoDB and S3 are in memory, names lead to
loopback, and the queue is a list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Self

from bench.checks_directory import AllOnLoopback, BenchClock
from feedward.access.caller import SELF_HOSTED
from feedward.adapters.dynamodb.frontier.frontier_store import DynamoFrontierStore
from feedward.adapters.dynamodb.lineage.lineage_store import DynamoLineageStore
from feedward.adapters.dynamodb.state.begun_tasks import DynamoBegunTasks
from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter
from feedward.adapters.dynamodb.state.robots import DynamoRobotsStore
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.frontier.settings import FrontierSettings
from feedward.lineage.run import Run, RunStatus
from feedward.messages.collect_event import decode_batch
from feedward.messages.partial_batch import Received
from feedward.ports.keys import NO_TENANTS
from feedward.ports.work import Message
from feedward.services.collect.collect_batch import CollectReport, collect_batch
from feedward.services.collect.ports import CollectPorts
from feedward.services.collect.read_lineage import find_run
from feedward.services.collect.run_jobs import run_job_step
from feedward.services.collect.start_run import start_run
from tests.fakes.bodies import FakeBodies
from tests.fakes.dynamodb import InMemoryDynamoDB
from tests.fakes.uncharged import Uncharged
from tests.template_tables import create_tables

MESSAGES_A_BATCH = 5  # as the event source of the template gives them
WITHIN_S = 290.0
DAY = 24 * 3600
NO_PAUSE = FrontierSettings(host_pause_s=0.0, respect_robots=True)


class Counted:
    """A DynamoDB client that counts its calls by name."""

    def __init__(self, client: Any, calls: Counter[str]) -> None:
        self._client, self._calls = client, calls

    def __getattr__(self, operation: str) -> Any:
        method = getattr(self._client, operation)

        def call(**request: Any) -> Any:
            self._calls[operation] += 1
            return method(**request)

        return call


class Waiting:
    """ports.WorkQueue: keeps the sent messages as texts."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def within(self, _: Any) -> Self:
        """See Bounded: it takes no time."""
        return self

    def send_batch(self, messages: Sequence[Message]) -> Sequence[Message]:
        """See WorkQueue."""
        self.texts += [message.to_text() for message in messages]
        return messages

    def take(self) -> list[str]:
        """The messages of one batch; empty if none remain."""
        taken, self.texts = self.texts[:MESSAGES_A_BATCH], self.texts[MESSAGES_A_BATCH:]
        return taken


class CollectWorld:
    """An empty frontier over a server at a loopback port.

    `client` replaces the DynamoDB in memory. `calls` counts its calls by name.
    """

    def __init__(self, port: int, *, client: Any = None, prefix: str = "") -> None:
        if client is None:
            client = InMemoryDynamoDB()
            client.page_items = 1000  # as few pages as DynamoDB needs
        names = create_tables(client, prefix=prefix)
        self.calls: Counter[str] = Counter()
        self.queue, self.clock = Waiting(), BenchClock()
        counted: Any = Counted(client, self.calls)
        fetcher = GuardedFetcher(resolver=AllOnLoopback(port), address_policy=lambda address: address == "127.0.0.1")
        self.ports = CollectPorts(
            fetcher=fetcher,
            frontier=DynamoFrontierStore(Tables(counted, names)),
            lineage=DynamoLineageStore(Tables(counted, names)),
            bodies=FakeBodies(),
            queue=self.queue,
            robots=DynamoRobotsStore(Tables(counted, names)),
            limiter=DynamoHostLimiter(Tables(counted, names)),
            charges=Uncharged(),
            tenants=NO_TENANTS,
            begun=DynamoBegunTasks(Tables(counted, names)),
            clock=self.clock,
            settings=NO_PAUSE,
        )

    def run(self, urls: Sequence[str]) -> tuple[Run, list[CollectReport]]:
        """Start a run and process it. Raises RuntimeError if any step failed."""
        started = start_run(SELF_HOSTED, urls=urls, ports=self.ports)
        reports: list[CollectReport] = []
        while texts := self.queue.take():
            reports.append(self._work(texts))
            if any(reports[-1].failures) or reports[-1].left or reports[-1].again or reports[-1].waiting:
                raise RuntimeError(f"a batch failed: {reports[-1]}")
        run = find_run(SELF_HOSTED, started.run.run_id, ports=self.ports)
        if run.status is not RunStatus.DONE or run.counters.dead or started.refused:
            raise RuntimeError(f"the run failed: {run} {started.refused[:1]}")
        return run, reports

    def _work(self, texts: Sequence[str]) -> CollectReport:
        no_rekeys: Any = None
        return collect_batch(
            decode_batch([Received(body=text) for text in texts]).readable,
            ports=self.ports,
            do_job=lambda message, left_s: run_job_step(message, ports=self.ports, rekeys=no_rekeys, within_s=left_s),
            within_s=WITHIN_S,
        )
