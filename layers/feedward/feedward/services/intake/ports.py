"""The ports of imports. bootstrap.Services implements them; tests have their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from feedward.ports import Audit, Clock, EventBus, FeedActions, FeedReader, FeedStore, WorkQueue
from feedward.ports.imports import ImportFiles, ImportStore

if TYPE_CHECKING:  # used in annotations only
    from feedward.ports.keys import Tenants
    from feedward.ports.quotas import Charges


class ImportPorts(Protocol):
    """The stores of imports, the queue of their steps, and the bus."""

    @property
    def imports(self) -> ImportStore: ...
    @property
    def import_files(self) -> ImportFiles: ...
    @property
    def store(self) -> FeedStore: ...
    @property
    def feed_reader(self) -> FeedReader: ...
    @property
    def feed_actions(self) -> FeedActions: ...
    @property
    def audit(self) -> Audit: ...
    @property
    def frontier_queue(self) -> WorkQueue: ...
    @property
    def bus(self) -> EventBus: ...
    @property
    def charges(self) -> Charges: ...
    @property
    def keys(self) -> Tenants: ...
    @property
    def searches_at_once(self) -> int: ...
    @property
    def clock(self) -> Clock: ...
