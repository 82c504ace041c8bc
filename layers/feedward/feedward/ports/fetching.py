"""The guarded fetch, and time: what the services need of the world outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # annotations only: whoever needs a port does not load what it speaks of
    from collections.abc import Callable

    from feedward.model import FetchResult, Validators


class BodyRoom(Protocol):
    """The memory of the task that a fetch is for."""

    @property
    def free_bytes(self) -> int:
        """How large a body may be that needs no lease."""
        ...

    def reserve(self) -> float:
        """Have a lease for a larger body, and return the seconds that it was waited for. Raises MemoryBusy."""
        ...


class Fetcher(Protocol):
    """The guarded fetch (rule N17). Never raises for what a server, a name or a URL does."""

    def fetch(
        self,
        url: str,
        *,
        validators: Validators | None = None,
        within_s: float | None = None,
        as_browser: bool = False,
        max_redirects: int | None = None,
        first_bytes: int | None = None,
        room: BodyRoom | None = None,
    ) -> FetchResult:
        """GET `url`, following redirects within the limits. The whole call ends within `within_s` seconds, if given.

        `as_browser` sends the browser-compatible User-Agent (rule D4). `max_redirects` can only lower the limit of
        redirects. `first_bytes`: no more than so many of the body are read, and a longer one is cut there, not refused.
        `room`: a body larger than its free bytes is read once it has a lease; waiting for that does not count against
        the server. Raises MemoryBusy where none comes in time, or where the server gave up meanwhile.
        """
        ...


class PageFetcher(Fetcher, Protocol):
    """A guarded fetch that asks before it goes where a redirect leads."""

    def fetch(
        self,
        url: str,
        *,
        validators: Validators | None = None,
        within_s: float | None = None,
        as_browser: bool = False,
        max_redirects: int | None = None,
        first_bytes: int | None = None,
        may_follow: Callable[[str], bool] | None = None,
        room: BodyRoom | None = None,
    ) -> FetchResult:
        """GET `url` as Fetcher does. `may_follow` is given each URL that would be asked next; False ends the fetch.

        The outcome is `blocked` then. What `may_follow` raises comes out of the fetch.
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
