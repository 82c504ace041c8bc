"""The page and the lists of a full directory, on a separate stack with the made-up internet.

`python -m bench.page FEEDS` fills the tables and the search index without the API, and prints the times of the first
view and of `GET /v1/feeds`, their requests, and the smoothness of scrolling 2,000 rows. It needs a browser.
"""

from __future__ import annotations

import statistics
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.search_world import documents
from bench.table import print_table
from feedward.adapters.dynamodb.feeds.seeded_feeds import put_seeded
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Transaction
from feedward.adapters.search.bucket import SearchBucket
from feedward.adapters.search.s3_feed import S3SearchFeed
from feedward.health.seeded_feed import SeededFeed
from feedward.search.document import FeedDocument
from feedward.urls.key import url_hash
from tests.local.page.conftest import QUIET, browser_path
from tests.local.page.looking import Looking, Tabs
from tests.local.stack_aws import StackAws
from tests.local.stack_process import StackProcess

FEEDS = 100_000
ROWS = 2000
TIMES = 30
FAR = 30 * 24 * 3600
# The browser's measurements of the page: transferred bytes, and tasks that blocked it for more than 50 ms.
NOTE_TASKS = """new PerformanceObserver((seen) => {
  (window.tasks ??= []).push(...seen.getEntries().map((one) => one.duration));
}).observe({type: "longtask", buffered: true})"""
# The time when the first view is complete, in milliseconds from the start of its loading.
WHOLE = """() => document.querySelector("main[data-view]") && !document.querySelector("[aria-busy]")
  && performance.now()"""
BYTES = """["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, one) => sum + one.transferSize, 0)"""
SCROLL = """async () => {
  const frames = [];
  let last = performance.now();
  for (let at = 0; at < document.body.scrollHeight; at += 300) {
    scrollTo(0, at);
    await new Promise(requestAnimationFrame);
    frames.push(performance.now() - last);
    last = performance.now();
  }
  return frames.sort((one, other) => one - other);
}"""


def main(feeds: int = FEEDS) -> None:
    """Print the table. Ends with a message if there is no browser."""
    from playwright.sync_api import sync_playwright

    path = browser_path()
    if path is None:
        sys.exit("There is no browser: install chromium, or name one in FEEDWARD_BROWSER.")
    with TemporaryDirectory() as state, sync_playwright() as playwright:
        stack = StackProcess(Path(state), "--demo")
        try:
            assert stack.url
            fill(StackAws(stack.state / "demo"), feeds)
            rows = lists(stack)
            browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
            tabs = Tabs(browser)
            rows += views(tabs, stack.url)
            stack.stop()
            stack = StackProcess(Path(state), "--demo")
            rows.append(("first view after a start", f"{first_view(tabs, stack.url)[0]:.0f} ms", "", "", ""))
            print_table(f"The page with {feeds:,} feeds", ("", "least", "p50", "worst", "what"), rows)
        finally:
            stack.stop()


# --- filling ---------------------------------------------------------------------------------------


def fill(aws: StackAws, feeds: int) -> None:
    """Write feeds, and an index of them. The stream of the table is not processed meanwhile."""
    lambdas = aws.client("lambda")
    for source in lambdas.list_event_source_mappings()["EventSourceMappings"]:
        if "/stream/" in source["EventSourceArn"]:
            lambdas.update_event_source_mapping(UUID=source["UUID"], Enabled=False)
    began = time.monotonic()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda some: _write(aws, some), _portions(documents(feeds), 12)))
    print(f"{feeds:,} feeds are written after {time.monotonic() - began:.0f} s", flush=True)
    began = time.monotonic()
    search = S3SearchFeed(SearchBucket(aws.ids["SearchBucket"], lambda: aws.client("s3")))
    search.rebuild(documents(feeds), now=int(time.time()))
    print(f"they are indexed after {time.monotonic() - began:.0f} s", flush=True)


def _write(aws: StackAws, some: list[FeedDocument]) -> None:
    names = TableNames(urls=aws.ids["UrlsTable"], feeds=aws.ids["FeedsTable"], state=aws.ids["StateTable"])
    transaction, now = Transaction(), int(time.time())
    for one in some:
        seed = SeededFeed(
            feed_id=one.feed_id, url=one.url, url_hash=url_hash(f"{one.url}?{one.feed_id}"), host=one.domain, now=now,
            first_check_at=now + FAR, title=one.title, description=one.description, site_url=one.site_url,
        )  # fmt: skip
        put_seeded(transaction, Tables(aws.dynamodb, names), seed)
    puts = [each["Put"] for each in transaction.items if "Put" in each]
    shown = [each for each in puts if each["Item"]["sk"]["S"] in ("FEED", "META")]
    aws.dynamodb.batch_write_item(
        RequestItems={names.feeds: [{"PutRequest": {"Item": each["Item"]}} for each in shown]}
    )


def _portions(all_of: Iterator[FeedDocument], size: int) -> Iterator[list[FeedDocument]]:
    while some := list(islice(all_of, size)):
        yield some


# --- measuring -------------------------------------------------------------------------------------


def lists(stack: StackProcess) -> list[tuple[str, ...]]:
    """The API's times for the lists that the page shows."""
    asked = ("/v1/feeds", "/v1/feeds?limit=100", "/v1/feeds?state=unhealthy&limit=5", "/v1/stats", "/v1/health")
    return [_row(f"GET {path}", partial(_get, stack.url + path), "") for path in asked]


def _get(url: str) -> None:
    with urllib.request.urlopen(url, timeout=60) as answer:
        answer.read()


def _row(name: str, do: Callable[[], object], what: str) -> tuple[str, ...]:
    times = []
    for _ in range(TIMES):
        began = time.perf_counter()
        do()
        times.append(1000 * (time.perf_counter() - began))
    return name, f"{min(times):.0f} ms", f"{statistics.median(times):.0f} ms", f"{max(times):.0f} ms", what


def views(tabs: Tabs, url: str) -> list[tuple[str, ...]]:
    """The time of the first view in a new tab, and the effect of scrolling many rows."""
    seen = [first_view(tabs, url) for _ in range(5)]
    took = [one[0] for one in seen]
    calls, files, sent = max(one[1:] for one in seen)
    first = ("first view", f"{min(took):.0f} ms", f"{statistics.median(took):.0f} ms", f"{max(took):.0f} ms")
    return [(*first, f"{calls} calls, {files} files, {sent / 1000:.0f} KB"), scrolled(tabs, url)]


def first_view(tabs: Tabs, url: str) -> tuple[float, int, int, int]:
    """The milliseconds until the start is complete in a new tab, its calls and files, and their bytes."""
    with Looking(tabs, url, is_new=True) as looking:
        looking.page.goto(f"{url}/#/")
        took = float(looking.page.wait_for_function(WHOLE, polling="raf").json_value())
        calls = sum(path.startswith("/v1/") for path in looking.asked)
        sent = int(looking.page.evaluate(BYTES))
        assert looking.complaints == [], looking.complaints
        return took, calls, len(looking.asked) - calls, sent


def scrolled(tabs: Tabs, url: str) -> tuple[str, ...]:
    """Show more until there are enough rows, and scroll through them."""
    with Looking(tabs, url, is_new=True) as looking:
        looking.page.add_init_script(NOTE_TASKS)
        looking.go("/feeds")
        rows = looking.page.get_by_role("list", name="Feeds").locator("li")
        while rows.count() < ROWS and looking.button("Show more").count():
            looking.button("Show more").click()
            looking.page.wait_for_function("() => !document.querySelector('.foot p')")
        looking.page.evaluate("window.tasks = []")
        frames: list[float] = looking.page.evaluate(SCROLL)
        tasks: list[Any] = looking.page.evaluate("window.tasks ?? []")
        what = f"{rows.count()} rows; tasks over 50 ms: {len(tasks)}, longest {max(tasks, default=0):.0f} ms"
    return (
        "a frame while scrolling",
        f"{frames[0]:.0f} ms",
        f"{statistics.median(frames):.0f} ms",
        f"{frames[-1]:.0f} ms",
        what,
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
