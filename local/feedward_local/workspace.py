"""The paths on this machine: the checkout, its tools, build results, and the state kept between runs."""

from __future__ import annotations

import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from feedward_local.errors import LocalStackError

PROJECT = Path(__file__).resolve().parents[2]
SET_UP_HINT = "Run `make setup` in the project's folder first."


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """The folders of one local stack. `state` has all data that outlives a run; `build` is shared and deletable."""

    project: Path
    state: Path
    build: Path

    @property
    def ministack_python(self) -> Path:
        """The interpreter of MiniStack's own environment, which also runs the functions."""
        return self.project / ".tools" / "ministack" / "bin" / "python"

    @property
    def unpacked(self) -> Path:
        """The folder of unpacked layers, for all stacks."""
        return self.build / "unpacked"

    @property
    def template(self) -> Path:
        """The deployed SAM template."""
        return self.project / "template.yaml"


def workspace_of(mode: str, *, project: Path = PROJECT, home: Path | None = None) -> Workspace:
    """Return the folders of `run` or `demo`; each keeps its own state, so that made-up feeds stay out of real data."""
    kept = (home or project / ".feedward").resolve()
    return Workspace(project=project, state=kept / mode, build=project / ".feedward" / "build")


def check_set_up(workspace: Workspace) -> None:
    """Raise LocalStackError if the checkout cannot run: wrong Python, no template, no MiniStack."""
    if not (3, 11) <= sys.version_info[:2] < (3, 14):
        found = platform.python_version()
        raise LocalStackError(
            f"feedward runs on Python 3.11 to 3.13; this is {found}. Use `make PYTHON=python3.13 run`."
        )
    if not workspace.template.is_file():
        raise LocalStackError(f"There is no template.yaml in {workspace.project}: is this a whole checkout?")
    if not workspace.ministack_python.exists():
        raise LocalStackError(f"MiniStack is not installed in {workspace.project / '.tools'}. {SET_UP_HINT}")


def ministack_python_version(workspace: Workspace) -> str:
    """Return the version of the interpreter that runs the functions, as `3.13`.

    Raises LocalStackError if that environment is broken.
    """
    question = "import sys, ministack; print('%d.%d' % sys.version_info[:2])"
    answer = subprocess.run(
        [workspace.ministack_python, "-c", question], capture_output=True, text=True, check=False, timeout=60
    )
    if answer.returncode != 0:
        raise LocalStackError(f"MiniStack's environment does not work: {answer.stderr.strip()[-300:]}\n{SET_UP_HINT}")
    return answer.stdout.strip()


def host_architecture() -> str:
    """Return this machine's architecture in Lambda's terms: `arm64` or `x86_64`."""
    machine = platform.machine().lower()
    return "arm64" if machine in ("arm64", "aarch64") else "x86_64"
