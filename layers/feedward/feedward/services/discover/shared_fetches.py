"""The fetches of one run, shared by all its parts: no URL is requested twice, no document parsed twice.

It is a Fetcher itself, with a budget of requests, redirects included. What is asked again is answered from memory,
and so is a URL that a redirect led to. Hosts that want a browser-compatible User-Agent are remembered (spec D4).
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, TypeVar

from feedward.discovery.result import is_refusal
from feedward.feeds.read_feed import FetchedFeed, read_feed
from feedward.model import FetchResult, Outcome, Validators
from feedward.ports import Fetcher
from feedward.services.canonicalize.run import Chain, shares
from feedward.urls.parse import parse_url
from feedward.urls.redirects import MAX_REDIRECTS
from feedward.urls.safety import host_of

T = TypeVar("T")
THREADS = "feedward-wave"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Generic[T]):
    """Something to do at a host."""

    host: str
    run: Callable[[], T]


def run_wave(calls: Sequence[Call[T]], *, in_flight: int, per_host: int) -> list[T]:
    """Run `calls` and return what each returned, in their order. What one raises goes on, once all have ended.

    They start in their order, but where a host has `per_host` running already, calls of other hosts overtake.
    """
    if len(calls) == 1:
        return [calls[0].run()]
    waiting = list(range(len(calls)))
    running: dict[Future[T], int] = {}
    ended: dict[int, Future[T]] = {}
    with ThreadPoolExecutor(max_workers=in_flight, thread_name_prefix=THREADS) as pool:
        while waiting or running:
            while (index := _startable(calls, waiting, running, in_flight, per_host)) is not None:
                waiting.remove(index)
                running[pool.submit(calls[index].run)] = index
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                ended[running.pop(future)] = future
    return [ended[index].result() for index in range(len(calls))]


def _startable(
    calls: Sequence[Call[T]], waiting: Sequence[int], running: dict[Future[T], int], in_flight: int, per_host: int
) -> int | None:
    """The next call that may start now, or None."""
    if len(running) >= in_flight:
        return None
    busy = Counter(calls[index].host for index in running.values())
    return next((index for index in waiting if busy[calls[index].host] < per_host), None)


class SharedFetches:
    """Implements ports.Fetcher over another one. `spent` counts what was sent, `left` what may still be sent.

    `budget` is for all requests of the run, `in_flight` and `per_host` for those of one `read_all` at the same time.
    """

    def __init__(self, fetcher: Fetcher, budget: int = 24, per_host: int = 6, in_flight: int = 8) -> None:
        self.budget = budget
        self.per_host = per_host
        self.in_flight = in_flight
        self.spent = 0
        self._fetcher = fetcher
        self._reserved = 0
        self._known: dict[str, FetchResult] = {}
        self._documents: dict[tuple[int, str], FetchedFeed] = {}
        self._browser_hosts: set[str] = set()
        self._lock = threading.Lock()

    @property
    def left(self) -> int:
        """How many requests may still be sent."""
        return max(0, self.budget - self.spent - self._reserved)

    def knows(self, url: str) -> bool:
        """Tell whether the answer of `url` is known: asking again sends nothing."""
        return _key(url) in self._known

    def asks_as_browser(self, url: str) -> bool:
        """Tell whether the host of `url` is asked with the browser-compatible User-Agent."""
        return host_name(url) in self._browser_hosts

    def fetch(
        self,
        url: str,
        *,
        validators: Validators | None = None,
        within_s: float | None = None,
        as_browser: bool = False,
        max_redirects: int | None = None,
        first_bytes: int | None = None,
    ) -> FetchResult:
        """Do what ports.Fetcher says. A result from memory has no `requests`; without budget the outcome is `timeout`.

        `as_browser` asks anew where the host was asked otherwise; if that is answered, it is asked so from then on.
        An answer to `validators`, or the beginning of one, is not kept.
        """
        limit = MAX_REDIRECTS if max_redirects is None else max(0, min(MAX_REDIRECTS, max_redirects))
        if (validators is not None and validators != Validators()) or first_bytes is not None:
            return self._send(
                url,
                validators=validators,
                within_s=within_s,
                as_browser=as_browser,
                limit=limit,
                first_bytes=first_bytes,
            )
        known = self._recall(url, as_browser=as_browser)
        if known is not None:
            return known
        fetch = self._send(url, within_s=within_s, as_browser=as_browser, limit=limit)
        is_whole = fetch.outcome not in (Outcome.TIMEOUT, Outcome.TOO_MANY_REDIRECTS)
        return self._keep(url, fetch, as_browser=as_browser) if is_whole else fetch

    def read(self, fetch: FetchResult) -> FetchedFeed:
        """Say what feed is there, as `read_feed` does; each document is parsed once."""
        if self._must_be_parsed(fetch):
            # What is kept holds the body, so that no other body gets its id.
            self._documents[_document_key(fetch)] = read_feed(fetch)
        known = self._documents.get(_document_key(fetch)) if fetch.outcome is Outcome.OK else None
        return replace(known, fetch=fetch) if known else read_feed(fetch)

    def read_all(
        self, urls: Sequence[str], *, within_s: Callable[[], float], as_browser: bool = False
    ) -> list[FetchedFeed | None]:
        """Fetch and read all `urls` side by side, in the order given as far as the budget goes.

        `within_s` says how long a request that starts now may take. None stands for what was not asked, or not read,
        because nothing was left of budget or time. What comes out does not depend on which answer comes first.
        """
        fetches = self._fetch_all(list(dict.fromkeys(map(_key, urls))), within_s, as_browser=as_browser)
        return [self._read_in_time(fetches.get(_key(url)), within_s) for url in urls]

    # --- side by side --------------------------------------------------------------------------

    def _fetch_all(self, urls: list[str], within_s: Callable[[], float], *, as_browser: bool) -> dict[str, FetchResult]:
        known = {url: self._recall(url, as_browser=as_browser) for url in urls}
        fetches = {url: fetch for url, fetch in known.items() if fetch is not None}
        fresh = [url for url in urls if url not in fetches][: self.left]
        chains = self._send_all([Chain(url=url) for url in fresh], within_s, as_browser=as_browser)
        while self.left and (cut := [chain for chain in chains if chain.is_cut]):
            whole = [chain for chain in chains if not chain.is_cut]
            chains = whole + self._send_all(cut[: self.left], within_s, as_browser=as_browser)
        for chain in chains:
            if chain.fetch is not None and not chain.is_cut:
                fetches[chain.url] = self._keep(chain.url, chain.fetch, as_browser=as_browser)
        return fetches

    def _send_all(self, chains: list[Chain], within_s: Callable[[], float], *, as_browser: bool) -> list[Chain]:
        """Begin these chains of redirects, or go on with them; those that found no time are left out."""
        allowed = shares(len(chains), self.left)
        calls = [
            Call(host=host_name(chain.next_url), run=partial(self._send_one, chain, share, within_s, as_browser))
            for chain, share in zip(chains, allowed, strict=True)
        ]
        return [chain for chain in run_wave(calls, in_flight=self.in_flight, per_host=self.per_host) if chain]

    def _send_one(self, chain: Chain, share: int, within_s: Callable[[], float], as_browser: bool) -> Chain | None:
        seconds = within_s()
        if seconds <= 0:
            return None
        limit = chain.limit_of(share)
        fetch = self._recall(chain.next_url, as_browser=as_browser) or self._send(
            chain.next_url, within_s=seconds, as_browser=as_browser, limit=limit
        )
        self._read_in_time(fetch, within_s)  # here, while others wait for their answers
        return chain.with_part(fetch, limit)

    def _read_in_time(self, fetch: FetchResult | None, within_s: Callable[[], float]) -> FetchedFeed | None:
        if fetch is None or (self._must_be_parsed(fetch) and within_s() <= 0):
            return None
        return self.read(fetch)

    def _must_be_parsed(self, fetch: FetchResult) -> bool:
        return fetch.outcome is Outcome.OK and _document_key(fetch) not in self._documents

    # --- one request ---------------------------------------------------------------------------

    def _send(
        self,
        url: str,
        *,
        within_s: float | None,
        as_browser: bool,
        limit: int,
        validators: Validators | None = None,
        first_bytes: int | None = None,
    ) -> FetchResult:
        """Send it with all its redirects, as far as the budget goes: it is reserved before and settled after."""
        with self._lock:
            limit = min(limit, self.left - 1)
            if limit < 0:
                return FetchResult(outcome=Outcome.TIMEOUT, url=url, detail="the budget of requests is used up")
            self._reserved += limit + 1
        sent = 0
        try:
            fetch = self._fetcher.fetch(
                url,
                validators=validators,
                within_s=within_s,
                as_browser=as_browser or self.asks_as_browser(url),
                max_redirects=limit,
                first_bytes=first_bytes,
            )
            sent = fetch.requests
        finally:
            with self._lock:
                self._reserved -= limit + 1
                self.spent += sent
        return fetch

    def _recall(self, url: str, *, as_browser: bool) -> FetchResult | None:
        """The known answer, which is that to the User-Agent that the host is asked with now."""
        if as_browser and not self.asks_as_browser(url):
            return None
        known = self._known.get(_key(url))
        return replace(known, requests=0) if known else None

    def _keep(self, url: str, fetch: FetchResult, *, as_browser: bool) -> FetchResult:
        """Remember the answer of `url` and, where a document came, of every URL that its redirects led to."""
        with self._lock:
            if as_browser and not is_refusal(fetch):
                self._ask_as_browser({host_name(url), host_name(fetch.url)})
            self._known[_key(url)] = fetch
            if fetch.outcome is Outcome.OK:
                asked = [*(hop.url for hop in fetch.hops), fetch.url]
                rests = {_key(hop): replace(fetch, hops=fetch.hops[index:]) for index, hop in enumerate(asked)}
                self._known |= rests
        return fetch

    def _ask_as_browser(self, hosts: set[str]) -> None:
        """Ask these hosts as a browser from now on. What they refused before is no answer any more."""
        self._browser_hosts |= hosts
        self._known = {
            url: fetch
            for url, fetch in self._known.items()
            if not is_refusal(fetch) or host_name(fetch.url) not in hosts
        }


def host_name(url: str) -> str:
    """The host of `url`, or nothing where there is none."""
    parsed = parse_url(url)
    return host_of(parsed) if parsed else ""


def _key(url: str) -> str:
    return url.partition("#")[0]


def _document_key(fetch: FetchResult) -> tuple[int, str]:
    return id(fetch.body), fetch.url
