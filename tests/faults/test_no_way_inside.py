"""No request leaves the guarded fetch to a private address: a listener on loopback gets no connection."""

from __future__ import annotations

import socket
import ssl
import sys
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from feedward.adapters.fetching.connection import PinnedConnection
from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.adapters.fetching.resolver import Endpoint
from feedward.adapters.fetching.settings import FetchSettings
from feedward.model import Outcome
from feedward.urls.safety import UrlPolicy
from tests.faults.site import FEED, OK, Names, allow_loopback, answer, serving

PUBLIC = "93.184.216.34"
_WATCH = threading.local()


def _watch_connects(event: str, args: tuple[Any, ...]) -> None:
    """Audit hooks cannot be removed: this one reports only in a thread that is being watched."""
    if event == "socket.connect" and getattr(_WATCH, "dialled", None) is not None:
        _WATCH.dialled.append(args[1][0])
        if args[1][0] != "127.0.0.1":
            raise OSError("tests stay on loopback")


sys.addaudithook(_watch_connects)


@pytest.fixture
def dialled() -> Iterator[list[str]]:
    """Addresses that this thread tries to connect to. Addresses outside loopback are not reached."""
    _WATCH.dialled = []
    yield _WATCH.dialled
    _WATCH.dialled = None


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[list[str]]]:
    """A DNS for the system's resolver: name -> the answer to each look-up in turn. Unused answers stay in it."""
    zone: dict[str, list[list[str]]] = {}

    def getaddrinfo(host: bytes, *_: object) -> list[Any]:
        answers = zone[host.decode()]
        if not answers:
            raise AssertionError(f"{host!r} was looked up too often")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in answers.pop(0)]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return zone


def guarded(port: int, **guard: Any) -> GuardedFetcher:
    """The production policy for addresses; only the listener's port is allowed in addition to the usual ones."""
    return GuardedFetcher(FetchSettings(url_policy=UrlPolicy(ports=frozenset({80, 443, port}))), **guard)


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        [PUBLIC, "127.0.0.1"],
        ["127.0.0.1", PUBLIC],
        ["10.0.0.1"],
        ["169.254.169.254"],
        ["::1"],
        ["::ffff:127.0.0.1"],
        ["64:ff9b::7f00:1"],
        ["2002:7f00:1::"],
        ["fe80::1%lo"],
        ["0.0.0.0"],
        [PUBLIC, "::1"],
        ["not an address"],
    ],
)
def test_name_that_leads_inside_is_blocked_whole(
    addresses: list[str], looked_up: dict[str, list[list[str]]], dialled: list[str]
) -> None:
    with serving(OK) as site:
        looked_up["inside.example"] = [addresses]
        result = guarded(site.port).fetch(f"http://inside.example:{site.port}/case")
        assert site.requests == []
    assert (result.outcome, result.requests, dialled) == (Outcome.BLOCKED, 0, [])
    assert not [address for address in addresses if address in result.detail]


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "localhost",
        "LOCALHOST.",
        "a.localhost",
        "127\u30020\u30020\u30021",
        "\u2460\u2461\u2466.0.0.1",
        "user@127.0.0.1",
        "0",
    ],
)
@pytest.mark.parametrize("policy", [None, allow_loopback], ids=["production", "loopback allowed as an answer"])
def test_spelling_of_loopback_in_a_url_is_never_dialled(host: str, policy: Any, dialled: list[str]) -> None:
    guard = {"address_policy": policy} if policy else {}
    with serving(OK) as site:
        result = guarded(site.port, **guard).fetch(f"http://{host}:{site.port}/case")
        assert site.requests == []
    assert (result.outcome, dialled) == (Outcome.BLOCKED, [])


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1:$PORT/secret",
        "//127.0.0.1:$PORT/secret",
        "http://2130706433:$PORT/secret",
        "http://[::1]:$PORT/secret",
        "http://localhost:$PORT/secret",
        "http://inside.example:$PORT/secret",
        "http://feed.example@127.0.0.1:$PORT/secret",
        "https://[::ffff:127.0.0.1]:$PORT/secret",
        "file:///etc/passwd",
    ],
)
def test_redirect_inside_is_blocked_before_it_is_dialled(location: str) -> None:
    """The first hop may go to loopback by its name; its redirect targets may not."""
    with serving(answer(f"302 F\r\nLocation: {location}"), secret=OK) as site:
        names = Names({"feed.example": [Endpoint("127.0.0.1")], "inside.example": [Endpoint("127.0.0.2")]})
        result = site.fetcher(resolver=names).fetch(site.url())
        assert [request.path for request in site.requests] == ["/case"]
    assert result.outcome is Outcome.BLOCKED
    assert "127." not in result.detail


def test_rebinding_name_is_looked_up_once_and_its_first_answer_dialled(
    looked_up: dict[str, list[list[str]]], dialled: list[str]
) -> None:
    looked_up["rebind.example"] = [[PUBLIC], ["127.0.0.1"], ["127.0.0.1"]]
    with serving(OK) as site:
        result = guarded(site.port).fetch(f"http://rebind.example:{site.port}/case")
        assert site.requests == []
    assert (result.outcome, dialled) == (Outcome.CONNECT_ERROR, [PUBLIC])
    assert looked_up["rebind.example"] == [["127.0.0.1"], ["127.0.0.1"]]


def test_each_hop_is_looked_up_once_and_judged_anew(
    looked_up: dict[str, list[list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A redirect to the same name, which then resolves to another loopback address than the allowed one."""
    with serving(answer("302 F\r\nLocation: /secret"), secret=OK) as site:
        looked_up["feed.example"] = [["127.0.0.1"], ["127.0.0.2"]]
        from feedward.adapters.fetching.resolver import SystemResolver

        result = site.fetcher(resolver=SystemResolver()).fetch(site.url())
        assert [request.path for request in site.requests] == ["/case"]
    assert (result.outcome, looked_up["feed.example"]) == (Outcome.BLOCKED, [])


def test_connection_that_ends_elsewhere_than_the_pin_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(OK) as site:
        monkeypatch.setattr(socket.socket, "getpeername", lambda self: ("127.0.0.9", site.port))
        result = site.fetcher().fetch(site.url())
        assert b"".join(request.head for request in site.requests) == b""
    assert (result.outcome, result.requests) == (Outcome.BLOCKED, 0)


def test_urllib3_has_the_one_place_where_sockets_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """`_new_conn` is private to urllib3: if it is removed, the pin is lost, and this test fails."""
    assert "_new_conn" in vars(PinnedConnection.__mro__[1])

    def fail(*_: object) -> None:
        raise AssertionError("looked up again")

    with serving(OK) as site:
        monkeypatch.setattr(socket, "getaddrinfo", fail)
        monkeypatch.setattr(socket, "create_connection", fail)
        assert site.fetcher().fetch(site.url()).outcome is Outcome.OK


@pytest.mark.parametrize("name", ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"])
def test_proxies_of_the_environment_are_ignored(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for spelling in (name, name.lower()):
        monkeypatch.setenv(spelling, "http://127.0.0.1:9")
    with serving(OK) as site:
        assert site.fetcher().fetch(site.url()).body == FEED.encode()


def test_no_variable_of_the_environment_loosens_the_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ALLOW_PRIVATE", "ADDRESS_POLICY", "ALLOW_ADDRESSES", "FEEDWARD_RESOLVER", "ALLOWED_PORTS"):
        monkeypatch.setenv(name, "127.0.0.1")
    with serving(OK) as site:
        assert GuardedFetcher().fetch(f"http://127.0.0.1:{site.port}/").outcome is Outcome.BLOCKED
        assert site.requests == []


def test_resolver_may_map_the_ports_of_urls_and_names_stay_those_of_the_url() -> None:
    with serving(OK) as plain, serving([["tls", "tls_sni_required"]]) as secure:
        ports = {80: plain.port, 443: secure.port}

        class Demo:
            def resolve(self, host: str, port: int, *, within_s: float) -> list[Endpoint]:
                return [Endpoint("127.0.0.1", ports[port])]

        fetcher = GuardedFetcher(
            resolver=Demo(),
            address_policy=allow_loopback,
            tls_context=partial(ssl.create_default_context, cafile=secure.ca_file),
        )
        for url in ("http://feed.example/case", "https://feed.example/case"):
            assert fetcher.fetch(url).outcome is Outcome.OK
        assert b"\r\nHost: feed.example\r\n" in plain.requests[0].head
        assert b"\r\nHost: feed.example\r\n" in secure.requests[0].head


def test_second_address_is_tried_when_the_first_refuses() -> None:
    with serving(OK) as site:
        names = Names({"feed.example": [Endpoint("127.0.0.2"), Endpoint("127.0.0.1")]})
        fetcher = site.fetcher(resolver=names, address_policy=lambda address: address.startswith("127."))
        assert fetcher.fetch(site.url()).outcome is Outcome.OK
    assert names.looked_up == ["feed.example"]


def test_context_that_verifies_nothing_is_refused() -> None:
    lax = ssl.create_default_context()
    lax.check_hostname, lax.verify_mode = False, ssl.CERT_NONE
    with pytest.raises(ValueError, match="must verify"):
        GuardedFetcher(tls_context=lambda: lax).tls_context()


def test_tls_context_is_made_once_and_not_before_it_is_needed() -> None:
    made: list[ssl.SSLContext] = []

    def make() -> ssl.SSLContext:
        made.append(ssl.create_default_context())
        return made[-1]

    with serving(OK) as site:
        fetcher = site.fetcher(tls_context=make)
        fetcher.fetch(site.url())
        assert made == []
    fetcher.tls_context()
    fetcher.tls_context()
    assert len(made) == 1
