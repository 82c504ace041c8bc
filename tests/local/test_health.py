"""Checks on the whole stack: the function swept by the event of its schedule, its queue, and feeds that move or die.

Feeds are aged in their table, and the function is called as by its schedules: no test waits for a minute.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from feedward.adapters.dynamodb.store.codec import decode, encode
from feedward.events.envelope import RevivalRequested, revival_requested
from feedward.health.decision import RevivalReason
from feedward.health.due_feed import DueFeed, HealthMessage
from feedward.scheduling.shards import due_shard
from feedward.ulid import new_ulid
from feedward.urls.key import url_hash
from feedward_local.demo.deployment import PHASE_FILE
from tests.local.stack_aws import WORK_WITHIN_S, StackAws, wait_until
from tests.local.stack_process import StackProcess
from tests.store_contents import by_exception, due_at

pytestmark = pytest.mark.local_stack
ROOT = Path(__file__).parents[2]
MOVED_FROM, MOVED_TO = "https://ink.example/rss", "https://paper.example/feed"
GONE = "https://closed.example/feed"
DIES = "https://almanac.example/feed.xml"
STOPS, LIVES = "http://lantern.example/feed", "https://lantern.example/feed"
AT_ITS_SITE = "https://kiln.example/atom.xml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """The running stack, from outside and from inside."""

    process: StackProcess
    aws: StackAws
    heard: str
    slots: Iterator[int] = field(default_factory=lambda: itertools.count(int(time.time()) - 600))

    def register(self, url: str) -> str:
        """Let the API register the feed of a URL; the feed's id."""
        feed_id: str = self.process.canonicalize(url=url, register=True)["feed_id"]
        return feed_id

    def feed(self, feed_id: str) -> dict[str, Any]:
        (item,) = self.aws.items("FeedsTable", feed_id=feed_id, sk="FEED")
        return item

    def age(self, feed_id: str, url: str | None = None, host: str | None = None) -> int:
        """Make a feed overdue by minutes, at another of its URLs if one is given; the time it was due.

        Each is due later than the one before: a sweep never goes back behind the entries that it sent.
        """
        due = next(self.slots)
        item: dict[str, Any] = encode(by_exception(decode(self.feed(feed_id)), due))
        if url is not None and host is not None:
            item |= {"url": {"S": url}, "url_hash": {"S": url_hash(url)}, "host": {"S": host}}
            item |= {"due_shard": {"N": str(due_shard(host))}}
            for name in ("etag", "last_modified", "validators_url", "content_hash"):
                item.pop(name, None)
        self.aws.dynamodb.put_item(TableName=self.aws.ids["FeedsTable"], Item=item)
        return due

    def turn_to(self, phase: str) -> None:
        """Switch the internet to another phase."""
        (self.process.state / "demo" / PHASE_FILE).write_text(phase)

    def do(self, task: str) -> Mapping[str, Any]:
        """Call the function as its schedule does."""
        event = (ROOT / "events" / f"schedule_{task}.json").read_text()
        answer = self.aws.client("lambda").invoke(FunctionName=self.aws.ids["HealthCheckFunction"], Payload=event)
        report: Mapping[str, Any] = json.loads(answer["Payload"].read())
        assert "errorType" not in report, report
        return report

    def checked_since(self, feed_id: str, due: int) -> dict[str, Any] | None:
        """The feed once it was checked for the time that it was due."""
        item = self.feed(feed_id)
        return item if due_at(decode(item), due) > due + 60 else None

    def state(self, feed_id: str, state: str) -> dict[str, Any] | None:
        """The feed if it is in this state."""
        item = self.feed(feed_id)
        return item if item["state"]["S"] == state else None

    def told(self, feed_id: str, detail_type: str) -> Any:
        """An event about a feed if it has come by now; others are read and dropped."""
        events = [json.loads(message) for message in self.aws.messages(self.heard)]
        ours = (each for each in events if each["detail"]["feed_id"] == feed_id)
        return next((each for each in ours if each["detail-type"] == detail_type), None)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack of this file's own: its feeds move to URLs that other tests do not expect."""
    process = StackProcess(tmp_path_factory.mktemp("health"), "--demo")
    try:
        assert process.url
        aws = StackAws(process.state / "demo")
        yield Stack(process=process, aws=aws, heard=aws.listen("FeedStateChanged"))
    finally:
        process.stop()


def test_a_due_feed_is_swept_and_checked(running: Stack) -> None:
    feed_id = running.register(MOVED_TO)
    due = running.age(feed_id)

    report = running.do("sweep")

    assert report["complete"] is True
    checked = wait_until(lambda: running.checked_since(feed_id, due), WORK_WITHIN_S, "the check")
    assert (checked["state"]["S"], checked["consecutive_failures"]["N"]) == ("healthy", "0")
    assert int(checked["last_attempt_at"]["N"]) >= due + 60


def test_a_feed_whose_http_stops_is_followed_to_its_https_before_it_fails(running: Stack) -> None:
    feed_id = running.register(STOPS)
    running.turn_to("lantern-https")
    due = running.age(feed_id)

    running.do("sweep")

    wait_until(lambda: running.feed(feed_id)["url"]["S"] == LIVES, WORK_WITHIN_S, "the move")
    checked = wait_until(lambda: running.checked_since(feed_id, due), WORK_WITHIN_S, "the check")
    assert (checked["state"]["S"], checked["url"]["S"]) == ("healthy", LIVES)
    assert running.process.canonicalize(url=LIVES)["feed_id"] == feed_id


def test_a_feed_that_moved_for_good_adopts_its_new_url_and_keeps_its_id(running: Stack) -> None:
    feed_id = running.register(MOVED_FROM)
    due = running.age(feed_id, MOVED_FROM, "ink.example")

    running.do("sweep")

    wait_until(lambda: running.checked_since(feed_id, due), WORK_WITHIN_S, "the check")
    moved = wait_until(lambda: running.feed(feed_id)["url"]["S"] == MOVED_TO, WORK_WITHIN_S, "the move")
    assert moved
    (history,) = [
        item
        for item in running.aws.items("FeedsTable", feed_id=feed_id)
        if item["sk"]["S"].startswith("AUDIT#") and item["action"]["S"] == "moved"
    ]
    assert history["by"]["S"] == "check"


def test_a_feed_that_died_degrades_and_the_bus_hears_of_it(running: Stack) -> None:
    feed_id = running.register(DIES)
    running.turn_to("almanac-gone")
    running.age(feed_id)

    running.do("sweep")

    # Its state lasts only until the search that its death starts; the bus events stay.
    told = wait_until(lambda: running.told(feed_id, "FeedStateChanged"), WORK_WITHIN_S, "the event")
    assert (told["detail"]["from"], told["detail"]["to"], told["detail"]["reason"]) == ("healthy", "degraded", "gone")


def test_a_feed_that_is_asked_for_on_the_bus_is_found_again_where_its_site_has_it(running: Stack) -> None:
    feed_id = running.register(AT_ITS_SITE)
    due = running.age(feed_id, GONE, "closed.example")
    running.do("sweep")
    wait_until(lambda: running.checked_since(feed_id, due), WORK_WITHIN_S, "the check")
    asked = RevivalRequested(
        event_id=new_ulid(int(time.time())), feed_id=feed_id, reason=RevivalReason.GONE, occurred_at=int(time.time())
    )

    running.aws.put_event("RevivalRequested", revival_requested(asked))

    wait_until(lambda: running.feed(feed_id)["url"]["S"] == AT_ITS_SITE, WORK_WITHIN_S, "the revival")
    revived = wait_until(lambda: running.state(feed_id, "healthy"), WORK_WITHIN_S, "a healthy feed")
    assert revived["url"] == {"S": AT_ITS_SITE}


def test_a_message_that_comes_twice_is_applied_once(running: Stack) -> None:
    feed_id = running.register(MOVED_TO)
    due = running.age(feed_id)
    sent = running.aws.sqs
    feed = DueFeed.from_message(decode(running.feed(feed_id)))
    text = HealthMessage(entries=(feed,), sent_at=int(time.time())).to_text()
    for _ in range(2):
        sent.send_message(QueueUrl=running.aws.ids["HealthQueue"], MessageBody=text)

    checked = wait_until(lambda: running.checked_since(feed_id, due), WORK_WITHIN_S, "the check")
    wait_until(lambda: running.aws.waiting("HealthQueue") == 0, WORK_WITHIN_S, "an idle queue")
    assert int(checked["rev"]["N"]) == feed.rev + 1
    assert running.feed(feed_id) == checked


def test_repair_and_reconcile_go_through(running: Stack) -> None:
    assert running.do("repair")["complete"] is True
    assert running.do("reconcile")["complete"] is True
