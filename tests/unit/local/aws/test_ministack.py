"""The process of MiniStack: none is left when its start fails, and one that ends is told in a sentence."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from feedward_local.aws import ministack
from feedward_local.aws.ministack import MiniStack, pid_file, url_file
from feedward_local.errors import LocalStackError
from feedward_local.gateway import Gateway
from feedward_local.stack import LocalStack
from feedward_local.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """One whose MiniStack does nothing."""
    entry = tmp_path / "entry.py"
    entry.write_text("import time\ntime.sleep(3600)\n")
    monkeypatch.setattr(ministack, "ENTRY", entry)
    monkeypatch.setattr(Workspace, "ministack_python", Path(sys.executable))
    return Workspace(project=tmp_path, state=tmp_path / "state", build=tmp_path / "build")


@pytest.mark.parametrize("noted", [pid_file, url_file])
def test_a_process_that_cannot_be_noted_is_ended(
    workspace: Workspace, noted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, start = list[subprocess.Popen[bytes]](), subprocess.Popen

    def popen(*command: Any, **options: Any) -> subprocess.Popen[bytes]:
        started.append(start(*command, **options))
        return started[0]

    monkeypatch.setattr(subprocess, "Popen", popen)
    noted(workspace).mkdir(parents=True)
    with pytest.raises(IsADirectoryError):
        MiniStack(workspace)
    assert started[0].returncode is not None


@pytest.mark.parametrize(
    ("has_ended", "told"), [(True, (LocalStackError, "MiniStack ended unexpectedly")), (False, (ValueError, "cut off"))]
)
def test_a_start_that_fails_because_ministack_ended_says_so(
    workspace: Workspace, has_ended: bool, told: tuple[type[Exception], str]
) -> None:
    class Ending(LocalStack):
        def _start(self) -> str:
            self.ministack = EndedMiniStack()
            raise ValueError("an answer was cut off")

    class EndedMiniStack(MiniStack):
        def __init__(self) -> None:
            """Start nothing."""

        def has_ended(self, within_s: float) -> bool:
            assert within_s > 0
            return has_ended

    with pytest.raises(told[0], match=told[1]):
        Ending(workspace, port=0).start()


def test_nobody_is_told_to_delete_the_state_because_ministack_ended(workspace: Workspace) -> None:
    class Ended(MiniStack):
        def __init__(self) -> None:
            """Start nothing."""

        def has_ended(self, within_s: float) -> bool:
            return within_s > 0

    stack = LocalStack(workspace, port=0)
    stack.ministack = Ended()
    with Gateway(0) as gateway:
        gateway.open_to(1, "api")  # where nothing listens: 502
        threading.Thread(target=gateway.handle_request, daemon=True).start()
        with pytest.raises(LocalStackError, match="MiniStack ended unexpectedly"):
            stack._expect(f"{gateway.url}/v1/health", 200)
