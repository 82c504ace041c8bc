"""The ports of exports. bootstrap.Services implements them; tests have their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from feedward.ports import Clock, Subscriptions, WorkQueue
from feedward.ports.exports import ExportedFeeds, ExportFiles, ExportJobs, ExportSigner
from feedward.ports.search import SearchIndex

if TYPE_CHECKING:  # used in annotations only
    from feedward.ports.keys import Tenants


class ExportPorts(Protocol):
    """Feeds, subscriptions and searches to export, jobs with their queue and files, and the optional key."""

    @property
    def exported_feeds(self) -> ExportedFeeds: ...
    @property
    def subscriptions(self) -> Subscriptions: ...
    @property
    def search_index(self) -> SearchIndex: ...
    @property
    def export_jobs(self) -> ExportJobs: ...
    @property
    def export_files(self) -> ExportFiles: ...
    @property
    def export_signer(self) -> ExportSigner | None: ...
    @property
    def keys(self) -> Tenants: ...
    @property
    def frontier_queue(self) -> WorkQueue: ...
    @property
    def clock(self) -> Clock: ...
