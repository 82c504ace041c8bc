"""Two feeds that collect, on the whole stack, over HTTP: their news are checked, passed on, fetched, and kept once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from tests.local.changing_internet.conftest import Running
from tests.local.stack_aws import WORK_WITHIN_S, wait_until
from tests.local.stack_process import StackProcess

pytestmark = pytest.mark.local_stack
BULLETIN, COURIER = "https://bulletin.example/feed.xml", "https://courier.example/rss"
TRACKERS = ("https://counter.example/b/3", "https://clicks.example/?to=comet")
ARTICLE, OWN = "https://agency.example/comet", "https://bulletin.example/bell"
HOSTS = {urlsplit(url).hostname for url in (BULLETIN, COURIER, *TRACKERS, ARTICLE)}
NEWS = "agency-news"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """The running stack, from outside."""

    process: StackProcess

    def ask(self, method: str, path: str, body: object = None) -> Any:
        status, _, document = self.process.call(method, path, body)
        assert status in (200, 202), document
        return document

    def registered(self, url: str) -> str:
        feed_id: str = self.process.canonicalize(url=url, register=True)["feed_id"]
        return feed_id

    def check(self, feed_id: str) -> None:
        """Have the feed checked, and wait until it knows its news."""
        before = self.items(feed_id)
        self.ask("POST", f"/v1/feeds/{feed_id}/check")
        wait_until(lambda: self.items(feed_id) != before, WORK_WITHIN_S, "the news")

    def items(self, feed_id: str) -> list[Any]:
        found: list[Any] = self.ask("GET", f"/v1/feeds/{feed_id}/items")["items"]
        return found

    def row(self, url: str) -> Any:
        """The frontier's row of a URL, or None."""
        rows = self.ask("GET", f"/v1/frontier?url={quote(url, safe='')}")["rows"]
        return rows[0] if rows else None

    def fetched(self, url: str) -> Any:
        """The row of a URL, once its page was fetched."""

        def look() -> Any:
            row = self.row(url)
            return row if row and row["status"] == "fetched" else None

        return wait_until(look, WORK_WITHIN_S, f"the page of {url}")


@pytest.fixture
def stack(running: Running) -> Stack:
    return Stack(process=running.process)


def test_an_article_that_two_feeds_link_to_by_their_own_trackers_is_one_item(running: Running, stack: Stack) -> None:
    bulletin, courier = stack.registered(BULLETIN), stack.registered(COURIER)
    for feed_id in (bulletin, courier):
        assert stack.ask("GET", f"/v1/feeds/{feed_id}")["collect_items"] is False
        assert stack.ask("PATCH", f"/v1/feeds/{feed_id}", {"collect_items": True})["collect_items"] is True
    running.turn_to(NEWS)

    stack.check(bulletin)
    stack.check(courier)

    rows = [stack.fetched(url) for url in (*TRACKERS, ARTICLE, OWN)]
    item_ids = {row["url"]: row["item_id"] for row in rows}
    assert len(set(item_ids.values())) == 2
    items = [stack.ask("GET", f"/v1/items/{item_id}") for item_id in set(item_ids.values())]
    assert sorted((item["title"], item["canonical_uri"]) for item in items) == [
        ("A new bell", OWN),
        ("The comet", ARTICLE),
    ]
    (run_id,) = {item["run_id"] for item in items}
    assert stack.ask("GET", f"/v1/runs/{run_id}")["kind"] == "standing"
    of_run = stack.ask("GET", f"/v1/items?run={run_id}&limit=100")["items"]
    assert sorted(item["canonical_uri"] for item in of_run if urlsplit(item["canonical_uri"]).hostname in HOSTS) == [
        ARTICLE,
        OWN,
    ]
    assert stack.row("https://courier.example/market-day") is None  # no news
    assert [entry["action"] for entry in stack.ask("GET", f"/v1/feeds/{courier}/audit")["entries"]] == [
        "collect_items_on",
        "registered",
    ]
