"""Ports of push: the subscriptions of feeds, the state of hubs, and the trust that checks derive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from feedward.deadline import Bounded, Deadline

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Iterator, Sequence

    from feedward.push.hub import HubStanding
    from feedward.push.hub_choice import Named
    from feedward.push.push_record import PushRecord
    from feedward.push.trust import Found, PushNote


class PushStore(Bounded, Protocol):
    """The subscriptions of feeds, one for each (rule W5). All raise Throttled, Conflict or StoreUnavailable."""

    def get(self, feed_id: str) -> PushRecord | None:
        """Return the record of a feed from a consistent read, or None."""
        ...

    def save(self, before: PushRecord | None, after: PushRecord) -> PushRecord | None:
        """Write a record under rev and planned check of `before` (None if there is none). Returns it with its new rev.

        Returns None if it has changed: the caller reads and decides again.
        """
        ...

    def save_push_check(self, before: PushRecord, after: PushRecord) -> bool:
        """Write only the planned check of `after`. Returns False if it or the subscription has changed."""
        ...

    def due(self, *, now: int) -> Iterator[str]:
        """Yield the ids of feeds whose subscription is due. Pages are read lazily; the index may lag."""
        ...

    def newly_named(self, *, now: int) -> Iterator[tuple[str, str, Sequence[str]]]:
        """Yield new feeds that name hubs: id, URL and hubs. Merged and deleted feeds are left out."""
        ...

    def seen_named(self, feed_id: str) -> None:
        """Record that a new feed was processed."""
        ...

    def trust(self, before: PushRecord, after: PushRecord, *, every: int) -> PushRecord | None:
        """Write `after` under the rev of `before`, and `every` (minutes) as the class of the feed under its pushes.

        The feed is counted for its hub and listed under it. Returns None if the record has changed.
        """
        ...

    def free(self, before: PushRecord, after: PushRecord, *, at: int) -> PushRecord | None:
        """Write `after`, and return the feed to its own class: it is due by exception at `at`.

        The feed leaves the list of its hub. Returns None if the record has changed.
        """
        ...

    def trusting(self, hub: str) -> Iterator[str]:
        """Yield the ids of feeds that trust a hub. Pages are read lazily; the index may lag."""
        ...


class HubStore(Bounded, Protocol):
    """The state of hubs over all their feeds. All raise Throttled, Conflict or StoreUnavailable."""

    def get(self, hub: str) -> HubStanding:
        """Return the standing of a hub, from a consistent read."""
        ...

    def save(self, before: HubStanding, after: HubStanding) -> HubStanding | None:
        """Write a standing under the rev of `before`, without its counts of feeds. Returns None if it has changed."""
        ...

    def note_told(self, hub: str, *, now: int, told: int = 0, slow: int = 0) -> None:
        """Record that a hub announced news, and add to its counts. If an answer is lost, it may be added twice."""
        ...

    def watched(self) -> Sequence[str]:
        """Return the hubs that are proven or whose feeds are being returned to their own class."""
        ...

    def watch(self, hub: str, *, is_on: bool) -> None:
        """Add a hub to the watched hubs, or remove it."""
        ...


class PushTrusts(Bounded, Protocol):
    """Derives trust from checks and from the hubs that documents name. `is_on`: this deployment has push."""

    @property
    def is_on(self) -> bool: ...

    def after_check(
        self, feed_id: str, url: str, owner: str | None, *, found: Found, named: Named | None
    ) -> PushNote | None:
        """Process a check: its news, its answer to a push, and the hubs of a new document.

        `named` is None if no document was read. Store errors are not raised: the next check repeats the information.
        """
        ...


class NoPush:
    """A deployment without push."""

    is_on: Final = False

    def within(self, _deadline: Deadline) -> NoPush:
        """Return itself: it waits for nothing."""
        return self

    def after_check(self, feed_id: str, url: str, owner: str | None, *, found: Found, named: Named | None) -> None:
        """Do nothing."""


NO_PUSH: Final = NoPush()
