"""A directory in memory from which feeds are exported, and into which they are imported again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from feedward.adapters.dynamodb.feeds.feed_reader import DynamoExportedFeeds
from feedward.adapters.dynamodb.state.export_jobs import DynamoExportJobs
from feedward.exports.job import ExportFormat, ExportQuery
from feedward.frontier.messages import Job, JobMessage
from feedward.ports.exports import ExportSigner
from feedward.registration import NewFeed
from feedward.search.results import SearchFilters, SearchFound, SearchHit
from feedward.services.export.export_now import Exported, FoundJob, export_feeds, find_export
from feedward.services.export.write_export import do_export_step
from feedward.topics.feed_topics import seeded
from feedward.ulid import derived_ulid
from tests.callers import of_tenant
from tests.fakes.directory import NOW
from tests.fakes.export_files import FakeExportFiles
from tests.unit.services.intake.importing import Importing


class FoundFeeds:
    """A search that finds these feeds, two on each page."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = ids
        self.asked: list[tuple[str, SearchFilters]] = []

    def search(
        self, text: str, filters: SearchFilters, *, limit: int, after: tuple[float | int | str, ...] | None = None
    ) -> SearchFound:
        self.asked.append((text, filters))
        start = int(after[0]) + 1 if after else 0
        hits = [SearchHit(feed_id=each, score=1.0, parts={}, place=(at,)) for at, each in enumerate(self.ids)]
        return SearchFound(hits=tuple(hits[start : start + 2]), has_more=len(hits) > start + 2)


class Exporting(Importing):
    """The ports of exports, in addition to those of imports."""

    def __init__(self) -> None:
        super().__init__()
        self.exported_feeds = DynamoExportedFeeds(self.tables)
        self.export_jobs = DynamoExportJobs(self.tables)
        self.export_files = FakeExportFiles()
        self.export_signer: ExportSigner | None = None
        self.search_index: Any = FoundFeeds(())

    def feed(self, name: str, **members: Any) -> str:
        """Register a feed, and return its id."""
        url = members.pop("url", f"https://{name}.example/feed")
        category = members.pop("category", None)
        texts = {"title": name.title(), "site_url": f"https://{name}.example/", "language": "en"}
        topics = seeded((), category) if category else ()
        new = NewFeed(
            feed_id=derived_ulid(NOW, name), url=url, aliases=(url,), now=NOW, topics=topics, **{**texts, **members}
        )
        return self.store.register(new).feed_id

    def exported(self, form: str, *, tenant: str | None = None, **query: Any) -> Exported:
        """Export a small document."""
        found = export_feeds(of_tenant(tenant), ExportQuery(format=ExportFormat(form), **query), ports=self)
        assert isinstance(found, Exported)
        return found

    def text(self, form: str, *, tenant: str | None = None, **query: Any) -> str:
        return self.exported(form, tenant=tenant, **query).body.decode()

    def job(self, form: str, *, tenant: str | None = None, **query: Any) -> FoundJob:
        """Request a large document."""
        found = export_feeds(of_tenant(tenant), ExportQuery(format=ExportFormat(form), **query), ports=self)
        assert isinstance(found, FoundJob)
        return found

    def steps(self, within_s: float = 600.0) -> int:
        """Do the steps in the queue, and those that they send, until none is left. Return how many there were."""
        done = 0
        while messages := self.frontier_queue.take():
            for message in messages:
                assert isinstance(message, JobMessage)
                assert message.job is Job.EXPORT
                do_export_step(message.job_id, ports=self, within_s=within_s)
                done += 1
        return done

    def found_job(self, export_id: str, tenant: str | None = None) -> FoundJob:
        return find_export(of_tenant(tenant), export_id, ports=self)
