"""A fetcher that respects and stores the cooldowns of hosts (rule I9), for checks, pages and discoveries.

A 429, or a 503 with Retry-After, is stored under the host that answered before the caller gets the result. A scheduled
request never goes to a host in its cooldown, and never follows a redirect there. A request that a person waits for may
be sent to such a host once, and its result reports this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Unpack

from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.model import FetchResult, Outcome
from feedward.ports import Clock, HostLimiter, PageFetcher
from feedward.scheduling.cooldown import cooldown_until
from feedward.urls.redirects import redirect_limit
from feedward.urls.safety import host_of_url

if TYPE_CHECKING:
    from feedward.ports.fetch_options import PageFetchOptions

# The time limit for reading or storing one cooldown, which is optional for a fetch.
_STORE_S: Final = 3.0


@dataclass(slots=True)
class Cooldowns:
    """The known cooldowns of a batch, a job or a request. One object serves all threads.

    `known` holds the cooldowns that were read before. Any other host is read once, at its first request, unless `reads`
    is False: then the slots of the rate limiter include cooldowns. If a read fails, no cooldown is assumed. If a write
    fails, this object still knows the cooldown. `failures` holds the error codes.
    """

    limiter: HostLimiter
    clock: Clock
    reads: bool = True
    known: dict[str, int] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def until(self, host: str) -> int:
        """Return the end of the host's cooldown, in epoch seconds; 0 if it has none now."""
        now = self.clock.now()
        if host not in self.known and not self.reads:
            return 0
        if host not in self.known:
            found = self._guarded(lambda: self._in_time().cooldown_until(host, now=now)) or 0
            with self._lock:
                self.known[host] = max(self.known.get(host, 0), found)
        until = self.known[host]
        return until if until > now else 0

    def note(self, fetch: FetchResult) -> None:
        """Store the cooldown that an answer requests, under the host that answered."""
        now = self.clock.now()
        until = cooldown_until(fetch, now)
        if until is None or not (host := host_of_url(fetch.url)):
            return
        with self._lock:
            self.known[host] = max(self.known.get(host, 0), until)
        self._guarded(lambda: self._in_time().cool_down(host, until=until, now=now))

    def _in_time(self) -> HostLimiter:
        return self.limiter.within(Deadline.after(_STORE_S, self.clock.monotonic))

    def _guarded(self, ask: Callable[[], Any]) -> Any:
        try:
            return ask()
        except FeedwardError as error:
            with self._lock:
                self.failures.append(error.code)
            return None


@dataclass(slots=True)
class PoliteFetcher:
    """Implements ports.PageFetcher over another fetcher.

    `is_awaited`: a person waits for the result, so a host in its cooldown gets one request.
    """

    fetcher: PageFetcher
    cooldowns: Cooldowns
    is_awaited: bool = False
    _last_asked: dict[str, float] = field(default_factory=dict)
    _asked_anyway: set[str] = field(default_factory=set)

    @property
    def max_redirects(self) -> int:
        """The number of redirects that each fetch follows."""
        return redirect_limit(self.fetcher)

    def fetch(self, url: str, **how: Unpack[PageFetchOptions]) -> FetchResult:
        """GET `url` as ports.PageFetcher does. In a host's cooldown no request is sent: `held_back_until` is set
        then."""
        visit = _Visit(self, how.get("may_follow"))
        if not visit.may_ask(url):
            return visit.held_back(FetchResult(outcome=Outcome.RATE_LIMITED, url=url))
        how["may_follow"] = visit.may_follow
        fetch = self.fetcher.fetch(url, **how)
        hosts = {host_of_url(each) for each in {url, fetch.url}}
        self._last_asked.update(dict.fromkeys(hosts, self.monotonic()))
        if visit.blocked_url is not None:
            return visit.held_back(replace(fetch, outcome=Outcome.RATE_LIMITED, url=visit.blocked_url, status=None))
        self.cooldowns.note(fetch)
        return visit.told(fetch)

    def asked_ago_s(self, host: str) -> float | None:
        """Return the seconds since the host's last answer, or None without a request."""
        at = self._last_asked.get(host)
        return None if at is None else self.monotonic() - at

    def monotonic(self) -> float:
        """Return the monotonic time in seconds."""
        return self.cooldowns.clock.monotonic()

    def ask_anyway(self, host: str) -> bool:
        """Return whether a host in its cooldown may get a request: once, if awaited."""
        if not self.is_awaited or host in self._asked_anyway:
            return False
        self._asked_anyway.add(host)
        return True


@dataclass(slots=True)
class _Visit:
    """One fetch: the cooldown that ended it, or that an awaited request ignored."""

    fetcher: PoliteFetcher
    caller_may_follow: Callable[[str], bool] | None
    blocked_url: str | None = None
    passed_over_until: int | None = None
    _until: int = 0

    def may_follow(self, url: str) -> bool:
        """Return whether a redirect may be followed: the caller allows it, and its host is not in a cooldown."""
        if self.caller_may_follow is not None and not self.caller_may_follow(url):
            return False
        if self.may_ask(url):
            return True
        self.blocked_url = url
        return False

    def may_ask(self, url: str) -> bool:
        host = host_of_url(url)
        self._until = self.fetcher.cooldowns.until(host) if host else 0
        if not self._until:
            return True
        if not self.fetcher.ask_anyway(host):
            return False
        self.passed_over_until = self._until
        return True

    def held_back(self, fetch: FetchResult) -> FetchResult:
        """Return the result of a fetch that a cooldown ended."""
        wait_s = max(self._until - self.fetcher.cooldowns.clock.now(), 0)
        detail = f"{host_of_url(fetch.url)} is in a cooldown for another {wait_s} s"
        return replace(fetch, held_back_until=self._until, retry_after_s=wait_s, detail=detail, headers={}, body=b"")

    def told(self, fetch: FetchResult) -> FetchResult:
        """Return the result with the cooldown that was ignored, if any."""
        until = self.passed_over_until
        if until is None:
            return fetch
        wait_s = max(until - self.fetcher.cooldowns.clock.now(), 0)
        detail = f"{host_of_url(fetch.url)} is in a cooldown for another {wait_s} s, and got one request"
        return replace(fetch, cooldown_until=until, detail=f"{detail}; {fetch.detail}" if fetch.detail else detail)


def polite_fetcher(
    fetcher: PageFetcher, limiter: HostLimiter, clock: Clock, *, is_awaited: bool = False
) -> PoliteFetcher:
    """Return a fetcher for one job, or for one request that a person waits for (`is_awaited`)."""
    return PoliteFetcher(fetcher, Cooldowns(limiter, clock), is_awaited)


def known_cooldowns(stops: Mapping[str, int], hosts: frozenset[str]) -> dict[str, int]:
    """Return the end of each host's cooldown, with 0 for hosts without one in `stops`."""
    return dict.fromkeys(hosts, 0) | dict(stops)
