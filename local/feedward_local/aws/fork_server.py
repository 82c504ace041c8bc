"""A process that forks the workers of functions, after it has loaded the modules that they share.

A new interpreter would load these modules for each worker: most of the time of its start. MiniStack's interpreter runs
this file. Its arguments are the folders with the modules of the layers. Each byte on its standard input, a socket, is a
request for a worker, and carries the worker's standard files and its channel (ForkedWorker).
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import sys
from collections.abc import Iterable, Sequence
from typing import NamedTuple

PRELOADED = (
    "botocore.client",
    "botocore.session",
    "feedward.adapters.search.sqlite_index",
    "feedward.api.router",
    "feedward.bootstrap.search",
    "feedward.observability.log",
    "feedward.services.check.check_batch",
)
FILES = 4


class Request(NamedTuple):
    """The files of a new worker: standard input, output and error, and its channel."""

    stdio: Sequence[int]
    channel: int


def main(folders: Sequence[str]) -> None:
    """Fork until the requests end. Each new process runs its worker."""
    gc.disable()
    preload(folders)
    request = serve(socket.socket(fileno=0))
    if request is not None:
        run(request)


def preload(folders: Sequence[str]) -> None:
    """Load the modules. A module that no layer has fails later, in the worker that needs it."""
    own = list(sys.path)
    sys.path[:0] = folders
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    sys.path[:] = own
    gc.freeze()  # a collection in a worker would copy all memory that it shares with this process


def serve(requests: socket.socket) -> Request | None:
    """Fork for each request. Returns None at their end, and in a new process its request.

    A request that the machine has no room for is dropped: its channel closes, and other workers go on.
    """
    channels: dict[int, int] = {}
    signal.signal(signal.SIGCHLD, lambda *_: report_ended(channels))
    while True:
        asked, files, *_ = socket.recv_fds(requests, 1, FILES)
        if not asked:
            return None
        if len(files) < FILES:  # no further file can be open here
            _close(files)
            continue
        request = Request(files[:-1], files[-1])
        if _fork(request, channels) == 0:
            return request


def _fork(request: Request, channels: dict[int, int]) -> int | None:
    """Fork, and close the files of the other process. Returns its id, 0 in the new process, None on failure."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    try:
        process = os.fork()
    except OSError:
        _close([*request.stdio, request.channel])
        process = None
    if process == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _close(channels.values())
    elif process is not None:
        channels[process] = request.channel
        _close(request.stdio)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    return process


def report_ended(channels: dict[int, int]) -> None:
    """Write the exit code of each ended worker to its channel, and close it."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            channel = channels.pop(ended[0])
            with contextlib.suppress(OSError):  # MiniStack has closed it
                os.write(channel, b"%d\n" % os.waitstatus_to_exitcode(ended[1]))
            os.close(channel)


def run(request: Request) -> None:
    """Run the script that the channel names, in its folder and with its environment."""
    for number, file in enumerate(request.stdio):
        os.dup2(file, number)
    _close(request.stdio)
    with socket.socket(fileno=request.channel) as channel, channel.makefile("rb") as lines:
        channel.sendall(b"%d\n" % os.getpid())
        start = json.loads(lines.readline())
    os.chdir(start["cwd"])
    os.environ.clear()
    os.environ.update(start["env"])
    sys.argv[:] = [start["script"]]
    gc.enable()
    runpy.run_path(start["script"], run_name="__main__")


def _close(files: Iterable[int]) -> None:
    for file in files:
        os.close(file)


if __name__ == "__main__":
    main(sys.argv[1:])
