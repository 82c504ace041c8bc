"""A layer is unpacked once, every worker gets a link to it, and files of a running stack stay."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from feedward_local.aws.unpacked import KEPT_LAYERS, UnpackedLayers, unpack_layers_once


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    return tmp_path / "unpacked"


def archive(tmp_path: Path, text: str = "one", name: str = "layer_0.zip") -> Path:
    path = tmp_path / name
    with zipfile.ZipFile(path, "w") as made:
        for file in ("python/package/module.py", "python/other.py"):
            made.writestr(zipfile.ZipInfo(file), text)  # without the time: two archives of one content are the same
    return path


def test_an_archive_is_unpacked_whole_and_once(tmp_path: Path, unpacked: Path) -> None:
    first, second = UnpackedLayers(unpacked), UnpackedLayers(unpacked)
    files = first.files_of(archive(tmp_path))
    (files / "mark").touch()
    assert (files / "python/package/module.py").read_text() == "one"
    assert second.files_of(archive(tmp_path, name="again.zip")) == files
    assert (files / "mark").exists(), "it was unpacked again"
    assert list(unpacked.iterdir()) == [files]


def test_folders_that_a_killed_run_left_are_deleted_and_one_at_work_is_not(tmp_path: Path, unpacked: Path) -> None:
    left, at_work = unpacked / "unpacking-left", unpacked / "unpacking-now"
    for each in (left, at_work):
        each.mkdir(parents=True)
    os.utime(left, (0, 0))
    UnpackedLayers(unpacked).files_of(archive(tmp_path))
    assert (left.exists(), at_work.exists()) == (False, True)


def test_another_layer_has_files_of_its_own(tmp_path: Path, unpacked: Path) -> None:
    layers = UnpackedLayers(unpacked)
    assert layers.files_of(archive(tmp_path)) != layers.files_of(archive(tmp_path, "two"))


def test_a_removed_layer_is_unpacked_again(tmp_path: Path, unpacked: Path) -> None:
    layers = UnpackedLayers(unpacked)
    files = layers.files_of(archive(tmp_path))
    files.rename(tmp_path / "gone")
    assert (layers.files_of(archive(tmp_path)) / "python/other.py").read_text() == "one"


def test_a_broken_archive_is_told_and_leaves_nothing(tmp_path: Path, unpacked: Path) -> None:
    broken = tmp_path / "layer_0.zip"
    broken.write_bytes(b"PK")
    with pytest.raises(zipfile.BadZipFile):
        UnpackedLayers(unpacked).files_of(broken)
    assert list(unpacked.iterdir()) == []


def test_old_layers_are_deleted_except_those_in_use(tmp_path: Path, unpacked: Path) -> None:
    running = UnpackedLayers(unpacked)
    used = running.files_of(archive(tmp_path, "used"))
    over = [_of_a_stack_that_is_over(unpacked, archive(tmp_path, f"{nth}")) for nth in range(KEPT_LAYERS)]
    for age, files in enumerate([*reversed(over), used]):
        os.utime(files, (1_000_000 - age, 1_000_000 - age))

    newest = UnpackedLayers(unpacked).files_of(archive(tmp_path, "newest"))

    assert {*unpacked.iterdir()} == {used, newest, *over[1:]}


def _of_a_stack_that_is_over(unpacked: Path, layer: Path) -> Path:
    layers = UnpackedLayers(unpacked)
    files = layers.files_of(layer)
    for held in layers._held.values():
        os.close(held)  # as the system does when the process ends
    return files


def test_workers_get_links_to_layers_and_code_of_their_own(tmp_path: Path, unpacked: Path) -> None:
    runtime: Any = ModuleType("lambda_runtime")
    unpack_layers_once(runtime, unpacked)
    for worker in ("a", "b"):
        home = tmp_path / worker
        for folder in ("layer_0", "code"):
            (home / folder).mkdir(parents=True)
            with runtime.zipfile.ZipFile(str(archive(home, name=f"{folder}.zip"))) as opened:
                opened.extractall(str(home / folder))
    (layer_a, code_a), (layer_b, code_b) = (
        (tmp_path / worker / "layer_0", tmp_path / worker / "code") for worker in "ab"
    )
    assert (layer_a / "python").resolve() == (layer_b / "python").resolve()
    assert (layer_a / "python/package/module.py").read_text() == "one"
    assert (code_a / "python").resolve() != (code_b / "python").resolve()
    assert issubclass(runtime.zipfile.BadZipFile, Exception)
