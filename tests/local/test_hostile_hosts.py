"""Hosts that serve documents made to take a worker's time and memory, next to normal hosts, on the whole stack.

A hostile document costs its own row or feed, and no other: the good ones are done within a minute, no batch runs into
its function's timeout, and the hostile rows are dead in the end.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from typing import Any, Final

import pytest

from feedward.adapters.dynamodb.store.codec import decode, encode
from feedward.frontier.settings import DEFAULT_SETTINGS
from feedward_local.demo.deployment import PHASE_FILE
from feedward_local.demo.sites import Page, Sites
from feedward_local.stack import LocalStack
from feedward_local.workspace import workspace_of
from tests.local.stack_aws import StackAws, wait_until
from tests.local.stack_process import call
from tests.store_contents import by_exception, due_at
from tests.unit.canonical.documents import atom

pytestmark = pytest.mark.local_stack
HOSTS: Final = 25
LAST_ATTEMPT: Final = DEFAULT_SETTINGS.max_attempts
GOOD_WITHIN_S: Final = 180
ALL_WITHIN_S: Final = 300
HOSTILE: Final = "hostile"  # the phase in which the feeds of the bad hosts are hostile
SIZE: Final = 10_000_000
HTML, RSS = "text/html", "application/rss+xml"

BAD_PAGES: Final = (
    "<b><p>",
    "<div>",
    "<a href=/a>",
    "<table><tr><td>",
    "<p class=x id=y>",
)
BAD_FEEDS: Final = (
    ("", "<b><p>"),
    ("<rss version='2.0'><channel><title>F</title>", "<item><guid>1</guid></item>"),
    ("<rss version='2.0'><channel><title>F</title><item><description>", "&lt;b>&lt;p>"),
    ("<rss version='2.0'><channel>", "<a>"),
    ("<feed xmlns='http://www.w3.org/2005/Atom'><title>F</title>", "<entry/>"),
)


def page(kind: str, body: bytes, **headers: str) -> Page:
    return Page(at=(), headers={"Content-Type": kind, **headers}, body=body)


def bomb(kind: str, head: str, piece: str) -> Page:
    """A document of 10 MB that is a few KB on the way."""
    body = (head + piece * (SIZE // len(piece))).encode()
    return page(kind, gzip.compress(body, 9), **{"Content-Encoding": "gzip"})


def internet() -> Sites:
    """Good and bad hosts. All have a good feed, until the bad ones' phase begins."""
    bad_pages = [bomb(HTML, "<!doctype html><title>T</title>", piece) for piece in BAD_PAGES]
    bad_feeds = [bomb(RSS, head, piece) for head, piece in BAD_FEEDS]
    pages = {url: page(HTML, f"<title>{url}</title><p>What {url} says.".encode()) for url in pages_of("good")}
    pages |= dict(zip(pages_of("bad"), cycle(bad_pages), strict=False))
    pages |= {url: page(RSS, atom(self_url=url, items=("1", "2")).encode()) for url in feeds_of("good", "bad")}
    hostile = dict(zip(feeds_of("bad"), cycle(bad_feeds), strict=False))
    return Sites(stories=(), pages=pages, tries=(), phases={HOSTILE: hostile})


def pages_of(*kinds: str) -> list[str]:
    return [f"https://{kind}{n}.example/" for kind in kinds for n in range(HOSTS)]


def feeds_of(*kinds: str) -> list[str]:
    return [f"{url}feed.xml" for url in pages_of(*kinds)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """The running stack, from outside and from inside."""

    url: str
    aws: StackAws

    def post(self, path: str, body: object) -> Any:
        status, _, answer = call(self.url, "POST", path, body)
        assert status in (200, 202), answer
        return answer

    def rows(self, prefix: str) -> dict[str, dict[str, Any]]:
        """The rows of the frontier whose URLs begin so, by URL."""
        rows = map(decode, self.aws.items("FrontierTable"))
        return {row["url"]: row for row in rows if row.get("url", "").startswith(prefix)}

    def feeds(self, prefix: str) -> dict[str, dict[str, Any]]:
        """The feeds whose URLs begin so, by URL."""
        feeds = map(decode, self.aws.items("FeedsTable", sk="FEED"))
        return {feed["url"]: feed for feed in feeds if feed["url"].startswith(prefix)}

    def do(self, function: str, task: str) -> None:
        """Call a function as its schedule does."""
        payload = json.dumps({"do": task}).encode()
        answer = self.aws.client("lambda").invoke(FunctionName=self.aws.ids[function], Payload=payload)
        assert "FunctionError" not in answer, answer["Payload"].read()

    def change(self, table: str, item: dict[str, Any], key: tuple[str, ...], **values: int) -> None:
        """Change numbers of a stored item."""
        names = {f"#{name}": name for name in values}
        self.aws.dynamodb.update_item(
            TableName=self.aws.ids[table],
            Key=encode({name: item[name] for name in key}),
            UpdateExpression="SET " + ", ".join(f"#{name} = :{name}" for name in values),
            ExpressionAttributeNames=names,
            ExpressionAttributeValues=encode({f":{name}": value for name, value in values.items()}),
        )


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack with an internet of this file's own."""
    workspace = workspace_of("demo", home=tmp_path_factory.mktemp("hostile"))
    with LocalStack(workspace, port=0, demo=True, sites=internet()) as url:
        yield Stack(url=url, aws=StackAws(workspace.state))


def test_hostile_pages_end_dead_and_hold_up_no_others(stack: Stack) -> None:
    pairs = zip(pages_of("bad"), pages_of("good"), strict=True)
    stack.post("/v1/frontier", {"urls": [url for pair in pairs for url in pair]})

    def good_are_items() -> bool:
        rows = stack.rows("https://good").values()
        return len(rows) == HOSTS and all(row.get("item_id") for row in rows)

    def bad() -> list[tuple[str, int, str | None]]:
        rows = stack.rows("https://bad").values()
        return [(row["status"], row.get("attempts", 0), row.get("last_error")) for row in rows]

    wait_until(good_are_items, GOOD_WITHIN_S, "items of the good pages")
    # A worker that died of a page would have counted more than one attempt.
    wait_until(lambda: bad() == [("failed", 1, "too_large")] * HOSTS, ALL_WITHIN_S, "one failure of each bad page")

    for row in stack.rows("https://bad").values():
        stack.change("FrontierTable", row, ("row_id",), attempts=LAST_ATTEMPT - 1, next_fetch_at=1)
    stack.do("CollectFunction", "sweep")

    wait_until(lambda: bad() == [("dead", LAST_ATTEMPT, "too_large")] * HOSTS, ALL_WITHIN_S, "the end of the bad rows")
    assert stack.aws.waiting("FrontierDeadLetterQueue") == 0


def test_hostile_feeds_fail_and_hold_up_no_others(stack: Stack) -> None:
    urls = feeds_of("good", "bad")

    def are_registered() -> bool:
        stack.post("/v1/canonicalize", {"urls": urls, "register": True})  # a busy store has some of them come again
        return len(stack.feeds("https://")) == len(urls)

    wait_until(are_registered, ALL_WITHIN_S, "all feeds in the directory")
    (stack.aws.state / PHASE_FILE).write_text(HOSTILE)
    due = int(time.time()) - 60
    for feed in stack.feeds("https://").values():
        item = encode(by_exception(feed, due))
        stack.aws.dynamodb.put_item(TableName=stack.aws.ids["FeedsTable"], Item=item)
    stack.do("HealthCheckFunction", "sweep")

    def are_checked(prefix: str) -> bool:
        feeds = stack.feeds(prefix).values()
        return len(feeds) == HOSTS and all(due_at(feed, due) > due + 60 for feed in feeds)

    wait_until(lambda: are_checked("https://good"), GOOD_WITHIN_S, "checks of the good feeds")
    wait_until(lambda: are_checked("https://bad"), ALL_WITHIN_S, "checks of the bad feeds")
    assert {feed["last_outcome"] for feed in stack.feeds("https://good").values()} == {"ok"}
    assert {feed["consecutive_failures"] for feed in stack.feeds("https://bad").values()} <= {0, 1}
    assert stack.aws.waiting("HealthDeadLetterQueue") == 0
