"""A save of MiniStack is one whole set of files, of one point in time, and fits the next run."""

from __future__ import annotations

import contextlib
import errno
import json
import multiprocessing
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from feedward_local.aws import saved_state
from feedward_local.aws.saved_state import prepare_state, replace_state
from feedward_local.errors import LocalStackError
from feedward_local.serve import fault_of

QUEUE = "http://localhost:41001/000000000000/feedward-frontier"
PORT = 42002


def saver(**files: str) -> Any:
    """Write these files, as MiniStack does."""

    def save(folder: Path) -> None:
        for name, text in files.items():
            (folder / f"{name}.json").write_text(text)

    return save


def saved(state: Path) -> dict[str, str]:
    return {path.stem: path.read_text() for path in state.glob("*.json")}


def queues(*messages: dict[str, Any]) -> str:
    """The file of one queue with these messages."""
    data = {QUEUE: {"messages": messages, "attributes": {"a": "1"}}}
    return json.dumps({"payload": {"queues": {"data": data}}})


class Crash(BaseException):
    """The machine loses its power."""


def crash(*_arguments: object, **_options: object) -> None:
    raise Crash


# --- saving ----------------------------------------------------------------------------------------


def test_a_saved_set_replaces_the_one_before(tmp_path: Path) -> None:
    replace_state(tmp_path / "aws", saver(sqs="1", dynamodb="1"))
    replace_state(tmp_path / "aws", saver(sqs="2", dynamodb="1"))
    assert saved(tmp_path / "aws") == {"sqs": "2", "dynamodb": "1"}


def test_a_file_that_did_not_change_is_left(tmp_path: Path) -> None:
    replace_state(tmp_path, saver(sqs="1", dynamodb="1"))
    before = (tmp_path / "dynamodb.json").stat()
    replace_state(tmp_path, saver(sqs="2", dynamodb="1"))
    after = (tmp_path / "dynamodb.json").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_set_that_cannot_be_written_replaces_nothing(tmp_path: Path) -> None:
    def half(folder: Path) -> None:
        saver(sqs="2")(folder)
        raise OSError("the disk is full")

    replace_state(tmp_path, saver(sqs="1", cloudwatch="1"))
    with pytest.raises(OSError, match="full"):
        replace_state(tmp_path, half)
    assert not (tmp_path / "next").exists()
    prepare_state(tmp_path, PORT)
    assert saved(tmp_path) == {"sqs": "1", "cloudwatch": "1"}


@pytest.mark.parametrize("step", ["flush", "_is_known", "_finish"])
@pytest.mark.parametrize("call", range(6))
def test_a_crash_at_any_step_leaves_the_old_set_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, call: int
) -> None:
    replace_state(tmp_path, saver(a="1", b="1", c="1"))
    steps = iter([getattr(saved_state, step)] * call)

    def take_step(*arguments: Any) -> Any:
        return next(steps, crash)(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(saved_state, step, take_step)
        with contextlib.suppress(Crash):
            replace_state(tmp_path, saver(a="2", b="2", c="2"))
    prepare_state(tmp_path, PORT)
    assert list(saved(tmp_path).values()) in (["1"] * 3, ["2"] * 3)


def test_a_crash_between_two_files_is_made_good_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_state(tmp_path, saver(a="1", b="1"))
    replace = Path.replace
    moved: list[Path] = []

    def replace_one(path: Path, target: Path) -> Path:
        if moved:
            raise Crash
        moved.append(path)
        return replace(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", replace_one)
        with pytest.raises(Crash):
            replace_state(tmp_path, saver(a="2", b="2"))
    assert sorted(saved(tmp_path).values()) == ["1", "2"]
    prepare_state(tmp_path, PORT)
    assert saved(tmp_path) == {"a": "2", "b": "2"}


def test_two_processes_that_save_do_so_one_after_the_other(tmp_path: Path) -> None:
    state = tmp_path / "aws"
    context = multiprocessing.get_context("spawn")
    others = [context.Process(target=_save_often, args=(state, text)) for text in ("1", "2")]
    for each in others:
        each.start()
    for each in others:
        each.join()
    assert [each.exitcode for each in others] == [0, 0]
    assert set(saved(state).values()) in ({"1"}, {"2"})


def _save_often(state: Path, text: str) -> None:
    for _ in range(50):
        replace_state(state, saver(a=text, b=text, c=text))


# --- the next run ----------------------------------------------------------------------------------


def test_saved_queues_are_those_of_the_new_port(tmp_path: Path) -> None:
    (tmp_path / "sqs.json").write_text(json.dumps({QUEUE: {"attributes": {}}}))
    (tmp_path / "lambda.json").write_text(
        json.dumps({"FRONTIER_QUEUE_URL": QUEUE, "CONTACT_URL": "http://localhost:80/me"})
    )

    prepare_state(tmp_path, PORT)

    moved = "http://localhost:42002/000000000000/feedward-frontier"
    assert json.loads((tmp_path / "sqs.json").read_text()) == {moved: {"attributes": {}}}
    assert json.loads((tmp_path / "lambda.json").read_text()) == {
        "FRONTIER_QUEUE_URL": moved,
        "CONTACT_URL": "http://localhost:80/me",
    }


def test_there_may_be_no_state_yet(tmp_path: Path) -> None:
    prepare_state(tmp_path / "aws", PORT)
    assert saved(tmp_path / "aws") == {}


def message(**members: Any) -> dict[str, Any]:
    fresh = {"body": "{}", "receipt_handle": None, "visible_at": 900.0, "receive_count": 0, "first_receive_at": None}
    return fresh | members


def test_messages_that_a_worker_had_are_visible_again_and_that_receive_does_not_count(tmp_path: Path) -> None:
    once = message(receipt_handle="r", visible_at=1e12, receive_count=1, first_receive_at=800.0)
    thrice = message(receipt_handle="r", visible_at=1e12, receive_count=3, first_receive_at=700.0)
    later = message(visible_at=time.time() + 800)
    (tmp_path / "sqs.json").write_text(queues(once, thrice, later))

    prepare_state(tmp_path, PORT)

    (queue,) = json.loads((tmp_path / "sqs.json").read_text())["payload"]["queues"]["data"].values()
    assert queue == {
        "messages": [
            message(visible_at=0),
            message(visible_at=0, receive_count=2, first_receive_at=700.0),
            later,
        ],
        "attributes": {"a": "1"},
    }


def test_a_delay_that_no_message_has_is_of_a_clock_that_was_set_back_and_ends(tmp_path: Path) -> None:
    (tmp_path / "sqs.json").write_text(queues(message(visible_at=time.time() + 5000)))
    prepare_state(tmp_path, PORT)
    (queue,) = json.loads((tmp_path / "sqs.json").read_text())["payload"]["queues"]["data"].values()
    assert queue["messages"] == [message(visible_at=0)]


@pytest.mark.parametrize("name", ["sqs.json", "lambda.json"])
def test_a_kill_while_the_state_is_adapted_leaves_no_torn_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    before = {"sqs": queues(message(receipt_handle="r", receive_count=1)), "lambda": json.dumps({"URL": QUEUE})}
    replace_state(tmp_path, saver(**before))
    write = Path.write_text

    def write_half(path: Path, text: str) -> int:
        if path.name != name:
            return write(path, text)
        write(path, text[: len(text) // 2])
        raise Crash

    with monkeypatch.context() as patched, contextlib.suppress(Crash):
        patched.setattr(Path, "write_text", write_half)
        prepare_state(tmp_path, PORT)
    assert saved(tmp_path) == before
    prepare_state(tmp_path, PORT)
    assert "42002" in saved(tmp_path)["lambda"]


def test_a_damaged_file_stops_the_start_with_what_to_do_and_is_left(tmp_path: Path) -> None:
    (tmp_path / "sqs.json").write_text('{"payload"')
    with pytest.raises(LocalStackError, match=r"cannot be read: sqs\.json .* Put back a copy of the folder"):
        prepare_state(tmp_path, PORT)
    assert saved(tmp_path) == {"sqs": '{"payload"'}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("lambda", b"\xff\xfe\x00"),
        ("sqs", b"\x80"),
        ("dynamodb", b'{"payload": {}}'),
        ("dynamodb", b"[]"),
        ("sqs", b'{"receipt_handle": 1}'),
    ],
)
def test_a_file_of_another_form_stops_the_start_in_the_same_way(tmp_path: Path, name: str, content: bytes) -> None:
    file = tmp_path / f"{name}.json"
    file.write_bytes(content)
    with pytest.raises(LocalStackError, match=rf"cannot be read: {name}\.json .* Put back a copy of the folder"):
        prepare_state(tmp_path, PORT)
    assert file.read_bytes() == content


@pytest.mark.parametrize(
    ("code", "file", "told"),
    [
        (errno.ENOSPC, "sqs.json", "The stack cannot write sqs.json: X. What was saved is still there: make room and"),
        (errno.EROFS, None, "The stack cannot write: X. What was saved is still there: make room and"),
        (errno.EISDIR, "ministack.log", "The stack cannot use ministack.log: X. What was saved is still there: put it"),
        (errno.EEXIST, "tmp", "The stack cannot use tmp: X. What was saved is still there: put it right and"),
        (
            errno.ENOTDIR,
            "aws/lock",
            "The stack cannot use aws/lock: X. What was saved is still there: put it right and",
        ),
        (errno.ENOENT, "make", "The stack cannot use make: X. What was saved is still there: put it right and"),
        (errno.ENOMEM, None, "This machine has no room for the stack: X. What was saved is still there: end other"),
    ],
)
def test_a_fault_of_the_disk_or_of_the_machine_is_told_in_a_sentence(code: int, file: str | None, told: str) -> None:
    fault = fault_of(OSError(code, "X", file))
    assert fault is not None
    assert fault.startswith(told)
    assert fault.endswith("and start again." if file or code == errno.EROFS else "programs and start again.")


def test_another_fault_keeps_its_trace() -> None:
    assert fault_of(OSError(errno.EBADF, "Bad file descriptor")) is None


# --- one owner -------------------------------------------------------------------------------------


def test_a_process_of_a_killed_run_cannot_replace_what_the_next_run_has_saved(tmp_path: Path) -> None:
    prepare_state(tmp_path, PORT, owner="first")
    replace_state(tmp_path, saver(sqs="1"), owner="first")
    prepare_state(tmp_path, PORT, owner="second")
    with pytest.raises(LocalStackError, match="belongs to another run"):
        replace_state(tmp_path, saver(sqs="2"), owner="first")
    assert saved(tmp_path) == {"sqs": "1"}
    replace_state(tmp_path, saver(sqs="3"), owner="second")
    assert saved(tmp_path) == {"sqs": "3"}


def test_a_state_that_was_deleted_gets_no_part_of_a_set(tmp_path: Path) -> None:
    prepare_state(tmp_path / "aws", PORT, owner="first")
    shutil.rmtree(tmp_path / "aws")
    with pytest.raises(LocalStackError, match="was deleted"):
        replace_state(tmp_path / "aws", saver(sqs="1"), owner="first")
    assert not (tmp_path / "aws").exists()


def test_archives_that_no_function_has_are_deleted(tmp_path: Path) -> None:
    (tmp_path / "lambda-blobs").mkdir()
    for name in ("kept", "old"):
        (tmp_path / "lambda-blobs" / f"{name}.zip").touch()
    (tmp_path / "lambda.json").write_text(json.dumps({"code_zip": {"code_blob_ref": "kept"}}))

    prepare_state(tmp_path, PORT)

    assert [path.name for path in (tmp_path / "lambda-blobs").iterdir()] == ["kept.zip"]
