"""The directory function over a directory in memory, called as by the gateway."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.frontier.messages import Job, JobMessage
from feedward.health.moves import MoveReason
from feedward.health.relocation import FeedMove
from feedward.page_cursor import encode_cursor
from feedward.registration import NewFeed
from feedward.services.collect.collect_batch import collect_batch
from feedward.services.collect.run_jobs import run_job_step
from feedward.services.intake.do_step import do_step
from feedward.ulid import derived_ulid
from tests.fakes.directory import NOW, FakeDirectory
from tests.fakes.directory_parts import FakeDirectoryParts
from tests.functions.conftest import Answer, LambdaContext, load_function, read_event

NO_REGISTRY: Any = None  # that would have to be moved to another key
CALLER = "_self/4fT9xQ2LmB7c"
UNKNOWN_ID = "0" * 26


@dataclass(slots=True)
class DirectoryFunction:
    """The function, and the parts that a test may inspect."""

    directory: FakeDirectory
    ports: FakeDirectoryParts
    handler: Callable[[Mapping[str, Any], Any], dict[str, Any]]
    context: LambdaContext = field(default_factory=LambdaContext)

    def call(self, event: Mapping[str, Any], *, is_file: bool = False) -> Answer:
        """Return the answer, its body decoded. A file's body is bytes."""
        answer = self.handler(event, self.context)
        assert answer["isBase64Encoded"] is is_file
        if is_file:
            return Answer(answer["statusCode"], answer["headers"], base64.b64decode(answer["body"]))
        body = json.loads(answer["body"]) if answer["body"] else None
        return Answer(answer["statusCode"], answer["headers"], body)

    def get(self, path: str, **parameters: str) -> Answer:
        return self.call(event_of("GET", path, parameters=parameters))

    def post(self, path: str, body: object = None) -> Answer:
        return self.call(event_of("POST", path, body=body))

    def asked_by(
        self,
        tenant: str,
        scope: str,
        method: str,
        path: str,
        *,
        key_id: str = "k" * 12,
        is_file: bool = False,
        **given: Any,
    ) -> Answer:
        """Return the answer to a key of a tenant (`_self`: the deployment's own user)."""
        event = event_of(method, path, **{name: given[name] for name in given if name != "headers"})
        said = {**event["requestContext"]["authorizer"]["lambda"], "tenant": tenant, "scope": scope, "key_id": key_id}
        context = {**event["requestContext"], "authorizer": {"lambda": said}}
        headers = {**event["headers"], **given.get("headers", {})}
        return self.call({**event, "requestContext": context, "headers": headers}, is_file=is_file)

    def directly(self, do: str, **members: Any) -> Answer:
        """Return the answer to a direct invocation."""
        return self.call({"do": do, **members})

    def patch(self, path: str, body: object) -> Answer:
        return self.call(event_of("PATCH", path, body=body))

    def delete(self, path: str) -> Answer:
        return self.call(event_of("DELETE", path))

    def feed(self, name: str, url: str | None = None, **members: Any) -> str:
        """Register a feed, and return its id."""
        url = url or f"https://example.com/{name}"
        feed_id = derived_ulid(NOW, name)
        self.directory.store.register(NewFeed(feed_id=feed_id, url=url, aliases=(url,), now=NOW, **members))
        return feed_id

    def write(self, feed_id: str, **attributes: Any) -> None:
        """Change FEED past the function, as a check does."""
        feed = self.directory.contents.feeds()[feed_id]
        self.directory.contents.put_feed_item(**{**feed, **attributes, "rev": feed["rev"] + 1})

    def move(self, feed_id: str, to: str) -> None:
        """Let the feed have another URL, as revival does."""
        feed = self.directory.contents.feeds()[feed_id]
        client: Any = self.directory.faults
        DynamoFeedMoves(Tables(client, self.directory.contents.names, Backoff())).move(
            FeedMove(
                feed_id=feed_id,
                url=feed["url"],
                to=to,
                seen_rev=feed["rev"],
                reason=MoveReason.REVIVAL,
                by="revival",
                now=self.directory.clock.now(),
            )
        )

    def collect(self) -> None:
        """Let a worker process all messages of the queue of the frontier, and those that they send."""
        ports = self.ports.collect
        while messages := self.ports.frontier_queue.take():
            report = collect_batch(messages, ports=ports, do_job=self._drive, within_s=600.0)
            assert not any(report.failures), report.failures

    def _drive(self, message: JobMessage, left_s: float) -> None:
        run_job_step(message, ports=self.ports.collect, rekeys=NO_REGISTRY, within_s=left_s)

    def import_all(self) -> None:
        """Let a worker do the waiting steps of imports in the queue of the frontier, and those that they send."""
        while steps := self.ports.frontier_queue.take():
            for step in steps:
                assert isinstance(step, JobMessage)
                do_step(step.job_id, ports=self.ports, within_s=60.0)

    def import_all_and_collect(self) -> None:
        """Let a worker process all messages of the queue of the frontier, steps of imports too."""
        ports = self.ports.collect
        while messages := self.ports.frontier_queue.take():
            steps = [each for each in messages if isinstance(each, JobMessage) and each.job is Job.IMPORT]
            for step in steps:
                do_step(step.job_id, ports=self.ports, within_s=60.0)
            rest = [each for each in messages if each not in steps]
            if rest:
                report = collect_batch(rest, ports=ports, do_job=self._drive, within_s=600.0)
                assert not any(report.failures), report.failures

    @property
    def told(self) -> list[str]:
        """The types of the events on the bus."""
        return [entry["DetailType"] for entry in self.directory.bus.events.entries]

    def detail(self, detail_type: str) -> dict[str, Any]:
        """The detail of the last event of a type."""
        found = [each for each in self.directory.bus.events.entries if each["DetailType"] == detail_type]
        detail: dict[str, Any] = json.loads(found[-1]["Detail"])
        return detail


def event_of(method: str, path: str, *, parameters: Mapping[str, str] | None = None, body: object = None) -> Any:
    """The event for a path, as from a gateway with one default route."""
    event = read_event("http_site")
    http = event["requestContext"]["http"] | {"method": method, "path": path}
    given = {"queryStringParameters": dict(parameters), "rawQueryString": urlencode(parameters)} if parameters else {}
    sent = {} if body is None else {"body": body if isinstance(body, str) else json.dumps(body)}
    del event["pathParameters"]
    context = event["requestContext"] | {"http": http}
    return {**event, **given, **sent, "routeKey": "$default", "rawPath": path, "requestContext": context}


def forged(cursor: str, *, part: int = -1) -> Iterator[str]:
    """Yield cursors of the same list at places that no answer ever had: an id that is none, a number out of range."""
    of, *place = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    is_number = isinstance(place[part], int)
    for other in (-1, 2**31, 2**70) if is_number else ("", "no id", UNKNOWN_ID + "#", "z" * 26, UNKNOWN_ID * 43):
        place[part] = other
        yield encode_cursor(of, *place)


def make_directory_function(network: Mapping[str, Mapping[str, Any]] | None = None) -> DirectoryFunction:
    """A function over an empty directory. Pages of its frontier are fetched from the network (see FakeFetcher)."""
    directory = FakeDirectory(network or {})
    ports = FakeDirectoryParts(directory)
    return DirectoryFunction(directory, ports, load_function("directory").make_handler(lambda: ports))
