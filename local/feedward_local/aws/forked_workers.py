"""Workers that MiniStack gets from a fork server, which has loaded what they import, in place of new interpreters."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from types import ModuleType, SimpleNamespace
from typing import Any

SERVER = Path(__file__).with_name("fork_server.py")
SCRIPT = "_worker.py"
LAYERS = "_LAMBDA_LAYERS_DIRS"


class ForkedWorker:
    """A worker's process: the part of subprocess.Popen that MiniStack uses. Thread-safe.

    Its channel, a socket, takes what it runs as a line of JSON, and gives lines with its process id and its exit code.
    """

    def __init__(self, requests: socket.socket, script: str, *, cwd: str, env: Mapping[str, str]) -> None:
        """Start it. Raises OSError if there is no room for it, or the server has ended."""
        self.returncode: int | None = None
        self._lock = Lock()
        (stdin, to_stdin), (from_stdout, stdout), (from_stderr, stderr) = (os.pipe() for _ in range(3))
        self.stdin = os.fdopen(to_stdin, "w", buffering=1)
        self.stdout, self.stderr = os.fdopen(from_stdout), os.fdopen(from_stderr)
        self._channel, its_channel = socket.socketpair()
        try:
            socket.send_fds(requests, [b"+"], [stdin, stdout, stderr, its_channel.fileno()])
        finally:
            its_channel.close()
            for file in (stdin, stdout, stderr):
                os.close(file)
        self._channel.sendall(json.dumps({"script": script, "cwd": cwd, "env": dict(env)}).encode() + b"\n")
        self.pid = int(self._line() or 0)
        if not self.pid:
            raise BrokenPipeError("the fork server has ended, or could start no further process")

    def poll(self) -> int | None:
        """Return its exit code, negative for a signal; None while it runs."""
        return self._ended_within(0)

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit code once it has ended. Raises subprocess.TimeoutExpired after `timeout` seconds."""
        code = self._ended_within(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(SCRIPT, timeout or 0)
        return code

    def terminate(self) -> None:
        """Send SIGTERM, if it runs."""
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL, if it runs."""
        self._send(signal.SIGKILL)

    def _send(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def _ended_within(self, seconds: float | None) -> int | None:
        with self._lock:
            if self.returncode is None and self._has_line_within(seconds):
                self.returncode = int(self._line() or self._killed())
                self._channel.close()
            return self.returncode

    def _killed(self) -> int:
        """End a worker whose server has ended: its exit code would not be known."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        return -signal.SIGKILL

    def _has_line_within(self, seconds: float | None) -> bool:
        channel = select.poll()
        channel.register(self._channel, select.POLLIN)
        return bool(channel.poll(None if seconds is None else seconds * 1000))

    def _line(self) -> bytes:
        """Read a line of the channel. It is empty if the server has closed it."""
        with contextlib.suppress(ConnectionError), self._channel.makefile("rb", buffering=0) as lines:
            return lines.readline()
        return b""


class ForkServer:
    """A fork server for the layers in these folders."""

    def __init__(self, folders: Sequence[str]) -> None:
        """Start it. It ends with this process, or when its requests end."""
        self._requests, its_requests = socket.socketpair()
        with its_requests:
            self._process = subprocess.Popen([sys.executable, "-P", str(SERVER), *folders], stdin=its_requests.fileno())

    @property
    def has_ended(self) -> bool:
        """Whether it was killed, such as by a machine without memory."""
        return self._process.poll() is not None

    def fork(self, script: str, *, cwd: str, env: Mapping[str, str]) -> ForkedWorker:
        """Start a worker. Raises OSError if there is no room for it, or the server has ended."""
        return ForkedWorker(self._requests, script, cwd=cwd, env=env)

    def stop(self) -> None:
        """End it. Its workers end with their standard input."""
        self._requests.close()
        self._process.wait()


class ForkServers:
    """A fork server for each set of layers, started with its first worker. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._servers: dict[tuple[str, ...], ForkServer] = {}

    def fork(self, script: str, *, cwd: str, env: Mapping[str, str]) -> ForkedWorker:
        """Start a worker. Raises OSError if there is no room for it."""
        layers = filter(None, env.get(LAYERS, "").split(os.pathsep))
        folders = tuple(os.path.realpath(Path(layer, "python")) for layer in layers)
        with self._lock:
            if folders in self._servers and self._servers[folders].has_ended:
                self._servers.pop(folders).stop()
            if folders not in self._servers:
                self._servers[folders] = ForkServer(folders)
            return self._servers[folders].fork(script, cwd=cwd, env=env)

    def stop(self) -> None:
        """End all servers."""
        for server in self._servers.values():
            server.stop()


def fork_workers(lambda_runtime: ModuleType) -> ForkServers:
    """Let MiniStack fork the workers of Python functions, and return the servers, which end with this process."""
    servers = ForkServers()

    def opened(command: Sequence[str], **options: Any) -> Any:
        if Path(command[-1]).name == SCRIPT:
            return servers.fork(command[-1], cwd=options["cwd"], env=options["env"])
        return subprocess.Popen(command, **options)

    vars(lambda_runtime)["subprocess"] = SimpleNamespace(**vars(subprocess) | {"Popen": opened})
    return servers
