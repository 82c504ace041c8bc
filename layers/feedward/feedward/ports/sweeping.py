"""What the workers of checks remember: cursors, pending merges, outages and move observations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from feedward.deadline import Bounded

if TYPE_CHECKING:  # annotations only: whoever needs a port does not load what it speaks of
    from collections.abc import Iterator, Mapping, Sequence

    from feedward.discovery.site import LeftJob
    from feedward.frontier.row import FrontierRow  # noqa: F401 - named below as a text
    from feedward.health.due_feed import (
        DueFeed,  # noqa: F401 - named below as a text
    )
    from feedward.health.move_observation import SharedTarget
    from feedward.health.moves import MoveObservation
    from feedward.model import Outcome
    from feedward.scheduling.cursors import Cursor, DuePage, SweepShard


Due_co = TypeVar("Due_co", covariant=True)


class DueStore(Bounded, Protocol[Due_co]):
    """What a sweep reads and writes: a due index, and a row of how far it is for each shard (rule M1).

    All raise Throttled, Conflict or StoreUnavailable.
    """

    def shards(self) -> Sequence[SweepShard]:
        """How far each shard is."""
        ...

    def due(self, shard: int, *, after: Cursor | None, until: int) -> DuePage[Due_co]:
        """What is due in a shard after the cursor, up to the epoch second `until`: some hundreds, or all."""
        ...

    def take_lease(self, seen: SweepShard, *, holder: str, until: int) -> SweepShard | None:
        """Take the shard until then, if it is still as it was seen. None: somebody else was quicker.

        `holder` is another text for each sweep.
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
        """Say how far a held shard is. `lease_until` 0 drops the lease. None: somebody else took it meanwhile."""
        ...

    def postpone(self, due_id: str, *, seen: int, to: int) -> bool:
        """Let something be due at `to`, if it is in the due index at `seen` still (epoch seconds). False if not."""
        ...


class SweepStore(DueStore["DueFeed"], Protocol):
    """The feeds that are due."""


class RowSweepStore(DueStore["FrontierRow"], Protocol):
    """The rows of the frontier that are due."""


class Pending(Bounded, Protocol):
    """What is marked as owed for long, for whoever drives it on (rule I7). All raise Throttled or StoreUnavailable."""

    def feeds_with_outbox(self, *, before: int) -> Iterator[str]:
        """The ids of feeds that owe something since before then, each once, as the index shows them."""
        ...

    def left_jobs(self, *, before: int) -> Iterator[LeftJob]:
        """The discovery jobs that are open, and that nobody has taken up or ended since before then."""
        ...

    def job_sent_again(self, job: LeftJob, *, now: int) -> None:
        """Count a message that was sent for the job, and give it as much time again."""
        ...


class PendingMerges(Bounded, Protocol):
    """What a merge leaves to do: the URLs of the feed that went have to name the one that stayed (rule I3)."""

    def repoint(self, feed_id: str, *, now: int) -> bool:
        """Do it. True when nothing is owed any more; doing it again is harmless."""
        ...


class Outages(Bounded, Protocol):
    """Our own outages: what the checks of each minute came to, and which minutes are marked (rule H5).

    Minutes are whole epoch minutes. All raise Throttled or StoreUnavailable.
    """

    def marked(self, *, now: int) -> frozenset[int]:
        """The marked minutes that may still explain a failure: those of the last 27 h."""
        ...

    def add(self, checks: Sequence[tuple[int, str, Outcome]], *, now: int) -> frozenset[int]:
        """Add all checks of one invocation, once, as (epoch second, host, outcome); return their minutes marked now.

        Adding the same again changes nothing.
        """
        ...

    def doubt(self, minute: int, *, now: int) -> bool:
        """Tell whether at least half of the minute's hosts failed, but too few were checked to call it an outage.

        True once for each minute: who hears it has more of them checked.
        """
        ...


class MoveObservations(Bounded, Protocol):
    """What waits to be seen again before a move is adopted (rule F2). All raise Throttled or StoreUnavailable."""

    def observation(self, feed_id: str, *, now: int) -> MoveObservation | None:
        """The target that a feed was seen moving to, or None."""
        ...

    def remember(self, feed_id: str, observation: MoveObservation) -> None:
        """Keep the observation, for as long as it counts, in the place of the one before."""
        ...

    def shared_target(self, target_key: str, *, now: int) -> tuple[SharedTarget, int]:
        """Who moved to a target lately (see health/move_observation.py), and the revision to write over."""
        ...

    def save_shared_target(self, target_key: str, shared_target: SharedTarget, *, seen_rev: int, now: int) -> bool:
        """Keep the shared target, if its revision is still `seen_rev`. False: read it again."""
        ...
