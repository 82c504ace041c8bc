"""The directory's feeds: who owns a URL, how a feed is read, acted on, checked, moved and found again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # annotations only: whoever needs a port does not load what it speaks of
    from collections.abc import Iterator, Mapping, Sequence

    from feedward.events.envelope import RevivalRequested
    from feedward.health.decision import Decision, FeedUpdate, Remembered, Stored
    from feedward.health.directory_feed import DirectoryFeed, FeedQuery, Listed, ListPlace
    from feedward.health.due_feed import DueFeed
    from feedward.health.recent import RecentItem
    from feedward.health.relocation import AuditEntry, FeedMove, MoveResult
    from feedward.health.revival import LostFeed
    from feedward.model import FeedState, Known, NewFeed, Registration


class Exists(Protocol):
    """`exists` of rule C10: one call for all candidates, best first. Its errors propagate."""

    def __call__(self, urls: Sequence[str]) -> Known | None:
        """Return the stored feed that the first known URL belongs to, or None."""
        ...


class FeedStore(Bounded, Protocol):
    """The directory's feeds and the registry of their URLs (rule R10)."""

    def find(self, urls: Sequence[str], *, scope: str = "") -> Known | None:
        """Look up all URLs by url_hash in one batch; `data` holds feed_id. Tombstones are resolved.

        Raises Throttled or StoreUnavailable.
        """
        ...

    def register(self, feed: NewFeed) -> Registration:
        """Operation Register: claim the URLs, or join or merge the feeds that own them already (rules I1, I3, I4).

        Raises Throttled, Conflict or StoreUnavailable.
        """
        ...

    def attach(self, feed_id: str, urls: Sequence[str], *, scope: str = "") -> None:
        """Claim for a feed those of `urls` that nobody owns, if it owns one of them already: all are one feed's
        (rule C9).

        Writes nothing where all are known. Raises Throttled, Conflict or StoreUnavailable.
        """
        ...


class FeedReader(Bounded, Protocol):
    """The directory's feeds as people read them (rule G1).

    A tenant's private feeds are there for that tenant alone (rule I8); None is the deployment's own user. All raise
    Throttled or StoreUnavailable.
    """

    def feed(self, feed_id: str, *, tenant_id: str | None) -> DirectoryFeed | None:
        """The feed that this id stands for, through all merges, read consistently; None if there is none."""
        ...

    def listed(
        self,
        query: FeedQuery,
        *,
        tenant_id: str | None,
        after: ListPlace | None = None,
    ) -> Iterator[Listed]:
        """Yield what may be wanted, after a place, read as it is asked for; whether it is wanted the query tells.

        The order is the same each time: by shard and by feed_id.
        """
        ...

    def items(self, feed_id: str) -> Sequence[RecentItem]:
        """The last items of a feed, newest first."""
        ...


class FeedActions(Bounded, Protocol):
    """What a person does to a feed: its health, its settings. All raise Throttled, Conflict or StoreUnavailable."""

    def apply(
        self,
        feed: DirectoryFeed,
        decision: Decision,
        *,
        action: str,
        by: str,
        now: int,
        why: str = "",
    ) -> bool:
        """Write what was decided, if FEED is still at the rev that was read, with an audit row and its event (rule I7).

        False if another writer was quicker: read and decide again.
        """
        ...

    def set_collect_items(self, feed: DirectoryFeed, on: bool, *, by: str, now: int, why: str = "") -> bool:
        """Set whether the links of the feed's new items are collected, with an audit row; False as `apply` does."""
        ...

    def ask_for_revival(self, asked: RevivalRequested) -> bool:
        """Owe the bus that the feed is to be looked for (rule I7). False if there is no such feed, or it is merged."""
        ...


class CheckStore(Bounded, Protocol):
    """What a check reads and writes of a feed (rule R12). All raise Throttled, Conflict or StoreUnavailable."""

    def write(self, update: FeedUpdate) -> Stored | None:
        """Write what a check found, if FEED is still at the rev that was seen: None if it is written.

        Else nothing is written, and what stands there is returned. FEED alone is one write, and nothing is read.
        """
        ...

    def remembered(self, feed_id: str) -> Remembered:
        """The feed's last items and its texts, read consistently in one call."""
        ...

    def host_feeds(self, host: str, owner: str | None) -> Iterator[tuple[str, FeedState, int]]:
        """Yield the feeds of a host that may be known to `owner`: id, state and failures in a row. Lazily read."""
        ...

    def due_feed(self, feed_id: str) -> DueFeed | None:
        """The feed as it is now, for a check that somebody asks for; None for one that is paused, merged or unknown."""
        ...


class FeedMoves(Bounded, Protocol):
    """Operation Relocation and its undoing (rule R11). All raise Throttled, Conflict or StoreUnavailable."""

    def move(self, move: FeedMove) -> MoveResult:
        """Give the feed another URL, in one transaction with its audit row and its event; the old URL stays its own.

        Where the new URL is another feed's, the two are merged. The feed is healthy then, and due as a healthy one.
        Raises InvalidInput (`to`) for what cannot be fetched.
        """
        ...

    def undo(
        self,
        feed_id: str,
        *,
        by: str,
        now: int,
        why: str = "",
        entry_id: str | None = None,
    ) -> MoveResult:
        """Take back the feed's last move, or the one with this audit entry, if its URL is still what that made it.

        Raises NotFound where there is no such feed or move, WrongState (saying why) where it was undone before or the
        feed moved on or was merged since.
        """
        ...


class Revivals(Bounded, Protocol):
    """What revival reads of a feed, and what it says of itself (rule H6). All raise what FeedMoves raises."""

    def lost_feed(self, feed_id: str) -> LostFeed | None:
        """The feed as it is now, tombstones too, read consistently; None if there never was one."""
        ...

    def begin(self, asked: RevivalRequested) -> bool:
        """Say that this request is being done. False if it was done before, or if it comes within a day of another.

        What a person asks for never comes too soon. A request that was begun and not ended is begun again.
        """
        ...

    def end(
        self,
        asked: RevivalRequested,
        *,
        now: int,
        outcome: str,
        evidence: Mapping[str, Any],
        is_told: bool = False,
    ) -> None:
        """Say what came of it. `is_told`: the feed's history keeps it too."""
        ...


class Audit(Bounded, Protocol):
    """The history of feeds (rule R10)."""

    def entries(self, feed_id: str, *, limit: int = 50, before: str | None = None) -> Sequence[AuditEntry]:
        """The feed's rows, newest first, at most `limit`; `before` is the entry_id to go on after.

        Raises Throttled or StoreUnavailable.
        """
        ...
