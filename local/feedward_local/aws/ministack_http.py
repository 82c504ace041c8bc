"""Serves MiniStack with uvicorn, and answers calls of DynamoDB as soon as they are read.

Through MiniStack's application such a call takes three times as long, and up to twice that with hypercorn, its own
server. All other requests go through the application. MiniStack's interpreter runs this file, in tests, or the one that
also saves (ministack_entry).
"""

from __future__ import annotations

import asyncio
import logging
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import hypercorn.asyncio
import uvicorn
from ministack.core import responses
from ministack.services import dynamodb
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

sys.path.append(str(Path(__file__).parents[2]))

from feedward_local.aws.ministack_queries import make_queries_cheap

KEPT_ALIVE_S = 75
ENDING_S = 3
"""A request that is still waiting then, such as a long poll of a queue, gets no answer."""
_HEAD_ENDS = b"\r\n\r\n"
_OPERATION = re.compile(rb"\r\nx-amz-target: *DynamoDB_20120810\.(\w+)\r\n", re.IGNORECASE)
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)
_SIGNED = re.compile(rb"\r\nauthorization:", re.IGNORECASE)


class DirectProtocol(HttpToolsProtocol):  # type: ignore[misc]
    """Reads a connection. It answers calls of DynamoDB itself, until the first request that is none."""

    def __init__(
        self,
        *arguments: Any,
        answers_signed: bool = False,
        note: Callable[[str], None] = lambda _operation: None,
        **settings: Any,
    ) -> None:
        """`answers_signed`: also answer calls that are signed, without a check. `note` gets each operation."""
        super().__init__(*arguments, **settings)
        self._answers_signed, self._note = answers_signed, note
        self._forwards, self._read = False, b""

    def data_received(self, data: bytes) -> None:
        """Answer what is complete."""
        if self._forwards:
            super().data_received(data)
            return
        self._read += data
        head, ends, body = self._read.partition(_HEAD_ENDS)
        if not ends:
            return
        operation, length = self._call(head + b"\r\n")
        if not operation:
            self._forward()
        elif len(body) >= length:
            self._read = b""
            self._note(operation)
            self.transport.write(_answer(operation, body))

    def _call(self, head: bytes) -> tuple[str, int]:
        """The operation of DynamoDB that a request asks for, and the length of its body; no name for another one."""
        operation, length = _OPERATION.search(head), _LENGTH.search(head)
        if operation is None or length is None or (_SIGNED.search(head) and not self._answers_signed):
            return "", 0
        return operation[1].decode(), int(length[1])

    def _forward(self) -> None:
        self._forwards, read, self._read = True, self._read, b""
        super().data_received(read)


def _answer(operation: str, body: bytes) -> bytes:
    status, headers, answer = _answered(operation, body)
    body = answer if isinstance(answer, bytes) else answer.encode()
    lines = [f"{name}: {value}\r\n" for name, value in (headers | {"Content-Length": len(body)}).items()]
    return b"".join([STATUS_LINE[status], "".join(lines).encode("latin-1"), b"\r\n", body])


def _answered(operation: str, body: bytes) -> Any:
    """Status, headers and text of DynamoDB's answer. A failure is the application's 500."""
    call = dynamodb.handle_request("POST", "/", {"x-amz-target": f"DynamoDB_20120810.{operation}"}, body, {})
    try:
        call.send(None)  # it waits for nothing
    except StopIteration as done:
        return done.value
    except Exception as error:
        logging.getLogger("feedward").exception("%s failed", operation)
        return dynamodb.error_response_json("InternalError", str(error), 500)
    raise RuntimeError(f"{operation} waits")


def keep_content_types(responses: ModuleType) -> None:
    """Let MiniStack answer with the content type that its service has chosen, which no client here reads.

    It reads the models of botocore to correct it: 7 % of what it computed in the tests of stacks.
    """
    vars(responses)["_service_model"] = lambda _service: None


def serve_by_uvicorn(protocol: Callable[..., asyncio.Protocol] | str) -> None:
    """Make MiniStack's `main` serve its application with uvicorn, on its usual address. `protocol` reads requests."""
    vars(hypercorn.asyncio)["serve"] = partial(_serve, protocol)


async def _serve(protocol: Callable[..., asyncio.Protocol] | str, app: Any, config: Any) -> None:
    host, _, port = config.bind[0].rpartition(":")
    settings = uvicorn.Config(
        app,
        host=host,
        port=int(port),
        http=protocol,
        ws="none",
        proxy_headers=False,
        log_config=None,
        access_log=False,
        date_header=False,  # MiniStack sets its own
        server_header=False,
        timeout_keep_alive=KEPT_ALIVE_S,
        timeout_graceful_shutdown=ENDING_S,
    )
    await uvicorn.Server(settings).serve()


if __name__ == "__main__":
    from ministack import app

    make_queries_cheap(dynamodb)
    keep_content_types(responses)
    serve_by_uvicorn(DirectProtocol)
    app.main()
