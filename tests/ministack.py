"""Runs MiniStack, the AWS of this project's tests, on a free loopback port, and ends it by its own process id."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_ROOT = Path(__file__).parents[1]
PYTHON = _ROOT / ".tools" / "ministack" / "bin" / "python"
ENTRY = _ROOT / "local" / "feedward_local" / "aws" / "ministack_http.py"
HOST = "127.0.0.1"
_READY_WITHIN_S = 240
_STOPPED_WITHIN_S = 15


class MiniStackError(Exception):
    """MiniStack did not start."""


@contextmanager
def running_ministack(folder: Path, **settings: str) -> Iterator[str]:
    """Start MiniStack with its log and scratch files in `folder`, yield its endpoint URL, and stop it.

    `settings` are environment variables of MiniStack's own.
    """
    port = _free_port()
    endpoint = f"http://{HOST}:{port}"
    with (folder / "ministack.log").open("wb") as log:
        process = subprocess.Popen(
            [PYTHON, "-P", ENTRY],
            cwd=folder,
            env=_environment(folder, port) | settings,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            _wait_until_ready(process, endpoint, Path(log.name))
            yield endpoint
        finally:
            _stop(process)


def _environment(folder: Path, port: int) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    own = {
        "BIND_HOST": HOST,
        "GATEWAY_PORT": str(port),
        "TMPDIR": str(folder),
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    return inherited | own


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        port: int = listener.getsockname()[1]
        return port


def _wait_until_ready(process: subprocess.Popen[bytes], endpoint: str, log: Path) -> None:
    deadline = time.monotonic() + _READY_WITHIN_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{endpoint}/_ministack/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise MiniStackError(f"MiniStack is not ready after {_READY_WITHIN_S} s; its log ends:\n{log.read_text()[-2000:]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """SIGTERM lets it end its function workers too; SIGKILL is only for processes that ignore it."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(_STOPPED_WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
