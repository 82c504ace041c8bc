"""Ports of sweeps and checks: due indexes with cursors, pending work, outages and move observations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from feedward.deadline import Bounded

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Iterator, Mapping, Sequence

    from feedward.discovery.site import LeftJob
    from feedward.frontier.row import FrontierRow  # noqa: F401 - named below as a text
    from feedward.health.due_feed import DueFeed
    from feedward.health.moves import MoveObservation
    from feedward.health.phase import MinuteLoads
    from feedward.health.shared_target import SharedTarget
    from feedward.model import Outcome
    from feedward.scheduling.slots import Slot
    from feedward.scheduling.sweep_cursors import Cursor, DuePage, SweepShard


Due_co = TypeVar("Due_co", covariant=True)


class DueStore(Bounded, Protocol[Due_co]):
    """A due index, and the cursor of the sweep in each of its shards (rule M1).

    All raise Throttled, Conflict or StoreUnavailable.
    """

    def shards(self) -> Sequence[SweepShard]:
        """Return the cursor and lease of each shard."""
        ...

    def due(self, shard: int, *, after: Cursor | None, until: int) -> DuePage[Due_co]:
        """Return a page of the entries that are due after the cursor, up to the epoch second `until`."""
        ...

    def take_lease(self, seen: SweepShard, *, holder: str, until: int) -> SweepShard | None:
        """Take the lease of a shard with optimistic locking. Returns None if another sweep was faster.

        `holder` is unique to each sweep.
        """
        ...

    def move_cursor(
        self,
        held: SweepShard,
        *,
        cursor: Cursor | None,
        busy: Mapping[str, int],
        lease_until: int,
    ) -> SweepShard | None:
        """Store the cursor of a held shard. `lease_until` 0 ends the lease. Returns None if the lease was lost."""
        ...

    def postpone(self, due_id: str, *, seen: int, to: int) -> bool:
        """Reschedule an entry from `seen` to `to` (epoch seconds). Returns False if it is no longer due at `seen`."""
        ...


class SweepStore(DueStore["DueFeed"], Protocol):
    """The due index of feeds that are due by exception."""

    def reschedule(self, feed: DueFeed, to: int) -> bool:
        """Make a feed due by exception at `to` (epoch seconds). Returns False if its due time has changed."""
        ...


class SlotStore(Bounded, Protocol):
    """The feeds that are due in their slots, and the minutes that were sent (rules S2, S11).

    All raise Throttled, Conflict or StoreUnavailable.
    """

    def minutes(self) -> Sequence[SweepShard]:
        """Return the last sent minutes of the short and the long classes, as cursors, and their leases."""
        ...

    def due(self, slot: Slot, *, after: Cursor | None, until: int) -> DuePage[DueFeed]:
        """Return a page of the feeds of a slot after the cursor, without those that count only after `until`."""
        ...

    def take_lease(self, seen: SweepShard, *, holder: str, until: int) -> SweepShard | None:
        """Claim the minutes of a shard with optimistic locking. Returns None if another sweep was faster."""
        ...

    def move_cursor(
        self, held: SweepShard, *, cursor: Cursor | None, busy: Mapping[str, int], lease_until: int
    ) -> SweepShard | None:
        """Store the cursor. `lease_until` 0 ends the claim. Returns None if the claim was lost."""
        ...


class SlotLoads(Bounded, Protocol):
    """The number of feeds due at each minute of the day, as found by the sweep (rule S6).

    Both raise Throttled or StoreUnavailable.
    """

    def record(self, minute: int, feeds: int) -> None:
        """Store the number of feeds due at a minute since the epoch."""
        ...

    def read(self) -> MinuteLoads:
        """Return the loads of the last day."""
        ...


class RowSweepStore(DueStore["FrontierRow"], Protocol):
    """The due index of frontier rows."""


class Pending(Bounded, Protocol):
    """Finds undelivered entries by their pending marks (rule I7). All raise Throttled or StoreUnavailable."""

    def feeds_with_outbox(self, *, before: int) -> Iterator[str]:
        """Yield the ids of feeds with undelivered outbox entries older than `before`, each once."""
        ...

    def left_jobs(self, *, before: int) -> Iterator[LeftJob]:
        """Yield the open discovery jobs whose pending mark is older than `before`."""
        ...

    def job_sent_again(self, job: LeftJob, *, now: int) -> None:
        """Count a repeated message of the job, and restart its time limit."""
        ...


class PendingMerges(Bounded, Protocol):
    """Work after a merge: references to the merged feed must point to the surviving one (rule I3)."""

    def repoint(self, feed_id: str, *, now: int) -> bool:
        """Re-point the references. Returns True if none is left. The call is idempotent."""
        ...


class Outages(Bounded, Protocol):
    """Outages of our own network: results of the checks per minute, and the minutes marked as outages (rule H5).

    Minutes are whole epoch minutes. All raise Throttled or StoreUnavailable.
    """

    def marked(self, *, now: int) -> frozenset[int]:
        """Return the minutes of the last 27 h that are marked as outages."""
        ...

    def add(self, checks: Sequence[tuple[int, str, Outcome]], *, now: int) -> frozenset[int]:
        """Add the checks of one invocation as (epoch second, host, outcome). Returns those of their minutes now marked.

        The call is idempotent.
        """
        ...

    def doubt(self, minute: int, *, now: int) -> bool:
        """Return True if at least half of the minute's hosts failed but too few were checked to decide.

        True is returned once per minute; the caller then starts an outage probe.
        """
        ...


class MoveObservations(Bounded, Protocol):
    """Move observations: a move is adopted only when seen again (rule F2). All raise Throttled or StoreUnavailable."""

    def observation(self, feed_id: str, *, now: int) -> MoveObservation | None:
        """Return the last move observation of a feed, or None."""
        ...

    def remember(self, feed_id: str, observation: MoveObservation) -> None:
        """Store the observation for as long as it is valid. It replaces the previous one."""
        ...

    def shared_target(self, target_key: str, *, now: int) -> tuple[SharedTarget, int]:
        """Return the feeds that recently moved to a target (health/shared_target.py), and the revision."""
        ...

    def save_shared_target(self, target_key: str, shared_target: SharedTarget, *, seen_rev: int, now: int) -> bool:
        """Store the shared redirect target with optimistic locking. Returns False if `seen_rev` is outdated."""
        ...
