"""Ports of feeds: registration, reading, actions, checks, relocations, revivals and the audit log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Iterator, Mapping, Sequence

    from feedward.events.envelope import RevivalRequested
    from feedward.health.decision import Decision, FeedUpdate, Remembered, Stored
    from feedward.health.directory_feed import DirectoryFeed, FeedQuery, Listed, ListPlace
    from feedward.health.due_feed import DueFeed
    from feedward.health.recent_items import RecentItem
    from feedward.health.relocation import AuditEntry, FeedMove, MoveResult
    from feedward.health.revival import LostFeed
    from feedward.model import Feed, FeedState, Known
    from feedward.registration import NewFeed, Registration
    from feedward.topics.feed_topics import FeedTopics


class Exists(Protocol):
    """`exists` of rule C10: one call for all candidates, best first. Its errors propagate."""

    def __call__(self, urls: Sequence[str]) -> Known | None:
        """Return the feed of the first URL that is registered, or None."""
        ...


class FeedStore(Bounded, Protocol):
    """Feeds and the registry of their URLs (rule R10)."""

    def find(self, urls: Sequence[str], *, scope: str = "") -> Known | None:
        """Look up all URLs by url_hash in one batch. `data` of the result holds the feed_id. Tombstones are resolved.

        Raises Throttled or StoreUnavailable.
        """
        ...

    def owners(self, urls: Sequence[str], *, scope: str = "") -> Mapping[str, str]:
        """Return the feed_id of each of these URLs that is registered, from batch reads. Tombstones are resolved.

        Raises Throttled or StoreUnavailable.
        """
        ...

    def register(self, feed: NewFeed) -> Registration:
        """Operation Register: claim the URLs, or join or merge the feeds that own them (rules I1, I3, I4).

        Raises Throttled, Conflict or StoreUnavailable.
        """
        ...

    def attach(self, feed_id: str, urls: Sequence[str], *, scope: str = "") -> None:
        """Claim the unowned ones of `urls` for a feed, if it owns one of them: all belong to one feed (rule C9).

        Writes nothing if all are registered. Raises Throttled, Conflict or StoreUnavailable.
        """
        ...

    def respell(self, feed_id: str, url: str, *, now: int) -> str:
        """Make another spelling of the feed's URL its URL, and return the URL afterwards (rule H6).

        `url` was just fetched and serves the feed. A paused feed keeps its URL, and so does one whose move there was
        undone by a person.
        Raises Throttled, Conflict or StoreUnavailable.
        """
        ...


class FeedReader(Bounded, Protocol):
    """Feeds as the API reads them (rule G1).

    Only its tenant can see a private feed (rule I8). A `tenant_id` of None is the deployment's own user. All raise
    Throttled or StoreUnavailable.
    """

    def feed(self, feed_id: str, *, tenant_id: str | None) -> DirectoryFeed | None:
        """Return the feed with this id from a consistent read, or None. Tombstones are resolved."""
        ...

    def feeds(self, feed_ids: Sequence[str], *, tenant_id: str | None) -> Mapping[str, DirectoryFeed]:
        """Return the feeds with these ids, by id, from consistent batch reads. Tombstones are left out."""
        ...

    def listed(
        self,
        query: FeedQuery,
        *,
        tenant_id: str | None,
        after: ListPlace | None = None,
    ) -> Iterator[Listed]:
        """Yield the feeds of the index that fits the query, after a position. Pages are read lazily.

        The caller applies the query to each feed. The order is stable: by shard, then by feed_id.
        """
        ...

    def items(self, feed_id: str) -> Sequence[RecentItem]:
        """Return the recent items of a feed, newest first."""
        ...

    def recent(self, feed_ids: Sequence[str]) -> Mapping[str, Sequence[RecentItem]]:
        """Return the recent items of several feeds, by feed_id, newest first."""
        ...


class FeedActions(Bounded, Protocol):
    """Actions of operators on a feed's health and settings. All raise Throttled, Conflict or StoreUnavailable."""

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
        """Write the decision with an audit row and its event (rule I7), with optimistic locking on FEED's rev.

        Returns False if the rev has changed: the caller reads and decides again.
        """
        ...

    def set_collect_items(self, feed: DirectoryFeed, on: bool, *, by: str, now: int, why: str = "") -> bool:
        """Set whether links of the feed's new items are collected, with an audit row. Returns False as `apply` does."""
        ...

    def set_topics(
        self, feed: DirectoryFeed, topics: FeedTopics, *, action: str, by: str, now: int, why: str = ""
    ) -> bool:
        """Write the decided ones of `topics` and list the feed under the approved ones, with an audit row (rule TP4).

        Suggestions are unchanged. Returns False as `apply` does.
        """
        ...

    def ask_for_revival(self, asked: RevivalRequested) -> bool:
        """Write RevivalRequested to the outbox (rule I7). Returns False if the feed is unknown or merged."""
        ...


class CheckStore(Bounded, Protocol):
    """Reads and writes of a check (rule R12). All raise Throttled, Conflict or StoreUnavailable."""

    def write(self, update: FeedUpdate) -> Stored | None:
        """Write the result of a check with optimistic locking on FEED's rev. Returns None if it was written.

        Otherwise nothing is written, and the current state is returned. If only FEED changes, this takes one write and
        no read.
        """
        ...

    def remembered(self, feed_id: str) -> Remembered:
        """Return the feed's recent items and its texts from one consistent read."""
        ...

    def host_feeds(self, host: str, owner: str | None) -> Iterator[tuple[str, FeedState, int]]:
        """Yield id, state and consecutive failures of a host's feeds that `owner` may see. Pages are read lazily."""
        ...

    def healthy_feeds(self) -> Iterator[DueFeed]:
        """Yield healthy shared feeds, in no order. The index lags: some may no longer be healthy."""
        ...

    def owned_urls(self, feed_id: str) -> Sequence[str]:
        """Return all URLs of a feed in the registry, each in its first spelling (rule H6)."""
        ...

    def due_feed(self, feed_id: str) -> DueFeed | None:
        """Return the feed for a check on request. None if it is paused, merged or unknown."""
        ...


class FeedMoves(Bounded, Protocol):
    """Operation Relocation and its reversal (rule R11). All raise Throttled, Conflict or StoreUnavailable."""

    def move(self, move: FeedMove) -> MoveResult:
        """Relocate the feed in one transaction with its audit row and its event. The old URL stays as its alias.

        If another feed owns the new URL, the two are merged. The feed becomes healthy and is scheduled as a healthy
        feed. Raises InvalidInput (`to`) for a URL that cannot be fetched.
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
        """Undo the feed's last relocation, or the one of this audit entry, if the feed is still at its URL.

        Raises NotFound if the feed or relocation does not exist. Raises WrongState, with the reason, if it was undone
        before, or if the feed has moved or was merged since.
        """
        ...


class Revivals(Bounded, Protocol):
    """Reads of revival, and the state of revival requests (rule H6). Errors are those of FeedMoves."""

    def lost_feed(self, feed_id: str) -> LostFeed | None:
        """Return the feed from a consistent read, also if it is a tombstone. None if it is unknown."""
        ...

    def begin(self, asked: RevivalRequested) -> bool:
        """Mark the request as running. Returns False if it was done before or comes within a day of another one.

        A person's request is never too soon. An unfinished request starts again.
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
        """Store the outcome. With `is_told` it is written to the audit log too."""
        ...


class Audit(Bounded, Protocol):
    """The audit log of feeds (rule R10)."""

    def entries(self, feed_id: str, *, limit: int = 50, before: str | None = None) -> Sequence[AuditEntry]:
        """Return up to `limit` entries of the feed, newest first, older than the entry_id `before`.

        Raises Throttled or StoreUnavailable.
        """
        ...


class TopicClassifier(Protocol):
    """Suggests topics for a feed, in addition to those that its own document names."""

    def __call__(self, feed: Feed) -> Sequence[str]:
        """Return names of topics, best first. They become suggestions, which a person approves or rejects.

        Raises FeedwardError if it cannot answer: the check continues without it.
        """
        ...


def no_topics(feed: Feed) -> Sequence[str]:  # noqa: ARG001
    """Suggest nothing: the default."""
    return ()
