"""The guarded POST against receivers on loopback: honest, redirecting, huge, slow, and private by DNS."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import trustme

from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.adapters.fetching.guarded_post import ANSWER_BYTES, GuardedPoster
from feedward.adapters.fetching.resolver import Endpoint
from feedward.model import Outcome
from feedward.urls.safety import is_public_address
from feedward.webhooks.attempt import Posted

HOST = "receiver.example"
ENDED = threading.Event()


class Receiver(BaseHTTPRequestHandler):
    """Answers by its path, and records its requests."""

    got: list[tuple[str, dict[str, str], bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.got.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        kind = self.path.strip("/")
        if kind == "hang":
            ENDED.wait(5)
            return
        self.send_response(int(kind) if kind.isdecimal() else 200)
        if kind == "302":
            self.send_header("Location", f"https://{HOST}/ok")
        if kind == "429":
            self.send_header("Retry-After", "120")
        if kind == "huge":
            self.send_header("Content-Length", str(1 << 30))
        self.end_headers()
        self._write(kind)

    def _write(self, kind: str) -> None:
        try:
            if kind == "huge":
                while not ENDED.is_set():
                    self.wfile.write(b"x" * 65536)
            elif kind == "drip":
                while not ENDED.wait(0.05):
                    self.wfile.write(b"x")
                    self.wfile.flush()
            else:
                self.wfile.write(b"thank you")
        except OSError:
            return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """No log."""


class Names:
    """Implements Resolver: the name has the test's address."""

    def __init__(self, port: int) -> None:
        self.endpoints = [Endpoint("127.0.0.1", port)]
        self.asked = 0

    def resolve(self, host: str, port: int, *, within_s: float) -> Sequence[Endpoint]:
        assert host == HOST
        self.asked += 1
        return self.endpoints


class World:
    """A receiver, and a poster that reaches it."""

    def __init__(self, server: ThreadingHTTPServer, authority: trustme.CA) -> None:
        self.got: list[tuple[str, dict[str, str], bytes]] = Receiver.got
        self.names = Names(server.server_address[1])
        self.fetcher = GuardedFetcher(
            resolver=self.names,
            address_policy=lambda address: address == "127.0.0.1" or is_public_address(address),
            tls_context=lambda: ssl.create_default_context(cadata=authority.cert_pem.bytes().decode()),
        )
        self.poster = GuardedPoster(self.fetcher, own_hosts=("api.example.com",))

    def post(self, kind: str, *, within_s: float = 3.0) -> Posted:
        return self.poster.post(
            f"https://{HOST}/{kind}", body=b'{"a":1}', headers={"webhook-id": "m1"}, within_s=within_s
        )


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(HOST).configure_cert(context)
    Receiver.got = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield World(server, authority)
    ENDED.set()
    server.shutdown()
    server.server_close()


def test_a_receiver_gets_the_body_and_the_headers_and_its_status_counts(world: World) -> None:
    posted = world.post("200")

    path, headers, body = world.got[-1]
    assert (path, body, headers["webhook-id"], headers["host"]) == ("/200", b'{"a":1}', "m1", HOST)
    assert headers["content-type"] == "application/json"
    assert headers["user-agent"].startswith("feedward/")
    assert (posted.outcome, posted.status, posted.answer) == (Outcome.OK, 200, b"thank you")


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [
        ("302", Outcome.UNEXPECTED_STATUS),
        ("410", Outcome.GONE),
        ("429", Outcome.RATE_LIMITED),
        ("500", Outcome.SERVER_ERROR),
    ],
)
def test_no_other_status_is_success_and_no_redirect_is_followed(world: World, kind: str, outcome: Outcome) -> None:
    before = len(world.got)

    posted = world.post(kind)

    assert (posted.outcome, posted.has_arrived) == (outcome, False)
    assert len(world.got) == before + 1
    assert posted.retry_after_s == (120 if kind == "429" else None)
    assert posted.location == (f"https://{HOST}/ok" if kind == "302" else None)


def test_a_hub_is_told_the_purpose_of_the_request(world: World) -> None:
    poster = GuardedPoster(world.fetcher, purpose="push")

    poster.post(f"https://{HOST}/202", body=b"hub.mode=subscribe", headers={"Content-Type": "x/y"}, within_s=3.0)

    _, headers, _ = world.got[-1]
    assert headers["user-agent"].endswith(" push")
    assert headers["content-type"] == "x/y"


def test_of_a_huge_answer_only_the_start_is_read(world: World) -> None:
    posted = world.post("huge")

    assert (posted.status, posted.has_arrived) == (200, True)
    assert len(posted.answer) <= ANSWER_BYTES


def test_an_answer_that_drips_is_left_and_its_status_counts(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feedward.adapters.fetching.guarded_post.ANSWER_S", 0.3)
    began = time.monotonic()

    posted = world.post("drip")

    assert posted.has_arrived
    assert time.monotonic() - began < 3.0  # the time of the whole attempt


def test_a_receiver_that_does_not_answer_is_left_at_the_deadline(world: World) -> None:
    assert world.post("hang", within_s=0.5).outcome is Outcome.TIMEOUT


def test_a_name_that_turns_private_between_two_attempts_is_blocked_and_gets_nothing(world: World) -> None:
    assert world.post("200").has_arrived
    before, real = len(world.got), world.names.endpoints
    try:
        for address in ("10.0.0.5", "169.254.169.254", "192.168.1.1", "100.64.0.1"):
            world.names.endpoints = [Endpoint("127.0.0.1", real[0].port), Endpoint(address)]
            posted = world.post("200")
            assert posted.outcome is Outcome.BLOCKED
            assert address not in posted.detail
    finally:
        world.names.endpoints = real
    assert len(world.got) == before


@pytest.mark.parametrize(
    "url",
    ["http://receiver.example/200", "https://api.example.com/v1/feeds", "https://API.example.com./x",
     "https://127.0.0.1/200", "https://0x7f.1/200", "https://[::ffff:10.0.0.1]/", "https://u@receiver.example/200",
     "https://receiver.example:8080/200"],
)  # fmt: skip
def test_a_host_that_no_webhook_may_reach_is_not_looked_up(world: World, url: str) -> None:
    before = world.names.asked

    posted = world.poster.post(url, body=b"", headers={}, within_s=1.0)

    assert posted.outcome in (Outcome.BLOCKED, Outcome.BAD_URL)
    assert world.names.asked == before
