"""The ports of exports for a deployment, loaded by the first export."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from feedward.adapters.dynamodb.feeds.feed_reader import DynamoExportedFeeds
from feedward.adapters.dynamodb.state.export_jobs import DynamoExportJobs
from feedward.adapters.s3.files import S3ExportFiles
from feedward.config import Settings
from feedward.ports import Clock, Subscriptions, WorkQueue
from feedward.ports.exports import ExportedFeeds, ExportFiles, ExportJobs, ExportSigner
from feedward.ports.search import SearchIndex

if TYPE_CHECKING:
    from feedward.bootstrap.wiring import Services
    from feedward.ports.keys import Tenants


class ExportServices:
    """The ports of exports (services.export.ports). Raises InvalidSetting where one lacks its own setting."""

    def __init__(self, services: Services, settings: Settings) -> None:
        self._services = services
        self._settings = settings
        self.clock: Clock = services.clock
        self.exported_feeds: ExportedFeeds = DynamoExportedFeeds(services.tables)
        self.export_jobs: ExportJobs = DynamoExportJobs(services.tables)
        self.export_files: ExportFiles = S3ExportFiles(settings.required("bodies_bucket"))

    @property
    def subscriptions(self) -> Subscriptions:
        """Subscriptions of tenants."""
        return self._services.subscriptions

    @property
    def keys(self) -> Tenants:
        """Which tenants are deleted."""
        return self._services.keys

    @property
    def search_index(self) -> SearchIndex:
        """The index of the directory."""
        return self._services.search_index

    @property
    def frontier_queue(self) -> WorkQueue:
        """The queue of jobs."""
        return self._services.frontier_queue

    @cached_property
    def export_signer(self) -> ExportSigner | None:
        """The key that signs exports; None without one."""
        if not self._settings.pack_signing_key_arn:
            return None
        from feedward.adapters.kms import KmsSigner  # noqa: PLC0415

        return KmsSigner(self._settings.pack_signing_key_arn)
