"""Starting and stopping: state is kept, nothing is left running, and what is wrong is said with what to do."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from feedward_local.build import Target, build
from feedward_local.package import FUNCTION, LAYER, read_template, sources
from feedward_local.workspace import ministack_python_version, workspace_of
from tests.local.stack_process import StackProcess, processes_of

pytestmark = pytest.mark.local_stack
FEED = "https://garden.example/feed"


def serve(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "feedward_local.serve", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_what_was_registered_is_known_after_a_stop_and_a_start(tmp_path: Path) -> None:
    first = StackProcess(tmp_path, "--demo")
    try:
        made = first.canonicalize(url=FEED, register=True)
    finally:
        assert first.stop(signal.SIGINT) == 0
    assert made["created"] is True
    assert processes_of(tmp_path) == []

    second = StackProcess(tmp_path, "--demo")
    try:
        known = second.canonicalize(url="https://www.garden.example/feed/", register=True)
        assert "nothing changed since the last deployment" in second.shown
    finally:
        assert second.stop(signal.SIGTERM) == 0
    assert (known["feed_id"], known["created"], known["reason"]) == (made["feed_id"], False, "exists_in_db")
    assert processes_of(tmp_path) == []


@pytest.mark.parametrize("after", ["starting the made-up internet", "building the layer", "deploying", "warming up"])
def test_ctrl_c_while_it_starts_leaves_no_process(tmp_path: Path, after: str) -> None:
    stack = StackProcess(tmp_path, "--demo")
    stack.wait_for(after)
    assert stack.stop(signal.SIGINT) == 0
    assert processes_of(tmp_path) == []
    assert "Traceback" not in stack.shown


def test_a_second_ctrl_c_does_not_cut_the_saving_short(tmp_path: Path) -> None:
    stack = StackProcess(tmp_path, "--demo")
    made = stack.canonicalize(url=FEED, register=True)
    for _ in range(2):
        os.killpg(stack.process.pid, signal.SIGINT)
        time.sleep(0.05)
    assert stack.stop() == 0
    again = StackProcess(tmp_path, "--demo")
    try:
        assert again.canonicalize(url=FEED, register=True)["feed_id"] == made["feed_id"]
    finally:
        again.stop()


def test_a_killed_run_leaves_nothing_behind_for_long_and_loses_nothing(tmp_path: Path) -> None:
    killed = StackProcess(tmp_path, "--demo")
    made = killed.canonicalize(url=FEED, register=True)
    killed.stop(signal.SIGKILL)
    again = StackProcess(tmp_path, "--demo")
    try:
        assert again.canonicalize(url=FEED, register=True)["feed_id"] == made["feed_id"]
        assert "stopped a MiniStack that a killed run had left behind" in again.shown
    finally:
        again.stop()
    assert processes_of(tmp_path) == []


def test_a_second_run_beside_the_first_is_told_where_that_is(stack: StackProcess) -> None:
    second = serve("--demo", "--port", "0", "--state", str(stack.state))
    assert second.returncode == 1
    assert f"already running on this state: {stack.url}" in second.stderr
    assert stack.call("GET", "/v1/health")[0] == 200


def test_a_taken_port_is_said_at_once_with_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = serve("--demo", "--port", str(port), "--state", str(tmp_path))
    assert done.returncode == 1
    assert f"Port {port} of 127.0.0.1 cannot be used" in done.stderr
    assert "make run PORT=" in done.stderr
    assert processes_of(tmp_path) == []


def test_nothing_of_the_demo_is_in_what_is_built_without_it() -> None:
    workspace = workspace_of("run")
    target = Target(python=workspace.ministack_python, python_version=ministack_python_version(workspace))
    template = read_template(workspace.template)
    for source in [*sources(template, FUNCTION), *sources(template, LAYER)]:
        with zipfile.ZipFile(build(workspace, source, target)) as archive:
            for name in archive.namelist():
                content = archive.read(name)
                assert b"feedward_local" not in content, name
                assert b"FEEDWARD_DEMO" not in content, name
                assert "feedward_local" not in name
