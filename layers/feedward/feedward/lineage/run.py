"""A collector's run: which pages, under which normalization version, and how far it is (rules V1, V3.3, V6). Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from feedward.lineage.version import is_producible


class RunKind(StrEnum):
    """What a run works through: URLs that somebody gave, an older run's items, or what is submitted in a day."""

    URLS = "urls"
    REPROCESSING = "reprocessing"
    STANDING = "standing"


class RunStatus(StrEnum):
    """How far a run is, as it is read: it is done when every page has ended one way or another.

    It is stopped if the code was bumped under it before that: pages that it still waits for go into the day's run.
    """

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counters:
    """What a run came to, each page once.

    - items: pages that made a new item; sightings: pages whose content and URI an item has already; not_modified: of
      the sightings, those where the server said so (304)
    - dead: pages that were given up; conflicts: of the items, those whose two matches were different items
    - superseded: of the items, those that supersede another
    - duplicates: URLs that turned out to be a page of the run already, for one row has both
    - refused: URLs that could not be submitted (bad, unsafe), or bodies that could not be read again
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
        """Pages that are done with."""
        return self.items + self.sightings + self.dead + self.refused + self.duplicates


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run. `normalization_version` never changes once the run is made (rule V6).

    - run_id: a ULID; collector: such as `http_snapshot`; tenant_id: whose it is, None for the deployment's own user
    - pages: how many it has to work through; None while that is not known yet (an older run's items, a standing run)
    - started: True once all its pages were handed to the frontier, or all items of the older run were gone through
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
        """How far the run is."""
        if self.pages is not None and self.started and self.counters.ended >= self.pages:
            return RunStatus.DONE
        if not is_producible(self.normalization_version):
            return RunStatus.STOPPED
        return RunStatus.RUNNING if self.started or self.counters.ended else RunStatus.PENDING


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRun:
    """A run that has work left, as its mark shows it: since when nobody worked on it, and how often it was sent."""

    run_id: str
    kind: RunKind
    pending_since: int
    sent_again: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReprocessPlace:
    """How far a reprocessing run is: the id of the older run's item to go on after, None at the beginning.

    `pages` are the items that were gone through so far.
    """

    after: str | None = None
    pages: int = 0
