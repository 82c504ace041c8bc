"""Webhooks in memory: the real stores over a fake directory's tables, receivers that a test tells how to answer.

`FakeWebhooks(directory)` has the ports, the queue's loop and the sweep.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from feedward.access.caller import SELF_HOSTED, Caller, Scope
from feedward.adapters.dynamodb.access.key_store import DynamoKeyStore
from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter
from feedward.adapters.dynamodb.state.quota_counters import DynamoQuotaCounters
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.webhooks.deliveries import DynamoDeliveries
from feedward.adapters.dynamodb.webhooks.sweep_store import DynamoTaskSweepStore
from feedward.adapters.dynamodb.webhooks.webhooks import DynamoWebhooks
from feedward.adapters.sqs import SqsWorkQueue
from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.messages.notify_event import decode_message
from feedward.model import Outcome
from feedward.quotas.quota import Limits
from feedward.registration import NewFeed
from feedward.services.quotas.meter import Meter
from feedward.services.webhooks.manage import WithSecret, create_webhook
from feedward.services.webhooks.ports import WebhookPorts
from feedward.services.webhooks.sweep_tasks import sweep_tasks
from feedward.services.webhooks.work_batch import Message, WebhookReport, work_batch
from feedward.subscriptions.subscription import Subscription, new_subscription
from feedward.ulid import derived_ulid
from feedward.urls.key import url_hash
from feedward.webhooks.attempt import Posted, outcome_of_status
from tests.fakes.directory import FakeDirectory
from tests.fakes.feed_store import PATIENT
from tests.fakes.health_queue import URL, InMemorySqs

RECEIVER = "https://receiver.example/hook"


def caller_of(tenant_id: str | None) -> Caller:
    """A tenant's admin key."""
    return SELF_HOSTED if tenant_id is None else Caller(tenant_id=tenant_id, key_id="k", scope=Scope.ADMIN)


class FakeSecretBox:
    """Implements SecretBox: its ciphertexts are unreadable without it, and bound to their context."""

    def __init__(self) -> None:
        self._sealed: dict[str, tuple[bytes, dict[str, str]]] = {}

    def within(self, deadline: Deadline) -> FakeSecretBox:
        return self

    def seal(self, secret: bytes, *, place: Mapping[str, str]) -> str:
        name = f"sealed-{len(self._sealed)}"
        self._sealed[name] = (secret, dict(place))
        return name

    def open(self, sealed: str, *, place: Mapping[str, str]) -> bytes:
        secret, own = self._sealed[sealed]
        if own != dict(place):
            raise FeedwardError("this secret was sealed for another place")
        return secret


@dataclass(frozen=True, slots=True)
class Request:
    """A request to a receiver."""

    url: str
    headers: Mapping[str, str]
    body: bytes
    at: float

    @property
    def message_id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def document(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.body)
        return document


def answered(status: int, answer: bytes = b"", retry_after_s: int | None = None) -> Posted:
    """The answer of a receiver."""
    return Posted(outcome=outcome_of_status(status), status=status, answer=answer, retry_after_s=retry_after_s)


def unanswered(outcome: Outcome) -> Posted:
    """No answer."""
    return Posted(outcome=outcome)


@dataclass
class FakePoster:
    """Implements Poster. `answers` has the answer of each URL; the default is 204."""

    now: Callable[[], float]
    answers: dict[str, Callable[[Request], Posted] | Posted] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    under_way: dict[str, int] = field(default_factory=dict)
    most_at_once: dict[str, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def post(self, url: str, *, body: bytes, headers: Mapping[str, str], within_s: float) -> Posted:
        request = Request(url, dict(headers), body, self.now())
        with self._lock:
            self.requests.append(request)
            self.under_way[url] = self.under_way.get(url, 0) + 1
            self.most_at_once[url] = max(self.most_at_once.get(url, 0), self.under_way[url])
        try:
            answer = self.answers.get(url, answered(204))
            return answer(request) if callable(answer) else answer
        finally:
            with self._lock:
                self.under_way[url] -= 1

    def got(self, url: str = RECEIVER) -> list[Request]:
        """The requests to a receiver, test events left out."""
        return [each for each in self.requests if each.url == url and each.document["type"] != "webhook.test"]


class FakeWebhookQueue(SqsWorkQueue):
    """The queue in memory."""

    def __init__(self) -> None:
        self.sqs = InMemorySqs()
        super().__init__(self.sqs, URL, PATIENT)  # type: ignore[arg-type]

    def take(self, *, delays_too: bool = True) -> list[Message]:
        """The messages sent since the last call; without `delays_too`, those that can be read immediately."""
        sent = [each for each in self.sqs.sent if delays_too or not each[1]]
        self.sqs.sent = [each for each in self.sqs.sent if each not in sent]
        return [decode_message(body) for body, _ in sent]


class FakeWebhooks:
    """All that webhooks need, over the tables of a directory. `client` calls them, where it is another one.

    `limits` are the quotas of all tenants.
    """

    def __init__(
        self, directory: FakeDirectory | None = None, client: Any = None, *, limits: Limits | None = None
    ) -> None:
        self.directory = directory or FakeDirectory({})
        self.clock = self.directory.clock
        names = self.directory.contents.names
        self.tables = Tables(client or self.directory.faults, names, PATIENT)  # type: ignore[arg-type]
        self.queue = FakeWebhookQueue()
        self.poster = FakePoster(now=lambda: self.clock.time)
        self.bus = self.directory.bus
        self.sweeps = DynamoTaskSweepStore(self.tables)
        self.ports = WebhookPorts(
            webhooks=DynamoWebhooks(self.tables),
            deliveries=DynamoDeliveries(self.tables),
            secrets=FakeSecretBox(),
            poster=self.poster,
            queue=self.queue,
            limiter=DynamoHostLimiter(self.tables),
            bus=self.bus,
            charges=Meter(DynamoQuotaCounters(self.tables), self.clock, default=limits or {}, places=2),
            tenants=DynamoKeyStore(self.tables),
            clock=self.clock,
            sleep=self.clock.advance,
        )

    # --- objects of tenants -----------------------------------------------------------------------

    def create(
        self, url: str = RECEIVER, *, tenant_id: str | None = None, events: tuple[str, ...] = ("feed.*", "items.*"),
        tags: tuple[str, ...] = (), is_live: bool = True,
    ) -> WithSecret:  # fmt: skip
        """Create a webhook, and have its test event arrive."""
        made = create_webhook(caller_of(tenant_id), url, events=events, tags=tags, ports=self.ports)
        if is_live:
            self.work(delays_too=True)
        return made

    def follow(
        self, feed_id: str, *, tenant_id: str | None = None, name: str = "one", tags: tuple[str, ...] = ()
    ) -> Subscription:
        """Have a tenant follow a feed."""
        url, now = f"https://{name}.example/", self.clock.now()
        new = new_subscription(
            derived_ulid(now, "subscription", name), tenant_id=tenant_id, url=url, url_hash=url_hash(url), now=now,
            tags=tags,
        )  # fmt: skip
        feed = f"https://{feed_id.lower()}.example/feed"
        self.directory.store.register(NewFeed(feed_id=feed_id, url=feed, aliases=(feed,), now=now))
        opened = self.directory.subscriptions.open(new)
        ready = self.directory.subscriptions.make_ready(opened, feed_id=feed_id, now=now)
        assert ready is not None
        return ready

    # --- time -------------------------------------------------------------------------------------

    def work(self, *messages: Message, within_s: float = 50.0, delays_too: bool = False) -> list[WebhookReport]:
        """Process these messages, and those sent meanwhile, until none can be read immediately."""
        batch, reports = [*messages, *self.queue.take(delays_too=delays_too)], []
        while batch:
            reports.append(work_batch(batch[:10], ports=self.ports, within_s=within_s))
            batch = [*batch[10:], *self.queue.take(delays_too=delays_too)]
        return reports

    def sweep(self) -> list[WebhookReport]:
        """One sweep, and the work on its messages."""
        sweep_tasks(store=self.sweeps, ports=self.ports)
        return self.work()

    def pass_time(self, seconds: float, *, step_s: float = 60.0) -> None:
        """Let time pass, with a sweep each minute."""
        ends_at = self.clock.time + seconds
        while self.clock.time < ends_at:
            self.clock.advance(min(step_s, ends_at - self.clock.time))
            self.sweep()
