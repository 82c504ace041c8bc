"""Answers mutated at random: each ends in an outcome, and none of it reaches a log on the way."""

from __future__ import annotations

import random
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.adapters.fetching.resolver import Endpoint
from feedward.adapters.fetching.settings import FetchSettings
from feedward.model import Outcome
from feedward.urls.safety import UrlPolicy
from tests.faults.site import Names, allow_loopback

ANSWERS = [
    b'HTTP/1.1 200 OK\r\nContent-Type: multipart/mixed; boundary="x"\r\nContent-Length: 6\r\nETag: "a"\r\n\r\n<rss/>',
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\r\n",
    b"HTTP/1.1 302 F\r\nLocation: http://a.example:80/x y?\xc3\xa9#z\r\nContent-Type: message/rfc822\r\n\r\n",
    b"HTTP/1.1 429 X\r\nRetry-After: Thu, 01 Jan 2030 00:10:00 GMT\r\n\r\n",
    b"HTTP/1.0 200\nContent-Transfer-Encoding: base64\nA: =?utf-8?b?xx?=\n\nbody",
]
TOKENS = [
    *(b"\r", b"\n", b"\r\n", b":", b" ", b"\0", b"\xff", b"\t", b"HTTP/1.1 ", b"100 ", b"Content-Length: ", b"-1"),
    *(b"Transfer-Encoding: chunked\r\n", b"Content-Length: 5\r\n", b"9" * 20, b"=?utf-8?q?=?=", b"From x\n", b'"'),
]


class Echo:
    """Answers every request with `answer`."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.answer = b""

    def run(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                self.reply(connection)

    def reply(self, connection: socket.socket) -> None:
        connection.settimeout(0.5)
        try:
            connection.recv(1 << 16)
            connection.sendall(self.answer)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(1)
        except OSError:
            return


@pytest.fixture
def echo() -> Iterator[Echo]:
    with ExitStack() as stack:
        server = Echo()
        stack.callback(server.listener.close)
        thread = threading.Thread(target=server.run)
        thread.start()
        stack.callback(thread.join)
        stack.callback(server.listener.shutdown, socket.SHUT_RDWR)
        yield server


def mutate(dice: random.Random, answer: bytes) -> bytes:
    mutated = bytearray(answer)
    for _ in range(dice.randint(1, 6)):
        place = dice.randrange(len(mutated) + 1)
        if dice.random() < 0.7:
            mutated[place:place] = dice.choice(TOKENS)
        else:
            del mutated[place : place + dice.randint(1, 6)]
    return bytes(mutated)


@pytest.mark.parametrize("seed", range(3))
def test_mutated_answer_ends_in_an_outcome_and_in_no_log(
    seed: int, echo: Echo, caplog: pytest.LogCaptureFixture
) -> None:
    policy = UrlPolicy(ports=frozenset({80, echo.port}))
    names = Names({"feed.example": [Endpoint("127.0.0.1")]})
    settings = FetchSettings(total_s=1, io_s=0.5, url_policy=policy)
    fetcher = GuardedFetcher(settings, resolver=names, address_policy=allow_loopback)
    dice = random.Random(seed)
    for _ in range(200):
        echo.answer = mutate(dice, dice.choice(ANSWERS))
        result = fetcher.fetch(f"http://feed.example:{echo.port}/?token=secret")
        assert result.outcome in set(Outcome), echo.answer
        assert not [c for name, value in result.headers.items() if name != "location" for c in value if c < " "]
    assert caplog.records == []
