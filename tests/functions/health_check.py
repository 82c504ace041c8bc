"""The health check over feeds in a directory in memory: woken by its schedules, and by its queue."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from typing import Any

from feedward.health.due_feed import HealthMessage
from tests.functions.conftest import LambdaContext, load_function, read_event
from tests.unit.services.check.checked import Checked, page, rss


def feed_url(number: int, host: str | None = None) -> str:
    """The URL of one of the feeds; each has a host of its own unless one is given."""
    return f"https://{host or f'site{number}.example'}/{number}.xml"


def feed_page(number: int, **members: Any) -> dict[str, Any]:
    """A feed that exists, and is not mistaken for another."""
    return page(rss(f"item-{number}", title=f"Feed {number}"), **members)


def pages(urls: Iterable[str]) -> dict[str, dict[str, Any]]:
    """A network of feeds only."""
    return {url: feed_page(number) for number, url in enumerate(urls)}


class HealthCheck(Checked):
    """The function, and its feeds."""

    def __init__(self, log: io.StringIO, *urls: str, network: Mapping[str, Any] | None = None, scope: str = "") -> None:
        urls = urls or (feed_url(0),)
        super().__init__(network or pages(urls), *urls, scope=scope)
        self.log = log
        self.context = LambdaContext(remaining_ms=60_000)
        self.handler = load_function("health_check").make_handler(self.directory.services)

    @property
    def queue(self) -> Any:
        """The queue, with its knobs in `sqs`."""
        return self.directory.health_queue

    @property
    def log_lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.getvalue().splitlines()]

    def do(self, task: str) -> dict[str, Any]:
        """Wake it as its schedule does; the task's report."""
        return dict(self.handler(read_event(f"schedule_{task}"), self.context))

    def let_all_be_due(self) -> None:
        """Let time pass until the last of the feeds is due; feeds in their slots are then due by exception."""
        due = [self.due(feed_id) for feed_id in self.directory.contents.live()]
        due_at = {feed.feed_id: self.due_at(feed) for feed in due}
        self.wait(max(due_at.values()) - self.directory.clock.now() + 1)
        for feed in due:
            if feed.place.slot is not None:
                assert self.directory.services().sweeps.reschedule(feed, due_at[feed.feed_id])

    def taken(self) -> list[str]:
        """Take the sent messages from the queue, as texts."""
        texts = [text for text, _ in self.queue.sqs.sent]
        self.queue.sqs.sent.clear()
        return texts

    def swept(self) -> list[str]:
        """Sweep when all feeds are due, and take the messages."""
        self.let_all_be_due()
        self.do("sweep")
        return self.taken()

    def message(self, *numbers: int) -> str:
        """A message with these feeds in their current state."""
        due = tuple(self.due(self.feed_ids[number]) for number in numbers or range(len(self.feed_ids)))
        return HealthMessage(entries=due, sent_at=self.directory.clock.now()).to_text()

    def deliver(self, *texts: str) -> list[str]:
        """Deliver messages in one batch, and return the ids (`0`, `1` ...) of those to deliver again."""
        (sample,) = read_event("sqs_health_check")["Records"]
        records = [sample | {"messageId": str(number), "body": text} for number, text in enumerate(texts)]
        answer = self.handler({"Records": records}, self.context)
        return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]

    def stored(self) -> list[Any]:
        """All stored data of the feeds."""
        contents = self.directory.contents
        return [contents.feeds(), [contents.under(feed_id, "") for feed_id in self.feed_ids]]

    def slots(self) -> list[int]:
        """The due time of each feed."""
        return [self.due_at(self.due(feed_id)) for feed_id in self.feed_ids]
