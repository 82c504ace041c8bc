"""A directory in memory that files are imported into: steps are taken from the queue and done, and may be killed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from feedward.adapters.dynamodb.feeds.actions import DynamoFeedActions
from feedward.adapters.dynamodb.feeds.feed_reader import DynamoFeedReader
from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves
from feedward.adapters.dynamodb.tenants.imports import DynamoImports
from feedward.events.envelope import SUBSCRIPTION_CREATED
from feedward.intake.entry import Entry
from feedward.intake.job import Ended, Import, Result, Target
from feedward.services.intake.do_step import LEFT_FOR_S, do_step, resume_imports
from feedward.services.intake.read_imports import find_import, list_entries
from feedward.services.intake.start_import import Announced, begin_import
from feedward.services.subscribe.discover import discover_for_subscription
from feedward.services.subscribe.subscribe import list_subscriptions
from feedward.subscriptions.subscription import Subscription
from tests.callers import of_tenant
from tests.fakes.directory import FakeDirectory
from tests.fakes.frontier_queue import FakeFrontierQueue
from tests.fakes.import_files import FakeImportFiles
from tests.fakes.lifespan import Mortal


class Importing(FakeDirectory):
    """The ports of imports, and the work of workers and schedules with them."""

    def __init__(self, network: Mapping[str, Mapping[str, Any]] | None = None) -> None:
        super().__init__(network or {})
        self.faults.page_items = 1000  # type: ignore[attr-defined]
        self.imports = DynamoImports(self.tables)
        self.import_files = FakeImportFiles()
        self.feed_reader = DynamoFeedReader(self.tables)
        self.feed_actions = DynamoFeedActions(self.tables)
        self.audit = DynamoFeedMoves(self.tables)
        self.searches_at_once = 2
        self.frontier_queue = FakeFrontierQueue()
        self.frontier_queue._client = Mortal(self.frontier_queue._client, self.lifespan)  # type: ignore[assignment]

    def begin(self, file: str | bytes, *, tenant: str | None = None, into: Target | None = None) -> str:
        """Begin an import, and return its id."""
        body = file.encode() if isinstance(file, str) else file
        begun = begin_import(of_tenant(tenant), ports=self, body=body, into=into)
        assert not isinstance(begun, Announced)
        return begun.import_id

    def work(self) -> None:
        """Do the steps in the queue, and those that they send, until none is left."""
        while steps := self.frontier_queue.take():
            for step in steps:
                do_step(step.job_id, ports=self, within_s=60.0)  # type: ignore[union-attr]

    def imported(self, file: str | bytes, *, tenant: str | None = None, into: Target | None = None) -> Import:
        """Import a file, and return the import when its steps are done."""
        import_id = self.begin(file, tenant=tenant, into=into)
        self.work()
        return self.found(import_id, tenant=tenant)

    def found(self, import_id: str, *, tenant: str | None = None) -> Import:
        """The import, whose sums hold."""
        found = find_import(of_tenant(tenant), import_id, ports=self)
        counts = found.counts
        results = [getattr(counts, each.value) for each in Result]
        assert min(results) >= 0
        assert sum(results) + counts.left == counts.entries
        return found

    def results(self, import_id: str, *, tenant: str | None = None, **of: Any) -> list[tuple[Entry, Ended | None]]:
        """All entries with their results, page by page."""
        found: list[tuple[Entry, Ended | None]] = []
        page = list_entries(of_tenant(tenant), import_id, ports=self, limit=7, **of)
        found += page.entries
        while page.cursor is not None:
            page = list_entries(of_tenant(tenant), import_id, ports=self, limit=7, cursor=page.cursor, **of)
            found += page.entries
        return found

    def subscribed(self, *, tenant: str | None = None) -> list[Subscription]:
        """The tenant's subscriptions, as they are listed."""
        return list(list_subscriptions(of_tenant(tenant), ports=self, limit=200).subscriptions)

    def search(self) -> None:
        """Search for the feeds of all subscriptions with an event on the bus."""
        events, self.bus.events.entries[:] = list(self.bus.events.entries), []
        for detail in (each for each in events if each["DetailType"] == SUBSCRIPTION_CREATED):
            discover_for_subscription(_detail(detail), directory=self)

    def reconcile(self) -> int:
        """Do the later work of the schedule, and the steps that it sends."""
        self.clock.advance(LEFT_FOR_S + 1)
        resumed = resume_imports(ports=self)
        self.work()
        return resumed

    def state(self, *, tenant: str | None = None) -> list[tuple[Any, ...]]:
        """The tenant's objects, without times and ids."""
        listed = self.subscribed(tenant=tenant)
        return sorted((each.url, each.status.value, each.title, each.tags, each.reason) for each in listed)


def _detail(event: Mapping[str, Any]) -> dict[str, Any]:
    import json

    return dict(json.loads(event["Detail"]))


def opml(*outlines: str) -> str:
    """An OPML document with these outlines."""
    return '<?xml version="1.0"?>\n<opml version="2.0">\n<body>\n' + "\n".join(outlines) + "\n</body>\n</opml>\n"


def rss(url: str, title: str = "A feed", **attributes: str) -> str:
    """An outline with a feed."""
    more = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f'<outline type="rss" text="{title}" xmlUrl="{url}"{more}/>'
