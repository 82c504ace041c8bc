"""Fetches the page of a row: at a rate limiter slot of its host, as robots.txt allows, with the stored validators.

The robots.txt of each redirect's target applies too: a page that is known to be forbidden is not requested, and one
that proves to be forbidden is not collected.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from feedward.canonical.schemes import connection_failed, first_twin
from feedward.frontier.robots import Robots, unreachable
from feedward.frontier.row import FrontierRow
from feedward.lineage.version import CURRENT_VERSION
from feedward.model import REFUSING_STATUSES, FetchResult, Hop, Outcome, Validators, Wanted
from feedward.pages.challenge import without_wall
from feedward.pages.may_refresh import may_refresh
from feedward.ports import BodyRoom
from feedward.reading_budget import TooCostly
from feedward.services.collect.caches import RobotsBook
from feedward.services.collect.ports import CollectPorts
from feedward.services.work.host_queue import WAIT_S
from feedward.services.work.polite_fetch import Cooldowns, PoliteFetcher
from feedward.services.work.tasks import HostBusy
from feedward.urls.parse import Url, parse_http_url
from feedward.urls.redirects import next_hop
from feedward.urls.safety import Refusal, host_of_url, refuse_url, request_url

# The longest wait of one row for slots in total, at its own host and at redirect targets.
ROW_WAIT_S: Final = 2 * WAIT_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Visited:
    """The result of a fetch. A failure to fetch robots.txt is the page's failure.

    `is_dead`: no server answered.
    """

    fetch: FetchResult
    requests: int
    is_dead: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """robots.txt forbids the page, or the one that the redirects led to (`url`)."""

    url: str
    requests: int


Visit = Visited | Forbidden


class Visitor:
    """Fetches the rows of a batch. One object serves all threads; the rows of one host belong to one thread."""

    def __init__(self, ports: CollectPorts) -> None:
        self._ports = ports
        # Taking a slot checks the cooldown too. Without slots, cooldowns must be read.
        cooldowns = Cooldowns(ports.limiter, ports.clock, reads=not ports.settings.host_pause_s)
        self._fetcher = PoliteFetcher(ports.fetcher, cooldowns)
        self._book = RobotsBook(self._fetcher, ports.robots, ports.clock, ports.robots_product)

    def visit(self, row: FrontierRow, *, room: BodyRoom, within_s: float | None = None, plain: bool = False) -> Visit:
        """Fetch the row's page; `plain` sends no validators. No fetch continues after `within_s` seconds.

        Raises HostBusy if a host of the redirect chain has no slot soon, MemoryBusy, and the errors of the stores. A
        server's answer is never an error.
        """
        return _RowFetch(self._ports, self._fetcher, self._book, row, room=room, within_s=within_s).run(plain=plain)


class _RowFetch:
    """One fetch: its time limit, and its number of requests."""

    def __init__(
        self,
        ports: CollectPorts,
        fetcher: PoliteFetcher,
        book: RobotsBook,
        row: FrontierRow,
        *,
        room: BodyRoom,
        within_s: float | None,
    ) -> None:
        self._ports, self._fetcher, self._book, self._row, self._room = ports, fetcher, book, row, room
        self._ends_at = None if within_s is None else ports.clock.monotonic() + within_s
        self._requests = 0
        self._waited_s = 0.0
        self._forbidden: str | None = None

    def run(self, *, plain: bool) -> Visit:
        visit = self._visit(self._row.url, plain=plain)
        twin = self._twin() if isinstance(visit, Visited) and visit.is_dead else None
        return visit if twin is None else self._or_its_twin(visit, twin, plain=plain)

    def _twin(self) -> str | None:
        """Return the http URL to try if no server answers under https and the input had no scheme (rule C5)."""
        twin = first_twin(self._row.url, may_be_http=True) if self._row.scheme_open else None
        return None if twin is None or refuse_url(twin, self._ports.url_policy) else twin

    def _or_its_twin(self, visit: Visit, url: str, *, plain: bool) -> Visit:
        """Return the result of the http URL if a server answered there, else the given one."""
        try:
            twin = self._visit(url, plain=plain)
        except HostBusy:
            twin = visit
        is_better = isinstance(twin, Forbidden) or not twin.is_dead
        return replace(twin if is_better else visit, requests=self._requests)

    def _visit(self, url: str, *, plain: bool) -> Visit:
        """Fetch a page, and the target of a page that only redirects: one more temporary redirect (rule L4)."""
        visit = self._page(url, plain=plain)
        while isinstance(visit, Visited) and (target := self._led_to(visit.fetch)) is not None:
            left = visit.fetch
            if isinstance(target, Refusal):
                refused = replace(left, outcome=target.outcome, detail=target.detail, body=b"", validators=Validators())
                return replace(visit, fetch=refused)
            before = (*left.hops, Hop(url=left.url, status=left.status or 0))
            visit = self._page(request_url(target), plain=plain, before=before)
        return visit

    def _led_to(self, fetch: FetchResult) -> Url | Refusal | None:
        """Return the target of a page that only redirects; None for any other."""
        settings, page = self._ports.settings, parse_http_url(fetch.url)
        is_whole = fetch.outcome in (Outcome.OK, Outcome.EMPTY_BODY)
        if page is None or not (is_whole and settings.follow_redirects and may_refresh(fetch.headers, fetch.body)):
            return None
        from feedward.pages.refresh import leads_to  # noqa: PLC0415 - few batches meet such a page

        with self._ports.memory.parsing(len(fetch.body)), suppress(TooCostly):
            target = leads_to(fetch.url, fetch.headers, fetch.body)
            asked = (*(hop.url for hop in fetch.hops), fetch.url)
            if target is not None:
                return next_hop(
                    page, target, asked=asked, max_redirects=settings.max_redirects, policy=self._ports.url_policy
                )
        return None

    def _page(self, url: str, *, plain: bool, before: tuple[Hop, ...] = ()) -> Visit:
        """Fetch one page as robots.txt allows; `before` are the hops that led to it."""
        rules = self._rules(url)
        if isinstance(rules, FetchResult):
            return self._failed_by_robots(rules)
        if not rules.allowed(url):
            return Forbidden(url=url, requests=self._requests)
        self._take_slot(host_of_url(url), rules.crawl_delay_s)
        fetch = self._fetch(url, None if plain else self._validators(), rules, before)
        if self._forbidden is not None:
            return Forbidden(url=self._forbidden, requests=self._requests)
        return self._judged(url, fetch, rules)

    def _judged(self, url: str, fetch: FetchResult, rules: Robots) -> Visit:
        """Return the page, if the robots.txt of its final origin allows it too."""
        if fetch.outcome in (Outcome.OK, Outcome.NOT_MODIFIED) and fetch.hops:
            there = rules if _origin(fetch.url) == _origin(url) else self._rules(fetch.url)
            if isinstance(there, FetchResult):
                return self._failed_by_robots(there)
            if not there.allowed(fetch.url):
                return Forbidden(url=fetch.url, requests=self._requests)
        return Visited(fetch=fetch, requests=self._requests, is_dead=connection_failed(fetch))

    def _validators(self) -> Validators | None:
        """Return the stored validators, if they belong to an item of the version that every run wants."""
        row = self._row
        runs = [run for run in map(self._ports.runs.find, row.runs) if run is not None]
        wanted = {run.normalization_version for run in runs} or {CURRENT_VERSION}
        is_known = wanted == {row.content_version} and row.item_id is not None
        return row.validators if is_known and row.validators != Validators() else None

    def _fetch(self, url: str, validators: Validators | None, rules: Robots, before: tuple[Hop, ...]) -> FetchResult:
        fetch = self._fetcher.fetch(
            url,
            validators=validators,
            within_s=self._left_s(),
            max_redirects=self._ports.settings.max_redirects - len(before) if before else None,
            wants=Wanted.PAGE,
            as_browser=_is_asked_as_browser(self._row),
            may_follow=partial(self._may_follow, _origin(url), rules),
            room=self._room,
        )
        answer = self._counted(fetch)
        return without_wall(replace(answer, hops=(*before, *answer.hops)))

    def _counted(self, fetch: FetchResult) -> FetchResult:
        """Count the requests, and return the answer. Raises HostBusy if a cooldown ended the fetch."""
        self._requests += fetch.requests
        if fetch.held_back_until is not None:
            raise HostBusy(host_of_url(fetch.url), float(fetch.retry_after_s or 0), self._pause_s(0.0))
        return fetch

    def _may_follow(self, origin: str, rules: Robots, url: str) -> bool:
        """Return whether the currently known rules allow a redirect; if so, wait for a slot of its host."""
        there = rules if _origin(url) == origin else self._known_rules(url)
        if there is not None and not there.allowed(url):
            self._forbidden = url
            return False
        self._forbidden = None
        self._take_slot(host_of_url(url), there.crawl_delay_s if there is not None else 0.0)
        return True

    # --- robots.txt ------------------------------------------------------------------------------

    def _known_rules(self, url: str) -> Robots | None:
        """Return the rules for a redirect's target, if they are known without a request."""
        known = self._book.find(_origin(url)) if self._ports.settings.respect_robots else None
        return known if isinstance(known, Robots) else None

    def _rules(self, url: str) -> Robots | FetchResult:
        if not self._ports.settings.respect_robots:
            return Robots(text="", product=self._ports.robots_product)
        origin = _origin(url)
        known = self._book.find(origin)
        if known is not None:
            return known
        self._take_slot(host_of_url(url), 0.0)
        answer, requests = self._book.fetch(origin, within_s=self._left_s(), may_follow=self._take_hop_slot)
        if isinstance(answer, FetchResult):
            return self._counted(answer)
        self._requests += requests
        return answer

    def _take_hop_slot(self, url: str) -> bool:
        self._take_slot(host_of_url(url), 0.0)
        return True

    def _failed_by_robots(self, answer: FetchResult) -> Visited:
        """Fail the page with the failure of its robots.txt: without the rules, the page must not be fetched."""
        failed = FetchResult(
            outcome=unreachable(answer) or answer.outcome,
            url=self._row.url,
            retry_after_s=answer.retry_after_s,
            detail=f"robots.txt: {answer.detail or answer.outcome.value}",
        )
        return Visited(fetch=failed, requests=self._requests, is_dead=connection_failed(answer))

    # --- slots -----------------------------------------------------------------------------------

    def _take_slot(self, host: str, crawl_delay_s: float) -> None:
        """Wait for the host's next slot. Raises HostBusy if it is too far away."""
        pause_s = self._pause_s(crawl_delay_s)
        if not pause_s:
            return
        longest_ms = math.floor(min(WAIT_S, ROW_WAIT_S - self._waited_s) * 1000)
        wait_ms = self._ports.limiter.take_slot(
            host, now_ms=self._ports.clock.now_ms(), pause_ms=math.ceil(pause_s * 1000), wait_ms=longest_ms
        )
        if wait_ms > longest_ms:
            raise HostBusy(host, wait_ms / 1000, pause_s)
        if wait_ms > 0:
            self._waited_s += wait_ms / 1000
            self._ports.sleep(wait_ms / 1000)

    def _pause_s(self, crawl_delay_s: float) -> float:
        """Return the host's crawl delay, at least our own pause."""
        return max(self._ports.settings.host_pause_s, crawl_delay_s)

    def _left_s(self) -> float | None:
        return None if self._ends_at is None else self._ends_at - self._ports.clock.monotonic()


def _is_asked_as_browser(row: FrontierRow) -> bool:
    """True at every second attempt at a page whose host refused the one before (rule D4)."""
    is_refused = row.last_error in (Outcome.FORBIDDEN, Outcome.CHALLENGE) or row.http_status in REFUSING_STATUSES
    return row.last_error is not None and is_refused and row.attempts % 2 == 1


def _origin(url: str) -> str:
    parsed = parse_http_url(url)
    return parsed.origin if parsed else ""
