"""A lost feed, and a directory that searches it: the start of tests of revival."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from feedward.events.envelope import RevivalRequested
from feedward.health.decision import RevivalReason
from feedward.health.revival import Revival
from feedward.services.canonicalize.register import canonicalize_and_register
from feedward.services.revive.revive import revive
from tests.fakes.directory import NOW
from tests.fakes.revival_directory import FakeRevivalDirectory
from tests.unit.services.check.checked import DAY, page, rss, status

HOME = "https://example.com/"
OLD = "https://example.com/old.xml"
NEW = "https://example.com/new.xml"
GONE: dict[str, Any] = {
    "state": "degraded",
    "consecutive_failures": 2,
    "failures": {"first_failure_at": NOW, "not_founds": 2, "last_revival_at": NOW + DAY},
}
POSTS = (f"a@{NOW - DAY}", f"b@{NOW - 2 * DAY}", f"c@{NOW - 3 * DAY}")
LATER = (f"x@{NOW}", f"y@{NOW - 3600}", f"z@{NOW - 7200}")


def feed_page(*items: str, site: str = HOME, title: str = "Example", **members: Any) -> dict[str, Any]:
    body = rss(*(items or POSTS), site=site, title=title)
    return page(body, headers={"Content-Type": "application/rss+xml"}, **members)


def home(*links: str, title: str = "Example", **members: Any) -> dict[str, Any]:
    """A page that advertises feeds."""
    tags = "".join(f'<link rel="alternate" type="application/rss+xml" href="{link}">' for link in links)
    body = f"<!doctype html><title>{title}</title>{tags}<p>Hello"
    return {"body": body, "headers": {"Content-Type": "text/html; charset=utf-8"}, **members}


class Lost:
    """A feed that was registered a day ago, and whose URL now serves something else.

    `network` is the current internet; the feed was at `url`, as `before` says.
    """

    def __init__(
        self,
        network: Mapping[str, Any],
        *,
        url: str = OLD,
        before: dict[str, Any] | None = None,
        scope: str = "",
        **feed: Any,
    ) -> None:
        self.directory = FakeRevivalDirectory({url: before or feed_page()})
        self.url = url
        self.internet = self.directory.internet
        result = canonicalize_and_register(
            url, fetcher=self.directory.fetcher, store=self.directory.store, now=NOW, scope=scope
        )
        assert result.feed_id, result
        self.feed_id = result.feed_id
        self.serve({url: status(404), **network})
        self.write(**(GONE | feed))
        self.directory.outbox.events_sent(self.directory.outbox.outbox_entries(self.feed_id))
        self.directory.clock.advance(DAY)
        self.internet.requests.clear()

    def serve(self, network: Mapping[str, Any]) -> None:
        """Let only these pages answer from now on; unknown paths of their hosts are not found."""
        known = type(self.internet)(network, answers_404=True)
        self.internet.network, self.internet.unknown_paths = known.network, known.unknown_paths

    def write(self, sk: str = "FEED", **attributes: Any) -> None:
        """Change one of the feed's items past the store."""
        [item] = self.directory.contents.under(self.feed_id, sk)
        rev = {"rev": item["rev"] + 1} if sk == "FEED" else {}
        changed = {**item, **attributes, **rev}
        self.directory.contents.put_feed_item(**{name: value for name, value in changed.items() if value is not None})

    @property
    def feed(self) -> dict[str, Any]:
        """The stored FEED."""
        return self.directory.contents.feeds()[self.feed_id]

    @property
    def history(self) -> list[str]:
        """The actions on the feed, newest first."""
        return [entry.action for entry in self.directory.moves.entries(self.feed_id)]

    def asked(self, reason: RevivalReason = RevivalReason.NOT_FOUND, **members: Any) -> RevivalRequested:
        """A request of a check, or of a person."""
        request = RevivalRequested(
            event_id="01M00000000000000000000000",
            feed_id=self.feed_id,
            reason=reason,
            occurred_at=self.directory.clock.now(),
            outcome="not_found",
        )
        if reason is RevivalReason.REQUESTED:
            request = replace(request, requested_by="ada", outcome=None)
        return replace(request, **members)

    def revive(self, reason: RevivalReason = RevivalReason.NOT_FOUND, **members: Any) -> Revival:
        return revive(self.asked(reason, **members), directory=self.directory)
