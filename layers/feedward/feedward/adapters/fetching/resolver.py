"""Names to endpoints: one look-up per hop, with a deadline that getaddrinfo itself does not have (rules A5, A7).

IPv4 only by default, so that a network with DNS64 cannot smuggle private addresses into IPv6 (rule A4). Tests and the
local demo give the fetch a resolver of their own, by code; no setting of a deployed function can.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a host is served: an address, and a port where it is not the URL's own."""

    address: str
    port: int | None = None


class DnsFailure(Exception):
    """The name has no address, or the look-up failed or took too long."""


class Resolver(Protocol):
    """Look-ups of a fetch. Called from several threads."""

    def resolve(self, host: str, port: int, *, within_s: float) -> Sequence[Endpoint]:
        """Endpoints of an ASCII host name, in order of preference, for a URL with this port. Raises DnsFailure."""
        ...


class SystemResolver:
    """getaddrinfo in a thread that is waited for no longer than `within_s`.

    A look-up that hangs cannot be stopped: its daemon thread lives until the C library gives up, holds no connection of
    ours, and at most `max_pending` of them exist. RES_OPTIONS in the function's environment makes that time short.
    """

    def __init__(self, *, family: socket.AddressFamily = socket.AF_INET, max_pending: int = 64) -> None:
        self._family = family
        self._slots = threading.BoundedSemaphore(max_pending)

    def resolve(self, host: str, port: int, *, within_s: float) -> list[Endpoint]:  # noqa: ARG002 - the port stays
        """Ask the system for the addresses of `host`; the port of the URL stays."""
        deadline = time.monotonic() + within_s
        if not self._slots.acquire(timeout=within_s):
            raise DnsFailure("too many look-ups are pending")
        answers: SimpleQueue[list[Endpoint] | DnsFailure] = SimpleQueue()
        threading.Thread(target=self._look_up, args=(host, answers), name="feedward-dns", daemon=True).start()
        try:
            answer = answers.get(timeout=max(0.0, deadline - time.monotonic()))
        except Empty:
            raise DnsFailure("the look-up took too long") from None
        if isinstance(answer, DnsFailure):
            raise answer
        return answer

    def _look_up(self, host: str, answers: SimpleQueue[list[Endpoint] | DnsFailure]) -> None:
        try:
            # Bytes, because text would go through Python's own IDNA codec, which is another reading of the host.
            found = socket.getaddrinfo(host.encode("ascii"), None, self._family, socket.SOCK_STREAM)
            answers.put([Endpoint(address) for address in dict.fromkeys(str(entry[4][0]) for entry in found)])
        except (OSError, UnicodeError):
            answers.put(DnsFailure("the name has no address"))
        finally:
            self._slots.release()
