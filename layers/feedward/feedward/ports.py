"""What the services need from outside, as protocols. Adapters and fakes pass the same contract tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from feedward.model import FetchResult, Known, NewFeed, Registration, Validators


class Fetcher(Protocol):
    """The guarded fetch (design section 5). Never raises for what a server, a name or a URL does."""

    def fetch(self, url: str, *, validators: Validators | None = None, within_s: float | None = None) -> FetchResult:
        """GET `url`, following redirects within the limits. The whole call ends within `within_s` seconds, if given."""
        ...


class Exists(Protocol):
    """`exists_fn` of the specification (C10): one call for all candidates, best first. Its errors propagate."""

    def __call__(self, urls: Sequence[str]) -> Known | None:
        """Return the stored feed that the first known URL belongs to, or None."""
        ...


class FeedStore(Protocol):
    """The directory's feeds and the registry of their URLs (design section 3).

    After `within_s` seconds, if given, nothing more is asked or written, and StoreUnavailable is raised.
    """

    def find(self, urls: Sequence[str], *, scope: str = "", within_s: float | None = None) -> Known | None:
        """Look up all URLs by url_hash in one batch; `data` holds feed_id. Tombstones are resolved.

        Raises Throttled or StoreUnavailable.
        """
        ...

    def register(self, feed: NewFeed, *, within_s: float | None = None) -> Registration:
        """Operation Register: claim the URLs, or join or merge the feeds that own them already (I1, I3, I4).

        Raises Throttled, Conflict or StoreUnavailable.
        """
        ...

    def attach(self, feed_id: str, urls: Sequence[str], *, scope: str = "", within_s: float | None = None) -> None:
        """Claim for a feed those of `urls` that nobody owns, if it owns one of them already: all are one feed's (C9).

        Writes nothing where all are known. Raises Throttled, Conflict or StoreUnavailable.
        """
        ...


class Clock(Protocol):
    """Time, so that it can be passed in."""

    def now(self) -> int:
        """Whole epoch seconds, UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back, for deadlines."""
        ...
