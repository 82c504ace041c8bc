"""Runs a built function as AWS would: under its runtime interface emulator, with its runtime interface client.

The emulator is a binary inside the SAM CLI; the Python has the runtime's own version, in an environment that has the
packages of AWS's image. The function sees its folder first, then the layer's, then the runtime's packages.
"""

from __future__ import annotations

import json
import os
import platform
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
BUILD = ROOT / ".aws-sam" / "build"
LAYER = BUILD / "FeedwardLayer" / "python"
FUNCTION = BUILD / "CanonicalizeFunction"
DISCOVER = BUILD / "DiscoverFunction"
DIRECTORY = BUILD / "DirectoryFunction"
HEALTH_CHECK = BUILD / "HealthCheckFunction"
COLLECT = BUILD / "CollectFunction"
SAM = ROOT / ".tools" / "sam"
PYTHON = ROOT / ".tools" / "runtime" / "bin" / "python"
HOST_ARCHITECTURE = "arm64" if platform.machine() in ("aarch64", "arm64") else "x86_64"
HOST = "127.0.0.1"
STARTS_WITHIN_S = 120
INVOKE_WITHIN_S = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """The answer of one call, and its seconds; the function's output of that time is in the log."""

    payload: Any
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Emulator:
    """A running function."""

    port: int
    log: Path

    def invoke(self, event: Mapping[str, Any]) -> Invocation:
        """Call the function with `event`."""
        request = urllib.request.Request(
            f"http://{HOST}:{self.port}/2015-03-31/functions/function/invocations",
            data=json.dumps(event).encode(),
            headers={"Content-Type": "application/json"},
        )
        start = time.monotonic()
        with urllib.request.urlopen(request, timeout=INVOKE_WITHIN_S) as response:
            payload = json.loads(response.read())
        return Invocation(payload=payload, seconds=time.monotonic() - start)


def emulator_binary() -> Path:
    """The emulator that comes with the SAM CLI. It must never be called with --help: it would start and not end."""
    (binary,) = SAM.glob(f"lib/python*/site-packages/samcli/local/rapid/aws-lambda-rie-{HOST_ARCHITECTURE}")
    return binary


@contextmanager
def running_function(
    log: Path,
    variables: Mapping[str, str],
    *,
    function: Path = FUNCTION,
    handler: str = "app.handler",
    more_code: tuple[Path, ...] = (),
) -> Iterator[Emulator]:
    """Start the function that was built into the folder `function`; `more_code` are further folders to import from."""
    api_port, port = _free_ports(2)
    command = [
        *(str(emulator_binary()), "--log-level", "warn"),
        *("--runtime-api-address", f"{HOST}:{api_port}", "--runtime-interface-emulator-address", f"{HOST}:{port}"),
        *(str(PYTHON), "-m", "awslambdaric", handler),
    ]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=function,
            env=_environment(variables, (function, *more_code, LAYER)),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            _wait_until_listening(process, port, log)
            yield Emulator(port=port, log=log)
        finally:
            _stop(process)


def _environment(variables: Mapping[str, str], path: tuple[Path, ...]) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "LANG": "en_US.UTF-8",
        "TZ": ":UTC",
        "PYTHONPATH": os.pathsep.join(map(str, path)),
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_LAMBDA_FUNCTION_NAME": "canonicalize",
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1024",
        "AWS_LAMBDA_FUNCTION_TIMEOUT": "25",
        **variables,
    }


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server((HOST, 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def _wait_until_listening(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection((HOST, port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(f"the emulator did not start: {log.read_text(errors='replace')[-2000:]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the emulator and the runtime that it started: they are one process group of ours."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
            process.wait(timeout=5)
        except ProcessLookupError:
            break
        except subprocess.TimeoutExpired:
            continue
