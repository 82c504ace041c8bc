"""Many collecting workers over one store: a queue that delivers twice, and workers that are killed at any call."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.access.key_store import DynamoKeyStore
from feedward.adapters.dynamodb.frontier.frontier_store import DynamoFrontierStore
from feedward.adapters.dynamodb.frontier.sweep_store import DynamoRowSweepStore
from feedward.adapters.dynamodb.lineage.lineage_store import DynamoLineageStore
from feedward.adapters.dynamodb.state.begun_tasks import DynamoBegunTasks
from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter
from feedward.adapters.dynamodb.state.robots import DynamoRobotsStore
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.frontier.messages import JobMessage, read_message
from feedward.ports.work import Message
from feedward.scheduling.messages import json_object
from feedward.services.collect.collect_batch import collect_batch
from feedward.services.collect.ports import CollectPorts
from feedward.services.collect.run_jobs import run_job_step
from feedward.services.sweep.sweep import sweep_due
from tests.fakes.bodies import FakeBodies
from tests.fakes.collecting import UNHURRIED
from tests.fakes.directory import FakeClock
from tests.fakes.dynamodb_faults import FOR_EVER, Died
from tests.fakes.fetcher import FakeFetcher
from tests.fakes.uncharged import Uncharged
from tests.frontier_contents import FrontierContents
from tests.lineage_contents import LineageContents

if TYPE_CHECKING:
    from tests.contract.conftest import Bench

THREADS = 24
IN_HAND_AT_MOST = 2
# How often a message comes again before the test ends: it is no worker's death then.
AGAIN_AT_MOST = 100


class Workers:
    """24 workers on one store, and their collected pages. `killed` counts the calls at which processes were killed."""

    def __init__(self, bench: Bench, network: Mapping[str, Mapping[str, Any]], *, seed: int = 1) -> None:
        self.internet = FakeFetcher(network)
        self.frontier = FrontierContents(bench.contents)
        self.lineage = LineageContents(bench.contents)
        self.bodies = FakeBodies()
        self.clock = FakeClock()
        self.draw = random.Random(seed)
        self.queue = TwiceQueue(self.draw)
        self.killed: Counter[str] = Counter()
        self._client: Any = bench.faults
        self._names = bench.contents.names
        self.ports = self._parts_of(Life())

    def lead_to(self, network: Mapping[str, Mapping[str, Any]]) -> None:
        """Replace the internet from now on."""
        self.internet.network = FakeFetcher(network).network

    def work_off(self, *, lives: int | None = None, twice: bool = False) -> None:
        """Run all workers until the queue is empty and no message is in flight.

        `lives`: how many calls a process makes on average before it is killed, and another takes its place.
        """
        self.queue.times = 2 if twice else 1
        self.queue.deliver_again()
        if self.queue.is_empty:
            return
        barrier = threading.Barrier(THREADS)

        def work() -> None:
            process = self._process(lives)
            barrier.wait()
            while (texts := self.queue.take()) is not None:
                if not self._works(process, texts):
                    process = self._process(lives)

        with ThreadPoolExecutor(THREADS) as pool:
            for done in [pool.submit(work) for _ in range(THREADS)]:
                done.result()

    def sweep(self) -> None:
        """Entries of a killed worker without a message are found when they are due, and processed."""
        self.clock.advance(300)
        for _ in range(10):
            if not self.frontier.due():
                return
            client: Any = self._client
            store = DynamoRowSweepStore(Tables(client, self._names, Backoff(attempts=12)))
            ports = self._parts_of(Life())
            sweep_due(ports.pace, store=store, queue=self.queue, clock=self.clock, within_s=60.0)
            self.work_off()
            self.clock.advance(300)

    def _process(self, lives: int | None) -> Process:
        """A new process, which makes about so many calls: some make few, and some enough for any message."""
        calls = FOR_EVER if lives is None else 1 + int(self.draw.expovariate(1 / lives))
        life = Life(calls, self.draw.random() < 0.5)
        return Process(life, self._parts_of(life))

    def _works(self, process: Process, texts: Sequence[str]) -> bool:
        """Process messages. Entries that were not finished, or not acknowledged before a kill, are delivered again.

        False if the process was killed.
        """
        again: Sequence[str] = texts
        try:
            report = collect_batch(
                [read_message(json_object(text)) for text in texts],
                ports=process.ports,
                do_job=lambda message, left_s: _do_job(message, process.ports, left_s),
                within_s=600.0,
            )
            process.life.check()
            again = [text for text, failure in zip(texts, report.failures, strict=True) if failure is not None]
        except Died:
            self.killed[process.life.died_at] += 1
            return False
        finally:
            self.queue.settle(texts, again)
        return True

    def _parts_of(self, life: Life) -> CollectPorts:
        """The parts of a process: clients that die with it, its own record of runs, and an inaccurate clock."""
        client: Any = Killed(self._client, life)
        patient = Backoff(attempts=12)
        clock = FakeClock(self.clock.time + self.draw.randrange(-2, 3))
        return CollectPorts(
            fetcher=self.internet,
            frontier=DynamoFrontierStore(Tables(client, self._names, patient)),
            lineage=DynamoLineageStore(Tables(client, self._names, patient)),
            bodies=Killed(self.bodies, life),
            queue=Killed(self.queue, life),
            robots=DynamoRobotsStore(Tables(client, self._names, patient)),
            limiter=DynamoHostLimiter(Tables(client, self._names, patient)),
            charges=Uncharged(),
            tenants=DynamoKeyStore(Tables(client, self._names, patient)),
            begun=DynamoBegunTasks(Tables(client, self._names, patient)),
            clock=clock,
            settings=UNHURRIED,
        )


def _do_job(message: JobMessage, ports: CollectPorts, left_s: float) -> None:
    no_rekeys: Any = None
    run_job_step(message, ports=ports, rekeys=no_rekeys, within_s=left_s)


@dataclass(frozen=True)
class Process:
    """The parts of a worker's process: its ports, its own record of runs, and its own clock."""

    life: Life
    ports: CollectPorts


class TwiceQueue:
    """ports.WorkQueue: delivers its messages in no order, each `times` times, and again until it is settled.

    What was not finished comes again once another message was finished, as after a visibility timeout: the host's
    slot may be free then. A slow machine would deliver it countless times otherwise.
    """

    def __init__(self, draw: random.Random) -> None:
        self.times = 1
        self._draw = draw
        self._waiting: list[str] = []
        self._unfinished: list[str] = []
        self._in_hand = 0
        self._sent: Counter[str] = Counter()
        self._came_again: Counter[str] = Counter()
        self._lock = threading.Condition()

    def within(self, _: Any) -> Self:
        """See Bounded: waits take no time."""
        return self

    def send_batch(self, messages: Sequence[Message]) -> Sequence[Message]:
        """See WorkQueue. Messages that are sent repeatedly are not delivered twice each time: it would never end."""
        with self._lock:
            for message in messages:
                text = message.to_text()
                self._waiting += [text] * (1 if self._sent[text] else self.times)
                self._sent[text] += 1
            self._lock.notify_all()
        return messages

    @property
    def is_empty(self) -> bool:
        """True if no message waits."""
        return not self._waiting

    def deliver_again(self) -> None:
        """Deliver each waiting message as often as given."""
        with self._lock:
            self._waiting *= self.times

    def send_all_again(self) -> None:
        """Deliver every earlier message once more, late."""
        with self._lock:
            self._waiting += self._sent

    def take(self) -> list[str] | None:
        """Some messages; waits while others may still send some. None once there will be no more."""
        with self._lock:
            self._lock.wait_for(lambda: self._waiting or not self._in_hand)
            if not self._waiting:
                return None
            count = min(self._draw.randint(1, IN_HAND_AT_MOST), len(self._waiting))
            taken = [self._waiting.pop(self._draw.randrange(len(self._waiting))) for _ in range(count)]
            self._in_hand += 1
            return taken

    def settle(self, taken: Sequence[str], again: Sequence[str]) -> None:
        """A worker has finished all but a few of its messages."""
        with self._lock:
            self._in_hand -= 1
            self._came_again.update(again)
            for text in again:
                assert self._came_again[text] < AGAIN_AT_MOST, f"it never gets done: {text[:300]}"
            self._unfinished += again
            if len(again) < len(taken) or not self._in_hand:
                self._waiting += self._unfinished
                self._unfinished = []
            self._lock.notify_all()


class Life:
    """The number of calls of a process, all its threads together, until it is killed; and whether the last is made.

    After that no thread of it makes any.
    """

    def __init__(self, calls: int = FOR_EVER, makes_last: bool = False) -> None:
        self._left, self._makes_last = calls, makes_last
        self._lock = threading.Lock()
        self.died_at = ""

    def call(self, name: str, call: Callable[[], Any]) -> Any:
        """Make one call of the process. Raises Died at the kill, and from then on."""
        with self._lock:
            self._left -= 1
            is_last, is_over = self._left == 0, self._left < 0
            if (is_last or is_over) and not self.died_at:
                self.died_at = name
        if is_over:
            raise Died
        if not is_last:
            return call()
        if self._makes_last:
            call()
        raise Died

    def check(self) -> None:
        """Raises Died if the process was killed."""
        if self.died_at:
            raise Died


class Killed:
    """Any call of a process, until it is killed."""

    def __init__(self, called: Any, life: Life) -> None:
        self._called, self._life = called, life

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._called, name)
        if name == "within":
            return lambda deadline: Killed(method(deadline), self._life)
        return lambda *values, **named: self._life.call(name, lambda: method(*values, **named))
