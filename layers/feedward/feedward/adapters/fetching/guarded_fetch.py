"""The guarded fetch: the only access from feedward to the web (rules N17, U1 to U7, A1 to A9, N1 to N16, F1, F3, F4).

Each hop checks the URL, resolves its host once, checks all addresses, connects to one of them and sends one request.
All hops share one deadline. Faults of a server, a name or a URL are outcomes, never exceptions.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

from urllib3.response import BaseHTTPResponse

from feedward.adapters.fetching.body import ACCEPT_ENCODING, body_of, coding_of, require_known_transfer
from feedward.adapters.fetching.connection import (
    Budget,
    FetchTime,
    PinnedConnection,
    PinnedTlsConnection,
    look_up,
    prepare_tls_context,
)
from feedward.adapters.fetching.head import header_map, require_whole_head
from feedward.adapters.fetching.outcomes import (
    failure_of,
    outcome_of_body,
    outcome_of_head,
    sendable_validators,
    validators_of,
)
from feedward.adapters.fetching.resolver import Endpoint, Resolver, SystemResolver
from feedward.adapters.fetching.retry_after import retry_after_s
from feedward.adapters.fetching.settings import FetchSettings
from feedward.errors import MemoryBusy
from feedward.model import FetchResult, Hop, Outcome, Validators, Wanted
from feedward.ports import BodyRoom
from feedward.urls.parse import Url
from feedward.urls.redirects import REDIRECT_STATUSES, next_hop
from feedward.urls.safety import Refusal, admit_url, host_of, is_public_address, port_of, request_url


class GuardedFetcher:
    """ports.PageFetcher. Thread-safe. Only the TLS context is kept between fetches.

    Only code passes `resolver`, `address_policy` and `tls_context`: tests and the local demo use them for loopback.
    `tls_context` is called once, at the first https URL. The fetcher owns and changes the context that it returns.
    """

    def __init__(
        self,
        settings: FetchSettings | None = None,
        *,
        resolver: Resolver | None = None,
        address_policy: Callable[[str], bool] = is_public_address,
        tls_context: Callable[[], ssl.SSLContext] = ssl.create_default_context,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.settings = settings or FetchSettings()
        self.max_redirects = self.settings.max_redirects
        self.resolver: Resolver = resolver or SystemResolver()
        self.address_policy = address_policy
        self.now = now
        self._make_tls_context = tls_context
        self._tls_context: ssl.SSLContext | None = None
        self._tls_lock = threading.Lock()

    def fetch(
        self,
        url: str,
        *,
        validators: Validators | None = None,
        within_s: float | None = None,
        wants: Wanted = Wanted.FEED,
        as_browser: bool = False,
        max_redirects: int | None = None,
        first_bytes: int | None = None,
        may_follow: Callable[[str], bool] | None = None,
        room: BodyRoom | None = None,
    ) -> FetchResult:
        """GET `url` and follow its redirects. Every hop sends the conditional headers (rule F3).

        Ends within `within_s` or the total time of the settings, whichever is shorter, and leaves no connection open.
        `wants`, `as_browser` and `max_redirects` apply to every hop. `first_bytes` truncates the body. `may_follow` is
        called with each redirect target; False ends the fetch as `blocked`. A body larger than the free bytes of `room`
        waits for a lease. The server's time moves by this wait, and by that of `may_follow`, but never beyond
        `within_s`. Raises MemoryBusy.
        """
        spent = FetchTime(total_s=self.settings.total_s, within_s=within_s)
        admitted = admit_url(url, self.settings.url_policy)
        if isinstance(admitted, Refusal):
            return FetchResult(outcome=admitted.outcome, url=url, detail=admitted.detail)
        chain = _Chain(
            self,
            spent=spent,
            conditional=sendable_validators(validators),
            headers=self.settings.headers(wants=wants, as_browser=as_browser),
            max_redirects=_lower(self.settings.max_redirects, max_redirects),
            first_bytes=first_bytes,
            may_follow=may_follow,
            room=room,
        )
        return chain.run(admitted)

    def tls_context(self) -> ssl.SSLContext:
        """Return the TLS context. It is created at its first use, because that costs more than most fetches."""
        with self._tls_lock:
            if self._tls_context is None:
                self._tls_context = prepare_tls_context(self._make_tls_context())
            return self._tls_context


def _lower(limit: int, wanted: int | None) -> int:
    """Return the limit of redirects. A caller can only lower it."""
    return limit if wanted is None else max(0, min(limit, wanted))


class _Chain:
    """State of one fetch: the requested URLs, and the response to the last one."""

    def __init__(
        self,
        fetcher: GuardedFetcher,
        *,
        spent: FetchTime,
        conditional: Mapping[str, str],
        headers: Mapping[str, str],
        max_redirects: int,
        first_bytes: int | None,
        may_follow: Callable[[str], bool] | None,
        room: BodyRoom | None,
    ) -> None:
        self.fetcher = fetcher
        self.settings = fetcher.settings
        self.time = spent
        self.conditional = conditional
        self.asks = headers
        self.max_redirects = max_redirects
        self.first_bytes = first_bytes
        self.may_follow = may_follow
        self.room = room
        self.asked: list[str] = []
        self.hops: list[Hop] = []
        self.sent = 0
        self.status: int | None = None
        self.headers: dict[str, str] = {}

    def run(self, url: Url) -> FetchResult:
        while True:
            answer = self._ask(url)
            if isinstance(answer, FetchResult):
                return answer
            self.hops.append(Hop(url=self.asked[-1], status=self.status or 0))
            url = answer

    def _ask(self, url: Url) -> FetchResult | Url:
        """Request one URL. Returns the result of the fetch, or the URL of the next hop."""
        self.asked.append(request_url(url))
        self.status, self.headers = None, {}
        budget = self._budget()
        try:
            fetcher = self.fetcher
            endpoints = look_up(url, fetcher.resolver, address_policy=fetcher.address_policy, budget=budget)
            with self._exchange(url, endpoints, budget) as response:
                return self._read(url, response, budget)
        except Exception as error:
            failure = failure_of(error)
            if self.time.may_cause(failure.outcome):
                raise MemoryBusy("our own waits for memory or slots used up the time of this fetch") from error
            return self._end(failure.outcome, detail=failure.detail)

    def _budget(self) -> Budget:
        settings = self.settings
        return Budget(
            deadline=self.time.deadline,
            connect_s=settings.connect_s,
            io_s=settings.io_s,
            header_bytes=settings.header_bytes,
            wire_bytes=settings.wire_bytes,
        )

    @contextmanager
    def _exchange(self, url: Url, endpoints: Sequence[Endpoint], budget: Budget) -> Iterator[BaseHTTPResponse]:
        """Send the request and read the head. The connection closes with the block (rules N7, N14)."""
        connection = self._connection(url, endpoints, budget)
        response = None
        try:
            connection.connect()
            self.sent += 1
            target = request_url(url).removeprefix(url.origin)
            connection.request("GET", target, headers=self._request_headers(), preload_content=False)
            response = connection.getresponse()
            yield response
        finally:
            if response is not None:
                response.close()
            connection.close()

    def _connection(self, url: Url, endpoints: Sequence[Endpoint], budget: Budget) -> PinnedConnection:
        host, port = host_of(url), port_of(url)
        if url.protocol == "http:":
            return PinnedConnection(host, port, endpoints=endpoints, budget=budget)
        context = self.fetcher.tls_context()
        return PinnedTlsConnection(host, port, endpoints=endpoints, budget=budget, tls_context=context)

    def _request_headers(self) -> dict[str, str]:
        return {
            **self.asks,
            "Accept-Encoding": ACCEPT_ENCODING,
            "Connection": "close",
            **self.conditional,
        }

    def _read(self, url: Url, response: BaseHTTPResponse, budget: Budget) -> FetchResult | Url:
        """Return the redirect target, or the result from the head or the body."""
        self.status, self.headers = response.status, header_map(response.headers)
        require_whole_head(response)
        if self.status in REDIRECT_STATUSES and self.settings.follow_redirects:
            return self._redirect(url)
        outcome = outcome_of_head(self.status, self.headers, conditional=bool(self.conditional))
        if outcome is Outcome.OK:
            return self._body(response, budget)
        if self.status >= 400:
            from feedward.adapters.fetching.refusals import refused  # noqa: PLC0415

            outcome = refused(outcome, response, self.headers, budget)
        return self._end(outcome)

    def _redirect(self, url: Url) -> FetchResult | Url:
        target = next_hop(
            url,
            self.headers.get("location"),
            asked=self.asked,
            max_redirects=self.max_redirects,
            policy=self.settings.url_policy,
        )
        if isinstance(target, Refusal):
            return self._end(target.outcome, detail=target.detail)
        if not self._may_follow(target):
            return self._end(Outcome.BLOCKED, detail="this fetch must not follow the redirect")
        return target

    def _may_follow(self, target: Url) -> bool:
        """Ask the caller, which may wait for a rate limiter slot. The wait does not count against the server's time."""
        if self.may_follow is None:
            return True
        began = time.monotonic()
        may_follow = self.may_follow(request_url(target))
        self.time.waited(time.monotonic() - began)
        return may_follow

    def _body(self, response: BaseHTTPResponse, budget: Budget) -> FetchResult:
        require_known_transfer(self.headers.get("transfer-encoding", ""))
        coding = coding_of(self.headers.get("content-encoding", ""))
        limits = self.settings.wire_bytes, self.settings.decoded_bytes
        grow = partial(self._grow, budget)
        body = body_of(response, coding, *limits, grow=grow, first_bytes=self.first_bytes)
        return self._end(outcome_of_body(body), body=body)

    def _grow(self, budget: Budget, size: int) -> None:
        """Reserve memory for a body of this size. The wait does not count against the server's time.

        Raises MemoryBusy.
        """
        if self.room is None or size <= self.room.free_bytes:
            return
        budget.deadline = self.time.waited(self.room.reserve(), for_memory=True)

    def _end(self, outcome: Outcome, *, body: bytes = b"", detail: str = "") -> FetchResult:
        now = self.fetcher.now()
        complete = outcome is Outcome.OK and self.status == 200
        return FetchResult(
            outcome=outcome,
            url=self.asked[-1],
            status=self.status,
            hops=tuple(self.hops),
            requests=self.sent,
            headers=self.headers,
            body=body if outcome is Outcome.OK else b"",
            retry_after_s=retry_after_s(self.status or 0, self.headers, now),
            validators=validators_of(self.headers, now) if complete else Validators(),
            detail=detail,
        )
