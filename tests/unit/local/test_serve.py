"""The command that runs the stack, before the stack runs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path


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
