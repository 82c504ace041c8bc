"""Commands send the key that they are given, to the API alone, and never show it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from feedward.access.key import SECRET_CHARS, Key, new_key
from feedward_local.command import main

KEY = Key(key_id="4fT9xQ2LmB7c", secret="s" * SECRET_CHARS).text  # the same in each process
COMMANDS = [
    ["feeds"],
    ["search", "garden"],
    ["subscriptions"],
    ["frontier", "--last-error", "timeout"],
    ["export", "json"],
    ["canonicalize", "https://example.com/feed", "--json", "--api"],
    ["discover", "https://example.com/", "--api"],
]


class Refusing(HTTPServer):
    """Answers each request as the gateway answers one without a key, and records the requests."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Refusal)
        self.sent: list[str | None] = []
        self.address = f"http://127.0.0.1:{self.server_address[1]}"


class _Refusal(BaseHTTPRequestHandler):
    server: Refusing

    def do_GET(self) -> None:
        key = self.headers.get("authorization")
        self.server.sent.append(key)
        self.rfile.read(int(self.headers.get("content-length") or 0))
        body = b'{"message":"Unauthorized"}' if key is None else b'{"message":"Forbidden"}'
        self.send_response(401 if key is None else 403)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_args: Any) -> None:
        """No log."""


@pytest.fixture
def api() -> Iterator[Refusing]:
    server = Refusing()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def asking(command: list[str], api: Refusing) -> list[str]:
    return [*command, api.address] if command[-1] == "--api" else [*command, "--api", api.address]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_command_sends_the_key_of_the_command_line_or_of_the_environment(
    command: list[str], api: Refusing, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = new_key().text
    monkeypatch.delenv("FEEDWARD_API_KEY", raising=False)
    assert main(asking(command, api)) == 1
    assert "FEEDWARD_API_KEY" in "".join(capsys.readouterr())
    monkeypatch.setenv("FEEDWARD_API_KEY", f"{KEY}\n")
    assert main(asking(command, api)) == 1
    assert main([*asking(command, api), "--key", other]) == 1

    assert api.sent == [None, f"Bearer {KEY}", f"Bearer {other}"]
    said = "".join(capsys.readouterr())
    assert "does not know this key" in said
    assert KEY not in said
    assert other not in said


@pytest.mark.parametrize("wrong", [KEY[:-1], f"{KEY}x", "nonsense", " "])
def test_a_key_with_a_typo_is_refused_here_and_not_shown(
    wrong: str, api: Refusing, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FEEDWARD_API_KEY", raising=False)
    with pytest.raises(SystemExit) as ended:
        main(["feeds", "--api", api.address, "--key", wrong])

    said = capsys.readouterr().err
    assert (ended.value.code, api.sent) == (2, [])
    assert "--key: this is not an API key" in said
    assert KEY[16:40] not in said


def test_a_key_without_an_api_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["canonicalize", "https://example.com/feed", "--key", KEY])

    assert "--key is for an API" in capsys.readouterr().err
