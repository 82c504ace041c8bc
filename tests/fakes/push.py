"""Push in memory: the real stores over a fake directory's tables, a made-up hub, and a clock that a test moves.

`FakePush()` has the ports, the callback, the queue of checks and the pass of each minute. A `Hub` verifies, lies, dies,
replays and floods, as a test tells it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from feedward.adapters.dynamodb.feeds.checks import DynamoCheckStore
from feedward.adapters.dynamodb.push.hub_rows import DynamoHubs
from feedward.adapters.dynamodb.push.subscriptions import DynamoPush
from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.health.due_feed import DueFeed, HealthMessage
from feedward.model import Outcome
from feedward.push.hub import HubStanding
from feedward.push.hub_choice import Named
from feedward.push.hub_signature import signature
from feedward.push.push_record import PushRecord
from feedward.push.trust import Found, PushNote
from feedward.registration import NewFeed
from feedward.services.push.after_check import CheckTrusts
from feedward.services.push.drive_push import PushReport, drive_push
from feedward.services.push.ports import PushPorts
from feedward.services.push.receive import CallbackAnswer, answer_hub, receive_push
from feedward.webhooks.attempt import Posted, outcome_of_status
from tests.fakes.directory import FakeDirectory
from tests.fakes.feed_store import PATIENT
from tests.fakes.webhooks import FakeSecretBox

BASE = "https://push.feedward.example"
HUB = "https://hub.example/"


@dataclass(frozen=True, slots=True)
class HubRequest:
    """A request to a hub."""

    url: str
    callback: str
    mode: str
    topic: str
    secret: str
    lease: str

    @classmethod
    def of(cls, url: str, body: bytes) -> HubRequest:
        said = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        assert said["hub.verify"] == "async"
        return cls(
            url,
            said["hub.callback"],
            said["hub.mode"],
            said["hub.topic"],
            said.get("hub.secret", ""),
            said.get("hub.lease_seconds", ""),
        )

    @property
    def place(self) -> tuple[str, str]:
        """The feed and the token of the callback."""
        _, feed_id, token = self.callback.rsplit("/", 2)
        return feed_id, token


@dataclass
class Hub:
    """A made-up hub. It records its requests, by callback."""

    push: FakePush
    url: str = HUB
    status: int | None = 202
    says: bytes = b""
    retry_after_s: int | None = None
    lease: str | None = "864000"
    verifies: bool = True
    is_early: bool = True
    tells: Callable[[str], bool] = lambda _topic: True
    method: str = "sha256"
    asked: list[HubRequest] = field(default_factory=list)
    verified: dict[str, HubRequest] = field(default_factory=dict)
    location: str | None = None

    def post(self, request: HubRequest) -> Posted:
        """Take a request, and verify it before the answer, like some hubs."""
        self.asked.append(request)
        if self.status is None:
            return Posted(outcome=Outcome.TIMEOUT, detail="no answer")
        if 200 <= self.status < 300 and self.is_early and self.verifies:
            self.verify(request)
        return Posted(
            outcome=outcome_of_status(self.status),
            status=self.status,
            answer=self.says,
            retry_after_s=self.retry_after_s,
            location=self.location,
        )

    def verify(self, request: HubRequest, **other: str | None) -> CallbackAnswer:
        """Ask the callback whether the request was meant."""
        said = {"mode": request.mode, "topic": request.topic, "challenge": "c1", "lease_seconds": self.lease, **other}
        answer = self.push.get(
            request.callback, {f"hub.{name}": value for name, value in said.items() if value is not None}
        )
        if answer.challenge == "c1":
            if request.mode == "subscribe":
                self.verified[request.callback] = request
            else:
                self.verified.pop(request.callback, None)
        return answer

    def publish(self, topic: str, body: bytes = b"<rss/>") -> list[CallbackAnswer]:
        """Notify all subscribers of a topic, if this hub does."""
        if not self.tells(topic):
            return []
        found = [each for each in self.verified.values() if each.topic == topic]
        return [self.send(each, body) for each in found]

    def send(self, request: HubRequest, body: bytes = b"<rss/>") -> CallbackAnswer:
        """Push a body to a subscriber."""
        return self.push.post(request.callback, body, signature(self.method, body, request.secret))


@dataclass
class _Poster:
    """Implements Poster: the hubs by their URLs."""

    hubs: Mapping[str, Hub]

    def post(self, url: str, *, body: bytes, headers: Mapping[str, str], within_s: float) -> Posted:
        assert headers["Content-Type"] == "application/x-www-form-urlencoded"
        hub = self.hubs.get(url)
        return hub.post(HubRequest.of(url, body)) if hub else Posted(outcome=Outcome.DNS_ERROR, detail="no such host")


class FakePush:
    """All parts of push, over the tables of a directory."""

    def __init__(self, directory: FakeDirectory | None = None, client: Any = None) -> None:
        self.directory = directory or FakeDirectory({})
        self.clock = self.directory.clock
        names = self.directory.contents.names
        self.tables = Tables(client or self.directory.faults, names, PATIENT)  # type: ignore[arg-type]
        self.hubs: dict[str, Hub] = {}
        self.queue = self.directory.health_queue
        self.ports = PushPorts(
            store=DynamoPush(self.tables),
            hubs=DynamoHubs(self.tables),
            checks=DynamoCheckStore(self.tables),
            secrets=FakeSecretBox(),
            poster=_Poster(self.hubs),
            queue=self.queue,
            limiter=DynamoHostLimiter(self.tables),
            clock=self.clock,
            base=BASE,
            own_hosts=frozenset({"push.feedward.example"}),
            sleep=self.clock.advance,
        )
        self.trusts = CheckTrusts(lambda: self.ports)
        self.callbacks = 0

    # --- hubs -------------------------------------------------------------------------------------

    def hub(self, url: str = HUB, **members: Any) -> Hub:
        """A hub at a URL."""
        self.hubs[url] = Hub(self, url, **members)
        return self.hubs[url]

    # --- the callback -----------------------------------------------------------------------------

    def get(self, callback: str, query: Mapping[str, str]) -> CallbackAnswer:
        """A request of a hub by GET."""
        _, feed_id, token = urlsplit(callback).path.rsplit("/", 2)
        return answer_hub(feed_id, token, query=urlencode(query), ports=self.ports)

    def post(self, callback: str, body: bytes, signed: str | None) -> CallbackAnswer:
        """A push."""
        _, feed_id, token = urlsplit(callback).path.rsplit("/", 2)
        return receive_push(feed_id, token, body=body, signature=signed, ports=self.ports)

    # --- feeds and checks -------------------------------------------------------------------------

    def feed(self, feed_id: str, url: str | None = None, *, owner: str = "", hubs: tuple[str, ...] = ()) -> str:
        """Register a feed and return its URL."""
        url = url or f"https://{feed_id.lower()}.example/feed"
        new = NewFeed(feed_id=feed_id, url=url, aliases=(url,), now=self.clock.now(), scope=owner, hub_urls=hubs)
        self.directory.store.register(new)
        return url

    def names(self, feed_id: str, url: str, *hubs: str, self_url: str | None = None, owner: str | None = None) -> None:
        """Have a check read a document that names hubs."""
        found = Found(at=self.clock.now(), new_items=1)
        named = Named(hubs=hubs or (HUB,), self_url=self_url or url)
        self.trusts.after_check(feed_id, url, owner, found=found, named=named)

    def check(self, feed_id: str, **members: Any) -> PushNote | None:
        """Have a check report."""
        found = Found(**{"at": self.clock.now(), **members})
        return self.trusts.after_check(
            feed_id, f"https://{feed_id.lower()}.example/feed", None, found=found, named=None
        )

    def sent(self) -> list[tuple[DueFeed, int]]:
        """The checks sent since the last call, with their delays."""
        taken, self.queue.sqs.sent = self.queue.sqs.sent, []
        return [(feed, delay) for body, delay in taken for feed in HealthMessage.from_text(body).entries]

    def record(self, feed_id: str) -> PushRecord:
        """The stored state of a feed's subscription."""
        found = self.ports.store.get(feed_id)
        assert found is not None
        return found

    def standing(self, hub: str = HUB) -> HubStanding:
        """The stored state of a hub."""
        return self.ports.hubs.get(hub)

    def attributes(self, feed_id: str) -> dict[str, Any]:
        """The stored FEED."""
        found = self.tables.get(self.tables.names.feeds, {"feed_id": feed_id, "sk": "FEED"})
        assert found is not None
        return found

    # --- time -------------------------------------------------------------------------------------

    def drive(self, within_s: float = 60.0) -> PushReport:
        """One pass."""
        return drive_push(ports=self.ports, within_s=within_s)

    def pass_time(self, seconds: float, *, step_s: float = 60.0) -> None:
        """Let time pass, with a pass each step."""
        ends_at = self.clock.time + seconds
        while self.clock.time < ends_at:
            self.clock.advance(min(step_s, ends_at - self.clock.time))
            self.drive()

    def subscribed(self, feed_id: str, hub: Hub | None = None) -> HubRequest:
        """Register a feed that names a hub, and have it subscribed."""
        hub = hub or self.hubs.get(HUB) or self.hub()
        url = self.feed(feed_id)
        self.names(feed_id, url, hub.url)
        self.drive()
        return hub.asked[-1]
