"""Many events for many receivers in virtual time: workers side by side, a queue with delays, and deaths.

Each call of a worker has a clock of its own that begins at the call's time; each of its threads is as late as its
own calls. A worker that dies makes no further call of AWS, and its messages come back after their visibility timeout.
"""

from __future__ import annotations

import heapq
import itertools
import json
import random
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.webhooks.deliveries import DynamoDeliveries
from feedward.adapters.dynamodb.webhooks.webhooks import DynamoWebhooks
from feedward.adapters.sqs import SqsWorkQueue
from feedward.messages.notify_event import decode_message
from feedward.services.sweep.repair import repair
from feedward.services.webhooks.ports import WebhookPorts
from feedward.services.webhooks.sweep_tasks import sweep_tasks
from feedward.services.webhooks.work_batch import work_batch
from feedward.webhooks.attempt import Posted
from tests.fakes.directory import NOW
from tests.fakes.dynamodb_faults import Died
from tests.fakes.feed_store import PATIENT
from tests.fakes.health_queue import URL
from tests.fakes.webhooks import FakeWebhooks
from tests.unit.services.webhooks.notified import FEED, items_published

VISIBILITY_S = 360.0
BATCH = 10
FUNCTION_S = 58.0


class ThreadClock:
    """The time of one call: it began at `start`, and each thread has spent time of its own."""

    def __init__(self, start: float) -> None:
        self.start, self._own = start, threading.local()
        self.latest = start
        self._lock = threading.Lock()

    @property
    def time(self) -> float:
        return self.start + self._spent()

    def _spent(self) -> float:
        """The time that the thread has spent; a thread with waiting deliveries begins when the earlier ones ended."""
        if not hasattr(self._own, "spent"):
            is_later = threading.current_thread().name.startswith("feedward-wake")
            self._own.spent = self.latest - self.start if is_later else 0.0
        spent: float = self._own.spent
        return spent

    def now(self) -> int:
        return int(self.time)

    def now_ms(self) -> int:
        return int(self.time * 1000)

    def monotonic(self) -> float:
        return self.time - NOW

    def advance(self, seconds: float) -> None:
        self._own.spent = self._spent() + seconds
        with self._lock:
            self.latest = max(self.latest, self.time)


@dataclass
class Life:
    """A worker's life: it ends at one of its AWS calls, or right after an answer."""

    calls_left: int
    posts_left: int
    is_dead: bool = False

    def call(self) -> None:
        self.calls_left -= 1
        if self.is_dead or self.calls_left < 0:
            self.is_dead = True
            raise Died

    def posted(self) -> None:
        self.posts_left -= 1
        if self.is_dead or self.posts_left < 0:
            self.is_dead = True
            raise Died


class MortalClient:
    """A client of a worker with a life."""

    def __init__(self, client: Any, life: Life) -> None:
        self._client, self._life = client, life

    def __getattr__(self, operation: str) -> Any:
        method = getattr(self._client, operation)

        def call(**request: Any) -> Any:
            self._life.call()
            return method(**request)

        return call


@dataclass
class Receiver:
    """A receiver's answers: after `takes_s`, the one that `answer` has for the time."""

    answer: Callable[[float], Posted]
    takes_s: float = 0.1
    got: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    asked: list[float] = field(default_factory=list)


class LoadWorld:
    """The world of a story, with at most `workers` concurrent calls."""

    def __init__(self, receivers: Mapping[str, Receiver], *, workers: int = 4, seed: int = 1) -> None:
        self.hooks = FakeWebhooks()
        self.receivers = receivers
        self.draw = random.Random(seed)
        self.workers = workers
        self.dies_each = 0
        self.calls = 0
        self._queue: list[tuple[float, int, str]] = []
        self._order = itertools.count()
        self.happened: dict[str, int] = {}
        self.deaths = 0
        for number, url in enumerate(receivers):
            tenant = f"t{number}"
            self.hooks.create(url, tenant_id=tenant)
            self.hooks.follow(FEED, tenant_id=tenant, name=tenant)

    # --- the queue --------------------------------------------------------------------------------

    def happen(self, name: str, at: int) -> None:
        """Have an event come over the bus at this time."""
        event = items_published(name, at=at)
        self.happened[event.event_id] = at
        self._put(float(at), json.dumps({"detail-type": event.detail_type, "detail": event.detail}))

    def _put(self, at: float, body: str) -> None:
        heapq.heappush(self._queue, (at, next(self._order), body))

    def _take(self, now: float) -> list[str]:
        taken: list[str] = []
        while self._queue and self._queue[0][0] <= now and len(taken) < BATCH:
            taken.append(heapq.heappop(self._queue)[2])
        return taken

    def send_message_batch(self, clock: ThreadClock, entries: list[dict[str, Any]]) -> dict[str, Any]:
        for entry in entries:
            self._put(clock.time + entry["DelaySeconds"], entry["MessageBody"])
        return {"Successful": [{"Id": entry["Id"]} for entry in entries]}

    # --- time -------------------------------------------------------------------------------------

    def run(self, until: float, *, sweeps: bool = True) -> None:
        """Let workers work until this time."""
        free = [float(NOW)] * self.workers
        minute = float(NOW)
        while True:
            now = max(min(free), self._queue[0][0] if self._queue else until)
            if sweeps and minute + 60 <= min(now, until):
                minute += 60
                self._sweep(minute)
                continue
            if now >= until:
                return
            worker = free.index(min(free))
            free[worker] = self._call(now)

    def _sweep(self, at: float) -> None:
        clock = ThreadClock(at)
        sweep_tasks(store=self.hooks.sweeps, ports=self._ports(clock, Life(10**9, 10**9)))
        if int(at) // 60 % 15 == 0:
            repair(store=self.hooks.sweeps, clock=clock)

    def _call(self, now: float) -> float:
        """One call of a worker. Returns when it ends."""
        bodies = self._take(now)
        if not bodies:
            return now + 0.05
        clock, life = ThreadClock(now), self._life()
        try:
            report = work_batch([decode_message(each) for each in bodies], ports=self._ports(clock, life),
                                within_s=FUNCTION_S)  # fmt: skip
        except Died:
            self.deaths += 1
            for body in bodies:
                self._put(now + VISIBILITY_S, body)
            return clock.latest
        for body, failure in zip(bodies, report.failures, strict=True):
            if failure is not None:
                self._put(now + VISIBILITY_S, body)
        return clock.latest + 0.01

    def _life(self) -> Life:
        """A worker dies once in so many calls, alternately at a call of AWS and right after an answer."""
        self.calls += 1
        if not self.dies_each or self.calls % self.dies_each:
            return Life(10**9, 10**9)
        if self.calls // self.dies_each % 2:
            return Life(100, self.draw.randrange(5))
        return Life(self.draw.randrange(100), 10**9)

    def _queue_of(self, clock: ThreadClock, life: Life) -> SqsWorkQueue:
        client = MortalClient(_Sqs(self, clock), life)
        return SqsWorkQueue(client, URL, PATIENT)  # type: ignore[arg-type]

    def _ports(self, clock: ThreadClock, life: Life) -> WebhookPorts:
        client: Any = MortalClient(self.hooks.directory.faults, life)
        tables = Tables(client, self.hooks.directory.contents.names, PATIENT)
        return replace(
            self.hooks.ports,
            webhooks=DynamoWebhooks(tables),
            deliveries=DynamoDeliveries(tables),
            limiter=DynamoHostLimiter(tables),
            poster=_Poster(self, clock, life),
            queue=self._queue_of(clock, life),
            clock=clock,
            sleep=clock.advance,
        )


@dataclass
class _Sqs:
    world: LoadWorld
    clock: ThreadClock

    def send_message_batch(self, *, QueueUrl: str, Entries: list[dict[str, Any]]) -> dict[str, Any]:  # noqa: N803
        assert QueueUrl == URL
        return self.world.send_message_batch(self.clock, Entries)


@dataclass
class _Poster:
    world: LoadWorld
    clock: ThreadClock
    life: Life

    def post(self, url: str, *, body: bytes, headers: Mapping[str, str], within_s: float) -> Posted:
        if self.life.is_dead:
            raise Died
        receiver = self.world.receivers[url]
        began = self.clock.time
        self.clock.advance(min(receiver.takes_s, within_s))
        posted = receiver.answer(began)
        receiver.asked.append(began)
        if posted.has_arrived:
            receiver.got[json.loads(body)["data"]["event_id"]].append(began)
        self.life.posted()
        return posted
