"""Made-up feeds and their server: a new item in each with each issue, and counts of the requests.

Brisk feeds have an item every two hours, so that they are due an hour after each check; slow ones are due a day after.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from email.utils import formatdate
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final, cast
from urllib.parse import urlsplit

from feedward.model import FeedFormat, Item, Validators
from feedward.registration import NewFeed
from feedward.ulid import derived_ulid

FEEDS_OF_A_HOST: Final = 4
BRISK_GAP_S: Final = 2 * 3600
SLOW_GAP_S: Final = 3 * 24 * 3600
FIRST_ISSUE: Final = 5
ITEMS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeUpFeed:
    """A feed by its number; `began_at` is the time of its first issue."""

    number: int
    is_brisk: bool
    began_at: int

    @property
    def feed_id(self) -> str:
        """Its id, derived from its number."""
        return derived_ulid(self.began_at, str(self.number))

    @property
    def host(self) -> str:
        """Its host; some feeds share one."""
        return f"press{self.number // FEEDS_OF_A_HOST}.example"

    @property
    def path(self) -> str:
        """Its path."""
        return f"/feed-{self.number}.xml"

    @property
    def url(self) -> str:
        """Its URL."""
        return f"http://{self.host}{self.path}"

    @property
    def gap_s(self) -> int:
        """The interval of its items."""
        return BRISK_GAP_S if self.is_brisk else SLOW_GAP_S

    def item_id(self, issue: int) -> str:
        """The id of the item of an issue."""
        return f"{self.number}/{issue}"

    def items(self, issue: int) -> list[Item]:
        """The items of the document, newest first; most of them are days old, as in a real feed."""
        return [self._item(each) for each in range(issue, max(issue - ITEMS, 0), -1)]

    def document(self, issue: int) -> bytes:
        """The document as it is served, as RSS."""
        items = "".join(
            f"<item><guid isPermaLink='false'>{item.id}</guid><title>{item.title}</title><link>{item.url}</link>"
            f"<pubDate>{formatdate(item.published_at)}</pubDate></item>"
            for item in self.items(issue)
        )
        head = f"<title>Feed {self.number}</title><link>http://{self.host}/</link><description>Made up</description>"
        return f'<rss version="2.0"><channel>{head}{items}</channel></rss>'.encode()

    def etag(self, issue: int) -> str:
        """The document's validator."""
        return f'"{self.number}-{issue}"'

    def as_found(self) -> NewFeed:
        """The registered form of the feed, at its first issue."""
        items = self.items(FIRST_ISSUE)
        return NewFeed(
            feed_id=self.feed_id,
            url=self.url,
            aliases=(),
            now=self.began_at,
            title=f"Feed {self.number}",
            description="Made up",
            site_url=f"http://{self.host}/",
            format=FeedFormat.RSS,
            http_status=200,
            validators=Validators(etag=self.etag(FIRST_ISSUE)),
            content_hash=hashlib.sha256(self.document(FIRST_ISSUE)).hexdigest(),
            latest_item_published_at=items[0].published_at,
            median_gap_s=self.gap_s,
            items=tuple(items),
        )

    def _item(self, issue: int) -> Item:
        longest_ago = 24 * BRISK_GAP_S if self.is_brisk else (FIRST_ISSUE + 1) * SLOW_GAP_S
        return Item(
            id=self.item_id(issue),
            url=f"http://{self.host}/{self.number}/{issue}",
            title=f"Issue {issue}",
            published_at=self.began_at - longest_ago + issue * self.gap_s,
        )


class FeedServer:
    """Serves the feeds over http on a port of loopback, from `start` to `stop`."""

    def __init__(self, feeds: Iterable[MadeUpFeed]) -> None:
        self._feeds = {urlsplit(feed.url)[1:3]: feed for feed in feeds}
        self._issues = dict.fromkeys((feed.number for feed in self._feeds.values()), FIRST_ISSUE)
        self._asked: Counter[int] = Counter()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Answering)
        self._server.feeds = self
        self.port: int = self._server.server_address[1]

    def start(self) -> None:
        """Serve from now on, in threads of this process."""
        threading.Thread(target=self._server.serve_forever, args=(0.05,), name="feeds", daemon=True).start()

    def stop(self) -> None:
        """End it."""
        self._server.shutdown()
        self._server.server_close()

    def bring_out(self, feeds: Sequence[MadeUpFeed]) -> None:
        """Add a new item to each of these feeds."""
        for feed in feeds:
            self._issues[feed.number] += 1

    def issue(self, feed: MadeUpFeed) -> int:
        """The current issue of a feed."""
        return self._issues[feed.number]

    def asked(self) -> Counter[int]:
        """The number of requests of each feed so far, by its number."""
        with self._lock:
            return self._asked.copy()

    def answer(self, host: str, path: str, seen: str | None) -> tuple[int, str, bytes]:
        """Status, validator and body of the answer to a request that has `seen` a validator."""
        feed = self._feeds.get((host, path))
        if feed is None:
            return 404, "", b""
        with self._lock:
            self._asked[feed.number] += 1
        issue = self.issue(feed)
        etag = feed.etag(issue)
        return (304, etag, b"") if seen == etag else (200, etag, _document(feed, issue))


@cache
def _document(feed: MadeUpFeed, issue: int) -> bytes:
    return feed.document(issue)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    feeds: FeedServer

    def server_bind(self) -> None:
        """Bind without looking up this machine's own name."""
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()

    def handle_error(self, request: object, client_address: object) -> None:
        """No log: a killed worker closes its connection."""


class _Answering(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """Answer one request."""
        feeds = cast("_Server", self.server).feeds
        host = self.headers["host"].partition(":")[0]
        status, etag, body = feeds.answer(host, self.path, self.headers.get("if-none-match"))
        self.send_response(status)
        self.send_header("ETag", etag)
        self.send_header("Content-Type", "application/rss+xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        """No log: requests are counted."""
