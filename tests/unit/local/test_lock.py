"""One run for each state; a second one is told where the first is."""

from __future__ import annotations

from pathlib import Path

import pytest

from feedward_local.errors import LocalStackError
from feedward_local.lock import RunLock


def test_a_second_run_is_told_where_the_first_one_is(tmp_path: Path) -> None:
    with RunLock(tmp_path / "state") as lock:
        lock.note("http://127.0.0.1:8080")
        with pytest.raises(LocalStackError, match=r"already running.*http://127\.0\.0\.1:8080"):
            RunLock(tmp_path / "state")


def test_the_lock_is_free_after_a_run(tmp_path: Path) -> None:
    RunLock(tmp_path).release()
    RunLock(tmp_path).release()


def test_two_states_do_not_know_of_each_other(tmp_path: Path) -> None:
    with RunLock(tmp_path / "run"), RunLock(tmp_path / "demo"):
        pass


def test_a_state_that_cannot_be_a_folder_is_said_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LocalStackError, match=r"cannot be kept in .*/file/run"):
        RunLock(tmp_path / "file" / "run")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_takes_no_lock_away(tmp_path: Path) -> None:
    (tmp_path / "run.lock").symlink_to("/dev/full")
    with RunLock(tmp_path) as lock:
        lock.note("http://127.0.0.1:8080")
        with pytest.raises(LocalStackError, match="already running on this state: another run that is just starting"):
            RunLock(tmp_path)
