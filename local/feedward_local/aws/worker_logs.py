"""The log lines of a call, without a fixed wait: MiniStack waits 50 ms for the lines of a call that logs nothing.

A worker writes its lines before its answer, so they are in the pipe, in the reading thread or in its queue by then.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import queue
import shutil
import struct
import termios
import time
from pathlib import Path
from types import ModuleType
from typing import IO, Any

QUIET_S = 0.003
AT_MOST_S = 0.25
KEPT_BYTES = 10 * 1024 * 1024


def log_lines(worker: Any) -> str:
    """Return the lines that a worker has logged: until its pipe is empty and no line arrives for QUIET_S seconds."""
    lines: list[str] = []
    ends = time.monotonic() + AT_MOST_S
    while time.monotonic() < ends:
        try:
            lines.append(worker._stderr_queue.get(timeout=QUIET_S))
        except queue.Empty:
            if not _unread_bytes(worker._proc.stderr if worker._proc else None):
                break
    return "\n".join(lines)


def collect_logs_without_wait(lambda_runtime: ModuleType) -> None:
    """Let MiniStack collect the lines of each call with `log_lines`."""
    lambda_runtime.Worker._drain_stderr_bounded = log_lines


def keep_short(log: Path) -> None:
    """Begin a log that a process appends to anew once it is long; its end until then is in a file beside it."""
    with contextlib.suppress(OSError):
        if log.stat().st_size > KEPT_BYTES:
            with contextlib.suppress(OSError):  # such as on a full disk
                shutil.copyfile(log, log.with_suffix(".old.log"))
            os.truncate(log, 0)


def _unread_bytes(pipe: IO[str] | None) -> int:
    """Return the number of bytes in a pipe; 0 for one that is closed."""
    if pipe is None or pipe.closed:
        return 0
    try:
        return int(struct.unpack("i", fcntl.ioctl(pipe.fileno(), termios.FIONREAD, b"\0" * 4))[0])
    except OSError:
        return 0
