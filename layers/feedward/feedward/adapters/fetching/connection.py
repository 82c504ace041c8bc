"""Connections to checked addresses, within the time and bytes of a fetch (rules A5, N1, N13).

Every blocking call of a socket has a time-out of the fetch's remaining time, and all received bytes are counted. So
neither a slow server nor a flood exceeds the limits, whatever the HTTP library does.
"""

from __future__ import annotations

import math
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from ipaddress import ip_address
from typing import Any

from urllib3._version import __version__ as _urllib3_version
from urllib3.connection import HTTPConnection

from feedward.adapters.fetching.head import BoundedResponse
from feedward.adapters.fetching.outcomes import Failure
from feedward.adapters.fetching.resolver import DnsFailure, Endpoint, Resolver
from feedward.model import Outcome
from feedward.urls.parse import Url
from feedward.urls.safety import host_of, is_literal_address, port_of

# Older versions drain redirect bodies and decompress without a limit; Lambda's runtime has its own copy (rule N6).
if tuple(int(part) for part in _urllib3_version.split(".")[:2]) < (2, 7):
    raise ImportError(f"feedward needs urllib3 >= 2.7, but {_urllib3_version} is first on the path")

MAX_DIALLED = 4  # addresses of one name that are tried, one after another
# If a fetch has waited longer than this for memory, a broken connection is not the server's failure.
_SHORT_WAIT_S = 1.0
_MAY_COME_OF_WAITING = frozenset(
    (Outcome.TIMEOUT, Outcome.CONNECTION_RESET, Outcome.TRUNCATED, Outcome.TLS_ERROR, Outcome.BAD_RESPONSE)
)


class FetchTime:
    """`deadline` (monotonic) is the server's. It moves by our waits, but never beyond the time of the caller."""

    def __init__(self, *, total_s: float, within_s: float | None) -> None:
        began = time.monotonic()
        self._ends_at = math.inf if within_s is None else began + within_s
        self.deadline = min(began + total_s, self._ends_at)
        self._waited_for_memory_s = 0.0
        self._is_cut = False

    def waited(self, seconds: float, *, for_memory: bool = False) -> float:
        """Give the server the time that we waited, and return its new deadline."""
        wanted = self.deadline + seconds
        self.deadline = min(wanted, self._ends_at)
        self._is_cut = self._is_cut or wanted > self._ends_at
        if for_memory:
            self._waited_for_memory_s += seconds
        return self.deadline

    def may_cause(self, outcome: Outcome) -> bool:
        """Return whether our own waits may have caused a failure, so that it is not the server's."""
        if self._waited_for_memory_s > _SHORT_WAIT_S and outcome in _MAY_COME_OF_WAITING:
            return True
        return self._is_cut and outcome is Outcome.TIMEOUT


class Budget:
    """Time and bytes of one hop: the fetch's `deadline` (monotonic), and the limits of the response in bytes."""

    def __init__(self, *, deadline: float, connect_s: float, io_s: float, header_bytes: int, wire_bytes: int) -> None:
        self.deadline = deadline
        self.connect_s = connect_s
        self.io_s = io_s
        self.header_bytes = header_bytes
        self.wire_bytes = wire_bytes
        self.received = 0

    def left_s(self) -> float:
        """Return the remaining seconds of the whole fetch. Raises TimeoutError if there are none."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("the time for this fetch was used up")
        return left

    def take(self, count: int) -> None:
        """Count received bytes. Raises Failure if they exceed the limits of head and body."""
        self.received += count
        if self.received > self.header_bytes + self.wire_bytes:
            raise Failure(Outcome.TOO_LARGE, f"more than {self.wire_bytes} bytes on the wire")


def look_up(
    url: Url, resolver: Resolver, *, address_policy: Callable[[str], bool], budget: Budget
) -> Sequence[Endpoint]:
    """Return the endpoints of the URL's host, from the only look-up of this hop.

    Raises Failure if there are none, or if `address_policy` refuses one of them: then all are refused (rule A4).
    """
    endpoints = [Endpoint(host_of(url))] if is_literal_address(url) else _resolve(url, resolver, budget)
    if not endpoints:
        raise Failure(Outcome.DNS_ERROR, "the name has no address")
    if not all(address_policy(endpoint.address) for endpoint in endpoints):
        raise Failure(Outcome.BLOCKED, "the name leads to a private or reserved address")
    return endpoints


def _resolve(url: Url, resolver: Resolver, budget: Budget) -> Sequence[Endpoint]:
    within_s = min(budget.left_s(), budget.io_s)
    try:
        return resolver.resolve(host_of(url), port_of(url), within_s=within_s)
    except DnsFailure as failure:
        budget.left_s()  # raises TimeoutError if the look-up used up the time, which is another outcome
        raise Failure(Outcome.DNS_ERROR, str(failure)) from failure


class _Budgeted:
    """Mixin of both socket classes: an SSLSocket does not use the overrides of the plain socket under it."""

    budget: Budget

    def arm(self, most_s: float) -> None:
        super().settimeout(min(most_s, self.budget.left_s()))  # type: ignore[misc]

    def settimeout(self, value: float | None) -> None:
        """Ignore the time-outs of http.client and urllib3, which would relax ours."""

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        self.arm(self.budget.io_s)
        count: int = super().recv_into(*args, **kwargs)  # type: ignore[misc]
        self.budget.take(count)
        return count

    def sendall(self, *args: Any, **kwargs: Any) -> None:
        self.arm(self.budget.io_s)
        super().sendall(*args, **kwargs)  # type: ignore[misc]


class BudgetSocket(_Budgeted, socket.socket):
    """A plain socket with a budget."""


class BudgetTlsSocket(_Budgeted, ssl.SSLSocket):
    """A TLS socket with a budget."""


def prepare_tls_context(context: ssl.SSLContext) -> ssl.SSLContext:
    """Make a context create budgeted sockets. Raises ValueError if it does not verify certificates and host names."""
    if not context.check_hostname or context.verify_mode is not ssl.CERT_REQUIRED:
        raise ValueError("the TLS context must verify certificates and host names")
    context.sslsocket_class = BudgetTlsSocket
    context.set_alpn_protocols(["http/1.1"])
    return context


class PinnedConnection(HTTPConnection):
    """A plain HTTP connection to one of `endpoints`. The Host header is that of the URL."""

    response_class = BoundedResponse

    def __init__(self, host: str, port: int, *, endpoints: Sequence[Endpoint], budget: Budget) -> None:
        super().__init__(host, port)
        self.endpoints = endpoints[:MAX_DIALLED]
        self.budget = budget

    def _new_conn(self) -> socket.socket:
        """Connect to one of the endpoints. urllib3's method would resolve the name again."""
        failure = Failure(Outcome.DNS_ERROR, "the name has no address")
        for position, endpoint in enumerate(self.endpoints):
            share_s = self.budget.left_s() / (len(self.endpoints) - position)
            try:
                return self._dial(endpoint, min(share_s, self.budget.connect_s))
            except Failure as error:
                failure = error
        raise failure

    def _dial(self, endpoint: Endpoint, most_s: float) -> socket.socket:
        family = socket.AF_INET6 if ":" in endpoint.address else socket.AF_INET
        with ExitStack() as on_failure:
            connection = BudgetSocket(family, socket.SOCK_STREAM)
            on_failure.callback(connection.close)
            connection.budget = self.budget
            connection.arm(most_s)
            try:
                connection.connect((endpoint.address, endpoint.port or self.port))
                peer = connection.getpeername()[0]
            except TimeoutError as error:
                raise Failure(Outcome.TIMEOUT, "the server did not accept the connection in time") from error
            except OSError as error:
                raise Failure(Outcome.CONNECT_ERROR, "the server refused or cannot be reached") from error
            _require_pin(peer, endpoint.address)
            on_failure.pop_all()
        return connection


class PinnedTlsConnection(PinnedConnection):
    """The same over TLS. SNI and certificate verification use the host name of the URL, never the address."""

    default_port = 443  # type: ignore[misc]

    def __init__(self, *args: Any, tls_context: ssl.SSLContext, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tls_context = tls_context

    def _new_conn(self) -> socket.socket:
        with ExitStack() as on_failure:
            plain = super()._new_conn()
            on_failure.callback(plain.close)
            # The handshake starts only when the new socket has its budget.
            name = self.host.strip("[]")
            secure = self.tls_context.wrap_socket(plain, server_hostname=name, do_handshake_on_connect=False)
            on_failure.callback(secure.close)
            _shake_hands(secure, self.budget)
            on_failure.pop_all()
        return secure


def _require_pin(peer: str, pin: str) -> None:
    if peer != pin and ip_address(peer) != ip_address(pin):
        raise Failure(Outcome.BLOCKED, "the connection reached another address than the checked one")


def _shake_hands(secure: ssl.SSLSocket, budget: Budget) -> None:
    if not isinstance(secure, BudgetTlsSocket):
        raise TypeError("the TLS context was not prepared")
    secure.budget = budget
    secure.arm(budget.connect_s)
    secure.do_handshake()
