"""Measures the peak memory of one kind of work: `python -m tests.perf.peak_memory check 50` prints JSON.

A process of its own, for a peak never goes down again. The network makes each body when it is asked for, and a body is
held twice while it arrives, as in the guarded fetch.
"""

from __future__ import annotations

import io
import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from feedward.access.caller import SELF_HOSTED
from feedward.adapters.clock import SystemClock
from feedward.canonical.options import DEFAULT_OPTIONS
from feedward.canonical.result import CanonicalResult
from feedward.deadline import Deadline
from feedward.frontier.messages import CollectMessage
from feedward.health.due_feed import HealthMessage
from feedward.model import FetchResult, Outcome
from feedward.ports import BodyRoom
from feedward.reading_budget import MAX_BYTES
from feedward.services.canonicalize.canonicalize_urls import canonicalize_urls
from feedward.services.check.check_batch import BatchReport, check_batch
from feedward.services.collect.collect_batch import CollectReport
from feedward.services.discover.discover import discover
from feedward.services.discover.limits import JOB_LIMITS
from feedward.services.work.memory_budget import FREE_BYTES, MemoryBudget, TaskRoom
from tests.fakes.collecting import FakeCollecting
from tests.fakes.feed_store import FakeFeedStore
from tests.fakes.uncharged import Uncharged
from tests.functions.health_check import HealthCheck, feed_url

EMOJI = "\U0001f600".encode()
CHANNEL = (
    b"<?xml version='1.0'?><rss version='2.0'><channel><title>Feed %d "
    + EMOJI
    + b"</title><link>https://site%d.example/</link>"
)
ITEM = b"<item><title>t</title><guid>%d-%d</guid><description>" + b"a" * 900 + b"</description></item>"


def feed(number: int) -> bytes:
    """A feed as large as any may be, with one character that makes each of its characters take four bytes."""
    pieces = [CHANNEL % (number, number)]
    pieces += [ITEM % (number, item) for item in range((MAX_BYTES - 2000) // len(ITEM % (number, 10_000)))]
    return b"".join((*pieces, b"</channel></rss>"))


def page(number: int) -> bytes:
    """A page as large as any may be, with such a character, and links."""
    start = b"<!doctype html><title>%d</title><p>" % number + EMOJI
    start += b"".join(b"<a href=https://b%d.example/feed.xml>RSS feed</a>" % each for each in range(24))
    return start + b"<p>word <b>word</b> " * 6000 + b"word " * ((MAX_BYTES - 200_000) // 5)


class Large:
    """ports.PageFetcher: every URL has a body that `make` makes of its number."""

    def __init__(self, make: Callable[[int], bytes], content_type: str) -> None:
        self.make, self.content_type = make, content_type
        self.lock = threading.Lock()
        self.asked: list[str] = []

    def fetch(self, url: str, *, room: BodyRoom | None = None, **_: Any) -> FetchResult:
        with self.lock:
            self.asked.append(url)
            number = len(self.asked)
        held = bytearray(FREE_BYTES)
        if room is not None:
            room.reserve()
        body = self.make(number)
        del held
        return FetchResult(
            outcome=Outcome.OK, url=url, status=200, requests=1, headers={"content-type": self.content_type}, body=body
        )


def patient() -> MemoryBudget:
    """The worker's own budget, except that no task is left over: the amount of work does not depend on the machine."""
    return MemoryBudget(wait_s=3600.0)


def check(feeds: int) -> dict[str, Any]:
    """So many feeds in messages of ten, in one call."""
    urls = tuple(feed_url(number) for number in range(feeds))
    function = HealthCheck(io.StringIO(), *urls)
    function.let_all_be_due()
    ports = function.directory.services().check_batch_ports
    ports = replace(ports, check=replace(ports.check, fetcher=Large(feed, "application/rss+xml"), memory=patient()))
    texts = [function.message(*range(first, min(first + 10, feeds))) for first in range(0, feeds, 10)]
    report = check_batch([HealthMessage.from_text(text) for text in texts], ports=ports, within_s=58.0)
    left = [feed for text in function.taken() for feed in HealthMessage.from_text(text).entries]
    outcomes = [str(answer.outcome) for answer in report.answers]
    return {"outcomes": sorted(set(outcomes)), "done": len(outcomes), "left": len(left), "failed": failed(report)}


def failed(report: BatchReport | CollectReport) -> int:
    """The number of messages that have to come again unchanged."""
    return sum(failure is not None for failure in report.failures)


class NoBodies:
    """ports.Bodies that keeps nothing: S3 takes no memory of the worker."""

    def within(self, _: Any) -> Self:
        """See Bounded: waits take no time."""
        return self

    def keep(self, body: bytes, *, scope: str = "") -> str:
        return sha256(body).hexdigest()

    def read(self, _: str, *, scope: str = "") -> bytes | None:
        return None


def collect(pages: int) -> dict[str, Any]:
    """So many rows in messages of ten, in one call."""
    world = FakeCollecting({}, fetcher=Large(page, "text/html"))
    world.ports = replace(world.ports, bodies=NoBodies(), memory=patient())
    rows = [world.add(f"https://site{number}.example/{number}") for number in range(pages)]
    for first in range(0, pages, 10):
        world.queue.send_batch([CollectMessage(entries=tuple(rows[first : first + 10]), sent_at=world.clock.now())])
    report = world.work(within_s=88.0)
    left = [row for message in world.queue.take() if isinstance(message, CollectMessage) for row in message.entries]
    outcomes = [str(answer.reason or answer.status) for answer in report.answers]
    return {"outcomes": sorted(set(outcomes)), "done": len(outcomes), "left": len(left), "failed": failed(report)}


def discovery(feeds: int) -> dict[str, Any]:
    """A page that names so many feeds: every answer of the run is as large as any may be."""
    first = [True]

    def make(number: int) -> bytes:
        is_page = first.pop() if first else False
        return page(number) if is_page else feed(number)

    found = discover(
        "https://a.example/",
        fetcher=Large(make, "text/html"),
        limits=replace(JOB_LIMITS, answer_s=600.0, anchors=feeds),
    )
    return {"outcomes": ["ok"], "done": sum(each.item_count is not None for each in found.candidates)}


class Patient(MemoryBudget):
    """The same for URLs, which each wait for as long as they have time."""

    @contextmanager
    def room(self, *, wait_s: float | None = None) -> Iterator[TaskRoom]:
        with super().room(wait_s=3600.0) as room:
            yield room

    @contextmanager
    def parsing(self, size: int, *, wait_s: float | None = None) -> Iterator[None]:
        with super().parsing(size, wait_s=3600.0):
            yield


def canonicalize(urls: int) -> dict[str, Any]:
    """So many URLs in one call."""
    found = canonicalize_urls(
        SELF_HOSTED,
        [f"https://site{number}.example/feed" for number in range(urls)],
        fetcher=Large(feed, "application/rss+xml"),
        store=FakeFeedStore(),
        clock=SystemClock(),
        options=DEFAULT_OPTIONS,
        register=True,
        charges=Uncharged(),
        deadline=Deadline.after(3600.0, lambda: 0.0),
        memory=Patient(),
    )
    reasons = [str(each.reason if isinstance(each, CanonicalResult) else each) for each in found]
    return {"outcomes": sorted(set(reasons)), "done": len(reasons), "left": 0, "failed": 0}


def peak_mb() -> int:
    """The peak of this program alone: `getrusage` counts that of the process that started it, too."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


if __name__ == "__main__":
    kinds = {"check": check, "collect": collect, "discovery": discovery, "canonicalize": canonicalize}
    result = kinds[sys.argv[1]](int(sys.argv[2]))
    result["peak_mb"] = peak_mb()
    sys.stdout.write(json.dumps(result))
