"""Connections share the fetch's time between a name's addresses, and offer nothing but HTTP/1.1 (rules N1, N13)."""

from __future__ import annotations

import socket
import ssl
import time

import pytest

from feedward.adapters.fetching.connection import (
    MAX_DIALLED,
    Budget,
    BudgetTlsSocket,
    PinnedConnection,
    prepare_tls_context,
)
from feedward.adapters.fetching.outcomes import Failure
from feedward.adapters.fetching.resolver import Endpoint
from feedward.model import Outcome


class NeverConnects(PinnedConnection):
    """Records the time limit of each address; none of them answers."""

    def __init__(self, addresses: int, *, left_s: float, connect_s: float) -> None:
        endpoints = [Endpoint(f"192.0.2.{number}") for number in range(addresses)]
        budget = Budget(
            deadline=time.monotonic() + left_s, connect_s=connect_s, io_s=5, header_bytes=1000, wire_bytes=1000
        )
        super().__init__("a.example", 80, endpoints=endpoints, budget=budget)
        self.dialled: list[float] = []

    def _dial(self, endpoint: Endpoint, most_s: float) -> socket.socket:
        self.dialled.append(most_s)
        raise Failure(Outcome.CONNECT_ERROR, "refused")


@pytest.mark.parametrize(
    ("addresses", "left_s", "connect_s", "shares"),
    [
        (1, 8, 3, [3]),
        (2, 2, 3, [1, 2]),
        (4, 2, 3, [0.5, 2 / 3, 1, 2]),
        (9, 8, 1, [1] * MAX_DIALLED),
    ],
)
def test_no_address_takes_the_time_of_those_after_it(
    addresses: int, left_s: float, connect_s: float, shares: list[float]
) -> None:
    connection = NeverConnects(addresses, left_s=left_s, connect_s=connect_s)
    with pytest.raises(Failure):
        connection.connect()
    assert connection.dialled == pytest.approx(shares, abs=0.2)


def test_a_prepared_context_speaks_http_1_1_alone_within_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    offered: list[list[str]] = []
    monkeypatch.setattr(ssl.SSLContext, "set_alpn_protocols", lambda _context, names: offered.append(names))
    context = prepare_tls_context(ssl.create_default_context())
    assert offered == [["http/1.1"]]
    assert context.sslsocket_class is BudgetTlsSocket


@pytest.mark.parametrize("verify", [ssl.CERT_NONE, ssl.CERT_OPTIONAL])
def test_a_context_that_does_not_verify_is_refused(verify: ssl.VerifyMode) -> None:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = verify
    with pytest.raises(ValueError, match="must verify"):
        prepare_tls_context(context)
