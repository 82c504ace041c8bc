"""A feed in a directory in memory, checked whenever a test says so."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from feedward.adapters.dynamodb.feeds.checks import DynamoCheckStore
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.health.due_feed import DueFeed
from feedward.scheduling.heartbeat import is_heartbeat
from feedward.services.canonicalize.register import canonicalize_and_register
from feedward.services.check.answer import CheckAnswer
from feedward.services.check.check_feed import check_feed
from feedward.services.work.polite_fetch import Cooldowns, PoliteFetcher
from feedward.ulid import derived_ulid
from tests.fakes.check_parts import fake_check_parts
from tests.fakes.directory import NOW, FakeDirectory

URL = "https://example.com/feed.xml"
HOUR = 3600
DAY = 24 * HOUR


def rss(
    *items: str, title: str = "Example", more: str = "", built: str = "", site: str = "https://example.com/"
) -> str:
    """An RSS document. Items are `name` or `name@epoch second`; two that differ in `built` only are one feed."""
    entries = "".join(map(_entry, items))
    namespaces = 'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
    return (
        f'<rss version="2.0" {namespaces}><channel><title>{title}</title><link>{site}</link>'
        f"<lastBuildDate>{built}</lastBuildDate>{more}{entries}</channel></rss>"
    )


def _entry(item: str) -> str:
    name, _, at = item.partition("@")
    date = f"<pubDate>{_http_date(int(at))}</pubDate>" if at else ""
    link = f"https://example.com/{name}"
    return f"<item><guid>urn:{name}</guid><link>{link}</link><title>On {name}</title>{date}</item>"


def _http_date(at: int) -> str:
    from email.utils import formatdate

    return formatdate(at, usegmt=True)


def page(body: str, *, etag: str | None = None, **members: Any) -> dict[str, Any]:
    """A page that serves `body`, with an ETag that it answers 304 to."""
    headers = members.pop("headers", {}) | ({"ETag": etag} if etag else {})
    return {"body": body, "headers": headers, **members}


def status(code: int, **headers: str) -> dict[str, Any]:
    """A page with only a status."""
    return {"status": code, "headers": headers, "body": "no"}


def moved(code: int, location: str) -> dict[str, Any]:
    """A page that redirects."""
    return {"status": code, "headers": {"Location": location}}


class Checked:
    """One feed of a directory, registered at `NOW` by fetching it; `checks` are the answers of its checks."""

    def __init__(self, network: Mapping[str, Any], *urls: str, scope: str = "") -> None:
        self.directory = FakeDirectory(network)
        self.network = self.directory.internet.network
        self.ports = fake_check_parts(self.directory)
        contents = self.directory.contents
        self._eyes = DynamoCheckStore(Tables(contents._client, contents.names))  # past all knobs and counts
        self.checks: list[CheckAnswer] = []
        self.feed_ids = [self._register(url, scope) for url in urls or (URL,)]
        self.feed_id = self.feed_ids[0]
        self.directory.outbox.events_sent(
            [event for feed_id in self.feed_ids for event in self.directory.outbox.outbox_entries(feed_id)]
        )
        self.directory.internet.requests.clear()
        self.directory.internet.fetched.clear()

    def _register(self, url: str, scope: str) -> str:
        result = canonicalize_and_register(
            url,
            fetcher=self.directory.fetcher,
            store=self.directory.store,
            now=NOW,
            scope=scope,
            new_id=lambda now: derived_ulid(now, url),
        )
        assert result.feed_id, result
        return result.feed_id

    @property
    def feed(self) -> dict[str, Any]:
        """The stored FEED."""
        return self.directory.contents.feeds()[self.feed_id]

    def item(self, sk: str) -> dict[str, Any]:
        """One of the feed's other items."""
        [found] = self.directory.contents.under(self.feed_id, sk)
        return found

    def due(self, feed_id: str | None = None) -> DueFeed:
        """The current feed."""
        found = self._eyes.due_feed(feed_id or self.feed_id)
        assert found is not None
        return found

    def due_at(self, due: DueFeed | None = None) -> int:
        """The next due time of the feed."""
        return (due or self.due()).place.next_at(self.directory.clock.now() + 1)

    def due_in_its_slot(self) -> DueFeed:
        """The feed as the sweep sends it when it is due next."""
        due = self.due()
        return due if due.place.slot is None else replace(due, minute=self.due_at(due) // 60)

    def check_at_heartbeat(self) -> CheckAnswer:
        """Check the feed at the next minute of its slot at which a check without news is written."""
        due = self.due_in_its_slot()
        slot, at = due.place.slot, self.due_at(due)
        assert slot is not None
        while not is_heartbeat(due.feed_id, slot, at):
            at += slot.every_s
        return self.check(replace(due, minute=at // 60), after=at - self.directory.clock.now())

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.directory.clock.advance(seconds)

    def check(self, due: DueFeed | None = None, *, after: float = 0, **options: Any) -> CheckAnswer:
        """Let `after` seconds pass and check the feed, in its current state or as `due` says."""
        self.wait(after)
        answer = check_feed(due or self.due(), ports=self.ports, **options)
        self.checks.append(answer)
        return answer

    def check_when_due(self, **options: Any) -> CheckAnswer:
        """Check the feed when its slot has come."""
        due = self.due_in_its_slot()
        return self.check(due, after=max(0, self.due_at(due) - self.directory.clock.now()), **options)

    def polite(self) -> PoliteFetcher:
        """The fetcher of a batch: it stores the cooldowns that hosts ask for."""
        return PoliteFetcher(self.directory.fetcher, Cooldowns(self.directory.limiter, self.directory.clock))

    def cooldown_until(self, host: str = "example.com") -> int:
        """The end of a host's cooldown, for all workers; 0 without one."""
        return self.directory.limiter.cooldown_until(host, now=self.directory.clock.now())

    def serve(self, page: Mapping[str, Any], url: str = URL) -> None:
        """Let another page answer at a URL from now on."""
        self.network[url] = page

    @property
    def requests(self) -> Sequence[str]:
        """The requests since the registration."""
        return self.directory.internet.requests

    def told(self, detail_type: str) -> list[dict[str, Any]]:
        """The details of this type on the bus."""
        entries = self.directory.bus.events.entries
        return [json.loads(entry["Detail"]) for entry in entries if entry["DetailType"] == detail_type]
