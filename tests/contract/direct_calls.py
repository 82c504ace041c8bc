"""Sends a botocore client's requests to MiniStack over kept connections, in half of the processor time."""

from __future__ import annotations

import socket
from typing import Any

from botocore.awsrequest import AWSResponse

_HEAD_ENDS = b"\r\n\r\n"
_READ_BYTES = 256 * 1024
# No test waits for it: it ends one whose MiniStack does not answer.
_ANSWERED_WITHIN_S = 120.0


class DirectCalls:
    """A handler of botocore's event `before-send`. Thread-safe."""

    def __init__(self, host: str, port: int) -> None:
        self._address = host, port
        self._free: list[socket.socket] = []

    def __call__(self, request: Any, **_: Any) -> Any:
        """Send an AWSPreparedRequest and return its AWSResponse."""
        connection = self._connection()
        connection.sendall(_text_of(request))
        status, headers, body = _answer(connection)
        self._free.append(connection)
        return AWSResponse(request.url, status, headers, _Body(body))  # type: ignore[arg-type]

    def close(self) -> None:
        """Close the connections."""
        while self._free:
            self._free.pop().close()

    def _connection(self) -> socket.socket:
        try:
            return self._free.pop()
        except IndexError:
            connection = socket.create_connection(self._address, _ANSWERED_WITHIN_S)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connection


class _Body:
    """The body of an answer, which was read."""

    def __init__(self, text: bytes) -> None:
        self._text = text

    def stream(self) -> tuple[bytes]:
        return (self._text,)


def _text_of(request: Any) -> bytes:
    target: bytes = request.headers["X-Amz-Target"]
    body: bytes = request.body
    return b"POST / HTTP/1.1\r\nHost: ministack\r\nX-Amz-Target: %b\r\nContent-Length: %d\r\n\r\n%b" % (
        target,
        len(body),
        body,
    )


def _answer(connection: socket.socket) -> tuple[int, dict[str, str], bytes]:
    read = b""
    while _HEAD_ENDS not in read:
        read += _more(connection)
    head, _, body = read.partition(_HEAD_ENDS)
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    while len(body) < int(headers["Content-Length"]):
        body += _more(connection)
    return int(first.split(" ", 2)[1]), headers, body


def _more(connection: socket.socket) -> bytes:
    read = connection.recv(_READ_BYTES)
    if not read:
        raise ConnectionError("MiniStack has closed the connection")
    return read
