"""Forked workers are as new interpreters are, but for the modules that their server has loaded."""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import pytest

from feedward_local.aws import fork_server
from feedward_local.aws.forked_workers import LAYERS, SCRIPT, ForkedWorker, ForkServers, fork_workers

Started: TypeAlias = "ForkedWorker | subprocess.Popen[str]"
Start = Callable[..., Started]
ENDS_WITHIN_S = 60

ECHO = "import sys\nfor line in sys.stdin:\n    print('got', line.strip(), flush=True)\n"
WAIT = "import sys\nprint('ready', flush=True)\nsys.stdin.read()\n"
SAY_ITSELF = """
import json, os, signal, subprocess, sys
of_child = "import json, os; print(json.dumps(dict(os.environ)))"
children = json.loads(subprocess.check_output([sys.executable, "-c", of_child]))
print(json.dumps({
    "name": __name__, "argv": sys.argv, "cwd": os.getcwd(), "env": dict(os.environ), "children": children,
    "at_child_end": signal.getsignal(signal.SIGCHLD), "blocked": list(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
}))
"""


@pytest.fixture(scope="module")
def runtime() -> Iterator[Any]:
    """MiniStack's module, as far as it starts workers."""
    module: Any = ModuleType("lambda_runtime")
    servers = fork_workers(module)
    yield module
    servers.stop()


@pytest.fixture
def servers() -> Iterator[ForkServers]:
    servers = ForkServers()
    yield servers
    servers.stop()


@pytest.fixture(params=["forked", "a new interpreter"])
def start(request: pytest.FixtureRequest, runtime: Any, tmp_path: Path) -> Iterator[Start]:
    """Start a worker with this text and these variables, as MiniStack does with and without a fork server."""
    popen: Any = runtime.subprocess.Popen if request.param == "forked" else subprocess.Popen
    started: list[Started] = []

    def started_with(text: str, **env: str) -> Started:
        folder = tmp_path / f"worker{len(started)}"
        folder.mkdir()
        script = folder / SCRIPT
        script.write_text(text)
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        command, environment = [sys.executable, str(script)], {"PATH": os.environ["PATH"], **env}
        started.append(popen(command, cwd=str(folder), env=environment, text=True, bufsize=1, **pipes))
        return started[-1]

    yield started_with
    for worker in started:
        end(worker)


def end(worker: Started) -> None:
    worker.kill()
    worker.wait(ENDS_WITHIN_S)
    for file in (worker.stdin, worker.stdout, worker.stderr):
        assert file is not None
        file.close()


def read(worker: Started) -> str:
    assert worker.stdout is not None
    return worker.stdout.readline()


def errors(worker: Started) -> str:
    assert worker.stderr is not None
    return worker.stderr.read()


def write(worker: Started, text: str) -> None:
    assert worker.stdin is not None
    worker.stdin.write(text)


def close_input(worker: Started) -> None:
    assert worker.stdin is not None
    worker.stdin.close()


# --- as with a new interpreter ---------------------------------------------------------------------


def test_a_worker_answers_line_by_line_and_ends_with_its_input(start: Start) -> None:
    worker = start(ECHO)
    write(worker, "one\n")
    assert read(worker) == "got one\n"
    write(worker, "ä\n")
    assert read(worker) == "got ä\n"
    assert worker.poll() is None
    close_input(worker)
    assert worker.wait(ENDS_WITHIN_S) == 0 == worker.poll() == worker.returncode


def test_a_worker_has_the_folder_the_script_and_only_the_environment_that_it_was_given(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OF_THE_STARTER", "yes")
    folder = tmp_path / "worker0"
    said = json.loads(read(start(SAY_ITSELF, OF_THE_WORKER="ü")))
    for environment in (said.pop("env"), said.pop("children")):
        environment.pop("LC_CTYPE", None)  # which an interpreter sets by itself
        assert environment == {"PATH": os.environ["PATH"], "OF_THE_WORKER": "ü"}
    assert said == {
        "name": "__main__",
        "argv": [str(folder / SCRIPT)],
        "cwd": str(folder),
        "at_child_end": signal.SIG_DFL,
        "blocked": [],
    }


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", 0),
        ("raise SystemExit(3)", 3),
        ("import os; os._exit(7)", 7),
        ("raise ValueError('no')", 1),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", -signal.SIGSEGV),
    ],
)
def test_the_exit_code_is_told(start: Start, text: str, code: int) -> None:
    assert start(text).wait(ENDS_WITHIN_S) == code


def test_an_error_is_told_on_standard_error(start: Start) -> None:
    worker = start("raise ValueError('the reason')")
    assert errors(worker).endswith("ValueError: the reason\n")


@pytest.mark.parametrize(
    ("send", "number"), [("terminate", signal.SIGTERM), ("kill", signal.SIGKILL)], ids=["terminate", "kill"]
)
def test_a_signal_ends_a_worker_and_does_nothing_to_an_ended_one(start: Start, send: str, number: int) -> None:
    worker = start(WAIT)
    assert read(worker) == "ready\n"
    getattr(worker, send)()
    assert worker.wait(ENDS_WITHIN_S) == -number
    getattr(worker, send)()
    assert worker.wait(0) == -number


def test_waiting_for_a_worker_that_runs_ends_in_time(start: Start) -> None:
    worker = start(WAIT)
    with pytest.raises(subprocess.TimeoutExpired):
        worker.wait(0.01)
    assert worker.poll() is None


def test_a_worker_ends_with_its_own_input_while_others_run(start: Start) -> None:
    workers = [start(WAIT) for _ in range(3)]
    assert [read(worker) for worker in workers] == ["ready\n"] * 3
    close_input(workers[1])
    assert workers[1].wait(ENDS_WITHIN_S) == 0
    assert [worker.poll() for worker in workers] == [None, 0, None]


# --- of forking ------------------------------------------------------------------------------------


def layer(tmp_path: Path, name: str) -> str:
    """A layer with a module that is preloaded, which says when it is loaded."""
    folder = tmp_path / name
    package = folder / "python/feedward/observability"
    package.mkdir(parents=True)
    for each in (package.parent, package):
        (each / "__init__.py").touch()
    (package / "log.py").write_text(f"import os\nLOADED = {name!r}, os.getpid()\n")
    return str(folder)


def loaded(servers: ForkServers, tmp_path: Path, layers: str) -> tuple[Any, int, int]:
    """What a worker finds loaded: the layer's name, the process that loaded it, and the worker's own."""
    text = "import json, os, sys\nprint(json.dumps([*sys.modules['feedward.observability.log'].LOADED, os.getpid()]))\n"
    script = tmp_path / SCRIPT
    script.write_text(text)
    worker = servers.fork(str(script), cwd=str(tmp_path), env={LAYERS: layers})
    try:
        name, loader, process = json.loads(read(worker))
        assert process == worker.pid
        return name, loader, process
    finally:
        end(worker)


def test_workers_share_what_their_server_has_loaded_and_each_set_of_layers_has_its_server(
    servers: ForkServers, tmp_path: Path
) -> None:
    one, two = layer(tmp_path, "one"), layer(tmp_path, "two")
    first, second, other = (loaded(servers, tmp_path, each) for each in (one, one, two))
    assert (first[0], second[0], other[0]) == ("one", "one", "two")
    assert first[1] == second[1] != other[1]
    assert len({first[1], first[2], second[2], other[1], other[2]}) == 5


def test_links_to_one_layer_have_one_server(servers: ForkServers, tmp_path: Path) -> None:
    layer(tmp_path, "one")
    for link in ("a", "b"):
        (tmp_path / link).mkdir()
        (tmp_path / link / "python").symlink_to(tmp_path / "one/python")
    loaders = {loaded(servers, tmp_path, str(tmp_path / link))[1] for link in ("a", "b")}
    assert len(loaders) == 1


def test_a_server_that_was_killed_is_started_again_and_its_workers_are_killed(
    servers: ForkServers, tmp_path: Path
) -> None:
    layers = layer(tmp_path, "one")
    _, killed, _ = loaded(servers, tmp_path, layers)
    script = tmp_path / SCRIPT
    script.write_text(WAIT)
    worker = servers.fork(str(script), cwd=str(tmp_path), env={LAYERS: layers})
    assert read(worker) == "ready\n"
    os.kill(killed, signal.SIGKILL)
    assert worker.wait(ENDS_WITHIN_S) == -signal.SIGKILL
    assert worker.stdout.read() == "", "it has not ended"
    end(worker)
    assert loaded(servers, tmp_path, layers)[1] != killed


def test_a_server_ends_with_its_requests_and_its_workers_with_their_input(tmp_path: Path) -> None:
    servers, script = ForkServers(), tmp_path / SCRIPT
    script.write_text(WAIT)
    worker = servers.fork(str(script), cwd=str(tmp_path), env={})
    assert read(worker) == "ready\n"
    servers.stop()
    worker.stdin.close()
    assert worker.stdout.read() == ""
    end(worker)


def no_further_process() -> int:
    raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")


@pytest.mark.parametrize("files", [fork_server.FILES, 1], ids=["no further process", "no further file"])
def test_a_worker_that_has_no_room_is_told_and_its_server_goes_on(monkeypatch: pytest.MonkeyPatch, files: int) -> None:
    before = signal.getsignal(signal.SIGCHLD)
    ours, its = socket.socketpair()
    channel, of_worker = socket.socketpair()
    monkeypatch.setattr(os, "fork", no_further_process)
    try:
        with its, ours, of_worker:
            for _ in range(2):
                socket.send_fds(ours, [b"+"], [of_worker.fileno()] * files)
            ours.shutdown(socket.SHUT_WR)
            assert fork_server.serve(its) is None
    finally:
        signal.signal(signal.SIGCHLD, before)
    with channel:
        assert channel.recv(1) == b"", "its channel is still open"
    assert signal.SIGCHLD not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_only_workers_are_forked(runtime: Any) -> None:
    with runtime.subprocess.Popen([sys.executable, "-c", "print(1)"], stdout=subprocess.PIPE, text=True) as process:
        assert isinstance(process, subprocess.Popen)
        assert read(process) == "1\n"
