"""Runs `python -m feedward_local.serve` as a person does: a process with a console, ended by a signal."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

STORE_TRIES = 3
READY = re.compile(r"^ready after [0-9.]+ s: (http://127\.0\.0\.1:[0-9]+)", re.MULTILINE)


class StackProcess:
    """A running stack: its address, its console output, and the way to end it."""

    def __init__(self, state: Path, *options: str) -> None:
        """Start it; `options` come after `--state` and a free port."""
        self.state = state
        self._shown: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "feedward_local.serve", "--port", "0", "--state", str(state), *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._shown.append(line)

    @property
    def shown(self) -> str:
        """All output of the console."""
        return "".join(self._shown)

    def wait_for(self, pattern: str | re.Pattern[str], within_s: float = 120) -> re.Match[str]:
        """Return the match of an expected text on the console."""
        deadline = time.monotonic() + within_s
        while time.monotonic() < deadline:
            if match := re.search(pattern, self.shown):
                return match
            if self.process.poll() is not None and not self._reader.is_alive():
                break
            time.sleep(0.1)
        raise AssertionError(f"the console never showed {pattern!r}, but:\n{self.shown}")

    @property
    def url(self) -> str:
        """Its address, once it is ready."""
        return self.wait_for(READY, 240).group(1)

    def stop(self, number: int = signal.SIGINT) -> int:
        """Send a signal and return the exit code. Ctrl-C goes to the whole foreground group, as a terminal sends it."""
        if self.process.poll() is None:
            if number == signal.SIGINT:
                os.killpg(self.process.pid, number)
            else:
                self.process.send_signal(number)
        code = self.process.wait(timeout=120)
        self._reader.join(timeout=60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def call(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, str, Any]:
        """Send JSON; return status, content type and decoded JSON."""
        return call(self.url, method, path, body, headers)

    def canonicalize(self, **body: object) -> Any:
        """POST /v1/canonicalize, which has to succeed."""
        status, _, answer = self.call("POST", "/v1/canonicalize", body)
        assert status == 200, answer
        return answer


def call(
    url: str, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
) -> tuple[int, str, Any]:
    """Send JSON to the stack at this address; return status, content type and decoded JSON.

    A request is sent again if the store did not answer in time: other tests use the same processors.
    """
    for _ in range(STORE_TRIES):
        answered = _sent(url, method, path, body, headers)
        if answered[0] != 503 or answered[2].get("code") != "store_unavailable":
            break
    return answered


def _sent(url: str, method: str, path: str, body: object, headers: Mapping[str, str] | None) -> tuple[int, str, Any]:
    data = None if body is None else json.dumps(body).encode()
    sent = {"content-type": "application/json", **(headers or {})}
    request = urllib.request.Request(url + path, data=data, method=method, headers=sent)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=240) as response:
            return response.status, response.headers["content-type"], json.loads(response.read() or "null")
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["content-type"], json.load(error)


def processes_of(state: Path) -> list[str]:
    """Command lines of living processes that work inside a state folder: MiniStack and its workers."""
    return list(_living_in(state).values())


def pids_of(state: Path) -> list[int]:
    """The ids of these processes, and that of the stack itself."""
    return list(_living_in(state))


def _living_in(state: Path) -> dict[int, str]:
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            folder = os.readlink(entry / "cwd")
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if command and (folder.startswith(str(state)) or str(state) in command):
            found[int(entry.name)] = command
    return found


def serve(*options: str) -> subprocess.CompletedProcess[str]:
    """Run it to its end, for a run that is refused."""
    command = [sys.executable, "-m", "feedward_local.serve", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
