"""The index function with a directory function: the second finds the feeds that the first sends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.functions.conftest import Answer, LambdaContext, load_function, read_event
from tests.functions.directory_function import DirectoryFunction


@dataclass(slots=True)
class IndexFunction:
    """The function, and the directory whose stream wakes it."""

    directory: DirectoryFunction
    handler: Callable[[Mapping[str, Any], Any], dict[str, Any]]
    context: LambdaContext = field(default_factory=lambda: LambdaContext(remaining_ms=900_000))

    def deliver(self, *feed_ids: str) -> list[str]:
        """Deliver records of these feeds, and return the sequence numbers from which to deliver again."""
        (sample,) = read_event("stream_feeds")["Records"]
        records = [record_of(sample, feed_id, number) for number, feed_id in enumerate(feed_ids)]
        answer = self.handler({"Records": records}, self.context)
        return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]

    def do(self, task: str) -> dict[str, Any]:
        """Do the task of the schedule, or of a manual call."""
        return self.handler(read_event("schedule_maintain_index") | {"do": task}, self.context)

    def search(self, q: str = "", **parameters: str) -> Answer:
        """Search after the time at which the copy reads the manifest again."""
        self.directory.directory.clock.advance(10)
        return self.directory.get("/v1/search", **({"q": q} if q else {}), **parameters)

    def found(self, q: str, **parameters: str) -> list[str]:
        """The ids of the first page."""
        answer = self.search(q, **parameters)
        assert answer.status == 200, answer.body
        return [result["feed"]["id"] for result in answer.body["results"]]


def record_of(sample: Mapping[str, Any], feed_id: str, number: int) -> dict[str, Any]:
    """A record of the stream: the keys of an item of the feed."""
    changed = sample["dynamodb"] | {"Keys": {"feed_id": {"S": feed_id}, "sk": {"S": "FEED"}}}
    return {**sample, "dynamodb": changed | {"SequenceNumber": str(number)}}


def make_index_function(directory: DirectoryFunction) -> IndexFunction:
    """The function over the tables and the bucket of a directory function."""
    return IndexFunction(directory, load_function("index").make_handler(lambda: directory.ports))
