"""A build depends on the sources, and is made once for each state of them."""

from __future__ import annotations

import os
import sys
import zipfile
from pathlib import Path

import pytest

from feedward_local.deployment.build import Target, build, sources_hash
from feedward_local.deployment.package import Source
from feedward_local.errors import LocalStackError
from feedward_local.workspace import Workspace

MAKEFILE = """\
build-Thing:
\tcp *.py "$(ARTIFACTS_DIR)/"
\techo "$(ARCHITECTURE) $(PYTHON_VERSION)" > "$(ARTIFACTS_DIR)/how"
\techo made >> "../made"
"""
SOURCE = Source(logical_id="Thing", folder="code", context="code")
TARGET = Target(python=Path(sys.executable), python_version="3.12")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "Makefile").write_text(MAKEFILE)
    (tmp_path / "code" / "app.py").write_text("x = 1\n")
    return Workspace(project=tmp_path, state=tmp_path / "state", build=tmp_path / "build")


def names(archive: Path) -> set[str]:
    with zipfile.ZipFile(archive) as opened:
        return set(opened.namelist())


def test_the_templates_own_makefile_builds_for_this_machine(workspace: Workspace) -> None:
    archive = build(workspace, SOURCE, TARGET)
    with zipfile.ZipFile(archive) as opened:
        assert opened.read("how") == b"host 3.12\n"
        assert opened.read("app.py") == b"x = 1\n"


def test_a_folder_that_a_killed_build_left_is_deleted(workspace: Workspace) -> None:
    left = workspace.build / "building-left"
    left.mkdir(parents=True)
    os.utime(left, (0, 0))
    archive = build(workspace, SOURCE, TARGET)
    assert list(workspace.build.iterdir()) == [archive]


def test_unchanged_sources_are_not_built_again(workspace: Workspace) -> None:
    assert build(workspace, SOURCE, TARGET) == build(workspace, SOURCE, TARGET)
    assert (workspace.project / "made").read_text() == "made\n"


def test_a_changed_source_is_built_again(workspace: Workspace) -> None:
    first = build(workspace, SOURCE, TARGET)
    (workspace.project / "code" / "app.py").write_text("x = 2\n")
    assert build(workspace, SOURCE, TARGET) != first


def test_another_python_is_another_build(workspace: Workspace) -> None:
    other = Target(python=TARGET.python, python_version="3.13")
    assert build(workspace, SOURCE, TARGET) != build(workspace, SOURCE, other)


def test_extra_folders_are_in_that_archive_only(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "extra" / "__pycache__").mkdir(parents=True)
    (tmp_path / "extra" / "entry.py").write_text("")
    (tmp_path / "extra" / "__pycache__" / "entry.pyc").write_text("")
    with_extra = build(workspace, SOURCE, TARGET, {"demo/part": tmp_path / "extra"})
    assert names(with_extra) == {"app.py", "how", "demo/part/entry.py"}
    assert names(build(workspace, SOURCE, TARGET)) == {"app.py", "how"}


def test_a_failed_build_says_why_and_leaves_no_archive(workspace: Workspace) -> None:
    (workspace.project / "code" / "Makefile").write_text("build-Thing:\n\t@echo no wheel for you; exit 3\n")
    with pytest.raises(LocalStackError, match=r"Building Thing failed:\s+no wheel for you"):
        build(workspace, SOURCE, TARGET)
    assert list(workspace.build.glob("*")) == []


def test_old_archives_are_forgotten(workspace: Workspace) -> None:
    for number in range(12):
        (workspace.project / "code" / "app.py").write_text(f"x = {number}\n")
        newest = build(workspace, SOURCE, TARGET)
    assert len(list(workspace.build.glob("Thing-*.zip"))) == 8
    assert newest.exists()


def test_moving_content_between_files_changes_the_hash(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("12")
    (tmp_path / "b").write_text("3")
    before = sources_hash([tmp_path])
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_text("23")
    assert sources_hash([tmp_path]) != before
