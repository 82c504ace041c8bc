"""The command that runs the stack, before the stack runs."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from feedward_local.aws.ministack import MiniStack
from feedward_local.errors import LocalStackError
from feedward_local.serve import STOPPING, Stopped, StopSignals
from feedward_local.stack import LocalStack
from feedward_local.workspace import Workspace

ROOT = Path(__file__).parents[3]


@pytest.fixture
def stop_signals() -> Iterator[StopSignals]:
    before = {number: signal.getsignal(number) for number in STOPPING}
    yield StopSignals()
    for number, handler in before.items():
        signal.signal(number, handler)


def test_ctrl_c_during_the_imports_ends_it_without_a_trace(tmp_path: Path) -> None:
    (tmp_path / "argparse.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n")
    program = (
        "import runpy, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "runpy.run_module('feedward_local.serve', run_name='__main__')"
    )
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=False, env={**os.environ, "PYTHONPATH": path}
    )
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


class BriefMiniStack:
    """Runs until it has been looked at three times."""

    log = ""

    def __init__(self) -> None:
        self._looks_left = 3

    @property
    def running(self) -> bool:
        self._looks_left -= 1
        return self._looks_left >= 0

    def fails_to_save(self) -> bool:
        return False


def test_a_signal_whose_exception_python_drops_stops_the_stack_all_the_same(
    tmp_path: Path, stop_signals: StopSignals
) -> None:
    workspace = Workspace(project=ROOT, state=tmp_path / "state", build=tmp_path / "build")
    stack = LocalStack(workspace, port=0, uninterrupted=stop_signals.held)
    stack.ministack = cast(MiniStack, BriefMiniStack())
    with contextlib.suppress(Stopped):  # as in a finalizer
        signal.raise_signal(signal.SIGTERM)

    with pytest.raises(Stopped):
        stack.wait()


def test_a_start_that_fails_can_be_interrupted_again(stop_signals: StopSignals) -> None:
    with pytest.raises(OSError, match="no process"), stop_signals.held():
        raise OSError("no process")

    with pytest.raises(Stopped):
        signal.raise_signal(signal.SIGTERM)


def test_a_parameter_that_the_template_does_not_have_is_refused_before_anything_starts(tmp_path: Path) -> None:
    workspace = Workspace(project=ROOT, state=tmp_path / "state", build=tmp_path / "build")
    stack = LocalStack(workspace, port=0, parameters={"MaxRedirect": "3"})
    with pytest.raises(LocalStackError, match=r"has no parameter MaxRedirect\. It has: .*MaxRedirects"):
        stack.start()
    assert stack.ministack is None
    assert not workspace.state.exists()
