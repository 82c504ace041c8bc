"""The guarded POST of webhooks and to hubs: ports.webhooks.Poster, with the guard of every fetch (rules K6, K13, K14).

It makes one look-up, checks all addresses, connects to one of them and sends one request: no redirect, no proxy.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping

from urllib3.response import BaseHTTPResponse

from feedward.adapters.fetching.connection import Budget, PinnedTlsConnection, look_up
from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.adapters.fetching.head import header_map, require_whole_head
from feedward.adapters.fetching.outcomes import failure_of
from feedward.adapters.fetching.retry_after import retry_after_s
from feedward.urls.parse import Url
from feedward.urls.safety import Refusal, host_of, port_of, request_url
from feedward.webhooks.attempt import Posted, outcome_of_status
from feedward.webhooks.receiver_url import admit_receiver

ANSWER_BYTES = 4096
ANSWER_S = 2.0
"""The time for the body of a response after its head: the body is only for the log."""


class GuardedPoster:
    """ports.webhooks.Poster with the resolver, address policy and TLS context of a guarded fetch. Thread-safe.

    The User-Agent names the `purpose`.
    """

    def __init__(self, fetcher: GuardedFetcher, *, own_hosts: Collection[str] = (), purpose: str = "webhooks") -> None:
        self._fetcher = fetcher
        self._purpose = purpose
        self._own_hosts = tuple(own_hosts)

    def post(self, url: str, *, body: bytes, headers: Mapping[str, str], within_s: float) -> Posted:
        """POST a body, follow no redirect, and return the response within the time limit."""
        admitted = admit_receiver(url, self._own_hosts)
        if isinstance(admitted, Refusal):
            return Posted(outcome=admitted.outcome, detail=admitted.detail)
        budget = self._budget(within_s)
        try:
            return self._exchange(admitted, body, headers, budget)
        except Exception as error:  # noqa: BLE001 - failure_of re-raises errors that are not the receiver's fault
            failure = failure_of(error)
            return Posted(outcome=failure.outcome, detail=failure.detail)

    def _budget(self, within_s: float) -> Budget:
        settings = self._fetcher.settings
        return Budget(
            deadline=time.monotonic() + within_s,
            connect_s=settings.connect_s,
            io_s=within_s,
            header_bytes=settings.header_bytes,
            wire_bytes=ANSWER_BYTES + settings.header_bytes,
        )

    def _exchange(self, url: Url, body: bytes, headers: Mapping[str, str], budget: Budget) -> Posted:
        fetcher = self._fetcher
        endpoints = look_up(url, fetcher.resolver, address_policy=fetcher.address_policy, budget=budget)
        connection = PinnedTlsConnection(
            host_of(url), port_of(url), endpoints=endpoints, budget=budget, tls_context=fetcher.tls_context()
        )
        response = None
        try:
            connection.connect()
            target = request_url(url).removeprefix(url.origin)
            connection.request("POST", target, body=body, headers=self._headers(headers), preload_content=False)
            response = connection.getresponse()
            require_whole_head(response)
            return self._answer(response, budget)
        finally:
            if response is not None:
                response.close()
            connection.close()

    def _headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        own = {"User-Agent": f"{self._fetcher.settings.user_agent} {self._purpose}", "Accept-Encoding": "identity"}
        return {**own, "Content-Type": "application/json", "Connection": "close", **headers}

    def _answer(self, response: BaseHTTPResponse, budget: Budget) -> Posted:
        """Return the response: the status decides, even if reading the body fails."""
        said = header_map(response.headers)
        return Posted(
            outcome=outcome_of_status(response.status),
            status=response.status,
            retry_after_s=retry_after_s(response.status, said, self._fetcher.now()),
            answer=_start_of(response, budget),
            location=said.get("location"),
        )


def _start_of(response: BaseHTTPResponse, budget: Budget) -> bytes:
    """Return the start of the body, as far as it arrives in time."""
    budget.deadline = min(budget.deadline, time.monotonic() + ANSWER_S)
    pieces: list[bytes] = []
    try:
        while sum(map(len, pieces)) < ANSWER_BYTES:
            piece = response.read1(ANSWER_BYTES, decode_content=False)
            if not piece:
                break
            pieces.append(piece)
    except Exception as error:  # noqa: BLE001 - failure_of re-raises errors that are not the receiver's fault
        failure_of(error)
    return b"".join(pieces)[:ANSWER_BYTES]
