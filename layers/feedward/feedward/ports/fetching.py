"""Ports of the guarded fetch and of time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Unpack

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from feedward.model import FetchResult
    from feedward.ports.fetch_options import FetchOptions, PageFetchOptions


class BodyRoom(Protocol):
    """The memory budget of the task that fetches."""

    @property
    def free_bytes(self) -> int:
        """Return the size up to which a body needs no lease."""
        ...

    def reserve(self) -> float:
        """Take a lease for a larger body. Returns the seconds that this waited. Raises MemoryBusy."""
        ...


class Fetcher(Protocol):
    """The guarded fetch (rule N17). Faults of a server, a name or a URL are outcomes, never exceptions."""

    def fetch(self, url: str, **how: Unpack[FetchOptions]) -> FetchResult:
        """GET `url` and follow redirects within the limits. The call ends within `within_s` seconds, if given.

        `validators` make it conditional. `wants` decides the Accept header, by default that of a feed. `as_browser`
        sends the browser-compatible User-Agent (rule D4). `max_redirects` can only lower the limit. `first_bytes`
        truncates the body. `room`: a body larger than its free bytes needs a lease before it is read; the wait does not
        count against the server's time. Raises MemoryBusy if no lease is free in time, or if the server closed the
        connection during the wait.
        """
        ...


class PageFetcher(Fetcher, Protocol):
    """A guarded fetch that asks the caller before it follows a redirect."""

    def fetch(self, url: str, **how: Unpack[PageFetchOptions]) -> FetchResult:
        """GET `url` as Fetcher does. `may_follow` is called with each redirect target.

        If it returns False, the fetch ends with the outcome `blocked`. Its exceptions propagate.
        """
        ...


class Clock(Protocol):
    """Time, so that it can be passed in."""

    def now(self) -> int:
        """Return whole epoch seconds, UTC."""
        ...

    def now_ms(self) -> int:
        """Return epoch milliseconds, UTC: for times of which several fit into a second."""
        ...

    def monotonic(self) -> float:
        """Return seconds of a clock that never goes back, for deadlines."""
        ...
