"""The fetches of one run, shared by all its parts: no URL is requested twice, no document parsed twice.

It is a Fetcher itself, with a budget of requests, redirects included. What is asked again is answered from memory,
and so is a URL that a redirect led to. Hosts that want a browser-compatible User-Agent are remembered (rule D4).
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from feedward.discovery.result import is_refusal
from feedward.errors import MemoryBusy
from feedward.feeds.read_feed import FetchedFeed, read_feed
from feedward.model import FetchResult, Outcome, Validators
from feedward.pages.charset import MAX_BYTES
from feedward.ports import BodyRoom, Fetcher
from feedward.services.canonicalize.canonicalization import Chain, shares
from feedward.services.discover.wave import Call, run_wave
from feedward.services.work.memory import MemoryBudget
from feedward.urls.parse import parse_url
from feedward.urls.redirects import MAX_REDIRECTS
from feedward.urls.safety import host_of

_DocumentKey = tuple[int, int, str]
KEPT_BYTES = 1 << 18
"""A document that is larger is kept compressed, or cut where it is no feed: a run has up to 24."""
KEPT_FEED_BYTES = 12 << 20
"""What one feed of a run takes at most: 5 MiB compressed, for no more comes over the wire, and what it parses to."""


class SharedFetches:
    """Implements ports.Fetcher over another one. `spent` counts what was sent, `left` what may still be sent.

    `budget` is for all requests of the run, `in_flight` and `per_host` for those of one `read_all` at the same time.
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
        self._fetcher = fetcher
        self._memory = memory or MemoryBudget()
        self._reserved = 0
        self._known: dict[str, FetchResult] = {}
        self._documents: dict[_DocumentKey, FetchedFeed] = {}
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
        room: BodyRoom | None = None,
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
                room=room,
            )
        known = self._recall(url, as_browser=as_browser)
        if known is not None:
            return _unpacked(known)
        fetch = self._send(url, within_s=within_s, as_browser=as_browser, limit=limit, room=room)
        is_whole = fetch.outcome not in (Outcome.TIMEOUT, Outcome.TOO_MANY_REDIRECTS)
        if is_whole:
            self._keep(url, self._packed(fetch), as_browser=as_browser)
        return fetch

    def read(self, fetch: FetchResult) -> FetchedFeed:
        """Say what feed is there, as `read_feed` does; each document is parsed once."""
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
        """Fetch and read all `urls` side by side, in the order given as far as the budget goes.

        `within_s` says how long a request that starts now may take. None stands for what was not asked, or not read,
        because nothing was left of budget, time or memory. What comes out does not depend on which answer comes first.
        The body of a large document that is a feed is left out, and of another the part that nobody looks at.
        """
        fetches = self._fetch_all(list(dict.fromkeys(map(_key, urls))), within_s, as_browser=as_browser)
        return [_light(self._read_in_time(fetches.get(_key(url)), within_s)) for url in urls]

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
        try:
            with self._memory.room(wait_s=min(seconds, self._memory.wait_s)) as room:
                fetch = self._recall(chain.next_url, as_browser=as_browser) or self._send(
                    chain.next_url, within_s=seconds, as_browser=as_browser, limit=limit, room=room
                )
                self._read_in_time(fetch, within_s)  # here, while others wait for their answers
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

    def _send(
        self,
        url: str,
        *,
        within_s: float | None,
        as_browser: bool,
        limit: int,
        validators: Validators | None = None,
        first_bytes: int | None = None,
        room: BodyRoom | None = None,
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
                room=room,
            )
            sent = fetch.requests
        finally:
            with self._lock:
                self._reserved -= limit + 1
                self.spent += sent
        return fetch

    def _packed(self, fetch: FetchResult) -> FetchResult:
        """The answer as it is kept: a large document compressed, or cut where it is no feed."""
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


def _document_key(fetch: FetchResult) -> _DocumentKey:
    body = fetch.body
    return body.document_key if isinstance(body, _PackedBody) else (hash(body), len(body), fetch.url)


class _PackedBody(bytes):
    """A body, compressed: a wire delivers 5 MiB at most, so that it is no larger than that."""

    document_key: _DocumentKey

    @classmethod
    def of(cls, body: bytes, document_key: _DocumentKey) -> _PackedBody:
        packed = cls(zlib.compress(body, 1))
        packed.document_key = document_key
        return packed


def _unpacked(fetch: FetchResult) -> FetchResult:
    return replace(fetch, body=zlib.decompress(fetch.body)) if isinstance(fetch.body, _PackedBody) else fetch


def _light(answer: FetchedFeed | None) -> FetchedFeed | None:
    """An answer without a body that only its kept form is to take memory for."""
    if answer is None or not isinstance(answer.fetch.body, _PackedBody):
        return answer
    return replace(answer, fetch=replace(answer.fetch, body=b""))
