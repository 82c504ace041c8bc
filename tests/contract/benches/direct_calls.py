"""Sends the calls of botocore's client of DynamoDB to MiniStack itself, in a third of the processor time.

botocore writes the requests and reads the errors; other answers have the form that it returns. Its connections and the
steps between are left out: they are the same for each call, and the calls of the local stack take them.
"""

from __future__ import annotations

import json
import socket
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.parsers import create_parser

_HEAD_ENDS = b"\r\n\r\n"
_READ_BYTES = 256 * 1024
# No test waits for it: it ends one whose MiniStack does not answer.
_ANSWERED_WITHIN_S = 120.0
_ERRORS = 300


class DirectCalls:
    """A handler of botocore's event `before-call`. Thread-safe."""

    def __init__(self, host: str, port: int) -> None:
        self._address = host, port
        self._free: list[socket.socket] = []
        self._parser = create_parser("json")

    def __call__(self, model: Any, params: Any, **_: Any) -> Any:
        """Make a call, and return its answer as it was sent and as botocore reads it."""
        connection = self._connection()
        connection.sendall(_text_of(params["headers"]["X-Amz-Target"], params["body"]))
        answer = _answer(connection)
        self._free.append(connection)
        is_error = answer["status_code"] >= _ERRORS
        read = self._error(answer, model) if is_error else json.loads(answer["body"])
        return AWSResponse(params["url"], answer["status_code"], answer["headers"], raw=None), read

    def _error(self, answer: dict[str, Any], model: Any) -> Any:
        read = self._parser.parse(answer, model.output_shape)
        shape = model.service_model.shape_for_error_code(read["Error"]["Code"])
        return read | self._parser.parse(answer, shape) if shape is not None else read

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


def _text_of(operation: str, body: bytes) -> bytes:
    head = f"POST / HTTP/1.1\r\nHost: ministack\r\nX-Amz-Target: {operation}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def _answer(connection: socket.socket) -> dict[str, Any]:
    read = b""
    while _HEAD_ENDS not in read:
        read += _more(connection)
    head, _, body = read.partition(_HEAD_ENDS)
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    while len(body) < int(headers["Content-Length"]):
        body += _more(connection)
    return {"status_code": int(first.split(" ", 2)[1]), "headers": headers, "body": body}


def _more(connection: socket.socket) -> bytes:
    read = connection.recv(_READ_BYTES)
    if not read:
        raise ConnectionError("MiniStack has closed the connection")
    return read
