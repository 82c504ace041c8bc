"""Serves MiniStack for tests: it answers unsigned calls of DynamoDB as soon as they are read.

Its server and its application take ten times as long as its DynamoDB for such a call. All other requests go through
them. MiniStack's interpreter runs this file.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "local"))

from ministack import app
from ministack.services import dynamodb
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from feedward_local.aws.ministack_http import serve_by_uvicorn
from feedward_local.aws.ministack_queries import make_queries_cheap

_HEAD_ENDS = b"\r\n\r\n"
_OPERATION = re.compile(rb"\r\nx-amz-target: *(DynamoDB_20120810\.\w+)\r\n", re.IGNORECASE)
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)
_SIGNED = re.compile(rb"\r\nauthorization:", re.IGNORECASE)


class DirectProtocol(HttpToolsProtocol):  # type: ignore[misc]
    """Reads a connection whose requests are either all calls of DynamoDB, or all for the application."""

    _is_direct: bool | None = None
    _read = b""

    def data_received(self, data: bytes) -> None:
        """Answer what is complete."""
        if self._is_direct is False:
            super().data_received(data)
            return
        self._read += data
        head, ends, body = self._read.partition(_HEAD_ENDS)
        if not ends:
            return
        head += b"\r\n"
        operation, length = _OPERATION.search(head), _LENGTH.search(head)
        self._is_direct = operation is not None and length is not None and not _SIGNED.search(head)
        if operation is None or length is None or not self._is_direct:
            self._forward()
        elif len(body) >= int(length[1]):
            self._read = b""
            self.transport.write(_answer(operation[1].decode(), body))

    def _forward(self) -> None:
        read, self._read = self._read, b""
        super().data_received(read)


def _answer(operation: str, body: bytes) -> bytes:
    call = dynamodb.handle_request("POST", "/", {"x-amz-target": operation}, body, {})
    try:
        call.send(None)  # it waits for nothing
    except StopIteration as done:
        status, headers, answer = done.value
    else:
        raise RuntimeError(f"{operation} waits")
    body = answer if isinstance(answer, bytes) else answer.encode()
    lines = [f"{name}: {value}\r\n" for name, value in (headers | {"Content-Length": len(body)}).items()]
    return b"".join([STATUS_LINE[status], "".join(lines).encode("latin-1"), b"\r\n", body])


if __name__ == "__main__":
    make_queries_cheap(dynamodb)
    serve_by_uvicorn(DirectProtocol)
    app.main()
