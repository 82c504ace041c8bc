"""Resolves names to endpoints: one lookup per hop, with a deadline, which getaddrinfo lacks (rules A5, A7).

IPv4 only by default: a network with DNS64 cannot hide private addresses in IPv6 (rule A4). Only code (tests and the
local demo) can pass another resolver: no setting of a deployed function can.
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
    """Address of a host, and a port if it is not the URL's."""

    address: str
    port: int | None = None


class DnsFailure(Exception):
    """The name has no address, or the lookup failed or took too long."""


class Resolver(Protocol):
    """Resolves host names for a fetch. Called from several threads."""

    def resolve(self, host: str, port: int, *, within_s: float) -> Sequence[Endpoint]:
        """Return the endpoints of an ASCII host name for a URL with this port, best first. Raises DnsFailure."""
        ...


class SystemResolver:
    """Runs getaddrinfo in a thread and waits at most `within_s` for it.

    A lookup that hangs cannot be stopped. Its daemon thread lives until the C library gives up and holds no connection;
    at most `max_pending` such threads exist. RES_OPTIONS in the function's environment shortens that time.
    """

    def __init__(self, *, family: socket.AddressFamily = socket.AF_INET, max_pending: int = 64) -> None:
        self._family = family
        self._slots = threading.BoundedSemaphore(max_pending)

    def resolve(self, host: str, port: int, *, within_s: float) -> list[Endpoint]:  # noqa: ARG002 - the port stays
        """Return the addresses of `host` by the system resolver. The URL's port stays."""
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
            # Bytes, because text would go through Python's IDNA codec, which may read another host.
            found = socket.getaddrinfo(host.encode("ascii"), None, self._family, socket.SOCK_STREAM)
            answers.put([Endpoint(address) for address in dict.fromkeys(str(entry[4][0]) for entry in found)])
        except (OSError, UnicodeError):
            answers.put(DnsFailure("the name has no address"))
        finally:
            self._slots.release()
