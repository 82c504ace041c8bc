"""The command that runs the stack, before the stack runs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from feedward_local.errors import LocalStackError
from feedward_local.stack import LocalStack
from feedward_local.workspace import Workspace

ROOT = Path(__file__).parents[3]


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


def test_a_parameter_that_the_template_does_not_have_is_refused_before_anything_starts(tmp_path: Path) -> None:
    workspace = Workspace(project=ROOT, state=tmp_path / "state", build=tmp_path / "build")
    stack = LocalStack(workspace, port=0, parameters={"MaxRedirect": "3"})
    with pytest.raises(LocalStackError, match=r"has no parameter MaxRedirect\. It has: .*MaxRedirects"):
        stack.start()
    assert stack.ministack is None
    assert not workspace.state.exists()
