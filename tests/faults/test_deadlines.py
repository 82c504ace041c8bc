"""One deadline over everything, with no request in flight after it."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.adapters.fetching.resolver import SystemResolver
from feedward.errors import MemoryBusy
from feedward.model import Outcome
from tests.faults.site import FEED, OK, answer, serving

HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n"
# How soon a fetch ends that has a second at most: on a busy machine, too, and long before a server that hangs.
SOON_S = 30
PATIENT = {"total_s": 120.0, "io_s": 120.0, "connect_s": 120.0}
SLOW = {
    "silent server": [["hang"]],
    "dripping head": [["drip", HEAD, 1, 0.1]],
    "dripping body": [["send", HEAD], ["drip", "x" * 100, 1, 0.1]],
    "dripping redirect": [
        ["sleep", 0.2],
        ["send", "HTTP/1.1 302 F\r\nLocation: /case?a\r\n"],
        ["drip", "\r\n", 1, 0.3],
    ],
    "endless redirects": [["sleep", 0.15], ["redirect_counter"]],
    "hanging handshake": [["tls", "tls_handshake_hang"]],
    "dripping TLS": [["tls", "tls_body_drip"]],
}


def open_sockets() -> int:
    return sum(1 for name in os.listdir("/proc/self/fd") if _links_to_socket(name))


def _links_to_socket(name: str) -> bool:
    try:
        return os.readlink(f"/proc/self/fd/{name}").startswith("socket:")
    except OSError:
        return False


@pytest.mark.parametrize("script", SLOW.values(), ids=SLOW)
def test_answer_time_of_the_caller_ends_the_fetch(script: list[Any]) -> None:
    with serving(script) as site:
        fetcher = site.fetcher(**PATIENT)
        start = time.monotonic()
        result = fetcher.fetch(site.url(), within_s=0.5)
        assert time.monotonic() - start < SOON_S
    assert result.outcome is Outcome.TIMEOUT


@pytest.mark.parametrize("within_s", [0, -1])
def test_without_time_nothing_is_sent(within_s: float) -> None:
    with serving(OK) as site:
        result = site.fetcher().fetch(site.url(), within_s=within_s)
        assert (result.outcome, result.requests, site.requests) == (Outcome.TIMEOUT, 0, [])


def test_total_time_of_the_settings_holds_for_a_patient_caller() -> None:
    with serving([["hang"]]) as site:
        start = time.monotonic()
        result = site.fetcher(**PATIENT | {"total_s": 0.4}).fetch(site.url(), within_s=120)
        assert time.monotonic() - start < SOON_S
    assert result.outcome is Outcome.TIMEOUT


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts sockets by /proc")
@pytest.mark.parametrize("script", [OK, *SLOW.values(), [["reset"]], answer("200 OK\r\nContent-Length: 99", "x")])
def test_no_socket_and_no_thread_of_a_fetch_outlives_it(script: list[Any]) -> None:
    with serving(script) as site:
        fetcher = site.fetcher()
        fetcher.tls_context()
        before = open_sockets()
        fetcher.fetch(site.url(), within_s=0.4)
        names = [thread.name for thread in threading.enumerate()]
    assert open_sockets() <= before
    assert not [name for name in names if name.startswith("feedward")]


def test_fetches_side_by_side_keep_their_own_deadlines() -> None:
    drip = [["tls", "tls_body_drip"]]
    with serving(drip) as site, ThreadPoolExecutor(8) as pool:
        fetcher = site.fetcher(**PATIENT)
        limits = [0.3, 0.6, 0.9, 1.2] * 2

        def timed(within_s: float) -> float:
            start = time.monotonic()
            assert fetcher.fetch(site.url(), within_s=within_s).outcome is Outcome.TIMEOUT
            return time.monotonic() - start

        for limit, took in zip(limits, pool.map(timed, limits), strict=True):
            assert limit <= took + 0.01
            assert took < SOON_S


@pytest.fixture
def stuck_lookups(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """getaddrinfo that hangs until the test ends."""
    released = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: released.wait(120) and [])
    yield
    released.set()
    for thread in threading.enumerate():
        if thread.name == "feedward-dns":
            thread.join(5)


@pytest.mark.usefixtures("stuck_lookups")
def test_look_up_that_hangs_ends_with_the_answer_time() -> None:
    start = time.monotonic()
    result = GuardedFetcher().fetch("http://slow.example/", within_s=0.3)
    assert time.monotonic() - start < SOON_S
    assert result.outcome is Outcome.TIMEOUT


@pytest.mark.usefixtures("stuck_lookups")
def test_look_ups_that_hang_are_bounded() -> None:
    fetcher = GuardedFetcher(resolver=SystemResolver(max_pending=2))
    for _ in range(4):
        fetcher.fetch("http://slow.example/", within_s=0.1)
    assert sum(thread.name == "feedward-dns" for thread in threading.enumerate()) == 2


def test_body_that_comes_in_time_is_whole() -> None:
    with serving([["drip", f"HTTP/1.1 200 OK\r\nContent-Length: {len(FEED)}\r\n\r\n{FEED}", 30, 0.05]]) as site:
        result = site.fetcher().fetch(site.url())
    assert (result.outcome, result.body) == (Outcome.OK, FEED.encode())


def test_the_wait_for_a_slot_before_a_redirect_is_not_the_server_s_time(monkeypatch: pytest.MonkeyPatch) -> None:
    real, waited = time.monotonic, [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: real() + waited[0])

    def waits(_: str) -> bool:
        waited[0] += 100.0
        return True

    with serving([["redirect_counter"]]) as site:
        result = site.fetcher(**PATIENT | {"max_redirects": 3}).fetch(site.url(), may_follow=waits)

    assert (result.outcome, waited) == (Outcome.TOO_MANY_REDIRECTS, [300.0])


@pytest.mark.parametrize(("within_s", "waits"), [(50.0, 1), (150.0, 2), (250.0, 3)])
def test_waits_for_slots_never_move_the_time_of_the_caller(
    monkeypatch: pytest.MonkeyPatch, within_s: float, waits: int
) -> None:
    real, waited = time.monotonic, [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: real() + waited[0])

    def wait(_: str) -> bool:
        waited[0] += 100.0
        return True

    with serving([["redirect_counter"]]) as site, pytest.raises(MemoryBusy):  # it is no failure of the server
        site.fetcher(**PATIENT | {"max_redirects": 9}).fetch(site.url(), within_s=within_s, may_follow=wait)

    assert waited == [100.0 * waits]
