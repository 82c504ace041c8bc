"""The shared fetches of one run: no URL is requested twice, and no document is parsed twice.

SharedFetches is a Fetcher with a cache and a request budget, redirects included. Redirect targets are cached too. It
also remembers the hosts that need a browser-compatible User-Agent (rule D4).
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Unpack

from feedward.discovery.result import is_refusal
from feedward.errors import MemoryBusy
from feedward.feeds.read_feed import FetchedFeed, read_feed
from feedward.model import FetchResult, Outcome, Validators, Wanted
from feedward.pages.challenge import without_wall
from feedward.pages.charset import MAX_BYTES
from feedward.ports import Fetcher
from feedward.services.canonicalize.canonicalization import Chain, shares
from feedward.services.discover.parallel_calls import Call, run_wave
from feedward.services.work.memory_budget import MemoryBudget
from feedward.urls.redirects import redirect_limit
from feedward.urls.safety import host_of_url

if TYPE_CHECKING:
    from feedward.ports.fetch_options import FetchOptions

_DocumentKey = tuple[int, int, str]
KEPT_BYTES = 1 << 18
"""A larger document is kept compressed, or cut if it is not a feed: a run has up to 24 documents."""
KEPT_FEED_BYTES = 12 << 20
"""The memory bound of one feed of a run: 5 MiB compressed, the limit of the transfer, and the parsed feed."""


class SharedFetches:
    """Implements ports.Fetcher over another one. `spent` counts the requests sent, `left` those that are still allowed.

    `budget` limits all requests of the run; `in_flight` and `per_host` limit the parallel requests of one `read_all`.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        budget: int = 24,
        per_host: int = 6,
        in_flight: int = 8,
        memory: MemoryBudget | None = None,
    ) -> None:
        self.budget = budget
        self.per_host = per_host
        self.in_flight = in_flight
        self.spent = 0
        self.max_redirects = redirect_limit(fetcher)
        self._fetcher, self._memory = fetcher, memory or MemoryBudget()
        self._reserved = 0
        self._known: dict[str, FetchResult] = {}
        self._documents: dict[_DocumentKey, FetchedFeed] = {}
        self._browser_hosts: set[str] = set()
        self._pages: set[str] = set()
        self._lock = threading.Lock()

    @property
    def left(self) -> int:
        """The number of requests that may still be sent."""
        return max(0, self.budget - self.spent - self._reserved)

    def knows(self, url: str) -> bool:
        """Return whether the response of `url` is cached, so that fetching it sends no request."""
        return _key(url) in self._known

    def want_pages(self, urls: Iterable[str]) -> None:
        """Request these URLs as pages in `read_all`, not as feeds."""
        self._pages |= set(map(_key, urls))

    def want_feed(self, url: str) -> None:
        """Request this URL, which is cached as a page, as a feed from now on."""
        self._pages.discard(_key(url))
        self._known.pop(_key(url), None)

    def asks_as_browser(self, url: str) -> bool:
        """Return whether requests to the host of `url` use the browser-compatible User-Agent."""
        return host_of_url(url) in self._browser_hosts

    def fetch(self, url: str, **how: Unpack[FetchOptions]) -> FetchResult:
        """Fetch as ports.Fetcher does. A cached result has `requests` 0; without budget the outcome is `timeout`.

        `as_browser` sends a new request if the host got none with browser headers yet; if it succeeds, all later
        requests to the host use them. A response to `validators`, or to `first_bytes`, is not cached.
        """
        if (how.get("validators") or Validators()) != Validators() or how.get("first_bytes") is not None:
            return self._send(url, **how)
        as_browser = how.get("as_browser", False)
        if (known := self._recall(url, as_browser=as_browser)) is not None:
            return _unpacked(known)
        fetch = self._send(url, **how)
        if fetch.outcome not in (Outcome.TIMEOUT, Outcome.TOO_MANY_REDIRECTS):
            self._keep(url, self._packed(fetch), as_browser=as_browser)
        return fetch

    def read(self, fetch: FetchResult) -> FetchedFeed:
        """Parse a fetch as `read_feed` does, each document only once."""
        if fetch.outcome is not Outcome.OK:
            return read_feed(fetch)
        document_key = _document_key(fetch)
        known = self._documents.get(document_key)
        if known is None:
            with self._memory.parsing(len(fetch.body)):
                known = read_feed(_unpacked(fetch))
            self._documents[document_key] = replace(known, fetch=replace(fetch, body=b""))
        return replace(known, fetch=fetch)

    def read_all(
        self, urls: Sequence[str], *, within_s: Callable[[], float], as_browser: bool = False
    ) -> list[FetchedFeed | None]:
        """Fetch and parse all `urls` in parallel, in the order given, as far as the budget allows.

        `within_s` returns how long a request that starts now may take. An entry is None if budget, time or memory were
        used up before it was fetched or parsed. The result does not depend on the order of the responses. The body of a
        large feed is left out, and that of another large document is cut.
        """
        fetches = self._fetch_all(list(dict.fromkeys(map(_key, urls))), within_s, as_browser=as_browser)
        return [_light(self._read_in_time(fetches.get(_key(url)), within_s)) for url in urls]

    # --- in parallel --------------------------------------------------------------------------

    def _fetch_all(self, urls: list[str], within_s: Callable[[], float], *, as_browser: bool) -> dict[str, FetchResult]:
        known = {url: self._recall(url, as_browser=as_browser) for url in urls}
        fetches = {url: fetch for url, fetch in known.items() if fetch is not None}
        fresh = [url for url in urls if url not in fetches][: self.left]
        chains = self._send_all(
            [Chain(url=url, most=self.max_redirects) for url in fresh], within_s, as_browser=as_browser
        )
        while self.left and (cut := [chain for chain in chains if chain.is_cut]):
            whole = [chain for chain in chains if not chain.is_cut]
            chains = whole + self._send_all(cut[: self.left], within_s, as_browser=as_browser)
        for chain in chains:
            if chain.fetch is not None and not chain.is_cut:
                fetches[chain.url] = self._keep(chain.url, chain.fetch, as_browser=as_browser)
        return fetches

    def _send_all(self, chains: list[Chain], within_s: Callable[[], float], *, as_browser: bool) -> list[Chain]:
        """Start or continue these redirect chains. Chains without time left are omitted."""
        allowed = shares(len(chains), self.left, self.max_redirects)
        calls = [
            Call(host=host_of_url(chain.next_url), run=partial(self._send_one, chain, share, within_s, as_browser))
            for chain, share in zip(chains, allowed, strict=True)
        ]
        return [chain for chain in run_wave(calls, in_flight=self.in_flight, per_host=self.per_host) if chain]

    def _send_one(self, chain: Chain, share: int, within_s: Callable[[], float], as_browser: bool) -> Chain | None:
        if (seconds := within_s()) <= 0:
            return None
        limit = chain.limit_of(share)
        try:
            with self._memory.room(wait_s=min(seconds, self._memory.wait_s)) as room:
                wants = Wanted.PAGE if chain.url in self._pages else Wanted.FEED
                fetch = self._recall(chain.next_url, as_browser=as_browser) or self._send(
                    chain.next_url, within_s=seconds, wants=wants, as_browser=as_browser, max_redirects=limit, room=room
                )
                self._read_in_time(fetch, within_s)  # parsed here, while other threads wait for their responses
                return chain.with_part(self._packed(fetch), limit)
        except MemoryBusy:
            return None

    def _read_in_time(self, fetch: FetchResult | None, within_s: Callable[[], float]) -> FetchedFeed | None:
        if fetch is None or (self._must_be_parsed(fetch) and within_s() <= 0):
            return None
        return self.read(fetch)

    def _must_be_parsed(self, fetch: FetchResult) -> bool:
        return fetch.outcome is Outcome.OK and _document_key(fetch) not in self._documents

    # --- one request ---------------------------------------------------------------------------

    def _send(self, url: str, **how: Unpack[FetchOptions]) -> FetchResult:
        """Send the request with its redirects within the budget, which is reserved before and settled after."""
        asked = how.get("max_redirects")
        limit = self.max_redirects if asked is None else max(0, min(self.max_redirects, asked))
        with self._lock:
            limit = min(limit, self.left - 1)
            if limit < 0:
                return FetchResult(outcome=Outcome.TIMEOUT, url=url, detail="the budget of requests is used up")
            self._reserved += limit + 1
        sent = 0
        try:
            how["as_browser"] = how.get("as_browser", False) or self.asks_as_browser(url)
            how["max_redirects"] = limit
            fetch = self._fetcher.fetch(url, **how)
            sent = fetch.requests
        finally:
            with self._lock:
                self._reserved -= limit + 1
                self.spent += sent
        return without_wall(fetch)

    def _packed(self, fetch: FetchResult) -> FetchResult:
        """The response for the cache: a large document is compressed, or cut if it is not a feed."""
        if len(fetch.body) <= KEPT_BYTES or isinstance(fetch.body, _PackedBody):
            return fetch
        document_key = _document_key(fetch)
        known = self._documents.get(document_key)
        if known is None or known.feed is not None:
            return replace(fetch, body=_PackedBody.of(fetch.body, document_key))
        cut = replace(fetch, body=fetch.body[:MAX_BYTES])
        self._documents[_document_key(cut)] = known
        return cut

    def _recall(self, url: str, *, as_browser: bool) -> FetchResult | None:
        """The cached response, if it was requested with the User-Agent that the host needs now."""
        if as_browser and not self.asks_as_browser(url):
            return None
        known = self._known.get(_key(url))
        return replace(known, requests=0) if known else None

    def _keep(self, url: str, fetch: FetchResult, *, as_browser: bool) -> FetchResult:
        """Cache the response of `url` and, if it has a document, of every URL in its redirect chain."""
        with self._lock:
            if as_browser and not is_refusal(fetch):
                self._ask_as_browser({host_of_url(url), host_of_url(fetch.url)})
            self._known[_key(url)] = fetch
            if fetch.outcome is Outcome.OK:
                asked = [*(hop.url for hop in fetch.hops), fetch.url]
                rests = {_key(hop): replace(fetch, hops=fetch.hops[index:]) for index, hop in enumerate(asked)}
                self._known |= rests
        return fetch

    def _ask_as_browser(self, hosts: set[str]) -> None:
        """Use browser headers for these hosts from now on, and drop their refusals from the cache."""
        self._browser_hosts |= hosts
        self._known = {
            url: fetch
            for url, fetch in self._known.items()
            if not is_refusal(fetch) or host_of_url(fetch.url) not in hosts
        }


def _key(url: str) -> str:
    return url.partition("#")[0]


def _document_key(fetch: FetchResult) -> _DocumentKey:
    body = fetch.body
    return body.document_key if isinstance(body, _PackedBody) else (hash(body), len(body), fetch.url)


class _PackedBody(bytes):
    """A compressed body. It is at most about 5 MiB, the limit of the transfer."""

    document_key: _DocumentKey

    @classmethod
    def of(cls, body: bytes, document_key: _DocumentKey) -> _PackedBody:
        packed = cls(zlib.compress(body, 1))
        packed.document_key = document_key
        return packed


def _unpacked(fetch: FetchResult) -> FetchResult:
    return replace(fetch, body=zlib.decompress(fetch.body)) if isinstance(fetch.body, _PackedBody) else fetch


def _light(answer: FetchedFeed | None) -> FetchedFeed | None:
    """The response without a compressed body, so that only the cache holds it in memory."""
    is_packed = answer is not None and isinstance(answer.fetch.body, _PackedBody)
    return replace(answer, fetch=replace(answer.fetch, body=b"")) if answer and is_packed else answer
