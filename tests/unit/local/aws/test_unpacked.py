"""A layer is unpacked once, every worker gets a link to it, and files of a running stack stay."""

from __future__ import annotations

import errno
import os
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from feedward_local.aws.unpacked import KEPT_LAYERS, UnpackedLayers, all_but_newest, unpack_layers_once


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


def test_a_stack_that_is_slower_than_another_takes_its_files(
    tmp_path: Path, unpacked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layer, extract = archive(tmp_path), zipfile.ZipFile.extractall
    faster: list[Path] = []

    def overtaken(packed: zipfile.ZipFile, folder: Path) -> None:
        monkeypatch.setattr(zipfile.ZipFile, "extractall", extract)
        faster.append(UnpackedLayers(unpacked).files_of(layer))
        extract(packed, folder)

    monkeypatch.setattr(zipfile.ZipFile, "extractall", overtaken)
    assert [UnpackedLayers(unpacked).files_of(layer)] == faster
    assert list(unpacked.iterdir()) == faster


@pytest.mark.parametrize("error", [errno.ENOTEMPTY, errno.EEXIST])
def test_files_of_a_faster_stack_that_vanish_at_once_are_unpacked_again(
    tmp_path: Path, unpacked: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    rename_once_fails(error, monkeypatch)
    files = UnpackedLayers(unpacked).files_of(archive(tmp_path))
    assert (files / "python/package/module.py").read_text() == "one"
    assert list(unpacked.iterdir()) == [files]


def test_a_disk_that_is_full_is_told(tmp_path: Path, unpacked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename_once_fails(errno.ENOSPC, monkeypatch)
    with pytest.raises(OSError, match="failed"):
        UnpackedLayers(unpacked).files_of(archive(tmp_path))


def rename_once_fails(error: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = Path.rename

    def failing(_path: Path, _target: Path) -> None:
        monkeypatch.setattr(Path, "rename", rename)
        raise OSError(error, "failed")

    monkeypatch.setattr(Path, "rename", failing)


def test_a_layer_that_was_removed_and_unpacked_by_another_stack_is_in_use_again(tmp_path: Path, unpacked: Path) -> None:
    layer, running = archive(tmp_path), UnpackedLayers(unpacked)
    files = running.files_of(layer)
    files.rename(tmp_path / "gone")
    _of_a_stack_that_is_over(unpacked, layer)
    assert running.files_of(layer) == files
    os.utime(files, (0, 0))
    for nth in range(KEPT_LAYERS):
        _of_a_stack_that_is_over(unpacked, archive(tmp_path, f"{nth}"))
    assert files.exists()


def test_of_paths_that_vanish_none_is_old(tmp_path: Path) -> None:
    old, new, gone = (tmp_path / name for name in ("old", "new", "gone"))
    for age, path in enumerate((new, old)):
        path.touch()
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    assert all_but_newest([old, gone, new], 1) == [old]
    assert all_but_newest([gone], 0) == []


def test_an_old_layer_that_another_stack_removes_stops_nothing(
    tmp_path: Path, unpacked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feedward_local.aws.unpacked.all_but_newest", lambda *_: [unpacked / "gone"])
    assert UnpackedLayers(unpacked).files_of(archive(tmp_path)).exists()


def test_stacks_that_start_and_end_side_by_side_always_have_all_files(tmp_path: Path, unpacked: Path) -> None:
    archives = [archive(tmp_path, f"{nth}", name=f"{nth}.zip") for nth in range(2 * KEPT_LAYERS)]

    def lives(stack: int) -> None:
        for nth in range(40):
            content = (stack + nth * (stack % 2 + 1)) % len(archives)
            layers = UnpackedLayers(unpacked)
            files = layers.files_of(archives[content])
            texts = {file.read_text() for file in files.rglob("*.py")}
            assert (len(list(files.rglob("*.py"))), texts) == (2, {f"{content}"})
            for held in layers._held.values():
                os.close(held)

    with ThreadPoolExecutor(4) as stacks:
        list(stacks.map(lives, range(4)))
    assert not list(unpacked.glob("unpacking-*"))


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
    for told in ("BadZipFile", "LargeFileError"):
        assert issubclass(getattr(runtime.zipfile, told), Exception)
