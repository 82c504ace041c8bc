"""One run per state folder: a lock file that the operating system releases when its holder exits."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path
from types import TracebackType

from feedward_local.errors import LocalStackError

_NOTE_BYTES = 1000
_STARTING = "another run that is just starting"


class RunLock:
    """Held from start to stop. The file shows a second run where the first one is."""

    def __init__(self, folder: Path) -> None:
        """Take the lock. Raises LocalStackError if another run has it, or the folder cannot be written to."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = (folder / "run.lock").open("ab+", buffering=0)
        except OSError as error:
            raise LocalStackError(f"The state cannot be kept in {folder}: {error.strerror}.") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.seek(0)
            holder = self._file.read(_NOTE_BYTES).decode(errors="replace").strip("\0 \n")
            self._file.close()
            raise LocalStackError(
                f"feedward is already running on this state: {holder or _STARTING}."
                " Use that one, or stop it with Ctrl-C first."
            ) from None
        self.note(f"process {os.getpid()}, starting")

    def note(self, text: str) -> None:
        """Replace the text that a second run is shown; on a full disk there is none."""
        with contextlib.suppress(OSError):
            self._file.seek(0)
            self._file.truncate()
            self._file.write(text.encode())

    def release(self) -> None:
        """Release the lock."""
        if not self._file.closed:
            self.note("")
            self._file.close()

    def __enter__(self) -> RunLock:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.release()
