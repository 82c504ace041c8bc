"""Runs MiniStack and saves its state while it runs, not only when it ends.

Its arguments are the folder for layers, and the name of the run that owns the saved state. MiniStack's interpreter runs
this file. MiniStack's own code saves the state, in a process that is forked between two requests: so the files are of
one moment, and requests wait for the fork only. The cost depends on the changes only.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import fcntl
import gc
import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Container, Iterable, Iterator, Mapping, MutableMapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

sys.path.append(str(Path(__file__).parents[2]))

from ministack import app as ministack
from ministack.core import iam_actions, lambda_runtime, persistence, responses
from ministack.services import dynamodb, lambda_svc, s3, sqs
from ministack.services.cloudformation import handlers

from feedward_local.aws.forked_workers import fork_workers
from feedward_local.aws.ministack_http import DirectProtocol, keep_content_types, serve_by_uvicorn
from feedward_local.aws.ministack_queries import make_queries_cheap
from feedward_local.aws.restored_state import STREAMS, pending_records, restore_state
from feedward_local.aws.role_checks import as_over_tls, check_as_aws_does
from feedward_local.aws.saved_items import (
    ChangedKeys,
    Key,
    all_items_of,
    drop_superseded,
    file_name,
    items_of,
    last_number,
    needs_whole,
    note_changes,
    write_items,
)
from feedward_local.aws.saved_state import alone, flush, replace_state
from feedward_local.aws.transformed_templates import transform_templates_once
from feedward_local.aws.unpacked import unpack_layers_once
from feedward_local.aws.worker_logs import collect_logs_without_wait, keep_short

SAVE_EVERY_S = 2.0
SAVED_WITHIN_S = 60
NOT_SAVED = 3
SAVES_PATH, NOT_SAVED_STATUS = "/_feedward/saves", 507
STATE = Path(persistence.STATE_DIR)
LOG = STATE.with_name("ministack.log")
OWNER = sys.argv[2]
# The services whose state changes while the stack works. The others change at a deployment.
WORKING = frozenset({"dynamodb", "sqs", "s3"})
CALLED = frozenset({"events", "kms", "lambda", "logs", "monitoring", "ssm"})
WHOLE_PART, WHOLE_LOCK = "whole.part", "whole.lock"
READS = ("BatchGet", "Describe", "Get", "List", "Query", "Scan", "TransactGet")
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Saving(NamedTuple):
    """A process that saves, and what it saves."""

    process: int
    keys: Mapping[int, set[Key]]
    written: set[str]
    all_services: bool


class SavingApp:
    """MiniStack's ASGI application, with a task that saves after requests."""

    def __init__(self, app: Callable[[Message, Receive, Send], Awaitable[None]]) -> None:
        self._app = app
        self.changed, self.written = ChangedKeys(), set[str]()
        self._has_news, self._is_deployed_anew = False, False
        self._task: asyncio.Task[None] | None = None
        self._saving: Saving | None = None
        self._failed = False
        self._ending = threading.Lock()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Forward everything, and record changes."""
        if scope["type"] == "lifespan" and persistence.PERSIST_STATE:
            self._task = asyncio.create_task(self._save_after_requests())
        if scope.get("path") == SAVES_PATH:
            await _answer(send, NOT_SAVED_STATUS if self._failed else 200)
            return
        is_checked = ministack.AUTH and scope["type"] == "http"
        try:
            await self._app(as_over_tls(scope) if is_checked else scope, receive, send)
        finally:
            self._note({name.lower(): value.decode("latin-1") for name, value in scope.get("headers", ())}, scope)

    def _note(self, headers: Mapping[bytes, str], scope: Message) -> None:
        self.note_operation(headers.get(b"x-amz-target", "").rpartition(".")[2])
        _, _, signed = headers.get(b"authorization", "").partition("Credential=")
        service = signed.partition(",")[0].split("/")[3:4]
        is_call = scope.get("path", "").endswith("/invocations") or service != ["lambda"]
        self._is_deployed_anew |= bool(service) and not (service[0] in WORKING | CALLED and is_call)

    def note_operation(self, operation: str) -> None:
        """Save soon, if an operation of this name may change anything."""
        self._has_news |= not operation.startswith(READS)

    async def _save_after_requests(self) -> None:
        while True:
            await asyncio.sleep(SAVE_EVERY_S)
            keep_short(LOG)
            if self._has_news or self.changed:
                all_services = self._is_deployed_anew
                self._has_news, self._is_deployed_anew = False, False
                try:
                    self._saving = fork_and_save(self.changed, self.written, None if all_services else WORKING)
                except OSError:  # no memory for another process: try again
                    self._has_news, self._is_deployed_anew = True, all_services
                else:
                    await asyncio.to_thread(self._end_saving)

    def _end_saving(self) -> None:
        """Wait for the process that saves. What it could not save is saved with the next changes."""
        with self._ending:
            saving, self._saving = self._saving, None
            if saving is None:
                return
            self._failed = os.waitpid(saving.process, 0)[1] != 0
            if self._failed:
                self._has_news, self._is_deployed_anew = True, self._is_deployed_anew or saving.all_services
                with dynamodb._lock:
                    self.changed.give_back(saving.keys)
                self.written |= saving.written

    def save_at_end(self, _services: Mapping[str, Any]) -> None:
        """Save all services before MiniStack ends, after a save that is not complete. It ends here if that fails."""
        self._end_saving()
        self._has_news = False
        try:
            self._saving = fork_and_save(self.changed, self.written, None)
        except OSError:
            os._exit(NOT_SAVED)
        self._end_saving()
        if self._has_news:
            os._exit(NOT_SAVED)


async def _answer(send: Send, status: int) -> None:
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body"})


def note_bodies(written: set[str]) -> None:
    """Let S3 record the files that it writes."""
    write = s3._atomic_write

    def noted(path: str, *data: Any, **options: Any) -> None:
        write(path, *data, **options)
        written.add(path)

    vars(s3)["_atomic_write"] = noted


def fork_and_save(changed: ChangedKeys, written: set[str], services: Container[str] | None) -> Saving:
    """Save these services, or all, in a new process. Raises OSError if there can be no further process.

    Must be called where requests are handled, and so between two of them.
    """
    with dynamodb._lock, sqs._queues_lock:  # their own threads change them too
        child = os.fork()
        if child:
            taken = Saving(child, changed.take(), set(written), all_services=services is None)
            written.clear()
            return taken
        keys = changed.take()
    code = NOT_SAVED
    try:
        signal.alarm(SAVED_WITHIN_S)  # ends this process if it should wait for a lock that another thread held
        logging.disable(logging.INFO)
        gc.disable()
        vars(copy)["deepcopy"] = _same  # this process is a copy itself, and ends
        vars(json)["dump"] = _dump
        replace_state(STATE, lambda folder: save(folder, services, keys, written), owner=OWNER)
        _fork_and_save_whole()
        code = 0
    except Exception:
        logging.getLogger("feedward").exception("the state was not saved")
    finally:
        os._exit(code)


def save(folder: Path, services: Container[str] | None, keys: Mapping[int, set[Key]], written: Iterable[str]) -> None:
    """Write these services, or all, into `folder`, with the items under these keys.

    Bodies that were `written` to other files are on disk before.
    """
    flush_bodies(written)
    changed = [(table["TableId"], items_of(table, keys[id(table)])) for table in _tables() if id(table) in keys]
    if changed:
        write_items(folder / file_name(last_number(STATE) + 1), changed)
    (folder / STREAMS).write_text(json.dumps(pending_records(dynamodb, lambda_svc)))
    save_services(folder, services)


def flush_bodies(paths: Iterable[str]) -> None:
    """Wait until these files, as far as they still exist, and their names are on disk."""
    there = [Path(path) for path in paths if os.path.exists(path)]
    for path in {*there, *(path.parent for path in there)}:
        with contextlib.suppress(FileNotFoundError):
            flush(path)


def _tables() -> Iterator[MutableMapping[str, Any]]:
    return (table for _, table in dynamodb._tables.all_items())


def _fork_and_save_whole() -> None:
    """Save all items, if the changes have become too many, in a further process, while other saves go on."""
    if not needs_whole(STATE):
        return
    with (STATE / WHOLE_LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # such a process is at work
            return
        number = last_number(STATE)
        if os.fork() == 0:
            os.nice(10)
            save_whole(number)


def save_whole(number: int) -> None:
    """Write all items, as they were after the changes with this number, and delete what they replace."""
    part = STATE / WHOLE_PART
    write_items(part, ((table["TableId"], all_items_of(table)) for table in _tables()))
    flush(part)
    with alone(STATE, OWNER):
        part.replace(STATE / file_name(number, whole=True))
        flush(STATE)
        drop_superseded(STATE)


def _same(value: Any) -> Any:
    return value


def _dump(value: Any, file: Any, **options: Any) -> None:
    """Write JSON as json.dump does, with an encoder that is ten times as fast."""
    file.write(json.dumps(value, **options))


def save_services(folder: Path, services: Container[str] | None) -> None:
    """Write a file for each service. Raises OSError if one cannot be written: an incomplete set is unusable."""
    persistence.STATE_DIR = str(folder)
    for name, get_state in ministack._build_persistence_save_dict().items():
        state = get_state() if services is None or name in services else None
        if state is not None:
            persistence.save_state(name, _without_items(state) if name == "dynamodb" else state)
            (folder / f"{name}.json").stat()


def _without_items(state: dict[str, Any]) -> dict[str, Any]:
    for _, table in state["tables"].all_items():
        table["items"] = {}
    return state


if __name__ == "__main__":
    lambda_svc._prune_orphan_code_blobs = lambda _named: None  # the previous set of files may still name it
    app = SavingApp(ministack.app)
    ministack.app, ministack.save_all = app, app.save_at_end
    ministack._load_persisted_state = partial(restore_state, STATE, ministack, dynamodb, lambda_svc)
    note_changes(dynamodb, app.changed)
    note_bodies(app.written)
    check_as_aws_does(iam_actions)
    unpack_layers_once(lambda_runtime, Path(sys.argv[1]))
    transform_templates_once(handlers, Path(sys.argv[1]).with_name("transformed"))
    del sys.argv[1:]
    fork_workers(lambda_runtime)
    collect_logs_without_wait(lambda_runtime)
    make_queries_cheap(dynamodb)
    keep_content_types(responses)
    # With AUTH each call of a function is checked against its role, which the application does.
    direct = partial(DirectProtocol, answers_signed=True, note=app.note_operation)
    serve_by_uvicorn("httptools" if ministack.AUTH else direct)
    ministack.main()
