"""The fetch of a row: in its turn at the host, as the host's robots.txt allows it, with what the server gave before.

The robots.txt of where the redirects lead counts too: what is known to be forbidden is not asked for, and what turns
out to be is not collected.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from feedward.canonical.schemes import connection_failed, first_twin
from feedward.errors import FeedwardError
from feedward.frontier.robots import Robots, unreachable
from feedward.frontier.row import FrontierRow
from feedward.frontier.settings import FrontierSettings
from feedward.lineage.version import CURRENT_VERSION
from feedward.model import FetchResult, Outcome, Validators
from feedward.ports import BodyRoom
from feedward.services.collect.caches import RobotsBook
from feedward.services.collect.ports import CollectParts
from feedward.urls.parse import parse_http_url
from feedward.urls.safety import host_of, refuse_url

# What a worker waits for a turn; a row whose turn is later is given back.
WAIT_S: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Visited:
    """What the fetch brought; where the robots.txt could not be had, its failure stands for the page's.

    `is_dead`: nothing answered at all.
    """

    fetch: FetchResult
    requests: int
    is_dead: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """The robots.txt forbids the page, or the one that the redirects led to (`url`)."""

    url: str
    requests: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HostBusy:
    """The turn is too far away: ask again in `wait_s` seconds. The page was not fetched.

    `pause_s` is what the host wants between two requests, as far as that is known. `elsewhere`: it is a host that the
    redirects led to, and other rows of the row's own need not wait.
    """

    wait_s: float
    pause_s: float
    requests: int
    elsewhere: bool = False


Visit = Visited | Forbidden | HostBusy


class Visitor:
    """Visits the rows of a batch. One object serves all threads; a host's rows are one thread's."""

    def __init__(self, parts: CollectParts) -> None:
        self._parts = parts
        self._book = RobotsBook(parts.fetcher, parts.robots, parts.clock, parts.robots_product)

    def visit(self, row: FrontierRow, *, room: BodyRoom, within_s: float | None = None, plain: bool = False) -> Visit:
        """Fetch the row's page; `plain` asks without validators. No fetch goes on after `within_s` seconds.

        Raises what the stores raise, and MemoryBusy; nothing for what a server does.
        """
        return _Errand(self._parts, self._book, row, room=room, within_s=within_s).run(plain=plain)


class _Busy(Exception):
    """A turn that is too far away."""

    def __init__(self, host: str, wait_s: float, pause_s: float) -> None:
        self.host, self.wait_s, self.pause_s = host, wait_s, pause_s


class _Errand:
    """One visit: its time, and what it sent."""

    def __init__(
        self, parts: CollectParts, book: RobotsBook, row: FrontierRow, *, room: BodyRoom, within_s: float | None
    ) -> None:
        self._parts, self._book, self._row, self._room = parts, book, row, room
        self._ends_at = None if within_s is None else parts.clock.monotonic() + within_s
        self._requests = 0
        self._forbidden: str | None = None

    def run(self, *, plain: bool) -> Visit:
        visit = self._visit(self._row.url, plain=plain)
        twin = self._twin() if isinstance(visit, Visited) and visit.is_dead else None
        return visit if twin is None else self._or_its_twin(visit, self._visit(twin, plain=plain))

    def _visit(self, url: str, *, plain: bool) -> Visit:
        try:
            return self._run(url, plain=plain)
        except _Busy as busy:
            is_elsewhere = busy.host != _host(url)
            return HostBusy(wait_s=busy.wait_s, pause_s=busy.pause_s, requests=self._requests, elsewhere=is_elsewhere)

    def _twin(self) -> str | None:
        """What to fetch where nothing answers under https, and nobody said https (spec C5)."""
        twin = first_twin(self._row.url, may_be_http=True) if self._row.scheme_open else None
        return None if twin is None or refuse_url(twin, self._parts.url_policy) else twin

    def _or_its_twin(self, visit: Visit, twin: Visit) -> Visit:
        """What http brought, if anything answered there."""
        is_better = isinstance(twin, Forbidden) or (isinstance(twin, Visited) and not twin.is_dead)
        return replace(twin if is_better else visit, requests=self._requests)

    def _run(self, url: str, *, plain: bool) -> Visit:
        rules = self._rules(url)
        if isinstance(rules, FetchResult):
            return self._failed_by_robots(rules)
        if not rules.allowed(url):
            return Forbidden(url=url, requests=self._requests)
        self._take_turn(_host(url), rules.crawl_delay_s)
        fetch = self._fetch(url, None if plain else self._validators(), rules)
        if self._forbidden is not None:
            return Forbidden(url=self._forbidden, requests=self._requests)
        return self._judged(url, fetch, rules)

    def _judged(self, url: str, fetch: FetchResult, rules: Robots) -> Visit:
        """The page, if the robots.txt of where it was found allows it too."""
        if fetch.outcome in (Outcome.OK, Outcome.NOT_MODIFIED) and fetch.hops:
            there = rules if _origin(fetch.url) == _origin(url) else self._rules(fetch.url)
            if isinstance(there, FetchResult):
                return self._failed_by_robots(there)
            if not there.allowed(fetch.url):
                return Forbidden(url=fetch.url, requests=self._requests)
        return Visited(fetch=fetch, requests=self._requests, is_dead=connection_failed(fetch))

    def _validators(self) -> Validators | None:
        """What the server gave, if what it was given for is an item of the version that each run wants."""
        row = self._row
        runs = [run for run in map(self._parts.runs.find, row.runs) if run is not None]
        wanted = {run.normalization_version for run in runs} or {CURRENT_VERSION}
        is_known = wanted == {row.content_version} and row.item_id is not None
        return row.validators if is_known and row.validators != Validators() else None

    def _fetch(self, url: str, validators: Validators | None, rules: Robots) -> FetchResult:
        may_follow = partial(self._may_follow, _origin(url), rules) if self._parts.settings.respect_robots else None
        fetch = self._parts.fetcher.fetch(
            url, validators=validators, within_s=self._left_s(), may_follow=may_follow, room=self._room
        )
        self._requests += fetch.requests
        self._leave_in_peace(fetch)
        return fetch

    def _may_follow(self, origin: str, rules: Robots, url: str) -> bool:
        """Tell whether the redirects may go there, as far as that is known by now."""
        there = rules if _origin(url) == origin else self._book.find(_origin(url))
        is_allowed = not isinstance(there, Robots) or there.allowed(url)
        self._forbidden = None if is_allowed else url
        return is_allowed

    # --- robots.txt ------------------------------------------------------------------------------

    def _rules(self, url: str) -> Robots | FetchResult:
        if not self._parts.settings.respect_robots:
            return Robots(text="", product=self._parts.robots_product)
        origin = _origin(url)
        known = self._book.find(origin)
        if known is not None:
            return known
        host = _host(url)
        self._take_turn(host, 0.0)
        answer, requests = self._book.fetch(origin, within_s=self._left_s())
        self._requests += requests
        if isinstance(answer, FetchResult):
            self._leave_in_peace(answer)
        return answer

    def _failed_by_robots(self, answer: FetchResult) -> Visited:
        """The page fails with what the robots.txt failed with: nobody knows whether it may be fetched."""
        failed = FetchResult(
            outcome=unreachable(answer) or answer.outcome,
            url=self._row.url,
            retry_after_s=answer.retry_after_s,
            detail=f"robots.txt: {answer.detail or answer.outcome.value}",
        )
        return Visited(fetch=failed, requests=self._requests, is_dead=connection_failed(answer))

    # --- turns -----------------------------------------------------------------------------------

    def _take_turn(self, host: str, crawl_delay_s: float) -> None:
        """Wait for the next turn at the host. Raises _Busy if it is too far away."""
        pause_ms = pause_ms_of(self._parts.settings, crawl_delay_s)
        if not pause_ms:
            return
        wait_ms = self._parts.turns.take(
            host, now_ms=self._parts.now_ms(), pause_ms=pause_ms, wait_ms=math.floor(WAIT_S * 1000)
        )
        if wait_ms > WAIT_S * 1000:
            raise _Busy(host, wait_ms / 1000, pause_ms / 1000)
        if wait_ms > 0:
            self._parts.sleep(wait_ms / 1000)

    def _leave_in_peace(self, fetch: FetchResult) -> None:
        """Let no worker ask the host that answered, which redirects may have led to, before the time it asked for."""
        if not fetch.retry_after_s:
            return
        until_ms = self._parts.now_ms() + fetch.retry_after_s * 1000
        with suppress(FeedwardError):  # the row knows it by itself; the others find out
            self._parts.turns.rest(_host(fetch.url), until_ms=until_ms)

    def _left_s(self) -> float | None:
        return None if self._ends_at is None else self._ends_at - self._parts.clock.monotonic()


def pause_ms_of(settings: FrontierSettings, crawl_delay_s: float) -> int:
    """Return the milliseconds between two requests to a host: what it asks for, and at least our own pause."""
    return math.ceil(max(settings.host_pause_s, crawl_delay_s) * 1000)


def _origin(url: str) -> str:
    parsed = parse_http_url(url)
    return parsed.origin if parsed else ""


def _host(url: str) -> str:
    parsed = parse_http_url(url)
    return host_of(parsed) if parsed else ""
