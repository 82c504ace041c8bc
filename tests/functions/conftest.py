"""The functions in this process: their handlers over an internet and a directory in memory."""

from __future__ import annotations

import importlib.util
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Self

import pytest

from feedward import bootstrap
from feedward.adapters.clock import SystemClock
from feedward.deadline import Deadline
from feedward.model import Known
from feedward.ports import Clock, FeedStore, PageFetcher
from feedward.registration import NewFeed, Registration
from tests.fakes.directory import SETTINGS, FakeDirectory
from tests.fakes.feed_store import FakeFeedStore
from tests.fakes.fetcher import FakeFetcher
from tests.log_stream import log_stream

ROOT = Path(__file__).parents[2]

SENT = "http://www.example.com/feed/?utm_source=twitter"
CLEAN = "https://example.com/feed"
FEED = (
    "<rss version='2.0'><channel><title>Blog</title><link>https://example.com/</link>"
    "<item><guid>urn:1</guid><title>First</title></item></channel></rss>"
)
NETWORK: dict[str, dict[str, Any]] = {
    SENT: {"body": FEED},
    "http://example.com/feed": {"body": FEED},
    CLEAN: {"body": FEED},
    "https://example.com/gone": {"status": 410, "body": "no more"},
    "https://example.com/page": {"body": "<html><body>no feed</body></html>"},
}


def load_function(name: str) -> ModuleType:
    """All handlers are called `app`: each is loaded under its own name."""
    spec = importlib.util.spec_from_file_location(f"function_{name}", ROOT / "functions" / name / "app.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# --- of discover ----------------------------------------------------------------------------------

PAGE = (
    "<!doctype html><html lang='en'><head><title>Garden</title>"
    "<link rel='alternate' type='application/rss+xml' title='Garden' href='/feed'>"
    "<link rel='alternate' type='application/rss+xml' title='Comments' href='/comments/feed'></head></html>"
)
GARDEN_FEED = (
    "<rss version='2.0'><channel><title>Garden</title><link>https://garden.example/</link><description>Beds</description>"
    "<item><guid>urn:g</guid><title>Slugs</title><link>https://garden.example/slugs</link></item></channel></rss>"
)
COMMENTS_FEED = GARDEN_FEED.replace("Garden", "Comments for Garden").replace("urn:g", "urn:c")
SITES: dict[str, dict[str, Any]] = {
    "https://garden.example/": {"body": PAGE},
    "https://garden.example/feed": {"body": GARDEN_FEED},
    "https://garden.example/comments/feed": {"body": COMMENTS_FEED},
    "https://plaque.example/": {"body": "<html><head><title>The Plaque</title></head><body></body></html>"},
    "https://wall.example/": {"status": 429, "headers": {"Retry-After": "90"}},
    "https://slow.example/": {"body": PAGE, "delay_s": 6},
    "https://slow.example/feed": {"body": GARDEN_FEED.replace("garden", "slow"), "delay_s": 6},
    "https://slow.example/comments/feed": {"body": COMMENTS_FEED.replace("garden", "slow"), "delay_s": 6},
}


@dataclass(frozen=True, slots=True)
class LambdaContext:
    """The context of a call, as Lambda gives it to a function."""

    remaining_ms: int = 25_000
    function_name: str = "canonicalize"
    memory_limit_in_mb: int = 1024
    invoked_function_arn: str = "arn:aws:lambda:eu-central-1:123456789012:function:canonicalize"
    aws_request_id: str = "8f6f2f3a-0000-4000-8000-000000000001"

    def get_remaining_time_in_millis(self) -> int:
        return self.remaining_ms


class BrokenStore:
    """A store in which every call fails in the same way."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def within(self, _: Deadline) -> Self:
        return self

    def find(self, urls: Sequence[str], *, scope: str = "") -> Known | None:
        raise self.error

    def register(self, feed: NewFeed) -> Registration:
        raise self.error


@dataclass(frozen=True, slots=True)
class Answer:
    """The event that the gateway would send."""

    status: int
    headers: dict[str, str]
    body: Any


@dataclass(slots=True)
class Discover:
    """The discover function over a directory in memory."""

    directory: FakeDirectory
    handler: Callable[[Mapping[str, Any], Any], dict[str, Any]]
    log: io.StringIO
    context: LambdaContext = field(default_factory=lambda: LambdaContext(remaining_ms=75_000))

    def call(self, event: Mapping[str, Any]) -> Answer:
        answer = self.handler(event, self.context)
        return Answer(answer["statusCode"], answer["headers"], json.loads(answer["body"]))

    def post(self, body: object) -> Answer:
        sent = body if isinstance(body, str) else json.dumps(body)
        return self.call(read_event("http_discover") | {"body": sent})

    def get(self, event: str, **parameters: str) -> Answer:
        return self.call(read_event(event) | {"pathParameters": parameters})

    def deliver(self, *bodies: object, receive: int = 1) -> list[str]:
        """Deliver messages in one batch, and return the ids (`0`, `1` ...) of those to deliver again."""
        (sample,) = read_event("sqs_discover_job")["Records"]
        attributes = sample["attributes"] | {"ApproximateReceiveCount": str(receive)}
        texts = [body if isinstance(body, str) else json.dumps(body) for body in bodies]
        records = [
            sample | {"messageId": str(number), "body": text, "attributes": attributes}
            for number, text in enumerate(texts)
        ]
        answer = self.handler({"Records": records}, self.context)
        return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]

    @property
    def log_lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.getvalue().splitlines()]


@dataclass(slots=True)
class Function:
    """The function with the parts that a test may inspect."""

    handler: Callable[[Mapping[str, Any], Any], dict[str, Any]]
    services: bootstrap.Services
    log: io.StringIO
    context: LambdaContext = field(default_factory=LambdaContext)

    def call(self, event: Mapping[str, Any]) -> Answer:
        answer = self.handler(event, self.context)
        assert answer["isBase64Encoded"] is False
        return Answer(answer["statusCode"], answer["headers"], json.loads(answer["body"]))

    def post(self, body: object, **headers: str) -> Answer:
        """POST a body; a string is sent as it is."""
        sent = body if isinstance(body, str) else json.dumps(body)
        event = read_event("http_canonicalize_one")
        return self.call(event | {"body": sent, "headers": event["headers"] | headers})

    def canonicalize(self, **body: object) -> Answer:
        return self.post(body)

    @property
    def log_lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.getvalue().splitlines()]


MakeFunction = Callable[..., Function]


def read_event(name: str) -> dict[str, Any]:
    event: dict[str, Any] = json.loads((ROOT / "events" / f"{name}.json").read_text())
    return event


@pytest.fixture(scope="session", autouse=True)
def _environment() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POWERTOOLS_SERVICE_NAME", "feedward")
        patch.setenv("POWERTOOLS_METRICS_NAMESPACE", "feedward")
        yield


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """The function's log. The logger outlives a test, so its stream is replaced for each."""
    with log_stream() as stream:
        yield stream


@pytest.fixture
def make_function(log: io.StringIO) -> Callable[..., Function]:
    """Makes the function over a network, or over parts of the test's own."""

    def make(
        network: Mapping[str, Mapping[str, Any]] | None = None,
        *,
        fetcher: PageFetcher | None = None,
        store: FeedStore | None = None,
        clock: Clock | None = None,
    ) -> Function:
        memory: Any = FakeFeedStore()
        services = bootstrap.Services(
            SETTINGS,
            tables=memory.tables,
            fetcher=fetcher or FakeFetcher(NETWORK if network is None else network),
            store=store or memory,
            clock=clock or SystemClock(),
        )
        return Function(load_function("canonicalize").make_handler(lambda: services), services, log)

    return make


@pytest.fixture
def function(make_function: Callable[..., Function]) -> Function:
    return make_function()


@pytest.fixture
def discover(log: io.StringIO) -> Discover:
    directory = FakeDirectory(SITES)
    return Discover(directory, load_function("discover").make_handler(directory.services), log)


@pytest.fixture
def directory(log: io.StringIO) -> Iterator[Any]:
    """The directory function (tests/functions/directory_function.py)."""
    from tests.functions.directory_function import make_directory_function

    made = make_directory_function()
    yield made
    made.ports.search_index.close()
