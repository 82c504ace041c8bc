"""The saved state of MiniStack: JSON files of its services, replaced as a whole set, and adapted for the next run.

Imports only the standard library: it also runs in MiniStack's own environment.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from feedward_local.saved_items import CHANGES, TABLES, merged_tables

NEXT = "next"
COMPLETE = "complete"
LOCK = "lock"
CODE = "lambda-blobs"
QUEUE_URL = re.compile(r"http://localhost:\d+/(?=\d{12}/)")
# The files that contain queue URLs.
NAMING_QUEUES = ("sqs.json", "lambda.json", "cloudformation.json")


# --- saving ----------------------------------------------------------------------------------------


def replace_state(state: Path, save: Callable[[Path], object]) -> None:
    """Replace the saved state with the files that `save` writes into an empty folder; a crash leaves all or none.

    Unchanged files are left as they are. Waits for another process that saves.
    """
    state.mkdir(parents=True, exist_ok=True)
    with _alone(state):
        _finish(state)
        _replace(state, save)


def _replace(state: Path, save: Callable[[Path], object]) -> None:
    following = state / NEXT
    following.mkdir()
    save(following)
    changed = [path for path in following.iterdir() if not _is_known(path, state / path.name)]
    for path in set(following.iterdir()) - set(changed):
        path.unlink()
    for path in changed:
        _flush(path)
    (following / COMPLETE).touch()
    _flush(following)
    _finish(state)


def _finish(state: Path) -> None:
    """Move a complete set of files into place, or drop an incomplete one."""
    following = state / NEXT
    if (following / COMPLETE).exists():
        if (following / TABLES).exists():  # first: changes of the old tables must not be merged into the new ones
            _drop_changes(state)
        for path in following.glob("*.json"):
            path.replace(state / path.name)
        _flush(state)
    shutil.rmtree(following, ignore_errors=True)


def _drop_changes(state: Path) -> None:
    for path in state.glob(CHANGES):
        path.unlink()
    _flush(state)


def _is_known(path: Path, saved: Path) -> bool:
    if path.name == TABLES and any(saved.parent.glob(CHANGES)):
        return False
    return saved.is_file() and saved.stat().st_size == path.stat().st_size and saved.read_bytes() == path.read_bytes()


def _flush(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _alone(state: Path) -> Iterator[None]:
    """Hold the lock of the state. The lock ends with its process."""
    with (state / LOCK).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


# --- before the next run ---------------------------------------------------------------------------


def prepare_state(state: Path, port: int) -> None:
    """Adapt the saved state to a MiniStack at this port. Does nothing without a saved state."""
    if not state.is_dir():
        return
    with _alone(state):
        _finish(state)
        _merge_changes(state)
        _move_queues(state, port)
        _release_messages(state / "sqs.json")
        _drop_old_code(state)


def _merge_changes(state: Path) -> None:
    merged = merged_tables(state)
    if merged is not None:
        _replace(state, lambda folder: (folder / TABLES).write_text(merged))


def _move_queues(state: Path, port: int) -> None:
    """Give the queues URLs of this port. MiniStack finds queues by their URLs."""
    for path in filter(Path.is_file, (state / name for name in NAMING_QUEUES)):
        saved = path.read_text()
        moved = QUEUE_URL.sub(f"http://localhost:{port}/", saved)
        if moved != saved:
            path.write_text(moved)


def _release_messages(path: Path) -> None:
    """Make messages visible that workers of the last run held. That receive is not counted: no worker failed."""
    if not path.is_file():
        return
    saved = json.loads(path.read_text())
    held = [message for message in _messages(saved) if message.get("receipt_handle")]
    for message in held:
        count = message["receive_count"] - 1
        message |= {"receipt_handle": None, "visible_at": 0, "receive_count": count}
        message["first_receive_at"] = message["first_receive_at"] if count else None
    if held:
        path.write_text(json.dumps(saved))


def _messages(saved: Any) -> Iterator[dict[str, Any]]:
    """All messages, anywhere in MiniStack's document."""
    if isinstance(saved, dict):
        if "receipt_handle" in saved:
            yield saved
        else:
            for value in saved.values():
                yield from _messages(value)
    elif isinstance(saved, list):
        for value in saved:
            yield from _messages(value)


def _drop_old_code(state: Path) -> None:
    """Delete the archives that no function uses any more."""
    functions = state / "lambda.json"
    named = functions.read_text() if functions.is_file() else ""
    for archive in (state / CODE).glob("*.zip"):
        if archive.stem not in named:
            archive.unlink()
