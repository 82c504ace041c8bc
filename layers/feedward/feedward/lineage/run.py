"""A collector's run: its pages, its normalization version and its progress (rules V1, V3.3, V6). Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from feedward.lineage.version import is_producible


class RunKind(StrEnum):
    """The source of a run's pages: submitted URLs, an older run's items, or all submissions of a day."""

    URLS = "urls"
    REPROCESSING = "reprocessing"
    STANDING = "standing"


class RunStatus(StrEnum):
    """The status of a run, computed when it is read. A run is done when every page has a result.

    A run is stopped if its version became obsolete before that; its remaining pages go into the day's run.
    """

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counters:
    """The results of a run; each page counts once.

    - items: pages with a new item; sightings: duplicate fetches, whose content and URI an item has already;
      not_modified: the sightings with a 304
    - dead: pages that were given up; conflicts: new items whose two matches were different items
    - superseded: new items that supersede another one
    - duplicates: URLs whose row is a page of the run already
    - refused: URLs that could not be submitted (invalid, unsafe), or bodies that could not be read again
    """

    items: int = 0
    sightings: int = 0
    not_modified: int = 0
    dead: int = 0
    conflicts: int = 0
    superseded: int = 0
    refused: int = 0
    duplicates: int = 0

    @property
    def ended(self) -> int:
        """The number of pages with a result."""
        return self.items + self.sightings + self.dead + self.refused + self.duplicates


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run. Its `normalization_version` never changes (rule V6).

    - run_id: a ULID; collector: such as `http_snapshot`; tenant_id: its owner, None for the deployment's own user
    - pages: the number of its pages; None while it is not known (an older run's items, a standing run)
    - started: True once all its pages are in the frontier, or all items of the older run were read
    """

    run_id: str
    kind: RunKind
    collector: str
    normalization_version: str
    created_at: int
    tenant_id: str | None = None
    reprocessing_of_run_id: str | None = None
    pages: int | None = None
    started: bool = False
    counters: Counters = field(default_factory=Counters)

    @property
    def status(self) -> RunStatus:
        """The status that follows from the counters and the version."""
        if self.pages is not None and self.started and self.counters.ended >= self.pages:
            return RunStatus.DONE
        if not is_producible(self.normalization_version):
            return RunStatus.STOPPED
        return RunStatus.RUNNING if self.started or self.counters.ended else RunStatus.PENDING


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRun:
    """The pending mark of a run with work left: the time of its last progress, and how often it was sent again."""

    run_id: str
    kind: RunKind
    pending_since: int
    sent_again: int = 0
    tenant_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReprocessPlace:
    """The cursor of a reprocessing run: the id of the last item of the older run that was read, None at the start.

    `pages` is the number of items read so far.
    """

    after: str | None = None
    pages: int = 0
