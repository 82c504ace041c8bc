"""The command line against the functions themselves, behind a server on loopback."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from feedward_local.api_client.api import Api, ApiAnswer
from feedward_local.command import main
from tests.functions.directory_function import DirectoryFunction, event_of, make_directory_function
from tests.log_stream import log_stream

Run = Callable[..., tuple[int, str, str]]


class _Handler(BaseHTTPRequestHandler):
    function: DirectoryFunction

    def _answer(self) -> None:
        asked = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        event = event_of(
            self.command, asked.path, parameters=dict(parse_qsl(asked.query, keep_blank_values=True)), body=body or None
        )
        answer = self.function.handler(event, self.function.context)
        self.send_response(answer["statusCode"])
        for name, value in answer["headers"].items():
            self.send_header(name, value)
        self.end_headers()
        said = answer["body"].encode()
        self.wfile.write(base64.b64decode(said) if answer["isBase64Encoded"] else said)

    do_GET = do_POST = do_PATCH = do_DELETE = _answer  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """No log."""


@pytest.fixture
def directory() -> DirectoryFunction:
    return make_directory_function()


@pytest.fixture
def _log(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "feedward")
    with log_stream():
        yield


@pytest.fixture
def address(directory: DirectoryFunction, _log: None) -> Iterator[str]:
    handler = type("Handler", (_Handler,), {"function": directory})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    serving = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    serving.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    serving.join()


@pytest.fixture
def run(address: str, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main([*arguments, "--api", address])
        except SystemExit as exit_:
            code = int(str(exit_.code))
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


@pytest.fixture
def be_busy_once(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Makes the API too busy for the next read. Returns a list, to which the path of that read is added."""

    def begin() -> list[str]:
        paths: list[str] = []
        call = Api.call

        def busy_once(api: Api, method: str, path: str, body: Any = None, *, has: str) -> ApiAnswer:
            if method != "GET" or paths:
                return call(api, method, path, body, has=has)
            paths.append(path)
            return ApiAnswer(status=503, headers={}, document={"status": 503, "code": "store_unavailable"})

        monkeypatch.setattr(Api, "call", busy_once)
        return paths

    return begin
