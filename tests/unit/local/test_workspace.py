"""A checkout that is not ready names the remedy, and the two modes keep their states apart."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from feedward_local.errors import LocalStackError
from feedward_local.workspace import Workspace, check_set_up, ministack_python_version, workspace_of


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "template.yaml").write_text("")
    python = tmp_path / ".tools" / "ministack" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    return workspace_of("run", project=tmp_path)


def test_a_whole_checkout_is_ready(workspace: Workspace) -> None:
    check_set_up(workspace)


def test_without_ministack_it_says_make_setup(workspace: Workspace) -> None:
    workspace.ministack_python.unlink()
    with pytest.raises(LocalStackError, match=r"MiniStack is not installed.*make setup"):
        check_set_up(workspace)


def test_a_broken_ministack_says_make_setup(workspace: Workspace) -> None:
    workspace.ministack_python.unlink()
    workspace.ministack_python.write_text("#!/bin/sh\necho cannot import ministack >&2\nexit 1\n")
    workspace.ministack_python.chmod(0o755)
    with pytest.raises(LocalStackError, match=r"cannot import ministack\n.*make setup"):
        ministack_python_version(workspace)


def test_without_a_template_it_is_no_checkout(workspace: Workspace) -> None:
    workspace.template.unlink()
    with pytest.raises(LocalStackError, match=r"no template\.yaml"):
        check_set_up(workspace)


@pytest.mark.parametrize("version", [(3, 10, 4), (3, 14, 0)])
def test_another_python_is_named_with_the_way_out(
    workspace: Workspace, version: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "version_info", version)
    with pytest.raises(LocalStackError, match=r"3\.11 to 3\.13.*make PYTHON="):
        check_set_up(workspace)


def test_run_and_demo_keep_their_states_apart(tmp_path: Path) -> None:
    run, demo = (workspace_of(mode, project=tmp_path) for mode in ("run", "demo"))
    assert run.state != demo.state
    assert run.build == demo.build


def test_a_relative_state_folder_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert workspace_of("run", home=Path("here")).state == tmp_path / "here" / "run"
