"""The saved state of MiniStack: JSON files of its services, replaced as a whole set, and adapted for the next run.

Imports only the standard library: it also runs in MiniStack's own environment.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from feedward_local.aws.saved_items import FILES, all_items_of, drop_superseded, file_name, put_items, write_items
from feedward_local.errors import LocalStackError

NEXT = "next"
COMPLETE = "complete"
LOCK = "lock"
OWNER = "owner"
CODE = "lambda-blobs"
TABLES = "dynamodb.json"
QUEUES = "sqs.json"
QUEUE_URL = re.compile(r"http://localhost:\d+/(?=\d{12}/)")
# The files that contain queue URLs.
NAMING_QUEUES = (QUEUES, "lambda.json", "cloudformation.json")
LONGEST_DELAY_S = 900
"""No message is delayed for longer; one that seems to be was sent before the clock was set back."""
# Earlier versions kept the items in the file of the tables, and changes next to it.
OLD_CHANGES = "dynamodb.changes-*.json"


# --- saving ----------------------------------------------------------------------------------------


def replace_state(state: Path, save: Callable[[Path], object], *, owner: str | None = None) -> None:
    """Replace the saved state with the files that `save` writes into an empty folder; a crash leaves all or none.

    Unchanged files are left as they are. Waits for another process that saves. Raises LocalStackError, and changes
    nothing, if another run has been started on the state since, or the state has been deleted.
    """
    if owner is None:
        state.mkdir(parents=True, exist_ok=True)
    with alone(state, owner):
        _finish(state)
        _replace(state, save)


def _replace(state: Path, save: Callable[[Path], object]) -> None:
    following = state / NEXT
    following.mkdir()
    try:
        _write(state, following, save)
    except OSError:  # such as a full disk, which a part of a set must not keep full
        shutil.rmtree(following, ignore_errors=True)
        raise
    _finish(state)


def _write(state: Path, following: Path, save: Callable[[Path], object]) -> None:
    save(following)
    changed = [path for path in following.iterdir() if not _is_known(path, state / path.name)]
    for path in set(following.iterdir()) - set(changed):
        path.unlink()
    for path in changed:
        flush(path)
    (following / COMPLETE).touch()
    flush(following)


def _finish(state: Path) -> None:
    """Move a complete set of files into place, or drop an incomplete one."""
    following = state / NEXT
    if (following / COMPLETE).exists():
        for path in following.glob("*.json"):
            path.replace(state / path.name)
        flush(state)
    shutil.rmtree(following, ignore_errors=True)


def _is_known(path: Path, saved: Path) -> bool:
    return saved.is_file() and saved.stat().st_size == path.stat().st_size and saved.read_bytes() == path.read_bytes()


def flush(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def alone(state: Path, owner: str | None = None) -> Iterator[None]:
    """Hold the lock of the state, which ends with its process. Raises LocalStackError if the state has another owner.

    So a process of a killed run, which may still be saving, cannot undo what the next run has saved.
    """
    try:
        file = (state / LOCK).open("w" if owner is None else "r+")
    except FileNotFoundError:
        raise LocalStackError(f"{state} was deleted") from None
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if owner is not None and (state / OWNER).read_text() != owner:
            raise LocalStackError(f"{state} belongs to another run")
        yield


# --- before the next run ---------------------------------------------------------------------------


def prepare_state(state: Path, port: int, *, owner: str = "") -> None:
    """Adapt the saved state to a MiniStack at this port, which is its owner from now on.

    A crash leaves all files as they were, or all adapted. Raises LocalStackError for a file that cannot be read.
    """
    state.mkdir(parents=True, exist_ok=True)
    with alone(state):
        (state / OWNER).write_text(owner)
        _finish(state)
        _replace(state, partial(_write_adapted, state, port))
        drop_superseded(state)
        for path in state.glob(OLD_CHANGES):
            path.unlink()
        _drop_old_code(state)


def _write_adapted(state: Path, port: int, folder: Path) -> None:
    for path in filter(Path.is_file, (state / name for name in NAMING_QUEUES)):
        (folder / path.name).write_text(_moved(path, port, state))
    if (state / QUEUES).is_file():
        queues = _read(folder / QUEUES, state)
        with _explained(state / QUEUES, state):
            _release_messages(queues, time.time())
        (folder / QUEUES).write_text(json.dumps(queues))
    if (state / TABLES).is_file() and not any(state.glob(FILES)):
        _separate_items(state, folder)


def _moved(path: Path, port: int, state: Path) -> str:
    """Give the queues URLs of this port. MiniStack finds queues by their URLs."""
    with _explained(path, state):
        return QUEUE_URL.sub(f"http://localhost:{port}/", path.read_text())


def _release_messages(queues: Any, now: float) -> None:
    """Make messages visible that workers of the last run held. That receive is not counted: no worker failed."""
    for message in _messages(queues):
        if message["receipt_handle"]:
            count = message["receive_count"] - 1
            message |= {"receipt_handle": None, "visible_at": 0, "receive_count": count}
            message["first_receive_at"] = message["first_receive_at"] if count else None
        elif message.get("visible_at", 0) > now + LONGEST_DELAY_S:
            message["visible_at"] = 0


def _separate_items(state: Path, folder: Path) -> None:
    """Move the items, with an earlier version's changes, out of the file of the tables."""
    saved = _read(state / TABLES, state)
    with _explained(state / TABLES, state):
        tables = saved["payload"]["tables"]["data"]
    for path in sorted(state.glob(OLD_CHANGES)):
        changes = _read(path, state)
        for name in tables.keys() & changes.keys():
            put_items(tables[name], changes[name])
    write_items(folder / file_name(0, whole=True), ((one["TableId"], all_items_of(one)) for one in tables.values()))
    for table in tables.values():
        table["items"] = {}
    (folder / TABLES).write_text(json.dumps(saved))


def _read(path: Path, state: Path) -> Any:
    with _explained(path, state):
        return json.loads(path.read_text())


@contextmanager
def _explained(path: Path, state: Path) -> Iterator[None]:
    """Raise LocalStackError, which says what to do, for a file that is damaged or has another form."""
    try:
        yield
    except (ValueError, LookupError, TypeError) as error:
        raise LocalStackError(unreadable(path.name, state, error)) from error


def unreadable(name: str, state: Path, error: object) -> str:
    """Return what to do about a saved file that is damaged."""
    return (
        f"The saved state cannot be read: {name} ({error}). Nothing was changed. Put back a copy of the folder "
        f"{state.parent}, or delete it to start with nothing."
    )


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
