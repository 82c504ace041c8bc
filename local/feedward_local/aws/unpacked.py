"""Layers unpacked once, for all workers and stacks: a worker gets a link to the files; on AWS, /opt is read-only.

MiniStack unpacks the whole layer, thousands of files, for each worker that it starts: the largest part of a cold start.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import shutil
import tempfile
import time
import zipfile
from collections.abc import Iterable
from pathlib import Path
from threading import Lock
from types import ModuleType, SimpleNamespace
from typing import Any

UNFINISHED, ABANDONED_AFTER_S = "unpacking-", 3600
TAKEN = (errno.ENOTEMPTY, errno.EEXIST)
KEPT_LAYERS = 3  # unpacked; older ones are removed, except those of a running stack


class UnpackedLayers:
    """The unpacked layers below a folder. Those that this process has requested stay while it runs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._held: dict[Path, int] = {}

    def files_of(self, archive: Path) -> Path:
        """Return the folder with an archive's files, unpacking them if needed.

        Raises zipfile.BadZipFile or OSError if it cannot be unpacked.
        """
        files = self._folder / hashlib.sha256(archive.read_bytes()).hexdigest()[:32]
        with self._lock:
            while not (files in self._held and _is_open_as(files, self._held[files])):
                if not files.exists():
                    self._unpack(archive, files)
                self._hold(files)
        return files

    def _unpack(self, archive: Path, files: Path) -> None:
        """Unpack it; the folder's name appears only when all files exist."""
        self._folder.mkdir(parents=True, exist_ok=True)
        drop_unfinished(self._folder, UNFINISHED)
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=self._folder) as scratch:
            unfinished = Path(scratch) / "files"
            with zipfile.ZipFile(archive) as packed:
                packed.extractall(unfinished)
            try:
                unfinished.rename(files)
            except OSError as error:
                if error.errno not in TAKEN:  # another stack was faster, and its folder may be gone by now
                    raise
        self._forget_old()

    def _hold(self, files: Path) -> None:
        """Record that this process uses the folder, unless another one has just removed it."""
        if files in self._held:
            os.close(self._held.pop(files))
        with contextlib.suppress(FileNotFoundError):
            held = self._held[files] = os.open(files, os.O_RDONLY)
            fcntl.flock(held, fcntl.LOCK_SH)
            os.utime(files)

    def _forget_old(self) -> None:
        folders = (each for each in self._folder.iterdir() if not each.name.startswith(UNFINISHED))
        for old in all_but_newest(folders, KEPT_LAYERS):
            with contextlib.suppress(FileNotFoundError, BlockingIOError):  # another stack removes it, or uses it
                self._forget(old)

    def _forget(self, old: Path) -> None:
        """Delete a folder that no stack uses; its name disappears first, so that no stack gets a part of it."""
        using = os.open(old, os.O_RDONLY)
        try:
            fcntl.flock(using, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with tempfile.TemporaryDirectory(
                prefix=UNFINISHED, dir=self._folder, ignore_cleanup_errors=True
            ) as scratch:
                if _is_open_as(old, using):
                    old.rename(Path(scratch) / "files")
        finally:
            os.close(using)


def _is_open_as(path: Path, file: int) -> bool:
    """Return whether an open file is the one of this name, and not one that was removed since."""
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


def all_but_newest(paths: Iterable[Path], kept: int) -> list[Path]:
    """Return all but the `kept` newest paths. Those that another process deletes in the meantime are left out."""
    changed_at: dict[Path, float] = {}
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            changed_at[path] = path.stat().st_mtime
    return sorted(changed_at, key=changed_at.__getitem__, reverse=True)[kept:]


def drop_unfinished(folder: Path, prefix: str) -> None:
    """Delete the temporary folders that killed runs have left. One that is at work is younger."""
    for each in folder.glob(f"{prefix}*"):
        with contextlib.suppress(FileNotFoundError):
            if each.stat().st_mtime < time.time() - ABANDONED_AFTER_S:
                shutil.rmtree(each, ignore_errors=True)


class LinkedLayer:
    """The part of a layer's archive that MiniStack uses: unpacking it links to the unpacked files."""

    def __init__(self, archive: Path, layers: UnpackedLayers) -> None:
        self._files = layers.files_of(archive)
        archive.unlink()  # a copy that MiniStack made for this worker

    def __enter__(self) -> LinkedLayer:
        return self

    def __exit__(self, *_error: object) -> None:
        """Nothing is open."""

    def namelist(self) -> list[str]:
        """Return no names for MiniStack to check: the unpacking has checked that none leads outside."""
        return []

    def extractall(self, folder: str) -> None:
        """Link to all top-level entries of the archive."""
        for each in self._files.iterdir():
            (Path(folder) / each.name).symlink_to(each)


def unpack_layers_once(lambda_runtime: ModuleType, folder: Path) -> None:
    """Let MiniStack's workers share the layers unpacked below `folder`. Their own code is not shared."""
    layers = UnpackedLayers(folder)

    def opened(archive: str) -> Any:
        is_layer = Path(archive).name.startswith("layer_")
        return LinkedLayer(Path(archive), layers) if is_layer else zipfile.ZipFile(archive)

    # MiniStack names an error that zipfile does not have, and so hid why a layer could not be unpacked.
    names = vars(zipfile) | {"ZipFile": opened, "LargeFileError": zipfile.LargeZipFile}
    vars(lambda_runtime)["zipfile"] = SimpleNamespace(**names)
